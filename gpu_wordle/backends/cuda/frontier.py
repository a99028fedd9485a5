"""Frontiers on a CUDA device: the kernels split.cu and bound_states.cu, and lists.py.

CuPy sorts and merges what the kernels make, on the device too.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.cuda.launch import Launcher
from gpu_wordle.backends.cuda.lists import CudaLists
from gpu_wordle.backends.protocol import Children
from gpu_wordle.game.game import Game
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.tunables import DEVICE_DRIVERS, FRONTIER_THREADS, MAX_PAIRS, SPLIT_THREADS


class CudaFrontier(CudaLists):
    """Frontier over the kernels of one game.

    Attributes:
        memory_bytes: budget for all guess lists that are alive at one time, in bytes.
    """

    drivers = DEVICE_DRIVERS

    def __init__(self, game: Game, launch: Launcher, memory_bytes: int | None = None) -> None:
        super().__init__(game, launch)
        self._own = self._cupy.asarray(game.words.guess_of_answer)
        if memory_bytes is None:
            memory_bytes = self._matrix.free_bytes() // 2
        self.memory_bytes = memory_bytes

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """Children of P pairs: state ``state[p]`` of the batch, split by guess ``guess[p]``."""
        sizes = batch.sizes[state]
        counts = np.empty(len(state), np.int64)
        found: list[tuple[StateBatch, NDArray[np.int32]]] = []

        def work(start: int, stop: int) -> None:
            pairs = slice(start, stop)
            counts[pairs], states, child = self._split(
                batch, state[pairs], guess[pairs], sizes[pairs]
            )
            found.append((states, child))

        bytes_per_answer = 96  # of the arrays of split.cu, and those that merge equal states
        mean = int(sizes.sum()) // max(1, len(state)) + 1
        self._matrix.in_chunks(len(state), bytes_per_answer * mean, work)
        states, child = _merged(found)
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return Children(indptr, child, states)

    def _split(
        self,
        batch: StateBatch,
        state: NDArray[np.int32],
        guess: NDArray[np.int32],
        sizes: NDArray[np.int64],
    ) -> tuple[NDArray[np.int64], StateBatch, NDArray[np.int32]]:
        """Number of children of each pair; the distinct states, by key; the children's indices."""
        cupy, matrix = self._cupy, self._matrix
        largest = int(sizes.max())
        self._launch.require_shared(4 * largest, largest)
        offset = cupy.asarray(np.concatenate([[0], np.cumsum(sizes)]).astype(np.int64))
        total = int(sizes.sum())
        answers = cupy.empty(total, np.uint16)
        size = cupy.empty(total, np.int32)
        key = cupy.empty((total, 2), np.uint64)
        key.fill(0)
        count = cupy.empty(len(state), np.int32)
        self._launch(
            matrix.kernel("split.cu", "split", "PAIRS"),
            (min(len(state), 1 << 20), 1),
            SPLIT_THREADS,
            4 * largest,
            *matrix.arguments, cupy.asarray(batch.indptr), cupy.asarray(batch.answers),
            cupy.asarray(state), cupy.asarray(guess), np.int32(len(state)), self._zobrist, offset,
            answers, size, key, count,
        )  # fmt: skip

        # split.cu writes the children of pair p, and their answers, from offset[p] on.
        ends = cupy.cumsum(count.astype(np.int64))
        children = int(ends[-1])
        pair = cupy.searchsorted(ends, cupy.arange(children), side="right")
        begin = ends - count
        slot = cupy.arange(children) - begin[pair] + offset[pair]
        size, key = size[slot].astype(np.int64), key[slot]
        before = cupy.cumsum(size) - size
        start = before - before[begin[pair]] + offset[pair]
        _, first, place = cupy.unique(key[:, 0], return_index=True, return_inverse=True)
        # Sorting by half of the key is faster; if two states share it, the host merges them.
        is_collision = bool((key[first][place] != key).any())
        if is_collision:
            first = place = cupy.arange(children)
        end = cupy.cumsum(size[first])
        of = cupy.searchsorted(end, cupy.arange(int(end[-1]) if children else 0), side="right")
        at = cupy.arange(len(of)) - (end - size[first])[of] + start[first][of]
        end, distinct, keys, child, count = matrix.fetched(
            end, answers[at], key[first], place.astype(np.int32), count.astype(np.int64)
        )
        states = StateBatch(np.concatenate([[0], end]).astype(np.int64), distinct, keys)
        if is_collision:
            states, child = states.distinct()
        return count, states, child

    def bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """LB1 of each state, or ``known[b]`` where that is more, int64[B]."""
        result = np.empty(len(batch), np.int64)

        def work(start: int, stop: int) -> None:
            chunk = batch.chunk(start, stop)
            result[start:stop] = self._bound_states(chunk, known[start:stop])

        bytes_per_state = 64 + batch.answers.nbytes // max(1, len(batch))
        self._matrix.in_chunks(len(batch), bytes_per_state, work)
        return result

    def _bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> Any:
        cupy, matrix = self._cupy, self._matrix
        bounds = cupy.empty(len(batch), np.int64)
        indptr, answers = cupy.asarray(batch.indptr), cupy.asarray(batch.answers)
        least = cupy.asarray(known)
        # Large states first, so that no block is left with one when the others are done.
        order = np.argsort(-batch.sizes, kind="stable").astype(np.int32)
        is_small = batch.sizes[order] <= MAX_PAIRS
        for method, rows in (("SEEN", order[~is_small]), ("PAIRS", order[is_small])):
            if len(rows) == 0:
                continue
            words = 0 if method == "PAIRS" else self._launch.bit_words()
            method, blocks, shared_bytes, scratch = self._launch.slab(method, len(rows), 16, words)
            self._launch(
                matrix.kernel("bound_states.cu", "bound_states", method),
                (blocks, 1), FRONTIER_THREADS, shared_bytes,
                *matrix.arguments, np.int32(self._game.guess_count), self._own, indptr, answers,
                cupy.asarray(rows), np.int32(len(rows)), least, scratch, bounds,
            )  # fmt: skip
        return matrix.fetched(bounds)[0]


def _merged(
    found: list[tuple[StateBatch, NDArray[np.int32]]],
) -> tuple[StateBatch, NDArray[np.int32]]:
    """Merge the batches of several chunks into one of distinct states, and map the children."""
    if len(found) == 1:
        return found[0]
    batches = [states for states, _ in found]
    starts = np.cumsum([0, *(len(states) for states in batches)])
    states, place = StateBatch.join(batches).distinct()
    child = [place[start + c] for (_, c), start in zip(found, starts, strict=False)]
    return states, np.concatenate([np.empty(0, np.int32), *child]).astype(np.int32)
