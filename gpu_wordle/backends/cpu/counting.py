"""Partition statistics of states: how each guess splits them.

Guesses are taken in blocks, so that the counts of a block stay in the first-level cache. Small
states are added up answer by answer (measures.py). In states with more answers than patterns, it is
cheaper to count each pattern and to look at the counts once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from gpu_wordle.backends.cpu import signatures as of
from gpu_wordle.backends.cpu.measures import ALL, Block, make_room, measuring
from gpu_wordle.game.game import Game
from gpu_wordle.jit.cache import callee
from gpu_wordle.jit.functions import Need, compiled_by_width
from gpu_wordle.states.partition import entropy_table
from gpu_wordle.tunables import MAX_PAIRWISE_CPU


class Known(NamedTuple):
    """The facts of a game that counting needs.

    Attributes:
        pattern_count: number of patterns.
        guess_of_answer: int32[A].
        nlog2n: int64[A + 1], see entropy_table.
    """

    pattern_count: int
    guess_of_answer: NDArray[np.int32]
    nlog2n: NDArray[np.int64]

    @classmethod
    def of(cls, game: Game) -> Known:
        """The facts of a game, in writable arrays: to numba, read-only ones are of another type."""
        guess_of_answer = np.require(game.words.guess_of_answer, np.int32, ("C", "W"))
        return cls(game.patterns.pattern_count, guess_of_answer, entropy_table(game.answer_count))


class Statistics(NamedTuple):
    """Statistics of some guesses on one state; see PartitionStats."""

    parts: NDArray[np.uint16]
    largest: NDArray[np.uint16]
    squares: NDArray[np.uint32]
    entropy: NDArray[np.int64]


KNOWN = types.NamedTuple([of.INT, types.int32[::1], of.INDICES], Known)
STATISTICS = types.NamedTuple([of.UINT16S, of.UINT16S, of.UINT32S, of.INT64S], Statistics)
"""numba's types of Known and Statistics."""


@callee
def stats_of_range(patterns, state, known, first, candidate, into):  # type: ignore[no-untyped-def]
    """Statistics of the guesses from ``first`` on, into arrays of as many."""
    n, bins = state.size, known.pattern_count
    count = candidate.size
    candidate[:] = False
    for a in state:
        if first <= known.guess_of_answer[a] < first + count:
            candidate[known.guess_of_answer[a] - first] = True
    room = make_room(patterns, bins, n, MAX_PAIRWISE_CPU, np.uint16)
    is_large = n >= bins
    step = room.width
    flat = np.empty(step * bins if is_large else 0, np.uint16)
    more = np.empty_like(flat)
    gain = known.nlog2n[1:] - known.nlog2n[:-1]
    for start in range(0, count, step):
        stop = min(start + step, count)
        mine = Statistics(
            into.parts[start:stop], into.largest[start:stop],
            into.squares[start:stop], into.entropy[start:stop],
        )  # fmt: skip
        if is_large and n > MAX_PAIRWISE_CPU:
            size = (stop - start) * bins
            _count_parts(patterns, state, first + start, flat[:size], more[:size], stop - start)
            _reduce_counts(flat[:size].reshape(stop - start, bins), known.nlog2n, mine)
            continue
        mine.parts[:] = 0
        mine.largest[:] = 0
        mine.squares[:] = 0
        mine.entropy[:] = 0
        block = Block(patterns, state, ALL, first + start, stop - start)
        _measure(block, room, (mine, gain))


@measuring
def _measure(sums, i, cells, earlier, first):  # type: ignore[no-untyped-def]
    """An answer that makes a part grow from c to c + 1 adds 2c + 1 to the squares, and its gain."""
    into, gain = sums
    for k in range(into.parts.size):
        into.parts[k] += np.uint16(earlier[k] == 0)
        into.largest[k] = max(into.largest[k], np.uint16(earlier[k] + 1))
        into.squares[k] += np.uint32(2 * np.uint32(earlier[k]) + 1)
    for k in range(into.parts.size):
        into.entropy[k] += gain[earlier[k]]


@callee
def _count_parts(patterns, state, start, counts, more, width):  # type: ignore[no-untyped-def]
    """Size of the part behind each pattern, for a block of guesses: counts[k * patterns + pattern].

    Answers go in pairs, one to ``counts`` and one to ``more``, so that twice as many independent
    increments are under way. In the end ``more`` is added.
    """
    counts[:] = 0
    more[:] = 0
    pattern_count = np.uint64(counts.size // width)
    for t in range(0, state.size - 1, 2):
        row = patterns[state[t], start : start + width]
        other = patterns[state[t + 1], start : start + width]
        base = np.uint64(0)
        for k in range(width):
            counts[base + np.uint64(row[k])] += np.uint16(1)
            more[base + np.uint64(other[k])] += np.uint16(1)
            base += pattern_count
    if state.size % 2:
        row = patterns[state[-1], start : start + width]
        for k in range(width):
            counts[np.uint64(k) * pattern_count + np.uint64(row[k])] += np.uint16(1)
    for i in range(counts.size):
        counts[i] += more[i]


@callee
def _reduce_counts(counts, nlog2n, into):  # type: ignore[no-untyped-def]
    """Statistics of a block from the counts of :func:`_count_parts`."""
    for k in range(len(counts)):
        n_parts, most, sum_squares, sum_entropy = 0, np.uint16(0), np.uint32(0), 0
        row = counts[k]
        for p in range(row.size):
            n_parts += row[p] > 0
            most = max(most, row[p])
            sum_squares += np.uint32(row[p]) * np.uint32(row[p])
        for p in range(row.size):
            sum_entropy += nlog2n[row[p]]
        into.parts[k] = n_parts
        into.largest[k] = most
        into.squares[k] = sum_squares
        into.entropy[k] = sum_entropy


stats_of_state = compiled_by_width(
    lambda pattern: of.NOTHING(
        of.given(pattern, 2), of.ANSWERS, KNOWN, of.INT, of.FLAGS, STATISTICS
    ),
    Need.STATISTICS,
)(stats_of_range.py_func)
"""``stats_of_range`` for Python to call."""
