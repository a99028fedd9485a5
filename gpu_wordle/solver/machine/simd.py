"""Vectors of 64 bytes, and of 64 wider integers, inside numba functions.

numba has no SIMD types of its own, and what LLVM makes of plain loops over bytes is about five
times as slow. So this module adds types to numba, ``<64 x i8>`` above all, which LLVM lowers to one
register with AVX-512, two with AVX2, and four with SSE2 or Neon. Nothing here names an
instruction set. Memory is given by addresses, as integers.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.core.typing.templates import Signature
from numba.extending import intrinsic, register_model

LANES = 64
"""Bytes in a vector; the columns of every matrix are padded to a multiple."""

_BYTES = ir.VectorType(ir.IntType(8), LANES)
_SHORTS = ir.VectorType(ir.IntType(16), LANES)
_WORDS = ir.VectorType(ir.IntType(32), LANES)


class Vector(types.Type):  # type: ignore[misc]
    """numba's type of a vector of 64 unsigned integers; it lives in registers only."""

    def __init__(self, name: str, bits: int) -> None:
        super().__init__(name=name)
        self.bits = bits


bytes64 = Vector("Bytes64", 8)
shorts64 = Vector("Shorts64", 16)
words64 = Vector("Words64", 32)


@register_model(Vector)
class _VectorModel(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm, fe_type) -> None:
        super().__init__(dmm, fe_type, ir.VectorType(ir.IntType(fe_type.bits), LANES))


def emitted(signature: Signature) -> Callable[[Callable[..., Any]], Any]:
    """Decorator: a function of machine code whose instructions the given one emits.

    That gets an LLVM builder and the values of the arguments. It returns the value of the function,
    or None if it has none.
    """

    def decorate(emit: Callable[..., Any]) -> Any:
        @intrinsic
        @wraps(emit)  # numba reads the names of the arguments there
        def typed(typingctx, *_):
            def generate(context, builder, _, values):
                value = emit(builder, *values)
                return context.get_dummy_value() if value is None else value

            return signature, generate

        return typed

    return decorate


def call_llvm(builder: ir.IRBuilder, name: str, result: ir.Type, *values: ir.Value) -> ir.Value:
    """Call one of LLVM's own functions, which returns a ``result``."""
    kind = ir.FunctionType(result, [value.type for value in values])
    return builder.call(cgutils.get_or_insert_function(builder.module, kind, name), values)


