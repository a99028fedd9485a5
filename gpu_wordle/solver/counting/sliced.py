"""The most parts that any guess makes of a state, counted in bit slices.

A column of a matrix makes up to 243 parts of the state that the matrix belongs to, and each label
costs time. So the labels go by the sizes of the parts. At first only the 32 largest are told apart,
and each answer of a smaller part is counted as if it were alone. That bounds the number of parts
from above, and on a part of the state it is seldom off: about one column in 300 seems to beat the
best. If a block has more than two of these, the next 31 parts are told apart as well. Of a column
that still seems to beat the best, the rows that were counted as if alone are looked at one by one.

Laying the labels out takes as long as many counts, so a matrix gets them when they have become
worth it. The bytes from which they are made lie in the layout of pairwise.py.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.jit.functions import compiled
from gpu_wordle.solver.machine.bitslice import (
    BLOCK,
    COUNT_PLANES,
    PLANES,
    SLICE_BYTES,
    UNSHARED,
    clear_counts,
    count_labels,
    count_upper_labels,
    lanes_above,
    lowest_bit,
    store_plane,
    take_highest,
    word_at,
)
from gpu_wordle.solver.machine.layout import COLUMNS, PATTERNS, ROWS, sliced_at
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import (
    INT,
    INT32S,
    NOTHING,
    UINT8_ROWS,
    UINT32S,
    UINT64S,
)
from gpu_wordle.solver.machine.simd import LANES, byte_at, load, store_byte
from gpu_wordle.tunables import LABELLED_SIZES, MAX_CORRECTED

MAX_SLICEABLE = 511
"""The most answers of a state whose parts can be counted: a count has nine bits."""

SCRATCH_SLICES = 1 + 2 * COUNT_PLANES + MAX_SLICEABLE
"""Slices that counting needs besides the labels."""

SCRATCH = types.UniTuple(UINT64S, 2)
"""numba's type of slices and stamps."""

_ONE = np.uint64(1)


@inlined(INT(INT))
def saving(k):
    """Cycles that slices save over comparing pairs, to count k answers for 512 columns."""
    return 4 * k * k - 25 * k - 100


@compiled(NOTHING(UINT8_ROWS, INT32S))
def parts_of_columns(patterns, parts):
    """Parts that each column of uint8[n, G] makes of all rows, into int32[G]."""
    seen = np.zeros((LANES, PATTERNS), np.bool_)
    columns = patterns.shape[1]
    for start in range(0, columns, LANES):
        seen[:] = False
        end = min(start + LANES, columns)
        for row in patterns:
            for c in range(start, end):
                seen[c - start, row[c]] = True
        for c in range(start, end):
            parts[c] = 0
            for pattern in range(PATTERNS):
                parts[c] += seen[c - start, pattern]


@inlined(NOTHING(UINT32S, INT, UINT32S))
def choose_labels(count, base, rank):
    """Replace ``count[base : base + PATTERNS]``, sizes of parts, by labels, the largest first."""
    parts = 0
    for pattern in range(PATTERNS):
        parts += count[base + pattern] > 0
    label = np.uint32(0)
    # All have labels of the lower half, which are counted exactly at first.
    if parts <= (UNSHARED + 1) // 2:
        for pattern in range(PATTERNS):
            present = np.uint32(count[base + pattern] > 0)
            count[base + pattern] = label
            label += present
        return
    # Largest first: answers of a large part are likelier to be together again in a state below.
    for size in range(LABELLED_SIZES):
        rank[size] = 0
    for pattern in range(PATTERNS):
        rank[min(np.int64(count[base + pattern]), LABELLED_SIZES - 1)] += np.uint32(1)
    for size in range(LABELLED_SIZES - 1, 0, -1):
        having = rank[size]
        rank[size] = label
        label += having
    for pattern in range(PATTERNS):
        size = min(np.int64(count[base + pattern]), LABELLED_SIZES - 1)
        if size > 0:
            count[base + pattern] = min(np.int64(rank[size]), UNSHARED)
            rank[size] += np.uint32(1)


