"""What numba has compiled, in files of our own; every private part of numba is touched here.

numba's own cache believes what it finds. It takes a function from there unless the function's own
file has changed. But constants and functions of other modules are in there, too.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable
from typing import Any, NamedTuple

from llvmlite.binding import (
    ObjectFileRef,
    Target,
    create_mcjit_compiler,
    get_process_triple,
    parse_assembly,
)
from numba import njit
from numba.core.caching import _Cache
from numba.core.compiler import CompileResult
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.typeinfer import register_dispatcher
from numba.core.typing.templates import Signature

from gpu_wordle.jit import files, symbols

compiler_lock = global_compiler_lock
"""Held by the thread that compiles or loads; it may be taken again by who has it."""


def dispatcher_of(
    function: Callable[..., Any], signature: Signature, file: str, *, for_python: bool
) -> Any:
    """A dispatcher of numba for one signature: loaded from the file, or compiled and put there.

    What Python is not to call is compiled in less time, without a way in from there. Nor has any
    function one from C.
    """
    ways_in = {"no_cpython_wrapper": not for_python, "no_cfunc_wrapper": True}
    dispatcher = njit(nogil=True, **ways_in)(function)
    dispatcher._cache = _FileCache(file)
    with register_dispatcher(dispatcher):  # it may call itself
        dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


def load_alone(file: str) -> int | None:
    """Load a function for machine code to call, without what Python needs; where, if it is kept."""
    kept = _read(file)
    if kept is None:
        return None
    engine = _engine()
    engine.add_object_file(ObjectFileRef.from_data(kept.code))
    address: int = engine.get_function_address(kept.symbol)
    return address


@functools.cache
def _engine() -> Any:
    """What holds machine code beside numba's own, in which each function is loaded but once."""
    machine = Target.from_triple(get_process_triple()).create_target_machine(jit=True)
    return create_mcjit_compiler(parse_assembly(""), machine)


def address_in(dispatcher: Any, signature: Signature) -> int:
    """Where the machine code of a dispatcher lies, for machine code to call."""
    inner = dispatcher.overloads[signature.args]
    address: int = inner.library.get_pointer_to_function(inner.fndesc.llvm_func_name)
    return address


class _Kept(NamedTuple):
    """What a file holds.

    Attributes:
        linked: names of the functions that it calls by name.
        symbol: what LLVM calls the function.
        code: the object file.
        reduced: the rest of what numba makes anew of it, pickled.
    """

    linked: list[str]
    symbol: str
    code: bytes
    reduced: bytes


def _read(file: str) -> _Kept | None:
    """What is kept, once all that it calls is where it can be found."""
    content = files.read(file)
    if content is None:
        return None
    rtsys.initialize(cpu_target.target_context)
    kept = _Kept(*pickle.loads(content))
    for name in kept.linked:
        symbols.provide(name)
    return kept


class _FileCache(_Cache):  # type: ignore[misc]
    """The cache of a function for one signature: a file."""

    def __init__(self, file: str) -> None:
        self._file = file

    @property
    def cache_path(self) -> str:
        return str(files.folder())

    def load_overload(self, sig: Signature, target_context: Any) -> Any:
        """What was compiled, or None. What numba needs to compile anything is not set up."""
        kept = _read(self._file)
        if kept is None:
            return None
        (name, kind, bitcode), *others = pickle.loads(kept.reduced)
        library = (name, kind, (kept.code, bitcode))
        return CompileResult._rebuild(target_context, library, *others)

    def save_overload(self, sig: Signature, data: Any) -> None:
        """Keep what was compiled; a constant that is an address would be wrong elsewhere."""
        if data.lifted or data.library.has_dynamic_globals:
            raise ValueError(f"{self._file}: this machine code cannot be kept")
        linked = [
            function.name
            for function in data.library._final_module.functions
            if function.is_declaration and symbols.is_declared(function.name)
        ]
        (name, kind, (code, bitcode)), *others = data._reduce()
        reduced = dumps(((name, kind, bitcode), *others))
        kept = _Kept(linked, data.fndesc.llvm_func_name, code, reduced)
        files.write(self._file, pickle.dumps(tuple(kept)))

    def enable(self) -> None:
        """It is on."""

    def disable(self) -> None:
        """It is never turned off."""

    def flush(self) -> None:
        """Remove the file."""
        files.remove(self._file)
