"""What guesses do to states, counted: partition statistics.

Guesses are taken in blocks so that what is counted for a block stays in the first-level cache.
Small states are not counted at all: pairs of rows are compared, many guesses to a SIMD vector, so
that a guess costs nothing beyond its look-ups (see :func:`_compare_pairs`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from gpu_wordle.backends.cpu import signatures as of
from gpu_wordle.jit.functions import Need, compiled_by_width
from gpu_wordle.tunables import BUILD_BLOCK, HISTOGRAM_BYTES, MAX_PAIRWISE_CPU


@njit
def stats_of_range(  # type: ignore[no-untyped-def]
    patterns, state, pattern_count, guess_of_answer, nlog2n, first, last,
    parts, candidate, largest, squares, entropy,
):  # fmt: skip
    """Statistics of guesses ``first`` to ``last`` on one state, into [G] arrays."""
    n = state.size
    candidate[first:last] = False
    for a in state:
        if first <= guess_of_answer[a] < last:
            candidate[guess_of_answer[a]] = True
    if n <= MAX_PAIRWISE_CPU:
        step = BUILD_BLOCK
        rows = np.zeros((n, BUILD_BLOCK), patterns.dtype)
        same = np.empty((n, BUILD_BLOCK), np.uint8)
        earlier = np.empty((n, BUILD_BLOCK), np.uint8)
        sums = np.empty((3, BUILD_BLOCK), np.uint16)
    else:
        step = max(8, min(64, HISTOGRAM_BYTES // (2 * pattern_count)))
        counts = np.zeros((step, pattern_count), np.uint16)
        more = np.empty(step * pattern_count, np.uint16)
        before = np.empty(step, np.uint16)
        gain = nlog2n[1:] - nlog2n[:-1]
    for start in range(first, last, step):
        stop = min(start + step, last)
        out_parts, out_largest = parts[start:stop], largest[start:stop]
        out_squares, out_entropy = squares[start:stop], entropy[start:stop]
        if n <= MAX_PAIRWISE_CPU:
            for i in range(n):
                row = patterns[state[i], start:stop]
                for k in range(stop - start):
                    rows[i, k] = row[k]
            _compare_pairs(rows, same, earlier)
            _reduce_pairs(
                same, earlier, nlog2n, sums, out_parts, out_largest, out_squares, out_entropy
            )
        elif n < pattern_count:
            _count_ranks(
                patterns, state, start, counts, before, gain,
                out_parts, out_largest, out_squares, out_entropy,
            )  # fmt: skip
        else:
            size = (stop - start) * pattern_count
            flat = counts.reshape(-1)[:size]
            _count_parts(patterns, state, start, stop, flat, more[:size])
            _reduce_counts(
                flat.reshape(stop - start, pattern_count),
                nlog2n,
                out_parts,
                out_largest,
                out_squares,
                out_entropy,
            )


@njit
def _compare_pairs(rows, same, earlier):  # type: ignore[no-untyped-def]
    """Compare the patterns of every two answers, a block of guesses at once.

    All arrays are [n, BUILD_BLOCK].

    ``same[i]`` becomes the number of answers whose pattern is that of answer i, itself included,
    and ``earlier[i]`` the number of those before i.
    """
    n = len(rows)
    for i in range(n):
        row, same_i, earlier_i = rows[i], same[i], earlier[i]
        for k in range(BUILD_BLOCK):
            same_i[k] = np.uint8(0)
        for j in range(n):
            if j == i:
                for k in range(BUILD_BLOCK):
                    earlier_i[k] = same_i[k]
            other = rows[j]
            for k in range(BUILD_BLOCK):
                same_i[k] = np.uint8(same_i[k] + np.uint8(row[k] == other[k]))


@njit
def _reduce_pairs(  # type: ignore[no-untyped-def]
    same, earlier, nlog2n, sums, parts, largest, squares, entropy
):
    """Statistics from :func:`_compare_pairs`, by way of ``sums`` uint16[3, BUILD_BLOCK].

    A part is known by its first answer, the one with none earlier, and its size is the ``same``
    of that answer. The squares of the sizes sum to the sum of ``same`` over all answers.
    """
    width = parts.size
    sums[:] = 0
    n_parts, most, sum_squares = sums[0], sums[1], sums[2]
    entropy[:] = 0
    for i in range(len(same)):
        same_i, earlier_i = same[i], earlier[i]
        for k in range(BUILD_BLOCK):
            n_parts[k] += np.uint16(earlier_i[k] == 0)
            most[k] = max(most[k], np.uint16(same_i[k]))
            sum_squares[k] += np.uint16(same_i[k])
        for k in range(width):
            entropy[k] += nlog2n[same_i[k] * np.uint8(earlier_i[k] == 0)]
    for k in range(width):
        parts[k] = n_parts[k]
        largest[k] = most[k]
        squares[k] = sum_squares[k]


@njit
def _count_ranks(  # type: ignore[no-untyped-def]
    patterns, state, start, counts, before, gain, parts, largest, squares, entropy
):
    """Statistics for a state with fewer answers than there are patterns, in one pass.

    The answer that makes a part grow from c to c + 1 adds 2c + 1 to the sum of squares and
    ``gain[c]`` to the entropy sum, so no counter is looked at that no answer touched. Leaves
    ``counts`` at zero.
    """
    width = parts.size
    parts[:] = 0
    largest[:] = 0
    squares[:] = 0
    entropy[:] = 0
    for a in state:
        row = patterns[a, start : start + width]
        for k in range(width):
            c = counts[k, row[k]]
            before[k] = c
            counts[k, row[k]] = c + np.uint16(1)
        for k in range(width):
            parts[k] += np.uint16(before[k] == 0)
            largest[k] = max(largest[k], np.uint16(before[k] + 1))
            squares[k] += np.uint32(2 * before[k] + 1)
        for k in range(width):
            entropy[k] += gain[before[k]]
    counts[:] = 0


@njit
def _count_parts(patterns, state, start, stop, counts, more):  # type: ignore[no-untyped-def]
    """Size of the part behind each pattern, for a block of guesses: counts[k * patterns + pattern].

    Answers go in pairs, one to ``counts`` and one to ``more``, so that twice as many independent
    increments are under way; ``more`` is added in the end.
    """
    counts[:] = 0
    more[:] = 0
    pattern_count = np.uint64(counts.size // (stop - start))
    for t in range(0, state.size - 1, 2):
        row = patterns[state[t], start:stop]
        other = patterns[state[t + 1], start:stop]
        base = np.uint64(0)
        for k in range(stop - start):
            counts[base + np.uint64(row[k])] += np.uint16(1)
            more[base + np.uint64(other[k])] += np.uint16(1)
            base += pattern_count
    if state.size % 2:
        row = patterns[state[-1], start:stop]
        for k in range(stop - start):
            counts[np.uint64(k) * pattern_count + np.uint64(row[k])] += np.uint16(1)
    for i in range(counts.size):
        counts[i] += more[i]


@njit
def _reduce_counts(counts, nlog2n, parts, largest, squares, entropy):  # type: ignore[no-untyped-def]
    """Statistics from :func:`_count_parts`."""
    for k in range(parts.size):
        n_parts, most, sum_squares, sum_entropy = 0, np.uint16(0), np.uint32(0), 0
        row = counts[k]
        for p in range(row.size):
            n_parts += row[p] > 0
            most = max(most, row[p])
            sum_squares += np.uint32(row[p]) * np.uint32(row[p])
        for p in range(row.size):
            sum_entropy += nlog2n[row[p]]
        parts[k] = n_parts
        largest[k] = most
        squares[k] = sum_squares
        entropy[k] = sum_entropy


stats_of_state = compiled_by_width(
    lambda pattern: of.NOTHING(
        of.given(pattern, 2), of.ANSWERS, of.INT, of.GUESSES, of.INDICES, of.INT, of.INT,
        of.UINT16S, of.FLAGS, of.UINT16S, of.UINT32S, of.INT64S,
    ),
    Need.STATISTICS,
)(stats_of_range.py_func)  # fmt: skip
"""The same for Python to call."""
