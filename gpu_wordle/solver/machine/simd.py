"""Vectors of 64 bytes, and of 64 wider integers, inside numba functions.

numba has no SIMD types of its own, and what LLVM makes of plain loops over bytes is about five
times as slow. So this module adds types to numba, ``<64 x i8>`` above all, which LLVM lowers to one
register with AVX-512, two with AVX2, and four with SSE2 or Neon. Nothing here names an
instruction set. Memory is given by addresses, as integers.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.datamodel import models
from numba.extending import intrinsic, register_model

LANES = 64
"""Bytes in a vector; the columns of every matrix are padded to a multiple."""

_BYTES = ir.VectorType(ir.IntType(8), LANES)
_SHORTS = ir.VectorType(ir.IntType(16), LANES)
_WORDS = ir.VectorType(ir.IntType(32), LANES)


class Bytes64(types.Type):  # type: ignore[misc]
    """numba's type of a vector of 64 unsigned bytes; it lives in registers only."""

    def __init__(self) -> None:
        super().__init__(name="Bytes64")


class Shorts64(types.Type):  # type: ignore[misc]
    """numba's type of a vector of 64 unsigned 16-bit integers."""

    def __init__(self) -> None:
        super().__init__(name="Shorts64")


class Words64(types.Type):  # type: ignore[misc]
    """numba's type of a vector of 64 unsigned 32-bit integers."""

    def __init__(self) -> None:
        super().__init__(name="Words64")


bytes64 = Bytes64()
shorts64 = Shorts64()
words64 = Words64()


@register_model(Bytes64)
class _Bytes64Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm, fe_type) -> None:
        super().__init__(dmm, fe_type, _BYTES)


@register_model(Shorts64)
class _Shorts64Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm, fe_type) -> None:
        super().__init__(dmm, fe_type, _SHORTS)


@register_model(Words64)
class _Words64Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, dmm, fe_type) -> None:
        super().__init__(dmm, fe_type, _WORDS)


def spread(builder: ir.IRBuilder, value: ir.Value, vector: ir.VectorType) -> ir.Value:
    """The vector that holds ``value`` in every lane."""
    # LLVM's idiom for a splat: one lane is set, then shuffled into all of them.
    blank = ir.Constant(vector, ir.Undefined)
    first = builder.insert_element(blank, value, ir.Constant(ir.IntType(32), 0))
    lanes = ir.Constant(ir.VectorType(ir.IntType(32), vector.count), [0] * vector.count)
    return builder.shuffle_vector(first, blank, lanes)


@intrinsic
def load(typingctx, address):
    """Vector of the 64 bytes at ``address`` (an integer)."""

    def generate(context, builder, signature, args):
        return builder.load(builder.inttoptr(args[0], _BYTES.as_pointer()), align=1)

    return bytes64(types.int64), generate


@intrinsic
def splat(typingctx, byte):
    """Vector that holds ``byte`` in every lane."""

    def generate(context, builder, signature, args):
        return spread(builder, builder.trunc(args[0], ir.IntType(8)), _BYTES)

    return bytes64(types.int64), generate


@intrinsic
def differ(typingctx, least, a, b):
    """``min(least, a xor b)`` lane by lane: zero where any two compared so far were equal."""

    def generate(context, builder, signature, args):
        difference = builder.xor(args[1], args[2])
        smaller = builder.icmp_unsigned("<", difference, args[0])
        return builder.select(smaller, difference, args[0])

    return bytes64(bytes64, bytes64, bytes64), generate


@intrinsic
def add_equal(typingctx, count, a, b):
    """``count`` plus one in each lane where ``a`` and ``b`` are equal."""

    def generate(context, builder, signature, args):
        # A true lane is -1 once its sign is extended, so subtracting it adds one.
        return builder.sub(args[0], builder.sext(builder.icmp_unsigned("==", *args[1:]), _BYTES))

    return bytes64(bytes64, bytes64, bytes64), generate


@intrinsic
def put_where_equal(typingctx, vector, a, b, byte):
    """``vector`` with ``byte`` in each lane where ``a`` and ``b`` are equal."""

    def generate(context, builder, signature, args):
        lanes = spread(builder, builder.trunc(args[3], ir.IntType(8)), _BYTES)
        return builder.select(builder.icmp_unsigned("==", *args[1:3]), lanes, args[0])

    return bytes64(bytes64, bytes64, bytes64, types.int64), generate


@intrinsic
def store(typingctx, address, vector):
    """Write a vector at ``address`` (an integer)."""

    def generate(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], _BYTES.as_pointer())
        builder.store(args[1], pointer, align=1)
        return context.get_dummy_value()

    return types.void(types.int64, bytes64), generate


@intrinsic
def no_shorts(typingctx):
    """64 zeros of 16 bits."""

    def generate(context, builder, signature, args):
        return ir.Constant(_SHORTS, [0] * LANES)

    return shorts64(), generate


@intrinsic
def no_words(typingctx):
    """64 zeros of 32 bits."""

    def generate(context, builder, signature, args):
        return ir.Constant(_WORDS, [0] * LANES)

    return words64(), generate


@intrinsic
def add_bytes(typingctx, total, vector):
    """16-bit ``total`` plus the bytes of ``vector``, lane by lane."""

    def generate(context, builder, signature, args):
        return builder.add(args[0], builder.zext(args[1], _SHORTS))

    return shorts64(shorts64, bytes64), generate


@intrinsic
def add_product(typingctx, total, vector, factor):
    """32-bit ``total`` plus ``factor`` times the bytes of ``vector``, lane by lane."""

    def generate(context, builder, signature, args):
        factors = spread(builder, builder.trunc(args[2], ir.IntType(32)), _WORDS)
        return builder.add(args[0], builder.mul(builder.zext(args[1], _WORDS), factors))

    return words64(words64, bytes64, types.int64), generate


