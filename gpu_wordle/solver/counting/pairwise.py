"""Counting the parts that many guesses make of one state, 64 guesses at a time.

A matrix of the solver holds one row of bytes for each answer and one column for each guess, so a
vector is 64 neighbouring guesses on one answer. The rows of a state lie scattered over a matrix
that it shares with its ancestors, so they are given by their addresses, ``rows[at : at + n]``.

The number of parts is the number of rows that differ from every earlier one. To compare all pairs
of rows takes n * n / 2 operations, but each on 64 guesses, without branches and in registers.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.machine.layout import COLUMNS, ROWS
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import (
    INT,
    INT64S,
    NOTHING,
    UINT8S,
    UINT32S,
    UINT64S,
)
from gpu_wordle.solver.machine.simd import (
    LANES,
    add_bytes,
    add_equal,
    add_product,
    add_zeros,
    bytes64,
    differ,
    difference,
    least_lane,
    load,
    no_shorts,
    no_words,
    put_where_equal,
    splat,
    store,
    store_words,
)

MAX_COUNTABLE = 254
"""Answers up to which repetitions can be counted: the lanes of a vector count to 255."""


@inlined(bytes64(INT64S, INT, INT, INT, INT))
def repetitions(rows, at, n, base, allowed):
    """How many rows of a state repeat an earlier one, for 64 columns.

    Four rows are compared with the earlier ones at a time, so that the vectors they share are
    loaded once. The count is broken off when every column has more than ``allowed``.
    """
    count = splat(0)
    far = splat(255)
    i = 1
    while i + 3 < n:
        row_0 = load(rows[at + i] + base)
        row_1 = load(rows[at + i + 1] + base)
        row_2 = load(rows[at + i + 2] + base)
        row_3 = load(rows[at + i + 3] + base)
        # The least difference from any earlier row: zero where the row repeats one.
        near_0 = far
        near_1 = differ(far, row_1, row_0)
        near_2 = differ(differ(far, row_2, row_0), row_2, row_1)
        near_3 = differ(differ(differ(far, row_3, row_0), row_3, row_1), row_3, row_2)
        for j in range(i):
            earlier = load(rows[at + j] + base)
            near_0 = differ(near_0, row_0, earlier)
            near_1 = differ(near_1, row_1, earlier)
            near_2 = differ(near_2, row_2, earlier)
            near_3 = differ(near_3, row_3, earlier)
        count = add_zeros(count, near_0)
        count = add_zeros(count, near_1)
        count = add_zeros(count, near_2)
        count = add_zeros(count, near_3)
        i += 4
        # The least lane takes a reduction, so it is not looked at before it can exceed ``allowed``.
        if i > allowed + 1 and least_lane(count) > allowed:
            return count
    while i < n:
        row = load(rows[at + i] + base)
        near = far
        for j in range(i):
            near = differ(near, row, load(rows[at + j] + base))
        count = add_zeros(count, near)
        i += 1
    return count


@linked(INT(ROWS, COLUMNS, INT))
def most_parts(rows, columns, floor):
    """``max(floor, most parts into which a column splits the state)``, of MAX_COUNTABLE at most.

    A block of columns is left as soon as each has too many repetitions to beat the best. Columns
    are sorted by the parts they make of a larger state. So counting ends at the first block whose
    first column makes no more parts there than the best. ``floor``, at least 1, is a number of
    parts up to which the result need not be exact.
    """
    addresses, at, k = rows
    first, number, ceiling, info = columns
    best = floor
    start = 0
    # A column makes no more parts of a state than of a larger one that holds it.
    while start < number and ceiling[info + start] > best and best < k:
        allowed = k - best - 1  # repetitions with which a column still beats the best
        least = least_lane(repetitions(addresses, at, k, first + start, allowed))
        if least <= allowed:
            best = k - least
        start += LANES
    return best


@linked(INT(INT64S, INT))
def most_in_square(rows, k):
    """The most parts that an answer of a state makes as a guess.

    Args:
        rows: int64[k], addresses of rows of k patterns, padded to whole vectors.
        k: answers of the state, at most MAX_PAIRWISE.
    """
    most = k - least_lane(repetitions(rows, 0, k, 0, k))
    if k > LANES:
        most = max(most, k - least_lane(repetitions(rows, 0, k, LANES, k)))
    return most


@linked(NOTHING(ROWS, COLUMNS, INT, UINT8S))
def count_parts(rows, columns, least, parts):
    """Count the parts that each column makes of a state, exactly if they are at least ``least``.

    The state has MAX_PAIRWISE answers at most; ``least`` is 2 or more. A column of fewer parts may
    be given any smaller number. ``parts``, uint8[columns, rounded up to LANES], are the result.
    """
    addresses, at, n = rows
    every = splat(n)
    for start in range(0, columns.number, LANES):
        count = repetitions(addresses, at, n, columns.first + start, n - least)
        # The count was broken off, so it says no more than that all have too few parts.
        if least_lane(count) > n - least:
            count = every
        store(parts.ctypes.data + start, difference(every, count))


@linked(NOTHING(ROWS, INT, INT, UINT64S, types.UniTuple(UINT32S, 4)))
def measure_pairwise(rows, first, columns, randoms, into):
    """Measure partitions as measures.measure_listed does, by comparing all pairs of rows.

    Args:
        rows: those of a state of MAX_PAIRWISE answers at most.
        first: offset of the first column in a row.
        columns: number of columns.
        randoms: uint64[...], a random number for each place in a state.
        into: parts, pairs, low and high words of the hash, uint32[columns, rounded up to LANES].
    """
    addresses, at, n = rows
    parts, pairs, hash_0, hash_1 = into
    for start in range(0, columns, LANES):
        base = first + start
        new = splat(0)
        pair_count = no_shorts()
        low = no_words()
        high = no_words()
        for i in range(n):
            row = load(addresses[at + i] + base)
            equal = splat(0)
            label = splat(i)
            # Downwards, so that the label that stays is the first of the equal rows.
            for j in range(i - 1, -1, -1):
                earlier = load(addresses[at + j] + base)
                # An answer makes a pair with each earlier one of its part, and begins a part if
                # there is none.
                equal = add_equal(equal, row, earlier)
                label = put_where_equal(label, row, earlier, j)
            new = add_zeros(new, equal)
            pair_count = add_bytes(pair_count, equal)
            random = np.int64(randoms[i])
            low = add_product(low, label, random)
            high = add_product(high, label, random >> 32)
        store_words(parts.ctypes.data + 4 * start, new)
        store_words(pairs.ctypes.data + 4 * start, pair_count)
        store_words(hash_0.ctypes.data + 4 * start, low)
        store_words(hash_1.ctypes.data + 4 * start, high)
