"""What guesses do to states, counted: partition statistics, and the best guess by one of them.

Guesses are taken in blocks so that what is counted for a block stays in the first-level cache.
Small states are not counted at all: pairs of rows are compared, many guesses to a SIMD vector, so
that a guess costs nothing beyond its look-ups (see :func:`_compare_pairs`).
"""

from __future__ import annotations

import numpy as np
from numba import njit

from gpu_wordle.backends.cpu import signatures as of
from gpu_wordle.jit.functions import compiled_by_width
from gpu_wordle.tunables import BEST_BLOCK, BUILD_BLOCK, HISTOGRAM_BYTES, MAX_PAIRWISE_CPU


@njit
def _stats_of_range(  # type: ignore[no-untyped-def]
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
    )
)(_stats_of_range.py_func)  # fmt: skip
"""The same for Python to call."""


@njit
def _perfect_candidate(  # type: ignore[no-untyped-def]
    patterns, state, guess_of_answer, stamps, stamp
):
    """The first guess of the list that is in the state and tells all its answers apart, or -1.

    Also the last stamp used. ``stamps`` int64[pattern_count] holds none that is greater than
    ``stamp``.
    """
    found = np.int64(-1)
    if state.size > stamps.size:
        return found, stamp
    for a in state:
        g = np.int64(guess_of_answer[a])
        stamp += 1
        is_perfect = found < 0 or g < found
        for other in state:
            pattern = patterns[other, g]
            if not is_perfect or stamps[pattern] == stamp:
                is_perfect = False
                break
            stamps[pattern] = stamp
        if is_perfect:
            found = g
    return found, stamp


@compiled_by_width(
    lambda pattern: of.NOTHING(
        of.given(pattern, 2), of.INDICES, of.ANSWERS, of.INT, of.GUESSES, of.INDICES,
        of.INT, of.INT, of.INT, of.INT64_ROWS,
    )
)  # fmt: skip
def best_of_states(  # type: ignore[no-untyped-def]
    patterns, indptr, answers, pattern_count, guess_of_answer, nlog2n, criterion, first, last, best
):
    """Rows ``first`` to ``last`` of ``best`` (guess, value, least lower bound)."""
    guess_count = patterns.shape[1]
    parts = np.empty(guess_count, np.uint16)
    candidate = np.empty(guess_count, np.bool_)
    largest = np.empty(guess_count, np.uint16)
    squares = np.empty(guess_count, np.uint32)
    entropy = np.empty(guess_count, np.int64)
    stamps = np.zeros(pattern_count, np.int64)
    stamp = np.int64(0)
    for b in range(first, last):
        state = answers[indptr[b] : indptr[b + 1]]
        n = state.size
        perfect, stamp = _perfect_candidate(patterns, state, guess_of_answer, stamps, stamp)
        least = np.int64(3 * n)
        best_guess, best_value, best_rank = -1, np.int64(0), np.int64(2)
        for start in range(0, guess_count, BEST_BLOCK):
            stop = min(start + BEST_BLOCK, guess_count)
            if perfect >= 0:  # nothing is better, and what is as good comes after it
                start, stop = perfect, perfect + 1
            _stats_of_range(
                patterns, state, pattern_count, guess_of_answer, nlog2n, start, stop,
                parts, candidate, largest, squares, entropy,
            )  # fmt: skip
            splits_all = False
            for g in range(start, stop):
                bound = 3 * n - np.int64(parts[g]) - np.int64(candidate[g])
                least = min(least, bound)
                if criterion == 0:
                    value = bound
                elif criterion == 1:
                    value = entropy[g]
                elif criterion == 2:
                    value = np.int64(largest[g])
                elif criterion == 3:
                    value = np.int64(squares[g])
                else:
                    value = -np.int64(parts[g])
                rank = np.int64(not candidate[g])
                if (
                    best_guess < 0
                    or value < best_value
                    or (value == best_value and rank < best_rank)
                ):
                    best_guess, best_value, best_rank = g, value, rank
                splits_all |= parts[g] == n
            # No candidate does, so the bound of 2n is least; by bounds a candidate may be as good.
            if perfect >= 0 or (splits_all and criterion != 0):
                break
        best[b, 0] = best_guess
        best[b, 1] = best_value
        best[b, 2] = least
