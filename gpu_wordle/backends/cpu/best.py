"""The best guess of each state by a statistic, without the statistics of all the others.

The number of parts of a guess is quickly counted, and it bounds every statistic: none is better
than that of as many parts of equal size. So only guesses of enough parts are looked at closely, one
in ten or fewer. States of as many answers as patterns are counted in full (counting.py). So are all
states by their largest part, of which the number of parts says little.
"""

from __future__ import annotations

import numpy as np

from gpu_wordle.backends.cpu import signatures as of
from gpu_wordle.backends.cpu.counting import KNOWN, Statistics, stats_of_range
from gpu_wordle.backends.cpu.measures import ALL, Block, add_marked
from gpu_wordle.jit.cache import callee
from gpu_wordle.jit.functions import Need, compiled_by_width
from gpu_wordle.tunables import (
    BEST_BLOCK,
    FLAGGED_GUESSES,
    HISTOGRAM_BYTES,
    MAX_PAIRWISE_PARTS,
    PAIR_BLOCK,
)

LOWER_BOUND, ENTROPY, MAX_PART, SUM_SQUARES = range(4)
"""Places in Criterion of the criteria that are told apart here; the last one is PARTS."""


@callee
def _perfect_candidate(  # type: ignore[no-untyped-def]
    patterns, state, guess_of_answer, stamps, stamp
):
    """The first candidate in the word list that tells all answers of the state apart, or -1.

    Also returns the last stamp used. ``stamps`` int64[pattern_count] holds none that is greater
    than ``stamp``.
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


@callee
def _value_of_even_parts(n, parts, criterion, nlog2n):  # type: ignore[no-untyped-def]
    """A bound on the statistic of any guess of ``parts`` parts; not for MAX_PART.

    LOWER_BOUND and PARTS follow from the number. The others are convex in the sizes of the parts,
    so that they are least where these differ by one at most. The entries of ``nlog2n`` are rounded,
    each by half a unit at most; hence the unit for each part.
    """
    size = n // parts
    larger = n - size * parts
    if criterion == LOWER_BOUND:
        return np.int64(3 * n - parts - 1)
    if criterion == ENTROPY:
        smaller = (parts - larger) * nlog2n[size]
        return np.int64(larger * nlog2n[size + 1] + smaller - parts)
    if criterion == SUM_SQUARES:
        return np.int64(larger * (size + 1) ** 2 + (parts - larger) * size**2)
    return np.int64(-parts)


@callee
def _value(  # type: ignore[no-untyped-def]
    patterns, state, g, made, is_candidate, criterion, gain, sizes
):
    """The statistic of a guess that makes ``made`` parts; ``sizes`` is left at zero."""
    if criterion == LOWER_BOUND:
        return np.int64(3 * state.size - made - np.int64(is_candidate))
    if criterion != ENTROPY and criterion != MAX_PART and criterion != SUM_SQUARES:
        return np.int64(-made)
    most, squares, entropy = np.int64(0), np.int64(0), np.int64(0)
    for a in state:
        pattern = patterns[a, g]
        size = np.int64(sizes[pattern])
        sizes[pattern] = size + 1
        most = max(most, size + 1)
        squares += 2 * size + 1
        entropy += gain[size]
    for a in state:
        sizes[patterns[a, g]] = 0
    if criterion == ENTROPY:
        return entropy
    return most if criterion == MAX_PART else squares


@callee
def _parts_by_pairs(patterns, state, start, rows, repeated, parts):  # type: ignore[no-untyped-def]
    """Parts that a block of guesses makes: the answers whose pattern differs from all before.

    Measures count the equal answers before; only to mark whether there is one takes two thirds of
    the time. ``rows`` [n, PAIR_BLOCK] and ``repeated`` uint8[PAIR_BLOCK] are scratch. The state has
    255 answers at most.
    """
    width = parts.size
    for i in range(state.size):
        row = patterns[state[i], start : start + width]
        for k in range(width):
            rows[i, k] = row[k]
    parts[:] = 0
    for i in range(state.size):
        row = rows[i]
        repeated[:] = 0
        for j in range(i):
            earlier = rows[j]
            for k in range(PAIR_BLOCK):
                repeated[k] |= np.uint8(row[k] == earlier[k])
        for k in range(width):
            parts[k] += np.uint16(repeated[k] == 0)


@callee
def _best_by_parts(  # type: ignore[no-untyped-def]
    patterns, state, is_candidate, known, criterion, scratch
):
    """The best guess of a state of fewer answers than patterns: guess, value, bound."""
    rows, flags, sizes, gain = scratch
    nlog2n = known.nlog2n
    n, guess_count = state.size, patterns.shape[1]
    repeated = np.empty(PAIR_BLOCK, np.uint8)
    block = np.empty(max(PAIR_BLOCK, FLAGGED_GUESSES), np.uint16)
    least = np.int64(3 * n)
    best_guess, best_value, best_rank = np.int64(-1), np.int64(0), np.int64(2)
    enough = 1  # parts with which a guess may be as good as the best
    step = PAIR_BLOCK if n <= MAX_PAIRWISE_PARTS else len(flags)
    for start in range(0, guess_count, step):
        parts = block[: min(step, guess_count - start)]
        if n <= MAX_PAIRWISE_PARTS:
            _parts_by_pairs(patterns, state, start, rows, repeated, parts)
        else:
            parts[:] = 0
            add_marked(Block(patterns, state, ALL, start, parts.size), flags, parts)
        splits_all = False
        for k in range(parts.size):
            g, made = start + k, np.int64(parts[k])
            least = min(least, 3 * n - made - np.int64(is_candidate[g]))
            splits_all |= made == n
            if made < enough:
                continue
            value = _value(patterns, state, g, made, is_candidate[g], criterion, gain, sizes)
            rank = np.int64(not is_candidate[g])
            if best_guess < 0 or value < best_value or (value == best_value and rank < best_rank):
                best_guess, best_value, best_rank = g, value, rank
                while (
                    enough < n and _value_of_even_parts(n, enough, criterion, nlog2n) > best_value
                ):
                    enough += 1
        # No candidate splits all, so 2n is the least bound, and no later guess is better by a
        # statistic. By bounds a candidate of a later block may be as good, and go first.
        if splits_all and criterion != LOWER_BOUND:
            break
    return best_guess, best_value, least


@callee
def _best_by_statistics(patterns, state, known, criterion):  # type: ignore[no-untyped-def]
    """The best guess of any state, from the statistics of every guess: guess, value, bound."""
    n, guess_count = state.size, patterns.shape[1]
    made = Statistics(
        np.empty(BEST_BLOCK, np.uint16), np.empty(BEST_BLOCK, np.uint16),
        np.empty(BEST_BLOCK, np.uint32), np.empty(BEST_BLOCK, np.int64),
    )  # fmt: skip
    candidate = np.empty(BEST_BLOCK, np.bool_)
    least = np.int64(3 * n)
    best_guess, best_value, best_rank = np.int64(-1), np.int64(0), np.int64(2)
    splits_all = False
    for start in range(0, guess_count, BEST_BLOCK):
        width = min(BEST_BLOCK, guess_count - start)
        stats_of_range(patterns, state, known, start, candidate[:width], made)
        for k in range(width):
            parts = np.int64(made.parts[k])
            bound = 3 * n - parts - np.int64(candidate[k])
            least = min(least, bound)
            splits_all |= parts == n
            if criterion == LOWER_BOUND:
                value = bound
            elif criterion == ENTROPY:
                value = made.entropy[k]
            elif criterion == MAX_PART:
                value = np.int64(made.largest[k])
            elif criterion == SUM_SQUARES:
                value = np.int64(made.squares[k])
            else:
                value = -parts
            rank = np.int64(not candidate[k])
            if best_guess < 0 or value < best_value or (value == best_value and rank < best_rank):
                best_guess, best_value, best_rank = start + k, value, rank
        # A guess that splits all is best by any statistic, as in _best_by_parts.
        if splits_all and criterion != LOWER_BOUND:
            break
    return best_guess, best_value, least


@compiled_by_width(
    lambda pattern: of.NOTHING(
        of.given(pattern, 2), of.INDICES, of.ANSWERS, KNOWN, of.INT, of.INT64_ROWS
    ),
    Need.GREEDY,
)
def best_of_states(patterns, indptr, answers, known, criterion, best):  # type: ignore[no-untyped-def]
    """The best guess of each state, its value and the least lower bound, into int64[B, 3]."""
    is_candidate = np.zeros(patterns.shape[1], np.bool_)
    width = max(8, min(FLAGGED_GUESSES, HISTOGRAM_BYTES // known.pattern_count))
    rows = np.zeros((MAX_PAIRWISE_PARTS, PAIR_BLOCK), patterns.dtype)
    flags = np.empty((width, known.pattern_count), np.uint8)
    sizes = np.zeros(known.pattern_count, np.uint16)
    gain = known.nlog2n[1:] - known.nlog2n[:-1]
    scratch = rows, flags, sizes, gain
    stamps = np.zeros(known.pattern_count, np.int64)
    stamp = np.int64(0)
    for b in range(len(best)):
        state = answers[indptr[b] : indptr[b + 1]]
        n = state.size
        guess, stamp = _perfect_candidate(patterns, state, known.guess_of_answer, stamps, stamp)
        if guess >= 0:  # no guess is better, and an equal one comes after it in the tie rule
            least = np.int64(2 * n - 1)
            value = _value(patterns, state, guess, n, True, criterion, gain, sizes)
        elif n < known.pattern_count and criterion != MAX_PART:
            for a in state:
                is_candidate[known.guess_of_answer[a]] = True
            guess, value, least = _best_by_parts(
                patterns, state, is_candidate, known, criterion, scratch
            )
            for a in state:
                is_candidate[known.guess_of_answer[a]] = False
        else:
            guess, value, least = _best_by_statistics(patterns, state, known, criterion)
        best[b, 0] = guess
        best[b, 1] = value
        best[b, 2] = least
