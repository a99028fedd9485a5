"""Files of machine code: what they are keyed by, where they lie, and whether they are intact.

A file is the SHA-256 of its content, and the content. It lies in a folder that is named after
whatever machine code depends on, so that a file is right for whoever finds it.
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
    "strategies/letter_sums.py",
    "strategies/tables.py",
    "experiments/noise/machine/*.py",
)
"""What machine code may be made of; the rest of the package is Python that calls it."""

CODE_VARIABLE = "GPU_WORDLE_MACHINE_CODE"
"""Names a folder for machine code alone."""

IDLE_VARIABLES = {"NUMBA_CACHE_DIR", "NUMBA_NUM_THREADS"}
"""Those of numba's variables that do not change what it compiles."""

MAX_WRITING_SECONDS = 600
"""After so long, a file that is still being written has been left behind."""

_DIGEST_BYTES = 32


def file_of(function: FunctionType, signature: str) -> str:
    """Name of the file of a function compiled for a signature, in :func:`folder`.

    Of a function from outside the package, all that lies beside its source counts, too.
    """
    source = Path(function.__code__.co_filename)
    beside = "" if source.is_relative_to(PACKAGE) else _hash_beside(source.parent)
    name = f"{function.__module__}.{function.__qualname__}"
    digest = hashlib.sha256("\0".join((name, signature, beside)).encode()).hexdigest()
    readable = re.sub(r"[^\w.]", "", name)[-80:]
    return f"{readable}-{digest[:16]}"


@functools.cache
def folder() -> Path:
    """Where machine code lies that was made of these sources, by this numba, for this processor."""
    return parent_folder() / key()


def parent_folder() -> Path:
    """Where all machine code lies, of whatever sources."""
    override = os.environ.get(CODE_VARIABLE)
    return Path(override) if override else cache_folder() / "machine-code"


def read(name: str) -> bytes | None:
    """Content of a file; None if there is none, or if it is not intact, which removes it."""
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
    """Remove a file, where that is possible."""
    with suppress(OSError):
        (folder() / name).unlink(missing_ok=True)


def write(name: str, content: bytes) -> None:
    """Write a file, which readers see whole or not at all; a folder that is shut costs a warning.

    What stands there already is as good: another process may be reading it.
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
    """Whether a file is there; that it is intact is seen when it is read."""
    return (folder() / name).is_file()


def present() -> set[str]:
    """Names of the files that are there."""
    try:
        return {path.name for path in folder().iterdir()}
    except OSError:
        return set()


def lock() -> FileLock:
    """Held by the process that compiles for others; raises OSError where there can be no file."""
    from filelock import FileLock  # takes long, and is needed but once

    folder().mkdir(parents=True, exist_ok=True)
    return FileLock(folder() / "lock")


def prune() -> None:
    """Remove machine code of other sources and versions, but for what was compiled of late.

    Whoever still needs what is removed compiles it again: files are read, never mapped.
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
    """Changes with whatever machine code depends on, and with nothing else."""
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
    """Changes with the content of any source, and not with where they lie; empty for none."""
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
