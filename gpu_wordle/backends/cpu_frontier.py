"""Frontiers on the CPU: numba kernels over blocks of guesses, run by a thread pool.

Guess lists hold nothing: the matrix of the game is in memory, and columns are gathered from it.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gpu_wordle.backends.threads import run_slices
from gpu_wordle.frontier import Children, GuessList
from gpu_wordle.game import Game
from gpu_wordle.states import StateBatch, zobrist

BLOCK = 64  # guesses whose tables of patterns stay in the cache together


class CpuFrontier:
    """Frontier over numba kernels."""

    memory_bytes = 1 << 40

    def __init__(self, game: Game, threads: int) -> None:
        self._game = game
        self._threads = threads
        self._patterns = game.patterns.values
        self._bins = game.patterns.pattern_count
        self._zobrist = zobrist(game.answer_count)

    def whole(self) -> GuessList:
        """See Frontier."""
        return GuessList.whole(self._game)

    def list_bytes(self, answers: int, guesses: int) -> int:
        """See Frontier."""
        return 0

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """See Frontier."""
        offsets = np.concatenate([[0], np.cumsum(batch.sizes[state])]).astype(np.int64)
        answers = np.empty(offsets[-1], np.uint16)
        sizes = np.empty(offsets[-1], np.int64)  # those of a pair's children begin at its offset
        keys = np.empty((offsets[-1], 2), np.uint64)
        counts = np.empty(len(state), np.int64)
        run_slices(
            self._threads,
            len(state),
            lambda start, stop: _split(
                self._patterns, self._bins, self._zobrist, batch.indptr, batch.answers,
                state, guess, start, stop, offsets, answers, sizes, keys, counts,
            ),
        )  # fmt: skip
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        slots = np.arange(indptr[-1]) + np.repeat(offsets[:-1] - indptr[:-1], counts)
        used = np.add.reduceat(np.append(sizes[slots], 0), indptr[:-1]) * (counts > 0)
        kept = np.arange(used.sum()) + np.repeat(offsets[:-1] - (np.cumsum(used) - used), used)
        bounds = np.concatenate([[0], np.cumsum(sizes[slots])]).astype(np.int64)
        states, child = StateBatch(bounds, answers[kept], keys[slots]).distinct()
        return Children(indptr, child, states)

    def collapse(
        self, batch: StateBatch, lists: Sequence[GuessList], list_of: NDArray[np.int32]
    ) -> list[GuessList]:
        """See Frontier."""
        result: list[GuessList | None] = [None] * len(batch)

        def work(start: int, stop: int) -> None:
            for b in range(start, stop):
                result[b] = self._collapse(batch.state(b), lists[list_of[b]])

        run_slices(self._threads, len(batch), work)
        return [guesses for guesses in result if guesses is not None]

    def _collapse(self, state: NDArray[np.uint16], source: GuessList) -> GuessList:
        count = len(source)
        parts, squares = np.empty(count, np.uint16), np.empty(count, np.uint32)
        hashes = np.empty((count, 2), np.uint64)
        _describe(
            self._patterns, self._bins, state, source.guess, self._zobrist, parts, squares, hashes
        )
        answer = self._game.words.answer_of_guess[source.guess]
        is_candidate = np.isin(answer, state)
        # The first of each partition, candidates before others; a stable sort keeps the order.
        order = np.lexsort((~is_candidate, hashes[:, 1], hashes[:, 0]))
        is_first = np.ones(count, np.bool_)
        is_first[1:] = (hashes[order[1:]] != hashes[order[:-1]]).any(axis=1)
        is_kept = is_candidate.copy()
        is_kept[order[is_first]] = True
        is_kept &= parts > 1
        kept = np.flatnonzero(is_kept)
        kept = kept[np.lexsort((~is_candidate[kept], -parts[kept].astype(np.int32)))]
        return GuessList(state, source.guess[kept], parts[kept], squares[kept], is_candidate[kept])

    def most_parts(
        self,
        batch: StateBatch,
        lists: Sequence[GuessList],
        list_of: NDArray[np.int32],
        enough: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """See Frontier."""
        most = np.empty(len(batch), np.int64)

        def work(start: int, stop: int) -> None:
            for b in range(start, stop):
                guesses = lists[list_of[b]]
                most[b] = _most_parts(
                    self._patterns, self._bins, batch.state(b), guesses.guess, guesses.parts,
                    enough[b],
                )  # fmt: skip

        run_slices(self._threads, len(batch), work)
        return most


@njit(cache=True, nogil=True)
def _split(  # type: ignore[no-untyped-def]
    patterns, bins, zobrist, indptr, batch, state, guess, first, last,
    offsets, answers, sizes, keys, counts,
):  # fmt: skip
    """Children of the pairs ``first`` to ``last``, by counting sort, all but the last pattern."""
    size = np.zeros(bins, np.int64)
    place = np.empty(bins, np.int64)
    slot = np.empty(bins, np.int64)
    for p in range(first, last):
        members = batch[indptr[state[p]] : indptr[state[p] + 1]]
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


@njit(cache=True, nogil=True)
def _describe(  # type: ignore[no-untyped-def]
    patterns, bins, state, guesses, zobrist, parts, squares, hashes
):
    """Parts, sum of squares and hash of the partition that each guess makes of a state.

    An answer's label is one more than the place of the first answer with its pattern. The hash is
    the sum of labels times random 128-bit words, so it does not depend on what patterns are called.
    """
    first = np.zeros((BLOCK, bins), np.uint32)
    count = np.zeros((BLOCK, bins), np.uint32)
    for start in range(0, guesses.size, BLOCK):
        width = min(BLOCK, guesses.size - start)
        for k in range(width):
            parts[start + k] = 0
            squares[start + k] = 0
            hashes[start + k] = 0
        for i in range(state.size):
            row = patterns[state[i]]
            for k in range(width):
                b = row[guesses[start + k]]
                if count[k, b] == 0:
                    first[k, b] = i + 1
                    parts[start + k] += 1
                label = np.uint64(first[k, b])
                hashes[start + k, 0] += label * zobrist[i, 0]
                hashes[start + k, 1] += label * zobrist[i, 1]
                squares[start + k] += 2 * count[k, b] + 1
                count[k, b] += 1
        for i in range(state.size):
            row = patterns[state[i]]
            for k in range(width):
                count[k, row[guesses[start + k]]] = 0


@njit(cache=True, nogil=True)
def _most_parts(patterns, bins, state, guesses, ceiling, enough):  # type: ignore[no-untyped-def]
    """The most parts that a guess makes, at most ``enough``; guesses come by their ceilings."""
    seen = np.zeros((BLOCK, bins), np.uint8)
    parts = np.empty(BLOCK, np.int64)
    most = 0
    for start in range(0, guesses.size, BLOCK):
        if most >= min(enough, ceiling[start]):
            break
        width = min(BLOCK, guesses.size - start)
        parts[:] = 0
        for a in state:
            row = patterns[a]
            for k in range(width):
                b = row[guesses[start + k]]
                parts[k] += 1 - seen[k, b]
                seen[k, b] = 1
        for a in state:
            row = patterns[a]
            for k in range(width):
                seen[k, row[guesses[start + k]]] = 0
        most = max(most, parts[:width].max())
    return min(most, enough)
