"""Frontiers on the CPU: numba kernels over blocks of guesses, run by a thread pool.

Guess lists hold the patterns of each state under its guesses. So counting for the parts of the
state reads neighbouring bytes.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numba import types
from numpy.typing import NDArray

from gpu_wordle.backends.cpu.measures import ALL, Block, make_room, measuring, sort_ascending
from gpu_wordle.backends.cpu.signatures import (
    ANSWERS,
    GUESSES,
    INDICES,
    INT,
    INT64S,
    NOTHING,
    UINT16S,
    UINT32S,
    UINT64_ROWS,
    ZOBRIST,
    given,
)
from gpu_wordle.backends.cpu.threads import free_bytes, run_slices
from gpu_wordle.backends.protocol import Children, Entries, GuessLists, Survivors, Window
from gpu_wordle.game.game import Game
from gpu_wordle.jit.cache import callee
from gpu_wordle.jit.functions import Need, compiled_by_width
from gpu_wordle.states.batch import StateBatch, zobrist
from gpu_wordle.states.bounds import part_lower_bound
from gpu_wordle.tunables import FRONTIER_SHARE, MAX_PAIRWISE_FRONTIER


class CpuFrontier:
    """Frontier over numba kernels.

    Attributes:
        memory_bytes: budget for all guess lists that are alive at one time, in bytes.
    """

    drivers = 1  # whose kernels have all cores

    def __init__(self, game: Game, threads: int, memory_bytes: int | None = None) -> None:
        self._game = game
        self._threads = threads
        self.memory_bytes = memory_bytes or free_bytes() // FRONTIER_SHARE
        self._patterns = game.patterns.values
        self._bins = game.patterns.pattern_count
        self._zobrist = zobrist(game.answer_count)

    def list_bytes(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Upper bound on the bytes of a state's guess list, by the state's size, int64[B]."""
        return answers * (self._game.guess_count * self._patterns.itemsize)

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """Children of P pairs: state ``state[p]`` of the batch, split by guess ``guess[p]``."""
        offsets = np.concatenate([[0], np.cumsum(batch.sizes[state])]).astype(np.int64)
        answers = np.empty(offsets[-1], np.uint16)
        sizes = np.empty(offsets[-1], np.int64)  # those of a pair's children begin at its offset
        keys = np.empty((offsets[-1], 2), np.uint64)
        counts = np.empty(len(state), np.int64)
        run_slices(
            self._threads,
            len(state),
            lambda start, stop: _split(
                self._patterns,
                self._bins,
                self._zobrist,
                (batch.indptr, batch.answers),
                (state[start:stop], guess[start:stop], offsets[start:stop]),
                (answers, sizes, keys, counts[start:stop]),
            ),
        )
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        slots = np.arange(indptr[-1]) + np.repeat(offsets[:-1] - indptr[:-1], counts)
        used = np.add.reduceat(np.append(sizes[slots], 0), indptr[:-1]) * (counts > 0)
        kept = np.arange(used.sum()) + np.repeat(offsets[:-1] - (np.cumsum(used) - used), used)
        bounds = np.concatenate([[0], np.cumsum(sizes[slots])]).astype(np.int64)
        states, child = StateBatch(bounds, answers[kept], keys[slots]).distinct()
        return Children(indptr, child, states)

    def collapse(self, batch: StateBatch) -> GuessLists:
        """Guess lists of states of two answers or more."""
        held: list[tuple[NDArray[Any], ...]] = [()] * len(batch)
        promising = np.empty(len(batch), np.int32)

        def work(start: int, stop: int) -> None:
            for b in range(start, stop):
                held[b], promising[b] = self._collapse(batch.state(b))

        run_slices(self._threads, len(batch), work)
        reach = np.array([parts[0] + is_candidate[0] for _, parts, _, is_candidate, _ in held])
        most_parts = np.array([parts.max() for _, parts, *_ in held], np.int64)
        return GuessLists(batch, 3 * batch.sizes - reach, most_parts, promising, held)

    def _collapse(self, state: NDArray[np.uint16]) -> tuple[tuple[NDArray[Any], ...], np.int32]:
        """The columns of Entries for a state, its patterns under them, and its promising guess."""
        n, count = len(state), self._game.guess_count
        parts, squares = np.empty(count, np.uint16), np.empty(count, np.uint32)
        hashes = np.empty((count, 2), np.uint64)
        _describe(self._patterns, self._bins, state, self._zobrist, (parts, squares, hashes))
        is_candidate = np.zeros(count, np.bool_)
        is_candidate[self._game.words.guess_of_answer[state]] = True
        # Sorting by hash brings equal partitions together, candidates first; lexsort is stable, so
        # the first of each is the first of the word list.
        order = np.lexsort((~is_candidate, hashes[:, 1], hashes[:, 0]))
        is_first = np.ones(count, np.bool_)
        is_first[1:] = (hashes[order[1:]] != hashes[order[:-1]]).any(axis=1)
        is_kept = is_candidate.copy()
        is_kept[order[is_first]] = True
        is_kept &= parts > 1
        kept = np.flatnonzero(is_kept)
        reach = parts[kept].astype(np.int64) + is_candidate[kept]
        promise = n * (3 * n - reach) + 2 * squares[kept]
        promising = kept[np.lexsort((~is_candidate[kept], promise))[0]]
        kept = kept[np.lexsort((~is_candidate[kept], -reach))]
        columns = (kept.astype(np.int32), parts[kept], squares[kept], is_candidate[kept])
        return (*columns, self._patterns[np.ix_(state, kept)]), promising

    def entries(self, lists: GuessLists) -> Entries:
        """Copy guess lists into arrays."""
        indptr = np.cumsum([0, *(len(guess) for guess, *_ in lists.held)]).astype(np.int64)
        columns = (np.concatenate([held[i] for held in lists.held]) for i in range(4))
        return Entries(indptr, *columns)

    def bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """LB1 of each state, or ``known[b]`` where that is more, int64[B]."""
        bounds = np.empty(len(batch), np.int64)
        ceiling = np.full(self._game.guess_count, self._bins + 1, np.int64)

        def work(start: int, stop: int) -> None:
            for b in range(start, stop):
                n = len(batch.state(b))
                # A guess of reach r costs 3n - r at least, so from here on counting cannot beat
                # ``known``.
                enough = 3 * n - known[b]
                most = _find_reach(self._patterns, self._bins, batch.state(b), ceiling, enough)
                bounds[b] = 3 * n - most

        run_slices(self._threads, len(batch), work)
        return bounds

    def refute(
        self, lists: GuessLists, cutoff: NDArray[np.int64], window: Window | None = None
    ) -> Survivors:
        """The guesses in the window whose bounds are below ``cutoff``, int64[B]."""
        least, below = window or (np.zeros_like(cutoff), cutoff)
        found: list[tuple[NDArray[Any], NDArray[Any]]] = [()] * len(cutoff)  # type: ignore[list-item]

        def work(start: int, stop: int) -> None:
            for b in range(start, stop):
                found[b] = self._refute(lists, b, cutoff[b], least[b], below[b])

        run_slices(self._threads, len(cutoff), work)
        indptr = np.cumsum([0, *(len(guess) for guess, _ in found)]).astype(np.int64)
        guess = np.concatenate([np.empty(0, np.int32), *(guess for guess, _ in found)])
        total = np.concatenate([np.empty(0, np.int64), *(total for _, total in found)])
        return Survivors(indptr, guess, total)

    def _refute(
        self, lists: GuessLists, b: int, cutoff: np.int64, least: np.int64, below: np.int64
    ) -> tuple[NDArray[Any], NDArray[Any]]:
        """Survivors of one state, with their bounds."""
        guess, parts, _, is_candidate, matrix = lists.held[b]
        n = len(matrix)
        reach = parts.astype(np.int64) + is_candidate
        totals = 3 * n - reach
        begin, end = np.searchsorted(totals, (least, min(below, cutoff)))
        mine = slice(begin, max(begin, end))
        # A guess reaches no more on a part than on the state, and the first of the list reaches
        # most.
        by_size = part_lower_bound(np.arange(n + 1), reach[0] - 1)
        _bound_guesses(matrix, self._bins, reach, by_size, cutoff, begin, totals[mine])
        kept = begin + np.flatnonzero(totals[mine] < cutoff)
        kept = kept[np.argsort(totals[kept], kind="stable")]
        return guess[kept], totals[kept]


