"""Counting labels in a block of columns at a time: bit slices, vectors of one bit of each label.

Labels of six bits lie in six planes, so a test of a label is a few logical operations on a block of
columns at once. Their number grows with the number of rows, and not with that of pairs of rows.
Counts are bit slices too, and are added up as a hardware multiplier does it, by full adders.

As in simd.py, LLVM lowers a vector to what the machine has, and memory is given by addresses.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from collections.abc import Callable, Sequence

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.registry import cpu_target

from gpu_wordle.solver.machine.simd import LANES, ask_for, bytes64, call_llvm, emitted, spread

MAX_BLOCK, MIN_BLOCK = 512, 256
_, _, _features = cpu_target.target_context.codegen().magic_tuple()
BLOCK = MAX_BLOCK if "+avx512f" in _features else MIN_BLOCK
"""Columns of a slice: a register with AVX-512. In AVX2 that would be two, which leaves too few for
eight labels of a row (timed). Neither values nor what is kept depend on it."""

PLANES = 6
"""Bits of a label."""

SLICE_BYTES = BLOCK // 8
UNSHARED = (1 << PLANES) - 1
"""The label that many parts share; each row that has it counts as a part of its own."""

COUNT_PLANES = 9
"""Bits of a count: of 511 rows at most."""

_WORD = ir.IntType(64)
_BYTE = ir.IntType(8)
_SLICE = ir.VectorType(_WORD, BLOCK // 64)
_ZERO = ir.Constant(_SLICE, [0] * (BLOCK // 64))
_ONES = ir.Constant(_SLICE, [-1] * (BLOCK // 64))
_UNROLLED = 4  # rows at a time, so that what they count is added up together

Slices = list[ir.Value]


def _slices_at(builder: ir.IRBuilder, address: ir.Value) -> Callable[[int], ir.Value]:
    """Pointers by number to the slices that lie one after the other from an address on."""
    first = builder.inttoptr(address, _SLICE.as_pointer())
    return lambda number: builder.gep(first, [ir.Constant(_WORD, number)])


def _add_up(builder: ir.IRBuilder, weights: list[Slices]) -> Slices:
    """Bits of the sum of slices, ``weights[w]`` being those that count 2**w; a carry-save tree."""
    total = []
    while weights:
        ones, *weights = weights
        carries: Slices = []
        while len(ones) > 1:
            if len(ones) > 2:
                x, y, z, *ones = ones
                # A full adder: three bits of one weight become one, and a carry of the next weight.
                half = builder.xor(x, y)
                ones.append(builder.xor(half, z))
                carries.append(builder.or_(builder.and_(x, y), builder.and_(half, z)))
            else:
                x, y = ones
                ones = [builder.xor(x, y)]
                carries.append(builder.and_(x, y))
        total += ones
        if carries:
            weights = [weights[0] + carries, *weights[1:]] if weights else [carries]
    return total


def _unrolled(
    builder: ir.IRBuilder, number: ir.Value, body: Callable[[ir.Value, int], None]
) -> None:
    """A loop over 0 to ``number`` - 1, unrolled: ``body`` gets a first number and how many."""
    step = ir.Constant(_WORD, _UNROLLED)
    rounds = builder.udiv(number, step)
    with cgutils.for_range(builder, rounds) as turn:
        body(builder.mul(turn.index, step), _UNROLLED)
    done = builder.mul(rounds, step)
    with cgutils.for_range(builder, builder.sub(number, done)) as turn:
        body(builder.add(done, turn.index), 1)


def _choices(builder: ir.IRBuilder, low: ir.Value, high: ir.Value) -> Slices:
    """Where two bits spell 0, 1, 2 and 3."""
    not_low, not_high = builder.xor(low, _ONES), builder.xor(high, _ONES)
    return [
        builder.and_(high if value & 2 else not_high, low if value & 1 else not_low)
        for value in range(4)
    ]


def _planes_of_row(
    builder: ir.IRBuilder, rows: ir.Value, row: ir.Value, offset: ir.Value, *, ahead: bool
) -> Slices:
    """The labels of a row, bit by bit; ``ahead`` asks for those of the next block too."""
    address = builder.add(builder.load(builder.gep(rows, [row])), offset)
    plane_at = _slices_at(builder, address)
    if ahead:
        for t in range(PLANES, 2 * PLANES):
            ask_for(builder, plane_at(t))
    return [builder.load(plane_at(t), align=8) for t in range(PLANES)]


def _labels_of_eighth(builder: ir.IRBuilder, planes: Slices, eighth: int) -> Slices:
    """Where a row has each of the 8 labels of an eighth."""
    half = planes[3] if eighth & 1 else builder.xor(planes[3], _ONES)
    here = builder.and_(_choices(builder, planes[4], planes[5])[eighth >> 1], half)
    high = [builder.and_(here, builder.xor(planes[2], _ONES)), builder.and_(here, planes[2])]
    low = _choices(builder, planes[0], planes[1])
    return [builder.and_(high[label >> 2], low[label & 3]) for label in range(8)]


class _Counter:
    """Counts of a block of columns in local variables, bit by bit."""

    def __init__(self, builder: ir.IRBuilder, start: Slices | None = None) -> None:
        self.builder = builder
        start = start or [_ZERO] * COUNT_PLANES
        self.variables = [cgutils.alloca_once_value(builder, bit) for bit in start]

    def add(self, slices: Sequence[ir.Value]) -> None:
        """Add one wherever a slice is set, for each of the slices."""
        weights = [[bit] for bit in self.bits()]
        weights[0] += slices
        total = _add_up(self.builder, weights)[:COUNT_PLANES]
        for variable, bit in zip(self.variables, total, strict=True):
            self.builder.store(bit, variable)

    def bits(self) -> Slices:
        """The counts as they are."""
        return [self.builder.load(variable) for variable in self.variables]

    def save(self, address: ir.Value) -> None:
        """Write the counts at ``address``."""
        plane_at = _slices_at(self.builder, address)
        for t, bit in enumerate(self.bits()):
            self.builder.store(bit, plane_at(t), align=8)


def _load_counts(builder: ir.IRBuilder, address: ir.Value) -> Slices:
    """The counts that were saved at ``address``."""
    plane_at = _slices_at(builder, address)
    return [builder.load(plane_at(t), align=8) for t in range(COUNT_PLANES)]


def _save_where(builder: ir.IRBuilder, address: ir.Value, counts: Slices, mask: ir.Value) -> None:
    """Write counts at ``address``, zero where the mask has no bit."""
    plane_at = _slices_at(builder, address)
    for t, plane in enumerate(counts):
        builder.store(builder.and_(plane, mask), plane_at(t), align=8)


def _count_eighth(
    builder: ir.IRBuilder,
    rows: ir.Value,
    number: ir.Value,
    offset: ir.Value,
    counter: _Counter,
    eighth: int,
    single: tuple[_Counter, ir.Value, Callable[[Slices, Slices], ir.Value]] | None = None,
) -> None:
    """Add to ``counter`` each label of an eighth that occurs in any row.

    ``single`` counts rows one by one: another counter, an address, and a function that picks from
    the planes and labels of a row what is counted there. What it picks is written at the address,
    row by row. In the last eighth the last label is left out.
    """
    # The last label is shared by many parts, so that it occurs says nothing of their number.
    seen = [cgutils.alloca_once(builder, _SLICE) for _ in range(7 if eighth == 7 else 8)]
    for variable in seen:
        builder.store(_ZERO, variable)

    def look(first: ir.Value, count: int) -> None:
        alone = []
        for i in range(count):
            row = builder.add(first, ir.Constant(_WORD, i))
            planes = _planes_of_row(builder, rows, row, offset, ahead=eighth == 0)
            labels = _labels_of_eighth(builder, planes, eighth)
            for variable, label in zip(seen, labels, strict=False):
                builder.store(builder.or_(builder.load(variable), label), variable)
            if single:
                _, address, choose = single
                alone.append(choose(planes, labels))
                place = builder.mul(row, ir.Constant(_WORD, SLICE_BYTES))
                slice_at = _slices_at(builder, builder.add(address, place))
                builder.store(alone[-1], slice_at(0), align=8)
        if single:
            single[0].add(alone)

    _unrolled(builder, number, look)
    counter.add([builder.load(variable) for variable in seen])


@emitted(types.void(*[types.int64] * 6))
def count_labels(builder, rows, number, offset, shared, counts, singles):  # noqa: D417
    """Count the labels that occur in each column of a block, those of the upper half once a row.

    Args:
        rows: address of the addresses of the rows.
        number: number of rows, at most 511.
        offset: where the planes of the columns begin in a row.
        shared: address of COUNT_PLANES slices, result: labels of the lower half alone.
        counts: address of COUNT_PLANES slices, result: labels of both halves.
        singles: address of a slice for each row, result: where it was counted as if alone.
    """
    rows = builder.inttoptr(rows, _WORD.as_pointer())
    lower, upper = _Counter(builder), _Counter(builder)
    # The highest bit marks the labels of the upper half.
    single = upper, singles, lambda planes, labels: planes[5]
    _count_eighth(builder, rows, number, offset, lower, 0, single)
    for eighth in range(1, 4):
        _count_eighth(builder, rows, number, offset, lower, eighth)
    lower.save(shared)
    weights = [list(pair) for pair in zip(lower.bits(), upper.bits(), strict=True)]
    plane_at = _slices_at(builder, counts)
    for t, bit in enumerate(_add_up(builder, weights)[:COUNT_PLANES]):
        builder.store(bit, plane_at(t), align=8)


@emitted(types.void(*[types.int64] * 6))
def count_upper_labels(builder, rows, number, offset, shared, counts, singles):  # noqa: D417
    """Count the labels of both halves, and only the last one, the unshared, once a row.

    Args:
        rows: address of the addresses of the rows.
        number: number of rows, at most 511.
        offset: where the planes of the columns begin in a row.
        shared: the labels of the lower half, as count_labels found them.
        counts: address of COUNT_PLANES slices, result.
        singles: address of a slice for each row, result: where it was counted as if alone.
    """
    rows = builder.inttoptr(rows, _WORD.as_pointer())
    counter = _Counter(builder, _load_counts(builder, shared))
    for eighth in range(4, 7):
        _count_eighth(builder, rows, number, offset, counter, eighth)
    single = counter, singles, lambda planes, labels: labels[7]
    _count_eighth(builder, rows, number, offset, counter, 7, single)
    counter.save(counts)


def _any_bit(builder: ir.IRBuilder, vector: ir.Value) -> ir.Value:
    """Whether a slice has a bit that is set, i1."""
    bits = call_llvm(builder, f"llvm.vector.reduce.or.v{BLOCK // 64}i64", _WORD, vector)
    return builder.icmp_unsigned("!=", bits, ir.Constant(_WORD, 0))


@emitted(types.int64(types.int64, types.int64, types.int64))
def lanes_above(builder, counts, bound, lanes):  # noqa: D417
    """How many counts of a block are above a bound; writes which.

    Args:
        counts: address of COUNT_PLANES slices.
        bound: the bound.
        lanes: address of one slice, result.
    """
    # From the highest bit down: a count is above at the first bit that it has and the bound has
    # not.
    above, equal = _ZERO, _ONES
    planes = _load_counts(builder, counts)
    for t, plane in reversed(list(enumerate(planes))):
        bit = builder.and_(builder.lshr(bound, ir.Constant(_WORD, t)), ir.Constant(_WORD, 1))
        wanted = spread(builder, builder.neg(bit), _SLICE)
        more = builder.and_(plane, builder.xor(wanted, _ONES))
        above = builder.or_(above, builder.and_(equal, more))
        equal = builder.and_(equal, builder.xor(builder.xor(plane, wanted), _ONES))
    builder.store(above, _slices_at(builder, lanes)(0), align=8)
    width = BLOCK // 64
    each = call_llvm(builder, f"llvm.ctpop.v{width}i64", _SLICE, above)
    return call_llvm(builder, f"llvm.vector.reduce.add.v{width}i64", _WORD, each)


@emitted(types.void(types.int64, types.int64))
def clear_counts(builder, counts, mask):  # noqa: D417
    """Set to zero those counts of a block of which a mask has no bit.

    Args:
        counts: address of COUNT_PLANES slices.
        mask: address of one slice.
    """
    mask = builder.load(_slices_at(builder, mask)(0), align=8)
    _save_where(builder, counts, _load_counts(builder, counts), mask)


def _highest(builder: ir.IRBuilder, counts: Slices) -> tuple[ir.Value, ir.Value]:
    """The highest count of a block, given by their bits, and where it is."""
    where = _ONES
    highest = ir.Constant(_WORD, 0)
    for t in reversed(range(len(counts))):
        # Of the counts still in the lead, those with this bit stay, if there are any.
        higher = builder.and_(where, counts[t])
        some = _any_bit(builder, higher)
        where = builder.select(some, higher, where)
        bit = builder.shl(builder.zext(some, _WORD), ir.Constant(_WORD, t))
        highest = builder.or_(highest, bit)
    return highest, where


@emitted(types.int64(types.int64, types.int64))
def take_highest(builder, counts, lanes):  # noqa: D417
    """The highest count of a block; sets it to zero wherever it is, and writes where to ``lanes``.

    Args:
        counts: address of COUNT_PLANES slices.
        lanes: address of one slice, result.
    """
    planes = _load_counts(builder, counts)
    highest, where = _highest(builder, planes)
    _save_where(builder, counts, planes, builder.xor(where, _ONES))
    builder.store(where, _slices_at(builder, lanes)(0), align=8)
    return highest


@emitted(types.int64(types.int64, types.int64, types.int64, types.int64))
def highest_sum(builder, counts, places, number, slices):  # noqa: D417
    """The highest count of a block after one is added to each for every slice that has it set.

    Args:
        counts: address of COUNT_PLANES slices, the counts before.
        places: address of int32 numbers of slices.
        number: number of these.
        slices: address of slice number 0.
    """
    counter = _Counter(builder, _load_counts(builder, counts))
    places = builder.inttoptr(places, ir.IntType(32).as_pointer())
    slices = builder.inttoptr(slices, _SLICE.as_pointer())

    def look(first: ir.Value, count: int) -> None:
        added = []
        for i in range(count):
            place = builder.gep(places, [builder.add(first, ir.Constant(_WORD, i))])
            here = builder.gep(slices, [builder.zext(builder.load(place), _WORD)])
            added.append(builder.load(here, align=8))
        counter.add(added)

    _unrolled(builder, number, look)
    return _highest(builder, counter.bits())[0]


@emitted(types.void(types.int64, types.uint64))
def set_bits(builder, address, bits):
    """Set ``bits`` in the word of 64 bits at ``address``."""
    pointer = builder.inttoptr(address, _WORD.as_pointer())
    builder.store(builder.or_(builder.load(pointer), bits), pointer)


@emitted(types.void(types.int64, bytes64, types.int64))
def store_plane(builder, address, vector, place):
    """Write bit ``place`` of each of the 64 bytes of ``vector`` at ``address``, 8 bytes."""
    bytes_type = ir.VectorType(_BYTE, LANES)
    # To the top, where the bit is the sign.
    shift = builder.sub(ir.Constant(_BYTE, 7), builder.trunc(place, _BYTE))
    top = builder.shl(vector, spread(builder, shift, bytes_type))
    negative = builder.icmp_signed("<", top, ir.Constant(bytes_type, [0] * LANES))
    word = builder.bitcast(negative, _WORD)
    builder.store(word, builder.inttoptr(address, _WORD.as_pointer()), align=8)


@emitted(types.void(types.int64))
def clear_bits(builder, address):
    """Clear the word of 64 bits at ``address``."""
    pointer = builder.inttoptr(address, _WORD.as_pointer())
    builder.store(ir.Constant(_WORD, 0), pointer)


@emitted(types.uint64(types.int64))
def word_at(builder, address):
    """The word of 64 bits at ``address``."""
    return builder.load(builder.inttoptr(address, _WORD.as_pointer()))


@emitted(types.int64(types.uint64))
def lowest_bit(builder, word):
    """Number of the lowest bit that is set in a word that is not zero."""
    return builder.cttz(word, ir.Constant(ir.IntType(1), 1))
