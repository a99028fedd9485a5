"""Functions of machine code that others know by name only, and where they lie in this process."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from llvmlite.binding import add_symbol

_address_of: dict[str, Callable[[], int]] = {}
"""Where a function lies, by its name; asking compiles or loads it."""

_provided: set[str] = set()


def declare(name: str, address_of: Callable[[], int]) -> None:
    """Make a function known, which need not be compiled yet."""
    _address_of[name] = address_of
    _provided.discard(name)


def is_declared(name: str) -> bool:
    """Whether a function of that name is linked by its name."""
    return name in _address_of


def provide(name: str) -> None:
    """Have machine code find the function from now on."""
    if name not in _provided:
        add_symbol(name, _address_of[name]())
        _provided.add(name)


def pretend() -> None:
    """Give all functions an address where none of them lies.

    For a process that compiles callers and never calls anything.
    """
    nowhere = ctypes.cast(ctypes.pythonapi.Py_GetVersion, ctypes.c_void_p).value or 0
    for name in _address_of:
        add_symbol(name, nowhere)
        _provided.add(name)
