"""Stores numba's results in files of our own; the only module that uses numba's private parts.

numba's own cache is not safe: it reuses a function unless the function's own source file has
changed, although the code also contains constants and functions of other modules.
"""

# mypy: disable-error-code="no-untyped-call"

from __future__ import annotations

import functools
import pickle
from collections.abc import Callable, Iterator
from contextlib import contextmanager
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
from numba.core.codegen import JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, PassManager
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime.nrt import rtsys
from numba.core.serialize import dumps
from numba.core.typeinfer import register_dispatcher
from numba.core.typing.templates import Signature

from gpu_wordle.jit import files, symbols

UNUSED_PASSES = frozenset({
    "DumpParforDiagnostics", "FindLiterallyCalls", "InlineClosureLikes",
    "InlineInlinables", "InlineOverloads", "LiteralPropagationSubPipelinePass", "LiteralUnroll",
    "MakeFunctionToJitFunction", "NoPythonSupportedFeatureValidation", "NopythonRewrites",
    "RewriteDynamicRaises", "WithLifting",
})  # fmt: skip
"""Passes of numba's compiler for what our functions do without."""

compiler_lock = global_compiler_lock
"""Held by the thread that compiles or loads; reentrant."""


def dispatcher_of(
    function: Callable[..., Any], signature: Signature, file: str, *, for_python: bool
) -> Any:
    """A numba dispatcher for one signature: loaded from the file, or compiled and stored there.

    Without ``for_python`` the wrapper for Python is left out, which compiles faster. No function
    has the wrapper for C.
    """
    ways_in = {"no_cpython_wrapper": not for_python, "no_cfunc_wrapper": True}
    dispatcher = njit(nogil=True, pipeline_class=_Outermost, **ways_in)(function)
    dispatcher._cache = _FileCache(file)
    with register_dispatcher(dispatcher):  # for functions that call themselves
        dispatcher.compile(signature)
    dispatcher.disable_compile()
    return dispatcher


def callee(function: Any) -> Any:
    """Decorator: compile a function into each function of machine code that calls it.

    A call from Python raises TypeError: the way in would be compiled and linked each time.
    """

    def refuse(*arguments: Any, **named: Any) -> None:
        raise TypeError(f"{function.__name__} can be called by machine code only, not by Python")

    made = njit(pipeline_class=_Lean, no_cpython_wrapper=True, no_cfunc_wrapper=True)(function)
    # Calls from Python would find a null pointer, so they are told of no overload.
    made.add_overload = lambda cres: made.overloads.update({cres.signature.args: cres})
    made._compile_for_args = refuse
    return made


class _Inner(JITCodeLibrary):  # type: ignore[misc]
    """The code of a function that is only linked into others, which optimise it themselves.

    numba would optimise it twice, and make machine code of it that nobody calls.
    """

    def _optimize_final_module(self) -> None:
        """Leave that to the callers."""

    def _finalize_final_module(self) -> None:
        self._finalize_dynamic_globals()
        self._verify_declare_only_symbols()
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Return zero: the function cannot be called by itself."""
        self._ensure_finalized()
        return 0

    @property
    def codegen(self) -> Any:
        """This, of which numba uses no more than :meth:`set_env`."""
        return self

    def set_env(self, name: str, env: Any) -> None:
        """Do nothing: there is no machine code that has an environment."""


class _Lean(Compiler):  # type: ignore[misc]
    """numba's compiler without the passes that our functions do without."""

    def define_pipelines(self) -> list[PassManager]:
        lean = PassManager("lean")
        for kind, told in super().define_pipelines()[0].passes:
            if kind.__name__ not in UNUSED_PASSES:
                lean.add_pass(kind, told)
        lean.finalize()
        return [lean]


class _Outermost(_Lean):
    """The compiler of a function of which machine code is made."""

    def __init__(self, typingctx: Any, targetctx: Any, library: Any, *rest: Any) -> None:
        library = library or JITCodeLibrary(targetctx.codegen(), "outermost")
        library.enable_object_caching()
        super().__init__(typingctx, targetctx, library, *rest)

    def compile_extra(self, function: Callable[..., Any]) -> CompileResult:
        """Compile a function, and as little as possible of those that it calls."""
        rtsys.initialize(cpu_target.target_context)
        with _libraries(_Inner):
            return super().compile_extra(function)


@contextmanager
def _libraries(kind: type[JITCodeLibrary]) -> Iterator[None]:
    """Context manager: numba makes libraries of that kind."""
    codegen = cpu_target.target_context.codegen()
    codegen._library_class, before = kind, codegen._library_class
    try:
        yield
    finally:
        codegen._library_class = before


def load_alone(file: str) -> int | None:
    """Load only the machine code of a function; its address, or None if it is not in the cache."""
    kept = _read(file)
    if kept is None:
        return None
    engine = _engine()
    engine.add_object_file(ObjectFileRef.from_data(kept.code))
    address: int = engine.get_function_address(kept.symbol)
    return address


@functools.cache
def _engine() -> Any:
    """The LLVM engine for functions that are loaded without numba, each only once."""
    machine = Target.from_triple(get_process_triple()).create_target_machine(jit=True)
    return create_mcjit_compiler(parse_assembly(""), machine)


def address_in(dispatcher: Any, signature: Signature) -> int:
    """Address of a dispatcher's machine code, for machine code to call."""
    inner = dispatcher.overloads[signature.args]
    address: int = inner.library.get_pointer_to_function(inner.fndesc.llvm_func_name)
    return address


class _Kept(NamedTuple):
    """The content of a file.

    Attributes:
        linked: names of the functions that the code calls by name.
        symbol: the function's symbol in the object file.
        code: the object file.
        reduced: the rest of numba's compile result, pickled.
    """

    linked: list[str]
    symbol: str
    code: bytes
    reduced: bytes


def _read(file: str) -> _Kept | None:
    """Read a file, after giving the linker the functions it calls; None if it does not exist."""
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
        """The stored compile result, or None; avoids setting up numba's compiler."""
        kept = _read(self._file)
        if kept is None:
            return None
        (name, kind, bitcode), *others = pickle.loads(kept.reduced)
        library = (name, kind, (kept.code, bitcode))
        with _libraries(JITCodeLibrary):
            return CompileResult._rebuild(target_context, library, *others)

    def save_overload(self, sig: Signature, data: Any) -> None:
        """Store a compile result. Raises ValueError for one that only this process can use."""
        # Code with dynamic globals contains addresses of this process.
        if data.lifted or data.library.has_dynamic_globals:
            raise ValueError(f"{self._file}: this machine code cannot be stored")
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
        """Do nothing: the cache is always on."""

    def disable(self) -> None:
        """Do nothing: the cache is always on."""

    def flush(self) -> None:
        """Remove the file."""
        files.remove(self._file)
