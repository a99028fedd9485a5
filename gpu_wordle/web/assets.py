"""The files of the page: a table made once of what is packaged; nothing else is ever served."""

from __future__ import annotations

import gzip
import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.resources.abc import Traversable

FOLDER = "static"

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
    ".webmanifest": "application/manifest+json",
}
"""Files that belong to the page, by how their names end."""

PACKED = (".html", ".css", ".js", ".svg", ".webmanifest")
"""Those that become smaller when they are packed."""

INDEX_PAGE = "index.html"


@dataclass(frozen=True)
class Asset:
    """A file.

    Attributes:
        content: its bytes.
        packed: the same by gzip; None where that is no smaller.
        media_type: what browsers are to take it for.
        etag: changes with the content.
    """

    content: bytes
    packed: bytes | None
    media_type: str
    etag: str


@cache
def assets() -> Mapping[str, Asset]:
    """All files by their paths below the page: ``index.html``, ``static/page.css`` and so on."""
    folder = resources.files("gpu_wordle.web") / FOLDER
    found = dict(_files(folder, FOLDER))
    index = found.pop(f"{FOLDER}/{INDEX_PAGE}", None)
    return found if index is None else {INDEX_PAGE: index, **found}


def asset_of(content: bytes, suffix: str) -> Asset:
    """A file of that content."""
    packed = gzip.compress(content, mtime=0) if suffix in PACKED else None
    etag = f'"{hashlib.sha256(content).hexdigest()[:32]}"'
    return Asset(content, packed, TYPES[suffix], etag)


def _files(folder: Traversable, path: str) -> list[tuple[str, Asset]]:
    """The files of a folder and of those in it."""
    found: list[tuple[str, Asset]] = []
    for entry in sorted(folder.iterdir(), key=lambda each: each.name):
        name = f"{path}/{entry.name}"
        suffix = f".{entry.name.rpartition('.')[2]}"
        if entry.is_dir():
            found += _files(entry, name)
        elif suffix in TYPES:
            found.append((name, asset_of(entry.read_bytes(), suffix)))
    return found
