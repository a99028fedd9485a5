"""The partitions that guesses make of a state: parts, pairs of equal answers, and a hash."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.counting.pairwise import measure_pairwise
from gpu_wordle.solver.machine.layout import PATTERNS, Rows
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, NOTHING
from gpu_wordle.solver.machine.simd import (
    LANES,
    add_high_product,
    add_low,
    add_low_zeros,
    byte_at,
    load_words,
    no_words,
    prefetch,
    store_words,
)
from gpu_wordle.solver.memory.workspace import WORKSPACE
from gpu_wordle.tunables import MAX_PAIRWISE

ROWS_AHEAD = 3
"""Rows between the one that is read and the one that is asked for."""

_SHIFT = np.uint32(16)
_LOW = np.uint32(0xFFFF)


@linked(NOTHING(WORKSPACE, INT, INT, INT, INT))
def measure_listed(w, at, n, first, number):
    """Measure the partitions of the columns in ``w.move_columns[:number]``: parts, pairs and hash.

    An answer's label is the number of the first answer with the same pattern. So the hash, a sum of
    labels times random 64-bit numbers, does not depend on what the patterns are called. Pairs are
    those of answers that the column does not tell apart: the squares of the sizes of the parts sum
    to n + 2 * pairs.
    """
    seen = w.first_seen
    entries = w.entries
    for start in range(0, number, LANES):
        width = min(LANES, number - start)
        for t in range(width * PATTERNS):
            seen[t] = 0
        parts = no_words()
        pairs = no_words()
        low = no_words()
        high = no_words()
        begin, end = w.move_columns[start], w.move_columns[start + width - 1]
        for i in range(n):
            row = w.rows[at + i] + first
            # Rows lie pages apart, so no processor foresees which lines of them are next.
            ahead = w.rows[at + min(i + ROWS_AHEAD, n - 1)] + first
            for line in range(begin, end + LANES, LANES):
                prefetch(ahead + line)
            new = np.uint32(i) << _SHIFT
            for lane in range(width):
                t = lane * PATTERNS + byte_at(row + w.move_columns[start + lane])
                # One entry of 32 bits holds both, so each answer takes one look-up in a column.
                entry = seen[t]  # the label, and the number of answers that have it so far
                if entry == 0:
                    entry = new
                seen[t] = entry + np.uint32(1)
                entries[lane] = entry
            vector = load_words(entries.ctypes.data)
            random = np.int64(w.randoms[i])
            # The count so far is zero where the answer begins a part, and else the pairs it adds.
            parts = add_low_zeros(parts, vector)
            pairs = add_low(pairs, vector)
            low = add_high_product(low, vector, random)
            high = add_high_product(high, vector, random >> 32)
        for result, vector in (
            (w.column_parts, parts), (w.column_pairs, pairs), (w.hash_0, low), (w.hash_1, high),
        ):  # fmt: skip
            store_words(entries.ctypes.data, vector)
            for lane in range(width):
                result[w.move_columns[start + lane]] = entries[lane]


@linked(NOTHING(WORKSPACE, INT, INT, INT, INT))
def measure(w, at, n, first, columns):
    """Measure the partitions of all columns as :func:`measure_listed` does."""
    # Up to here comparing pairs is faster than looking labels up (timed).
    if n <= MAX_PAIRWISE:
        into = w.column_parts, w.column_pairs, w.hash_0, w.hash_1
        measure_pairwise(Rows(w.rows, at, n), first, columns, w.randoms, into)
        return
    for c in range(columns):
        w.move_columns[c] = c
    measure_listed(w, at, n, first, columns)


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT))
def measure_column(w, at, n, c, column):
    """Measure the partition of column number ``c`` at offset ``column`` as measure_listed does."""
    seen = w.first_seen
    parts = np.uint32(0)
    pairs = np.uint32(0)
    low = np.uint32(0)
    high = np.uint32(0)
    for i in range(n):
        # Only the entries that are going to be used are cleared.
        seen[byte_at(w.rows[at + i] + column)] = 0
    for i in range(n):
        t = byte_at(w.rows[at + i] + column)
        entry = seen[t]
        if entry == 0:
            entry = np.uint32(i) << _SHIFT
            parts += np.uint32(1)
        label = entry >> _SHIFT
        pairs += entry & _LOW
        low += np.uint32(w.randoms[i]) * label
        high += np.uint32(w.randoms[i] >> np.uint64(32)) * label
        seen[t] = entry + np.uint32(1)
    w.column_parts[c] = parts
    w.column_pairs[c] = pairs
    w.hash_0[c] = low
    w.hash_1[c] = high