@compiled_by_width(
    lambda pattern: NOTHING(
        given(pattern, 2), INT, ZOBRIST, types.Tuple([INDICES, ANSWERS]),
        types.Tuple([GUESSES, GUESSES, INDICES]),
        types.Tuple([UINT16S, INT64S, UINT64_ROWS, INT64S]),
    ),
    Need.RARE,
)  # fmt: skip
def _split(patterns, bins, zobrist, batch, pairs, into):  # type: ignore[no-untyped-def]
    """Children of pairs of a state and a guess, by counting sort; ALL_GREEN, the last, is no child.

    Args:
        patterns: the matrix of the game.
        bins: number of patterns.
        zobrist: uint64[A, 2].
        batch: indptr and answers of the states.
        pairs: state and guess of each, and where the answers of its children begin.
        into: answers, sizes and keys of the children; the number of children of each pair.
    """
    indptr, members_of = batch
    state, guess, offsets = pairs
    answers, sizes, keys, counts = into
    size = np.zeros(bins, np.int64)
    place = np.empty(bins, np.int64)
    slot = np.empty(bins, np.int64)
    for p in range(guess.size):
        members = members_of[indptr[state[p]] : indptr[state[p] + 1]]
        g = guess[p]
        for a in members:
            size[patterns[a, g]] += 1
        at = offsets[p]
        children = 0
        for b in range(bins - 1):
            if size[b] > 0:
                place[b] = at
                at += size[b]
                slot[b] = offsets[p] + children
                sizes[slot[b]] = size[b]
                keys[slot[b]] = 0
                children += 1
        counts[p] = children
        for a in members:
            b = patterns[a, g]
            if b < bins - 1:
                answers[place[b]] = a
                place[b] += 1
                keys[slot[b], 0] ^= zobrist[a, 0]
                keys[slot[b], 1] ^= zobrist[a, 1]
        for a in members:
            size[patterns[a, g]] = 0


