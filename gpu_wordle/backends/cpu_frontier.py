"""Frontiers on the CPU: numba kernels over blocks of guesses, run by a thread pool.

A guess list holds the patterns of its state under its guesses, so that what is counted for the
states below reads neighbouring bytes.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numba import njit
from numpy.typing import NDArray

from gpu_wordle.backends.threads import free_bytes, run_slices
from gpu_wordle.frontier import Children, GuessList
from gpu_wordle.game import Game
from gpu_wordle.states import StateBatch, zobrist

BLOCK = 64  # guesses whose tables of patterns stay in the cache together
PAIRWISE_MOST = 48  # answers up to which comparing pairs of rows beats tables
PAIR_BLOCK = 512  # guesses whose rows are compared together; constant, for SIMD
MEMORY_SHARE = 4  # the lists may take one part in so many of the free memory


class CpuFrontier:
    """Frontier over numba kernels."""

    def __init__(self, game: Game, threads: int, memory_bytes: int | None = None) -> None:
        self._game = game
        self._threads = threads
        self._memory_bytes = memory_bytes or free_bytes() // MEMORY_SHARE
        self._patterns = game.patterns.values
        self._bins = game.patterns.pattern_count
        self._zobrist = zobrist(game.answer_count)

    @property
    def memory_bytes(self) -> int:
        """See Frontier."""
        return self._memory_bytes

    def whole(self) -> GuessList:
        """See Frontier."""
        return GuessList.whole(self._game, self._patterns)

    def list_bytes(self, answers: int, guesses: int) -> int:
        """See Frontier."""
        return answers * guesses * self._patterns.itemsize

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
                result[b] = self._collapse(batch.chunk(b, b + 1), lists[list_of[b]])

        run_slices(self._threads, len(batch), work)
        return [guesses for guesses in result if guesses is not None]

    def _collapse(self, state: StateBatch, source: GuessList) -> GuessList:
        count = len(source)
        parts, squares = np.empty(count, np.uint16), np.empty(count, np.uint32)
        hashes = np.empty((count, 2), np.uint64)
        rows = np.searchsorted(source.state.answers, state.answers)
        _describe(source.held, self._bins, rows, self._zobrist, parts, squares, hashes)
        answer = self._game.words.answer_of_guess[source.guess]
        is_candidate = np.isin(answer, state.answers)
        # The first of each partition, candidates before others; a stable sort keeps the order.
        order = np.lexsort((~is_candidate, hashes[:, 1], hashes[:, 0]))
        is_first = np.ones(count, np.bool_)
        is_first[1:] = (hashes[order[1:]] != hashes[order[:-1]]).any(axis=1)
        is_kept = is_candidate.copy()
        is_kept[order[is_first]] = True
        is_kept &= parts > 1
        kept = np.flatnonzero(is_kept)
        kept = kept[np.lexsort((~is_candidate[kept], -parts[kept].astype(np.int32)))]
        return GuessList(
            state,
            source.guess[kept],
            parts[kept],
            squares[kept],
            is_candidate[kept],
            source.held[np.ix_(rows, kept)],
        )

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
                state = batch.state(b)
                rows = np.searchsorted(guesses.state.answers, state)
                by_pairs = len(state) <= PAIRWISE_MOST
                count = _most_by_pairs if by_pairs else _most_by_tables
                most[b] = count(guesses.held, self._bins, rows, guesses.parts, enough[b])

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
def _describe(matrix, bins, rows, zobrist, parts, squares, hashes):  # type: ignore[no-untyped-def]
    """Parts, sum of squares and hash of the partition that each column makes of some rows.

    An answer's label is one more than the place of the first answer with its pattern. The hash is
    the sum of labels times random 128-bit words, so it does not depend on what patterns are called.
    """
    first = np.zeros((BLOCK, bins), np.uint32)
    count = np.zeros((BLOCK, bins), np.uint32)
    columns = parts.size
    for start in range(0, columns, BLOCK):
        width = min(BLOCK, columns - start)
        for k in range(start, start + width):
            parts[k] = 0
            squares[k] = 0
            hashes[k] = 0
        for i in range(rows.size):
            row = matrix[rows[i], start : start + width]
            for k in range(width):
                b = row[k]
                if count[k, b] == 0:
                    first[k, b] = i + 1
                    parts[start + k] += 1
                label = np.uint64(first[k, b])
                hashes[start + k, 0] += label * zobrist[i, 0]
                hashes[start + k, 1] += label * zobrist[i, 1]
                squares[start + k] += 2 * count[k, b] + 1
                count[k, b] += 1
        for i in range(rows.size):
            row = matrix[rows[i], start : start + width]
            for k in range(width):
                count[k, row[k]] = 0


@njit(cache=True, nogil=True)
def _most_by_pairs(matrix, bins, rows, ceiling, enough):  # type: ignore[no-untyped-def]
    """The most parts that a column makes, at most ``enough``; columns come by their ceilings.

    As many as there are rows that differ from all before, in up to 255 rows.
    """
    n = rows.size
    columns = ceiling.size
    block = np.zeros((n, PAIR_BLOCK), matrix.dtype)
    parts = np.empty(PAIR_BLOCK, np.uint8)
    is_new = np.empty(PAIR_BLOCK, np.uint8)
    most = 0
    for start in range(0, columns, PAIR_BLOCK):
        if most >= min(enough, ceiling[start]):
            break
        width = min(PAIR_BLOCK, columns - start)
        parts[:] = 0
        for i in range(n):
            row = matrix[rows[i], start : start + width]
            mine = block[i]
            for k in range(width):
                mine[k] = row[k]
            for k in range(PAIR_BLOCK):
                is_new[k] = 1
            for j in range(i):
                other = block[j]
                for k in range(PAIR_BLOCK):
                    is_new[k] &= np.uint8(mine[k] != other[k])
            for k in range(PAIR_BLOCK):
                parts[k] += is_new[k]
        for k in range(width):
            most = max(most, int(parts[k]))
    return min(most, enough)


@njit(cache=True, nogil=True)
def _most_by_tables(matrix, bins, rows, ceiling, enough):  # type: ignore[no-untyped-def]
    """The same for any number of rows, by which patterns have been seen."""
    seen = np.zeros((BLOCK, bins), np.uint8)
    parts = np.empty(BLOCK, np.int64)
    columns = ceiling.size
    most = 0
    for start in range(0, columns, BLOCK):
        if most >= min(enough, ceiling[start]):
            break
        width = min(BLOCK, columns - start)
        parts[:] = 0
        for i in rows:
            row = matrix[i, start : start + width]
            for k in range(width):
                parts[k] += 1 - seen[k, row[k]]
                seen[k, row[k]] = 1
        for i in rows:
            row = matrix[i, start : start + width]
            for k in range(width):
                seen[k, row[k]] = 0
        most = max(most, parts[:width].max())
    return min(most, enough)