@linked(NOTHING(ROWS, INT, INT, UINT32S, UINT32S), for_python=True)
def slice_columns(state, first, columns, count, labels):
    """Lay out the labels of a matrix in bit slices.

    Args:
        state: the rows of the state that the matrix belongs to.
        first: offset of the first column in a row.
        columns: number of columns.
        count: uint32[LANES * PATTERNS], scratch.
        labels: uint32[2 * LANES], scratch.
    """
    rows, at, n = state
    line = labels.ctypes.data
    rank = labels[LANES:]
    for start in range(0, (columns + BLOCK - 1) // BLOCK * BLOCK, LANES):
        within = start % BLOCK // 8
        offset = sliced_at(first, columns) + start // BLOCK * PLANES * SLICE_BYTES + within
        width = min(LANES, columns - start)
        for t in range(LANES * PATTERNS):
            count[t] = 0
        for i in range(n):
            row = rows[at + i] + first + start
            for lane in range(width):
                count[lane * PATTERNS + byte_at(row + lane)] += np.uint32(1)
        for lane in range(width):
            choose_labels(count, lane * PATTERNS, rank)
        # Lanes beyond the last column keep label 0 in every row. That makes a single part, which
        # is never above a bound.
        for lane in range(LANES):
            store_byte(line + lane, 0)
        empty = load(line)
        for i in range(n):
            row = rows[at + i] + first + start
            vector = empty
            if width > 0:
                for lane in range(width):
                    store_byte(line + lane, count[lane * PATTERNS + byte_at(row + lane)])
                vector = load(line)
            for place in range(PLANES):
                store_plane(rows[at + i] + offset + place * SLICE_BYTES, vector, place)


@inlined(INT(INT))
def singles_at(lanes):
    """Where :func:`count_block` leaves the rows that were counted each as if alone."""
    return lanes + (1 + 2 * COUNT_PLANES) * SLICE_BYTES


@inlined(INT(INT))
def counts_at(lanes):
    """Where :func:`count_block` leaves the counts."""
    return lanes + (1 + COUNT_PLANES) * SLICE_BYTES


@inlined(INT(INT, INT, INT, INT))
def above_bound(counts, bound, lanes, mask):
    """How many counts are above the bound; counts outside a mask are set to zero."""
    if mask != 0:
        clear_counts(counts, mask)
    return lanes_above(counts, bound, lanes)


@inlined(INT(INT, INT, INT, INT, INT, INT))
def count_block(addresses, k, offset, bound, lanes, mask):
    """Bound the parts that each column of a block makes, exactly where that is likely to matter.

    The smaller parts are told apart if more than a few columns seem to make more than ``bound``.

    Args:
        addresses: address of the addresses of the rows.
        k: number of rows.
        offset: where the labels of the block begin in a row.
        bound: a number of parts; columns that make no more need no exact count.
        lanes: address of SCRATCH_SLICES slices: the columns above the bound, scratch, counts, and
            where each row was counted as if alone.
        mask: address of one slice, the columns that count; 0 if all do.

    Returns:
        How many columns are above the bound.
    """
    shared = lanes + SLICE_BYTES
    counts = counts_at(lanes)
    count_labels(addresses, k, offset, shared, counts, singles_at(lanes))
    above = above_bound(counts, bound, lanes, mask)
    if above > MAX_CORRECTED:
        count_upper_labels(addresses, k, offset, shared, counts, singles_at(lanes))
        above = above_bound(counts, bound, lanes, mask)
    return above


@inlined(INT(INT, INT))
def count_of_lane(lanes, lane):
    """The count of one of the columns, as :func:`count_block` left it."""
    place = lane % 64
    address = counts_at(lanes) + lane // 64 * 8
    count = np.int64(0)
    for t in range(COUNT_PLANES):
        count += np.int64(word_at(address + t * SLICE_BYTES) >> np.uint64(place) & _ONE) << t
    return count


@inlined(INT(ROWS, INT, types.UniTuple(INT, 3), INT, UINT64S))
def correct_count(rows, column, counted, bound, seen):
    """The parts that a column makes, or ``bound`` if they are not more.

    The count of a column is too high by the rows that were counted as if alone though they repeat
    an earlier one. No other rows are looked at.

    Args:
        rows: those of the state.
        column: offset of the column in a row.
        counted: what :func:`count_block` left, the column's place in the block, and its count.
        bound: a number of parts; if the column makes no more, its count need not be exact.
        seen: uint64[PATTERNS + 1], scratch.
    """
    addresses, at, k = rows
    lanes, lane, count = counted
    seen[PATTERNS] += _ONE
    stamp = seen[PATTERNS]
    place = np.uint64(lane % 64)
    single = singles_at(lanes) + lane // 64 * 8
    for i in range(at, at + k):
        if count <= bound:
            return bound
        if word_at(single) >> place & _ONE != 0:
            pattern = byte_at(addresses[i] + column)
            count -= seen[pattern] == stamp
            seen[pattern] = stamp
        single += SLICE_BYTES
    return max(count, bound)


@linked(INT(ROWS, COLUMNS, INT, SCRATCH, INT))
def most_parts_sliced(rows, columns, floor, scratch, mask):
    """The most parts as pairwise.most_parts finds them, by the labels of a matrix.

    The state has MAX_SLICEABLE answers at most.

    Args:
        rows: those of the state.
        columns: those of the matrix.
        floor: a number of parts up to which the result need not be exact, at least 1.
        scratch: SCRATCH_SLICES slices, and uint64[PATTERNS + 1] of this function alone.
        mask: address of a slice for each block of columns, those that count; 0 if all do.
    """
    slices, seen = scratch
    first, number, ceiling, info = columns
    best = floor
    offset = sliced_at(first, number)
    lanes = slices.ctypes.data
    addresses = rows.addresses.ctypes.data + 8 * rows.at
    start = 0
    while start < number and ceiling[info + start] > best and best < rows.n:
        above = count_block(addresses, rows.n, offset, best, lanes, mask)
        while best < rows.n and above > 0:
            # The highest count first: what it is corrected to may leave the others below the best.
            count = take_highest(counts_at(lanes), lanes)
            for word in range(BLOCK // 64):
                rest = slices[word]
                while rest != 0:
                    lane = 64 * word + lowest_bit(rest)
                    rest &= rest - _ONE
                    counted = lanes, lane, count
                    best = correct_count(rows, first + start + lane, counted, best, seen)
            # The best may have risen, so fewer columns are left to correct.
            above = lanes_above(counts_at(lanes), best, lanes)
        start += BLOCK
        offset += PLANES * SLICE_BYTES
        if mask != 0:
            mask += SLICE_BYTES
    return best


@linked(INT(ROWS, COLUMNS, INT, SCRATCH, types.Tuple([INT32S, UINT32S]), INT))
def columns_of_many_parts(rows, columns, least, scratch, into, limit):
    """List the columns that make ``least`` parts or more, of a matrix with labels.

    Args:
        rows: those of the state.
        columns: those of the matrix.
        least: the fewest parts of a column that is listed.
        scratch: see most_parts_sliced.
        into: int32[...], the columns; uint32[columns], the parts of those found.
        limit: the most columns to list.

    Returns:
        Their number, or ``limit + 1`` if there are more than ``limit``.
    """
    slices, seen = scratch
    found, parts = into
    first, all_columns, ceiling, info = columns
    number = 0
    lanes = slices.ctypes.data
    offset = sliced_at(first, all_columns)
    addresses = rows.addresses.ctypes.data + 8 * rows.at
    start = 0
    while start < all_columns and ceiling[info + start] >= least:
        count_block(addresses, rows.n, offset, least - 1, lanes, 0)
        for word in range(BLOCK // 64):
            rest = slices[word]
            while rest != 0:
                lane = 64 * word + lowest_bit(rest)
                rest &= rest - _ONE
                c = start + lane
                counted = lanes, lane, count_of_lane(lanes, lane)
                made = correct_count(rows, first + c, counted, least - 1, seen)
                if c < all_columns and made >= least:
                    if number == limit:
                        return number + 1
                    found[number] = c
                    parts[c] = made
                    number += 1
        start += BLOCK
        offset += PLANES * SLICE_BYTES
    return number