@compiled_by_width(
    lambda pattern: NOTHING(
        given(pattern, 2), INT, ANSWERS, ZOBRIST, types.Tuple([UINT16S, UINT32S, UINT64_ROWS])
    ),
    Need.RARE,
)
def _describe(patterns, bins, state, zobrist, into):  # type: ignore[no-untyped-def]
    """Parts, sums of squares and hashes of the partitions that all guesses make of a state.

    An answer's label is one more than the place of the first answer with its pattern. The hash is
    the sum of labels times random 128-bit words, so it does not depend on what patterns are called.
    """
    parts, squares, hashes = into
    parts[:] = 0
    squares[:] = 0
    hashes[:] = 0
    room = make_room(patterns, bins, state.size, MAX_PAIRWISE_FRONTIER, np.uint32)
    for start in range(0, parts.size, room.width):
        stop = min(start + room.width, parts.size)
        mine = parts[start:stop], squares[start:stop], hashes[start:stop], zobrist
        describe_block(Block(patterns, state, ALL, start, stop - start), room, mine)


@measuring
def describe_block(sums, i, cells, earlier, first):  # type: ignore[no-untyped-def]
    """Add the share of an answer to parts, squares and hashes."""
    parts, squares, hashes, zobrist = sums
    for k in range(parts.size):
        parts[k] += np.uint16(earlier[k] == 0)
        squares[k] += np.uint32(2) * np.uint32(earlier[k]) + np.uint32(1)
        label = np.uint64(first[k]) + np.uint64(1)
        hashes[k, 0] += label * zobrist[i, 0]
        hashes[k, 1] += label * zobrist[i, 1]


@callee
def _reach(matrix, bins, rows, ceiling, enough):  # type: ignore[no-untyped-def]
    """The highest reach of a column on some rows: its parts, plus one if ALL_GREEN is among them.

    Columns come by descending ceilings of their reach. Counting stops at ``enough``, the most that
    is returned.
    """
    room = make_room(matrix, bins, rows.size, MAX_PAIRWISE_FRONTIER, np.uint16)
    solved = matrix.dtype.type(bins - 1)
    columns = ceiling.size
    counted = np.empty(room.width, np.uint16)
    most = 0
    for start in range(0, columns, room.width):
        if most >= min(enough, ceiling[start]):
            break
        reach = counted[: min(room.width, columns - start)]
        reach[:] = 0
        block = Block(matrix, rows, ALL, start, reach.size)
        _measure_reach(block, room, (reach, solved))
        for k in range(reach.size):
            most = max(most, np.int64(reach[k]))
    return min(most, enough)


@measuring
def _measure_reach(sums, i, cells, earlier, first):  # type: ignore[no-untyped-def]
    reach, solved = sums
    for k in range(reach.size):
        reach[k] += np.uint16(earlier[k] == 0) + np.uint16(cells[k] == solved)


_find_reach = compiled_by_width(
    lambda pattern: INT(given(pattern, 2), INT, ANSWERS, INDICES, INT), Need.RARE
)(_reach.py_func)
"""``_reach`` for Python to call."""


@compiled_by_width(
    lambda pattern: NOTHING(given(pattern, 2), INT, INDICES, INDICES, INT, INT, INT64S), Need.RARE
)
def _bound_guesses(  # type: ignore[no-untyped-def]
    matrix, bins, reach, by_size, cutoff, begin, totals
):
    """Bound the guesses of a list from ``begin`` on; the matrix is all patterns on the state."""
    n = matrix.shape[0]
    size = np.zeros(bins, np.int64)
    place = np.empty(bins, np.int64)
    order = np.empty(bins - 1, np.int64)
    rows = np.empty(n, np.int64)
    for place_of_total in range(totals.size):
        g = begin + place_of_total
        size[:] = 0
        for i in range(n):
            size[matrix[i, g]] += 1
        total = n
        at = 0
        for b in range(bins - 1):
            place[b] = at
            at += size[b]
            if size[b] > 0:
                total += by_size[size[b]]
        if total < cutoff:
            for i in range(n):
                b = matrix[i, g]
                if b < bins - 1:
                    rows[place[b]] = i
                    place[b] += 1
            # Small parts first: they are counted fastest, and may refute the guess alone.
            sort_ascending(size[: bins - 1], n, order)
            for b in order:
                k = size[b]
                if k < 3:
                    continue
                if total >= cutoff:
                    break
                enough = 3 * k - by_size[k]
                part = rows[place[b] - k : place[b]]
                total += enough - _reach(matrix, bins, part, reach, enough)
        totals[place_of_total] = total
