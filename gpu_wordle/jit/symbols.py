"""Addresses, in this process, of machine-code functions that other machine code calls by name."""

from __future__ import annotations

import ctypes
from collections.abc import Callable

from llvmlite.binding import add_symbol

_address_of: dict[str, Callable[[], int]] = {}
"""Functions that return an address, by name; calling one compiles or loads the function."""

_provided: set[str] = set()


def declare(name: str, address_of: Callable[[], int]) -> None:
    """Register a function, which need not be compiled yet."""
    _address_of[name] = address_of
    _provided.discard(name)


def is_declared(name: str) -> bool:
    """Whether a function is registered under that name."""
    return name in _address_of


def provide(name: str) -> None:
    """Give the linker the address of a registered function, compiling or loading it if need be."""
    if name not in _provided:
        add_symbol(name, _address_of[name]())
        _provided.add(name)


def pretend() -> None:
    """Give the linker a dummy address for every registered function.

    For a process that compiles callers but never calls anything.
    """
    nowhere = ctypes.cast(ctypes.pythonapi.Py_GetVersion, ctypes.c_void_p).value or 0
    for name in _address_of:
        add_symbol(name, nowhere)
        _provided.add(name)
