"""Machine code in numba's cache, dropped when any source that it may be made of has changed.

numba takes a function from its cache unless the function's own file has changed. But constants and
functions of other modules are in there, too.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import functools
import hashlib
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

from numba import njit

PACKAGE = Path(__file__).parents[2]


def stamp_of(sources: Iterable[Path]) -> str:
    """Changes with any of the sources."""
    states = [(str(path), path.stat().st_mtime_ns, path.stat().st_size) for path in sources]
    return hashlib.sha256(repr(states).encode()).hexdigest()


@functools.cache
def _stamp_of_backend() -> str:
    return stamp_of([PACKAGE / "tunables.py", *sorted(Path(__file__).parent.glob("*.py"))])


def cached_njit(function: Callable[..., Any]) -> Any:
    """Compile a function on its first call, without Python's lock, or load it from the cache."""
    dispatcher = njit(cache=True, nogil=True)(function)
    dispatcher._cache._cache_file._source_stamp = _stamp_of_backend()
    return dispatcher