def spread(builder: ir.IRBuilder, value: ir.Value, vector: ir.VectorType) -> ir.Value:
    """The vector that holds ``value`` in every lane."""
    # LLVM's idiom for a splat: one lane is set, then shuffled into all of them.
    blank = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(blank, value, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(first, blank, lanes)


@emitted(bytes64(types.int64))
def load(builder, address):
    """Vector of the 64 bytes at ``address`` (an integer)."""
    return builder.load(builder.inttoptr(address, _BYTES.as_pointer()), align=1)


@emitted(bytes64(types.int64))
def splat(builder, byte):
    """Vector that holds ``byte`` in every lane."""
    return spread(builder, builder.trunc(byte, ir.IntType(8)), _BYTES)


@emitted(bytes64(bytes64, bytes64, bytes64))
def differ(builder, least, a, b):
    """``min(least, a xor b)`` lane by lane: zero where any two compared so far were equal."""
    difference = builder.xor(a, b)
    smaller = builder.icmp_unsigned("<", difference, least)
    return builder.select(smaller, difference, least)


@emitted(bytes64(bytes64, bytes64, bytes64))
def add_equal(builder, count, a, b):
    """``count`` plus one in each lane where ``a`` and ``b`` are equal."""
    # A true lane is -1 once its sign is extended, so subtracting it adds one.
    return builder.sub(count, builder.sext(builder.icmp_unsigned("==", a, b), _BYTES))


@emitted(bytes64(bytes64, bytes64, bytes64, types.int64))
def put_where_equal(builder, vector, a, b, byte):
    """``vector`` with ``byte`` in each lane where ``a`` and ``b`` are equal."""
    lanes = spread(builder, builder.trunc(byte, ir.IntType(8)), _BYTES)
    return builder.select(builder.icmp_unsigned("==", a, b), lanes, vector)


@emitted(types.void(types.int64, bytes64))
def store(builder, address, vector):
    """Write a vector at ``address`` (an integer)."""
    pointer = builder.inttoptr(address, _BYTES.as_pointer())
    builder.store(vector, pointer, align=1)


@emitted(shorts64())
def no_shorts(builder):
    """64 zeros of 16 bits."""
    return ir.Constant(_SHORTS, [0] * LANES)


@emitted(words64())
def no_words(builder):
    """64 zeros of 32 bits."""
    return ir.Constant(_WORDS, [0] * LANES)


@emitted(shorts64(shorts64, bytes64))
def add_bytes(builder, total, vector):
    """16-bit ``total`` plus the bytes of ``vector``, lane by lane."""
    return builder.add(total, builder.zext(vector, _SHORTS))


@emitted(words64(words64, bytes64, types.int64))
def add_product(builder, total, vector, factor):
    """32-bit ``total`` plus ``factor`` times the bytes of ``vector``, lane by lane."""
    factors = spread(builder, builder.trunc(factor, ir.IntType(32)), _WORDS)
    return builder.add(total, builder.mul(builder.zext(vector, _WORDS), factors))


@emitted(words64(types.int64))
def load_words(builder, address):
    """64 words of 32 bits at ``address`` (an integer)."""
    return builder.load(builder.inttoptr(address, _WORDS.as_pointer()), align=1)


@emitted(words64(words64, words64))
def add_low(builder, total, vector):
    """``total`` plus the low halves of the words of ``vector``, lane by lane."""
    mask = ir.Constant(_WORDS, [0xFFFF] * LANES)
    return builder.add(total, builder.and_(vector, mask))


@emitted(words64(words64, words64))
def add_low_zeros(builder, total, vector):
    """``total`` plus one in each lane where the low half of ``vector`` is zero."""
    low = builder.and_(vector, ir.Constant(_WORDS, [0xFFFF] * LANES))
    zero = builder.icmp_unsigned("==", low, ir.Constant(_WORDS, [0] * LANES))
    return builder.add(total, builder.zext(zero, _WORDS))


@emitted(words64(words64, words64, types.int64))
def add_high_product(builder, total, vector, factor):
    """``total`` plus ``factor`` times the high halves of the words of ``vector``."""
    factors = spread(builder, builder.trunc(factor, ir.IntType(32)), _WORDS)
    high = builder.lshr(vector, ir.Constant(_WORDS, [16] * LANES))
    return builder.add(total, builder.mul(high, factors))


@intrinsic
def store_words(typingctx, address, vector):
    """Write 64 words of 32 bits at ``address`` (an integer); narrower lanes are widened."""
    if vector not in (bytes64, shorts64, words64):
        return None

    def generate(context, builder, signature, args):
        value = args[1] if vector == words64 else builder.zext(args[1], _WORDS)
        pointer = builder.inttoptr(args[0], _WORDS.as_pointer())
        builder.store(value, pointer, align=1)
        return context.get_dummy_value()

    return types.void(types.int64, vector), generate


@emitted(bytes64(bytes64, bytes64))
def difference(builder, a, b):
    """``a - b`` lane by lane."""
    return builder.sub(a, b)


@emitted(bytes64(bytes64, bytes64))
def greater(builder, a, b):
    """The greater of two vectors, lane by lane."""
    return builder.select(builder.icmp_unsigned(">", a, b), a, b)


def _is_zero(builder: ir.IRBuilder, vector: ir.Value) -> ir.Value:
    """One bit for each byte: whether it is zero."""
    return builder.icmp_unsigned("==", vector, ir.Constant(_BYTES, [0] * LANES))


@emitted(bytes64(bytes64, bytes64))
def add_zeros(builder, count, vector):
    """``count`` plus one in each lane where ``vector`` is zero."""
    # A true lane is -1 once its sign is extended, so subtracting it adds one.
    return builder.sub(count, builder.sext(_is_zero(builder, vector), _BYTES))


@emitted(types.uint64(bytes64))
def zeros_of(builder, vector):
    """64 bits: which lanes are zero, the first one lowest."""
    return builder.bitcast(_is_zero(builder, vector), ir.IntType(LANES))


@emitted(bytes64(bytes64, bytes64))
def without(builder, a, b):
    """The bits of ``a`` that are not in ``b``."""
    return builder.and_(a, builder.not_(b))


def _reduced(builder: ir.IRBuilder, how: str, vector: ir.Value) -> ir.Value:
    """One of the bytes of a vector, as an integer."""
    byte = call_llvm(builder, f"llvm.vector.reduce.{how}.v{LANES}i8", ir.IntType(8), vector)
    return builder.zext(byte, ir.IntType(64))


@emitted(types.int64(bytes64))
def least_lane(builder, vector):
    """The least of the 64 bytes, as an integer."""
    return _reduced(builder, "umin", vector)


@emitted(types.int64(bytes64))
def greatest_lane(builder, vector):
    """The greatest of the 64 bytes, as an integer."""
    return _reduced(builder, "umax", vector)


@emitted(types.int64(types.int64))
def byte_at(builder, address):
    """The byte at ``address`` (an integer), as an integer."""
    pointer = builder.inttoptr(address, ir.IntType(8).as_pointer())
    return builder.zext(builder.load(pointer), ir.IntType(64))


@emitted(types.void(types.int64, types.int64))
def store_byte(builder, address, byte):
    """Write ``byte`` at ``address`` (an integer)."""
    pointer = builder.inttoptr(address, ir.IntType(8).as_pointer())
    builder.store(builder.trunc(byte, ir.IntType(8)), pointer)


def ask_for(builder: ir.IRBuilder, pointer: ir.Value) -> None:
    """Ask for the cache line that a pointer points at."""
    byte_pointer = ir.IntType(8).as_pointer()
    word = ir.IntType(32)
    hints = [ir.Constant(word, hint) for hint in (0, 3, 1)]  # read, keep, data
    place = builder.bitcast(pointer, byte_pointer)
    call_llvm(builder, "llvm.prefetch.p0", ir.VoidType(), place, *hints)


@emitted(types.void(types.int64))
def prefetch(builder, address):
    """Ask for the cache line at ``address`` (an integer)."""
    ask_for(builder, builder.inttoptr(address, ir.IntType(8).as_pointer()))
