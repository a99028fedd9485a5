"""How functions of machine code call each other: linked by name, or inlined.

When numba compiles a function it takes in the code of all that the function calls, and compiles
that anew. In a tower of functions each floor would compile everything below it again. A process
that finds them all in numba's cache would load every one, whether it needs it or not. So the
callers of a linked function know no more than its name and types. An inlined one is not even loaded
while nothing that calls it is compiled.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.imputils import lower_getattr_generic
from numba.core.typing.templates import AttributeTemplate, Signature, infer_getattr
from numba.extending import intrinsic, register_model

from gpu_wordle.jit import symbols
from gpu_wordle.jit.functions import Function, registered
from gpu_wordle.solver.machine.simd import emitted


def linked(signature: Signature, *, for_python: bool = False) -> Callable[[Any], Any]:
    """Compile a function on its own, to be called from other numba functions.

    If it is made ``for_python``, Python calls the attribute ``from_python`` of the result.
    """

    def decorate(function: Any) -> Any:
        made = registered(function, signature, for_python=for_python)
        symbols.declare(made.name, made.address)

        @intrinsic
        def call(typingctx, *arguments):
            """Call the function across the wall."""
            # The linker needs the address before the caller is linked.
            symbols.provide(made.name)

            def generate(context, builder, _, values):
                convention = context.call_conv
                kind = convention.get_function_type(signature.return_type, signature.args)
                callee = cgutils.get_or_insert_function(builder.module, kind, made.name)
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

        if for_python:
            call.from_python = made
        return call

    return decorate


def inlined(signature: Signature) -> Callable[[Any], Any]:
    """Compile a function into each function that calls it.

    The attribute ``py_func`` of the result, as numba calls it, is the function itself, which need
    not be loaded.
    """

    def decorate(function: Any) -> Any:
        made = Function(function, signature, for_python=False)

        @intrinsic
        def call(typingctx, *arguments):
            """Call the function, whose code the caller takes in."""
            inner = made.dispatcher.overloads[signature.args]

            def generate(context, builder, _, values):
                context.add_linking_libs([inner.library])
                return context.call_internal(
                    builder, inner.fndesc, signature, cgutils.unpack_tuple(builder, values[0])
                )

            return signature.return_type(types.StarArgTuple(signature.args)), generate

        call.py_func = function
        return call

    return decorate


@functools.cache
def _bytes_of(context, array_type):
    """How many bytes an array takes as numba holds it, its elements not counted."""
    return context.get_abi_sizeof(context.get_value_type(array_type))


@intrinsic
def save_borrowed(typingctx, arrays, address):
    """Write a named tuple of arrays at ``address``, one after the other, for :func:`fetcher`.

    What is fetched does not count as a reference: counting takes locked operations on memory that
    all threads share, an eighth of the time of a search. So the arrays must be kept alive.
    """

    def generate(context, builder, signature, args):
        place = args[1]
        for array_type, value in zip(
            signature.args[0].types, cgutils.unpack_tuple(builder, args[0]), strict=True
        ):
            array = context.make_array(array_type)(context, builder, value)
            array.meminfo = cgutils.get_null_value(array.meminfo.type)
            array.parent = cgutils.get_null_value(array.parent.type)
            builder.store(array._getvalue(), builder.inttoptr(place, value.type.as_pointer()))
            place = builder.add(place, ir.Constant(place.type, _bytes_of(context, array_type)))
        return context.get_dummy_value()

    return types.void(arrays, types.int64), generate


REFERENCES = 2
"""How many members of an array, the first ones as numba holds it, count references."""


class Borrowed(types.Type):  # type: ignore[misc]
    """numba's type of a named tuple of arrays that save_borrowed wrote somewhere.

    Machine code holds no more than the address. It loads what it needs of an array where it needs
    it, and may take that for unchanged. A call that handed over all arrays would copy kilobytes.
    """

    def __init__(self, arrays: types.NamedTuple, name: str) -> None:
        self.arrays = arrays
        super().__init__(name=name)


@register_model(Borrowed)
class _BorrowedModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm, fe_type) -> None:
        super().__init__(dmm, fe_type, ir.IntType(64))


@infer_getattr
class _BorrowedArrays(AttributeTemplate):  # type: ignore[misc]
    key = Borrowed

    def generic_resolve(self, borrowed, name):
        fields = borrowed.arrays.fields
        return borrowed.arrays.types[fields.index(name)] if name in fields else None


@lower_getattr_generic(Borrowed)
def _array_of(context, builder, borrowed, address, name):
    """One of the arrays, member by member, so that LLVM drops what is not used."""
    number = borrowed.arrays.fields.index(name)
    kind = context.get_value_type(borrowed.arrays.types[number])
    # LLVM's text names the type of a pointer at each use, and that of all arrays has kilobytes.
    offset = sum(_bytes_of(context, each) for each in borrowed.arrays.types[:number])
    place = builder.add(address, ir.Constant(address.type, offset))
    pointer = builder.inttoptr(place, kind.as_pointer())

    def load(*member: int) -> ir.Value:
        indices = [ir.Constant(ir.IntType(32), index) for index in (0, *member)]
        value = builder.load(builder.gep(pointer, indices))
        # Arrays of a workspace stay where they are, so LLVM may load each member once.
        value.set_metadata("invariant.load", builder.module.add_metadata([]))
        return value

    array = ir.Constant(kind, ir.Undefined)
    for member, element in enumerate(kind.elements):
        if member < REFERENCES:  # nobody counts references here
            array = builder.insert_value(array, cgutils.get_null_value(element), member)
        elif isinstance(element, ir.ArrayType):
            values = [load(member, axis) for axis in range(element.count)]
            array = builder.insert_value(array, cgutils.pack_array(builder, values), member)
        else:
            array = builder.insert_value(array, load(member), member)
    return array


def fetcher(kind: Borrowed) -> Any:
    """A function from an address to the arrays of type ``kind`` that save_borrowed wrote there."""

    @emitted(kind(types.int64))
    def fetch(builder, address):
        """The arrays at ``address``."""
        return address

    return fetch
