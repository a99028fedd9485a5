"""Machine code that is compiled once on a machine, and again when its sources have changed."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import chain
from typing import Any

from numba import njit
from numba.core.typeinfer import register_dispatcher
from numba.core.typing.templates import Signature

from gpu_wordle.backends.cpu.caching import PACKAGE, stamp_of

SOURCES = [
    (PACKAGE, "tunables.py"),
    *((PACKAGE / room, "**/*.py") for room in ("game", "states", "solver")),
]
"""What machine code of the search is made of; the rest of the package is Python that calls it."""


def compiled(signature: Signature) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function for Python to call, or load it from the cache.

    numba takes a function from its cache unless the function's own file has changed. But in there
    is code of what it calls, too, and where the arrays of a workspace lie. So it is told of changes
    in any of the package's sources.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = njit(nogil=True)(function)
        dispatcher.enable_caching()
        dispatcher._cache._cache_file._source_stamp = stamp_of_sources()
        with register_dispatcher(dispatcher):  # it may call itself
            dispatcher.compile(signature)
        dispatcher.disable_compile()
        return dispatcher

    return decorate


@functools.cache
def stamp_of_sources() -> str:
    """Changes with any source that machine code may have been made of."""
    return stamp_of(chain.from_iterable(sorted(folder.glob(files)) for folder, files in SOURCES))
