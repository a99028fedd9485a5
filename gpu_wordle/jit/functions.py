"""Functions of machine code: compiled, or loaded from the cache, when they are first needed."""

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
"""All that have a file of their own and are compiled for Python or by name, by their files."""


class Need(StrEnum):
    """What needs a function, so that it is compiled before that begins."""

    SEARCH = "search"
    STATISTICS = "statistics"
    """Of all guesses."""
    GREEDY = "greedy"
    """The best guess of each of many states by a statistic."""
    RARE = "rare"
    """Few questions, each of which has it compiled when it calls it."""


class Function:
    """A function compiled for one signature.

    Attributes:
        function: the function itself.
        signature: types of its arguments and its result.
        name: qualified by its module, the same in every process.
        file: name of its file in the cache.
        need: what needs it.
        for_python: whether Python can call it, and not only other machine code.
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
        """Call it from Python; TypeError if it is not for that."""
        if not self.for_python:
            raise TypeError(f"{self.name} is for machine code alone; Python has no way into it")
        return self.dispatcher(*arguments)

    @property
    def dispatcher(self) -> Any:
        """What numba has made of it."""
        if self._dispatcher is None:
            self.load()
        return self._dispatcher

    def load(self) -> None:
        """Compile or load it now."""
        with cache.compiler_lock:
            if self._dispatcher is None:
                function = _nameless(self.function)
                self._dispatcher = cache.dispatcher_of(
                    function, self.signature, self.file, for_python=self.for_python
                )

    def address(self) -> int:
        """Where it lies, for machine code to call."""
        alone = cache.load_alone(self.file) if self._dispatcher is None else None
        return alone or cache.address_in(self.dispatcher, self.signature)


def _nameless(function: FunctionType) -> FunctionType:
    """The function with other globals, in which its own name is nothing.

    A function calls itself by way of numba, which looks for it where the name is unknown.
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
    """A function that is compiled ahead with all others of its need."""
    made = Function(function, signature, need, for_python=for_python)
    REGISTERED[made.file] = made
    return made


def compiled(signature: Signature, need: Need = Need.SEARCH) -> Callable[[Any], Function]:
    """Decorator: compile a function for Python to call, or load it, on its first call."""
    return lambda function: registered(function, signature, need)


def compiled_by_width(
    signature: Callable[[types.Type], Signature], need: Need = Need.SEARCH
) -> Callable[[Any], Callable[..., Any]]:
    """Decorator: the same for patterns of 8 and of 16 bits, as the first argument has them.

    ``signature`` makes one of the type of a pattern. Patterns of 16 bits are rare.
    """

    def decorate(function: FunctionType) -> Callable[..., Any]:
        widths = {
            np.dtype(np.uint8): registered(function, signature(types.uint8), need),
            np.dtype(np.uint16): registered(function, signature(types.uint16), Need.RARE),
        }
        return lambda patterns, *arguments: widths[patterns.dtype](patterns, *arguments)

    return decorate
