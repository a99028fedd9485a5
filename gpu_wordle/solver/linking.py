"""Walls between machine code: functions that are compiled once and called from elsewhere by name.

When numba compiles a function it takes in the code of all that the function calls, and compiles
that anew. In a tower of functions each floor would compile everything below it again. The callers
of a linked function know no more than its name and types.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from llvmlite.binding import add_symbol
from numba import njit, types
from numba.core import cgutils
from numba.core.typing.templates import Signature
from numba.extending import intrinsic


def linked(signature: Signature) -> Callable[[Callable[..., Any]], Any]:
    """Compile a function on its own, to be called from other numba functions.

    The attribute ``from_python`` of the result is what Python can call.
    """

    def decorate(function: Callable[..., Any]) -> Any:
        dispatcher = njit(signature, cache=True, nogil=True)(function)
        compiled = dispatcher.overloads[signature.args]
        name = f"{function.__module__}.{function.__qualname__}"  # the same in every process
        add_symbol(name, compiled.library.get_pointer_to_function(compiled.fndesc.llvm_func_name))

        @intrinsic
        def call(typingctx, *arguments):
            """Call the function across the wall."""

            def generate(context, builder, _, values):
                convention = context.call_conv
                kind = convention.get_function_type(signature.return_type, signature.args)
                callee = cgutils.get_or_insert_function(builder.module, kind, name)
                status, value = convention.call_function(
                    builder,
                    callee,
                    signature.return_type,
                    signature.args,
                    cgutils.unpack_tuple(builder, values[0]),
                )
                with cgutils.if_unlikely(builder, status.is_error):
                    convention.return_status_propagate(builder, status)
                return value

            return signature.return_type(types.StarArgTuple(signature.args)), generate

        call.from_python = dispatcher
        return call

    return decorate


@intrinsic
def save_borrowed(typingctx, arrays, address):
    """Write a named tuple of arrays at ``address`` for :func:`fetcher`.

    What is fetched does not count as a reference: counting takes locked operations on memory that
    all threads share, an eighth of the time of a search. So the arrays must be kept alive.
    """

    def generate(context, builder, signature, args):
        kind = signature.args[0]
        values = []
        for array_type, value in zip(
            kind.types, cgutils.unpack_tuple(builder, args[0]), strict=True
        ):
            array = context.make_array(array_type)(context, builder, value)
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            values.append(array._getvalue())
        borrowed = context.make_tuple(builder, kind, values)
        builder.store(borrowed, builder.inttoptr(args[1], borrowed.type.as_pointer()))
        return context.get_dummy_value()

    return types.void(arrays, types.int64), generate


def fetcher(kind: types.Type) -> Any:
    """What fetches, from an address, arrays of type ``kind`` that save_borrowed wrote there."""

    @intrinsic
    def fetch(typingctx, address):
        """The named tuple at ``address``."""

        def generate(context, builder, signature, args):
            pointer = context.get_value_type(kind).as_pointer()
            return builder.load(builder.inttoptr(args[0], pointer))

        return kind(types.int64), generate

    return fetch