@intrinsic
def load_words(typingctx, address):
    """64 words of 32 bits at ``address`` (an integer)."""

    def generate(context, builder, signature, args):
        return builder.load(builder.inttoptr(args[0], _WORDS.as_pointer()), align=1)

    return words64(types.int64), generate


@intrinsic
def add_low(typingctx, total, vector):
    """``total`` plus the low halves of the words of ``vector``, lane by lane."""

    def generate(context, builder, signature, args):
        mask = ir.Constant(_WORDS, [0xFFFF] * LANES)
        return builder.add(args[0], builder.and_(args[1], mask))

    return words64(words64, words64), generate


@intrinsic
def add_low_zeros(typingctx, total, vector):
    """``total`` plus one in each lane where the low half of ``vector`` is zero."""

    def generate(context, builder, signature, args):
        low = builder.and_(args[1], ir.Constant(_WORDS, [0xFFFF] * LANES))
        zero = builder.icmp_unsigned("==", low, ir.Constant(_WORDS, [0] * LANES))
        return builder.add(args[0], builder.zext(zero, _WORDS))

    return words64(words64, words64), generate


@intrinsic
def add_high_product(typingctx, total, vector, factor):
    """``total`` plus ``factor`` times the high halves of the words of ``vector``."""

    def generate(context, builder, signature, args):
        factors = spread(builder, builder.trunc(args[2], ir.IntType(32)), _WORDS)
        high = builder.lshr(args[1], ir.Constant(_WORDS, [16] * LANES))
        return builder.add(args[0], builder.mul(high, factors))

    return words64(words64, words64, types.int64), generate


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


@intrinsic
def difference(typingctx, a, b):
    """``a - b`` lane by lane."""

    def generate(context, builder, signature, args):
        return builder.sub(*args)

    return bytes64(bytes64, bytes64), generate


@intrinsic
def greater(typingctx, a, b):
    """The greater of two vectors, lane by lane."""

    def generate(context, builder, signature, args):
        return builder.select(builder.icmp_unsigned(">", *args), *args)

    return bytes64(bytes64, bytes64), generate


def _is_zero(builder: ir.IRBuilder, vector: ir.Value) -> ir.Value:
    """One bit for each byte: whether it is zero."""
    return builder.icmp_unsigned("==", vector, ir.Constant(_BYTES, [0] * LANES))


@intrinsic
def add_zeros(typingctx, count, vector):
    """``count`` plus one in each lane where ``vector`` is zero."""

    def generate(context, builder, signature, args):
        # A true lane is -1 once its sign is extended, so subtracting it adds one.
        return builder.sub(args[0], builder.sext(_is_zero(builder, args[1]), _BYTES))

    return bytes64(bytes64, bytes64), generate


@intrinsic
def zeros_of(typingctx, vector):
    """64 bits: which lanes are zero, the first one lowest."""

    def generate(context, builder, signature, args):
        return builder.bitcast(_is_zero(builder, args[0]), ir.IntType(LANES))

    return types.uint64(bytes64), generate


@intrinsic
def without(typingctx, a, b):
    """The bits of ``a`` that are not in ``b``."""

    def generate(context, builder, signature, args):
        return builder.and_(args[0], builder.not_(args[1]))

    return bytes64(bytes64, bytes64), generate


def _reduced(builder: ir.IRBuilder, how: str, vector: ir.Value) -> ir.Value:
    """One of the bytes of a vector, as an integer."""
    reduce = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.IntType(8), [_BYTES]),
        f"llvm.vector.reduce.{how}.v{LANES}i8",
    )
    return builder.zext(builder.call(reduce, [vector]), ir.IntType(64))


@intrinsic
def least_lane(typingctx, vector):
    """The least of the 64 bytes, as an integer."""

    def generate(context, builder, signature, args):
        return _reduced(builder, "umin", args[0])

    return types.int64(bytes64), generate


@intrinsic
def greatest_lane(typingctx, vector):
    """The greatest of the 64 bytes, as an integer."""

    def generate(context, builder, signature, args):
        return _reduced(builder, "umax", args[0])

    return types.int64(bytes64), generate


@intrinsic
def byte_at(typingctx, address):
    """The byte at ``address`` (an integer), as an integer."""

    def generate(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        return builder.zext(builder.load(pointer), ir.IntType(64))

    return types.int64(types.int64), generate


@intrinsic
def store_byte(typingctx, address, byte):
    """Write ``byte`` at ``address`` (an integer)."""

    def generate(context, builder, signature, args):
        pointer = builder.inttoptr(args[0], ir.IntType(8).as_pointer())
        builder.store(builder.trunc(args[1], ir.IntType(8)), pointer)
        return context.get_dummy_value()

    return types.void(types.int64, types.int64), generate


def ask_for(builder: ir.IRBuilder, pointer: ir.Value) -> None:
    """Ask for the cache line that a pointer points at."""
    byte_pointer = ir.IntType(8).as_pointer()
    word = ir.IntType(32)
    fetch = cgutils.get_or_insert_function(
        builder.module,
        ir.FunctionType(ir.VoidType(), [byte_pointer, word, word, word]),
        "llvm.prefetch.p0",
    )
    hints = [ir.Constant(word, hint) for hint in (0, 3, 1)]  # read, keep, data
    builder.call(fetch, [builder.bitcast(pointer, byte_pointer), *hints])


@intrinsic
def prefetch(typingctx, address):
    """Ask for the cache line at ``address`` (an integer)."""

    def generate(context, builder, signature, args):
        ask_for(builder, builder.inttoptr(args[0], ir.IntType(8).as_pointer()))
        return context.get_dummy_value()

    return types.void(types.int64), generate
