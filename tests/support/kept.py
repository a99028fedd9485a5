"""What takes long to build: built once, and kept for all processes and for the next run."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import time
from collections.abc import Callable, Iterable
from functools import cache
from pathlib import Path

from support import ROOT

FOLDER = ROOT / ".host-kernels"
KEPT_S = 14 * 24 * 3600
"""After so long without use, a file is none of this checkout any more."""


@cache
def folder() -> Path:
    """Return the folder, without the files that nobody has used for long."""
    FOLDER.mkdir(exist_ok=True)
    for path in FOLDER.iterdir():
        if path.stat().st_mtime < time.time() - KEPT_S:
            path.unlink(missing_ok=True)
    return FOLDER


def kept(
    content: Iterable[str | bytes],
    suffix: str,
    build: Callable[[Path], None],
    place: Path | None = None,
) -> Path:
    """Return the file of a content: all that it depends on. ``build`` writes it if there is none.

    It is renamed into place when it is whole, since other processes may look for it.
    """
    whole = b"\0".join(each.encode() if isinstance(each, str) else each for each in content)
    path = (place or folder()) / f"{hashlib.sha256(whole).hexdigest()[:24]}{suffix}"
    if path.exists():
        path.touch()  # marks the file as in use
        return path
    new = path.with_suffix(f".{os.getpid()}{suffix}")
    build(new)
    return new.replace(path)


@cache
def version(program: str) -> str:
    """Return what a compiler says of its version."""
    found = shutil.which(program)
    assert found is not None
    command = [found, "--version"]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout
