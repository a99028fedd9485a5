"""Machine-code functions, compiled or loaded from the cache on the first call."""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from enum import StrEnum
from types import FunctionType
from typing import Any

import numpy as np
from numba import types
from numba.core.typing.templates import Signature

from gpu_wordle.jit import cache, files

REGISTERED: dict[str, Function] = {}
"""All functions that can be compiled ahead, by the names of their files."""


class Need(StrEnum):
    """The kind of work that needs a function, which is compiled before that work begins."""

    SEARCH = "search"
    STATISTICS = "statistics"
    """Statistics of all guesses."""
    GREEDY = "greedy"
    """The best guess of each of many states by a statistic."""
    RARE = "rare"
    """Rare work; the function is compiled on its first call."""


class Function:
    """A function compiled for one signature.

    Attributes:
        function: the Python function.
        signature: the types of its arguments and its result.
        name: its name with its module, equal in every process.
        file: name of its file in the cache.
        need: the kind of work that needs it.
        for_python: whether Python can call it; if not, only machine code can.
    """

    def __init__(
        self,
        function: FunctionType,
        signature: Signature,
        need: Need = Need.SEARCH,
        *,
        for_python: bool = True,
    ) -> None:
        self.function = function
        self.signature = signature
        self.name = f"{function.__module__}.{function.__qualname__}"
        self.file = files.file_of(function, f"{signature} {for_python}")
        self.need = need
        self.for_python = for_python
        self._dispatcher: Any = None

    def __call__(self, *arguments: Any) -> Any:
        """Call the function from Python. Raises TypeError unless ``for_python``."""
        if not self.for_python:
            raise TypeError(f"{self.name} can be called by machine code only, not by Python")
        return self.dispatcher(*arguments)

    @property
    def dispatcher(self) -> Any:
        """The numba dispatcher, compiled or loaded on first use."""
        if self._dispatcher is None:
            self.load()
        return self._dispatcher

    def load(self) -> None:
        """Compile or load the function now."""
        with cache.compiler_lock:
            if self._dispatcher is None:
                function = _nameless(self.function)
                self._dispatcher = cache.dispatcher_of(
                    function, self.signature, self.file, for_python=self.for_python
                )

    def address(self) -> int:
        """Its address, for machine code to call."""
        alone = cache.load_alone(self.file) if self._dispatcher is None else None
        return alone or cache.address_in(self.dispatcher, self.signature)


def _nameless(function: FunctionType) -> FunctionType:
    """A copy of a recursive function without its own name in its globals.

    numba resolves a self-call only if the name is not a global; there it would find the Function.
    """
    name = function.__name__
    if name not in function.__code__.co_names:
        return function
    scope = {key: value for key, value in function.__globals__.items() if key != name}
    same = FunctionType(function.__code__, scope, name, function.__defaults__, function.__closure__)
    same.__qualname__, same.__doc__ = function.__qualname__, function.__doc__
    return same


def registered(
    function: FunctionType,
    signature: Signature,
    need: Need = Need.SEARCH,
    *,
    for_python: bool = True,
) -> Function:
    """Make a Function and register it for compiling ahead."""
    made = Function(function, signature, need, for_python=for_python)
    REGISTERED[made.file] = made
    return made


def compiled(signature: Signature, need: Need = Need.SEARCH) -> Callable[[Any], Function]:
    """Decorator: make a function machine code, compiled or loaded on its first call."""
    return lambda function: registered(function, signature, need)


def compiled_by_width(
    signature: Callable[[types.Type], Signature], need: Need = Need.SEARCH
) -> Callable[[Any], Callable[..., Any]]:
    """Decorator: make a function machine code for patterns of 8 and of 16 bits.

    Calls are dispatched by the dtype of the first argument. ``signature`` makes a signature from
    the type of a pattern. Patterns of 16 bits are rare.
    """

    def decorate(function: FunctionType) -> Callable[..., Any]:
        widths = {
            np.dtype(np.uint8): registered(function, signature(types.uint8), need),
            np.dtype(np.uint16): registered(function, signature(types.uint16), Need.RARE),
        }
        return lambda patterns, *arguments: widths[patterns.dtype](patterns, *arguments)

    return decorate
