"""Files of machine code: their key, their folder, and their integrity.

A file is the SHA-256 of its content, followed by the content. The name of its folder hashes
everything that machine code depends on, so that any process may use a file that it finds.
"""

from __future__ import annotations

import functools
import hashlib
import os
import re
import sys
import tempfile
import time
import warnings
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from shutil import rmtree
from types import FunctionType
from typing import TYPE_CHECKING

import llvmlite
import numba
import numpy as np
from numba.core.registry import cpu_target

from gpu_wordle.game.patterns import cache_folder
from gpu_wordle.tunables import MAX_CODE_FOLDERS
from gpu_wordle.version import __version__

if TYPE_CHECKING:
    from filelock import FileLock

PACKAGE = Path(__file__).parents[1]
SOURCES = (
    "tunables.py",
    "game/*.py",
    "states/*.py",
    "jit/cache.py",
    "jit/functions.py",
    "backends/cpu/*.py",
    "certify/machine.py",
    "solver/*/*.py",
    "strategies/machine.py",
    "experiments/noise/machine/*.py",
)
"""Modules that may end up in machine code; the rest of the package only calls it."""

CODE_VARIABLE = "GPU_WORDLE_MACHINE_CODE"
"""Environment variable that names another folder for machine code."""

IDLE_VARIABLES = {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"}
"""Environment variables of numba that do not change the compiled code."""

MAX_WRITING_SECONDS = 600
"""A temporary file older than this was left behind by a killed process."""

_DIGEST_BYTES = 32


def file_of(function: FunctionType, signature: str) -> str:
    """Name of a compiled function's file in :func:`folder`, by function and signature.

    For functions from outside the package it also hashes the Python files beside their source.
    """
    source = Path(function.__code__.co_filename)
    beside = "" if source.is_relative_to(PACKAGE) else _hash_beside(source.parent)
    name = f"{function.__module__}.{function.__qualname__}"
    digest = hashlib.sha256("\0".join((name, signature, beside)).encode()).hexdigest()
    readable = re.sub(r"[^\w.]", "", name)[-80:]
    return f"{readable}-{digest[:16]}"


@functools.cache
def folder() -> Path:
    """Folder of the machine code of these sources, this numba and this processor."""
    return parent_folder() / key()


def parent_folder() -> Path:
    """Folder of all machine code, with a folder for each key."""
    override = os.environ.get(CODE_VARIABLE)
    return Path(override) if override else cache_folder() / "machine-code"


def read(name: str) -> bytes | None:
    """Content of a file; None if it does not exist or is damaged. Removes a damaged file."""
    path = folder() / name
    try:
        content = path.read_bytes()
    except OSError:
        return None
    body = content[_DIGEST_BYTES:]
    if hashlib.sha256(body).digest() == content[:_DIGEST_BYTES]:
        return body
    remove(name)
    return None


def remove(name: str) -> None:
    """Remove a file, if possible."""
    with suppress(OSError):
        (folder() / name).unlink(missing_ok=True)


def write(name: str, content: bytes) -> None:
    """Write a file atomically. Warns if the folder cannot be written.

    A failure to replace an existing file is ignored: its content is equivalent.
    """
    path = folder() / name
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        handle, temporary = tempfile.mkstemp(dir=path.parent, suffix=".tmp")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(hashlib.sha256(content).digest())
                file.write(content)
            Path(temporary).replace(path)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
    except OSError as error:
        if not path.is_file():
            _complain(path.parent, error.strerror)


def is_present(name: str) -> bool:
    """Whether a file exists; :func:`read` checks that it is intact."""
    return (folder() / name).is_file()


def present() -> set[str]:
    """Names of the files that exist."""
    try:
        return {path.name for path in folder().iterdir()}
    except OSError:
        return set()


def lock() -> FileLock:
    """The lock that a compiling process holds; raises OSError if the folder cannot be written."""
    from filelock import FileLock  # slow to import, and rarely needed

    folder().mkdir(parents=True, exist_ok=True)
    return FileLock(folder() / "lock")


def prune() -> None:
    """Remove machine code of other keys, except for the most recent MAX_CODE_FOLDERS folders.

    This harms no running process: files are read, never mapped, and can be compiled again.
    """
    others = (path for path in parent_folder().iterdir() if path != folder() and path.is_dir())
    newest_first = sorted(others, key=lambda path: path.stat().st_mtime, reverse=True)
    for path in newest_first[MAX_CODE_FOLDERS - 1 :]:
        rmtree(path, ignore_errors=True)
    for path in folder().glob("*.tmp"):  # of processes that were killed
        with suppress(OSError):
            if time.time() - path.stat().st_mtime > MAX_WRITING_SECONDS:
                path.unlink()


@functools.cache
def key() -> str:
    """Hash of everything that machine code depends on: sources, versions, settings, processor."""
    settings = {
        name: value
        for name, value in os.environ.items()
        if name.startswith("NUMBA_") and name not in IDLE_VARIABLES
    }
    facts = (
        hash_of(path for pattern in SOURCES for path in sorted(PACKAGE.glob(pattern)))
        or __version__,
        sys.implementation.cache_tag,
        getattr(sys, "abiflags", ""),
        (numba.__version__, llvmlite.__version__, np.__version__),
        sorted(settings.items()),
        cpu_target.target_context.codegen().magic_tuple(),
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()[:24]


def hash_of(sources: Iterable[Path]) -> str:
    """Hash of the names and contents of some files, not of their folders; empty for no files."""
    contents = [(source.name, source.read_bytes()) for source in sources]
    return hashlib.sha256(repr(contents).encode()).hexdigest() if contents else ""


@functools.cache
def _hash_beside(place: Path) -> str:
    return hash_of(sorted(place.glob("*.py")))


@functools.cache
def _complain(place: Path, reason: str) -> None:
    warnings.warn(
        f"machine code not kept: {place} cannot be written ({reason}); "
        f"set {CODE_VARIABLE} to another folder",
        stacklevel=2,
    )
