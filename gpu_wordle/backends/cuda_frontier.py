"""Frontiers on a CUDA device: the kernels split.cu, collapse.cu and most_parts.cu.

A guess list holds the matrix of its state under its guesses on the device, so that what is counted
for the states below reads neighbouring bytes and few of them. What kernels leave to sorting and
merging is done by CuPy, on the device too.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.device import WORD_BYTES, DeviceMatrix, device_errors
from gpu_wordle.errors import JobError
from gpu_wordle.frontier import Children, GuessList
from gpu_wordle.game import Game
from gpu_wordle.states import StateBatch, zobrist

PAIRS_MOST = 16  # answers up to which most_parts.cu compares pairs
LABELS16_MOST = 255  # answers up to which collapse.cu needs 16 bits a label
COUNT_THREADS, LABEL_THREADS, SPLIT_THREADS, COPY_THREADS, KEEP_THREADS = 128, 32, 128, 128, 128
MOST_ROW_BLOCKS = 64
ROW_BYTES = 32  # rows of a list's matrix begin at multiples
NO_RANK = np.uint64(2**64 - 1)  # order of a guess that is not kept
NOT_CANDIDATE = 1 << 31


@dataclass(frozen=True, eq=False)
class DeviceList:
    """What a guess list holds on the device.

    Attributes:
        fields: int64[6], the row of lists.cuh that describes it.
        arrays: the device arrays to which it points.
    """

    fields: NDArray[np.int64]
    arrays: tuple[Any, ...]


class CudaFrontier:
    """Frontier over the kernels."""

    def __init__(
        self,
        game: Game,
        matrix: DeviceMatrix,
        block_threads: int | None = None,
        memory_bytes: int | None = None,
    ) -> None:
        self._game = game
        self._matrix = matrix
        self._cupy = matrix.cupy
        self._block_threads = block_threads
        self._zobrist = self._cupy.asarray(zobrist(game.answer_count).copy())
        self._memory_bytes = matrix.free_bytes() // 2 if memory_bytes is None else memory_bytes

    @property
    def memory_bytes(self) -> int:
        """See Frontier."""
        return self._memory_bytes

    def list_bytes(self, answers: int, guesses: int) -> int:
        """See Frontier."""
        return answers * self._pitch_bytes(guesses)

    def _pitch_bytes(self, guesses: int) -> int:
        return -(-guesses * self._matrix.pattern_bits // 8 // ROW_BYTES) * ROW_BYTES

    def whole(self) -> GuessList:
        """See Frontier; its matrix is that of the game."""
        guesses = GuessList.whole(self._game)
        with device_errors():
            parts, answers = (
                self._cupy.asarray(guesses.parts),
                self._cupy.asarray(guesses.state.answers),
            )
            matrix = self._matrix
            fields = self._fields(
                address_of(matrix.words), matrix.pitch_bytes, address_of(parts),
                address_of(answers), len(guesses), len(guesses.state.answers),
            )  # fmt: skip
        return GuessList.whole(self._game, DeviceList(fields, (matrix.words, parts, answers)))

    @staticmethod
    def _fields(*values: int) -> NDArray[np.int64]:
        """In the order of ListField in lists.cuh."""
        return np.array(values, np.int64)

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """See Frontier."""
        sizes = batch.sizes[state]
        counts = np.empty(len(state), np.int64)
        found: list[tuple[StateBatch, NDArray[np.int32]]] = []

        def work(start: int, stop: int) -> None:
            pairs = slice(start, stop)
            counts[pairs], states, child = self._split(
                batch, state[pairs], guess[pairs], sizes[pairs]
            )
            found.append((states, child))

        bytes_per_answer = 96  # the arrays of split.cu, and those that merge equal states
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
        """Children of each pair; the distinct states, by keys; and the children's places there."""
        cupy, matrix = self._cupy, self._matrix
        shared_bytes = 4 * int(sizes.max())
        if shared_bytes > matrix.most_shared_bytes:
            raise JobError(
                f"a state of {sizes.max():,} answers is too large for the device; use --backend cpu"
            )
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
            shared_bytes,
            matrix.words, np.uint32(matrix.pitch_bytes), np.uint32(matrix.bins),
            cupy.asarray(batch.indptr), cupy.asarray(batch.answers), cupy.asarray(state),
            cupy.asarray(guess), np.int32(len(state)), self._zobrist, offset,
            answers, size, key, count,
        )  # fmt: skip

        # The children of pair p lie at offset[p] and after, their answers too.
        ends = cupy.cumsum(count.astype(np.int64))
        children = int(ends[-1])
        pair = cupy.searchsorted(ends, cupy.arange(children), side="right")
        begin = ends - count
        slot = cupy.arange(children) - begin[pair] + offset[pair]
        size, key = size[slot].astype(np.int64), key[slot]
        before = cupy.cumsum(size) - size
        start = before - before[begin[pair]] + offset[pair]
        _, first, place = cupy.unique(key[:, 0], return_index=True, return_inverse=True)
        is_collision = bool((key[first][place] != key).any())  # half of the key was not enough
        if is_collision:
            first = place = cupy.arange(children)
        end = cupy.cumsum(size[first])
        of = cupy.searchsorted(end, cupy.arange(int(end[-1]) if children else 0), side="right")
        at = cupy.arange(len(of)) - (end - size[first])[of] + start[first][of]
        states = StateBatch(
            np.concatenate([[0], cupy.asnumpy(end)]).astype(np.int64),
            cupy.asnumpy(answers[at]),
            cupy.asnumpy(key[first]),
        )
        child = cupy.asnumpy(place).astype(np.int32)
        if is_collision:
            states, child = states.distinct()
        return cupy.asnumpy(count).astype(np.int64), states, child

    def collapse(
        self, batch: StateBatch, lists: Sequence[GuessList], list_of: NDArray[np.int32]
    ) -> list[GuessList]:
        """See Frontier."""
        result: list[GuessList] = []
        width = max((len(guesses) for guesses in lists), default=0)
        bytes_per_state = 48 * width + 12 * _slots(width)
        bytes_per_state += self.list_bytes(int(batch.sizes.max(initial=0)), width)

        def work(start: int, stop: int) -> None:
            result[start:] = self._collapse(batch.chunk(start, stop), lists, list_of[start:stop])

        self._matrix.in_chunks(len(batch), bytes_per_state, work)
        return result

    def _collapse(
        self, batch: StateBatch, lists: Sequence[GuessList], list_of: NDArray[np.int32]
    ) -> list[GuessList]:
        cupy, matrix = self._cupy, self._matrix
        indptr, answers = cupy.asarray(batch.indptr), cupy.asarray(batch.answers)
        fields, places = self._lists(lists), cupy.asarray(list_of)
        width = max(len(lists[k]) for k in np.unique(list_of))
        order = cupy.empty((len(batch), width), np.uint64)
        squares = cupy.empty((len(batch), width), np.uint32)
        self._rank(batch, fields, places, indptr, answers, order, squares)
        order = cupy.sort(order, axis=1)
        is_kept = order != NO_RANK
        counts = cupy.asnumpy(is_kept.sum(axis=1)).astype(np.int64)
        at = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        ranks = order[is_kept]
        row = cupy.asarray(np.repeat(np.arange(len(batch)), counts))
        column = (ranks & np.uint64(NOT_CANDIDATE - 1)).astype(np.int32)
        parts = (np.uint64(65_535) - (ranks >> np.uint64(32))).astype(np.uint16)
        is_candidate = (ranks & np.uint64(NOT_CANDIDATE)) == np.uint64(0)

        # Each list has memory of its own, which is free again when that list is given up.
        pitches = np.array([self._pitch_bytes(int(count)) for count in counts], np.int64)
        targets = [cupy.empty(max(1, int(size)), np.uint8) for size in batch.sizes * pitches]
        rows_at = np.array([address_of(target) for target in targets], np.int64)
        self._launch(
            matrix.kernel("collapse.cu", "copy_columns", "LABELS16"),
            (len(batch), min(MOST_ROW_BLOCKS, int(batch.sizes.max()))),
            COPY_THREADS,
            0,
            fields, places, np.uint32(matrix.bins), indptr, answers, np.int32(len(batch)),
            column, cupy.asarray(at), cupy.asarray(np.stack([rows_at, pitches], axis=1)),
        )  # fmt: skip

        column_host = cupy.asnumpy(column)
        parts_host = cupy.asnumpy(parts)
        squares_host = cupy.asnumpy(squares[row, column])
        candidate_host = cupy.asnumpy(is_candidate)
        result = []
        for b in range(len(batch)):
            held = DeviceList(
                self._fields(
                    int(rows_at[b]), int(pitches[b]), address_of(parts) + 2 * int(at[b]),
                    address_of(answers) + 2 * int(batch.indptr[b]), int(counts[b]),
                    int(batch.sizes[b]),
                ),
                (targets[b], parts, answers),
            )  # fmt: skip
            kept = slice(at[b], at[b + 1])
            result.append(
                GuessList(
                    batch.chunk(b, b + 1),
                    lists[list_of[b]].guess[column_host[kept]],
                    parts_host[kept],
                    squares_host[kept],
                    candidate_host[kept],
                    held,
                )
            )
        return result

    def _rank(
        self, batch: StateBatch, fields: Any, places: Any, indptr: Any, answers: Any,
        order: Any, squares: Any,
    ) -> None:  # fmt: skip
        """Fill ``order`` and ``squares``, [B, width], by collapse.cu."""
        cupy, matrix = self._cupy, self._matrix
        width = order.shape[1]
        slots = _slots(width)
        table_key, table_rank = (
            cupy.empty((len(batch), slots), dtype) for dtype in (np.uint64, np.uint32)
        )
        table_key.fill(NO_RANK)
        table_rank.fill(2**32 - 1)
        hashes = cupy.empty((len(batch), width, 2), np.uint64)
        is_small = batch.sizes <= LABELS16_MOST
        for method, chosen in (("LABELS32", ~is_small), ("LABELS16", is_small)):
            rows = np.flatnonzero(chosen).astype(np.int32)
            if len(rows) == 0:
                continue
            row_longs = -(-int(batch.sizes[rows].max()) // 4)
            method, grid, shared_bytes, scratch = self._label_blocks(
                method, len(rows), width, 8 * row_longs
            )
            self._launch(
                matrix.kernel("collapse.cu", "collapse", method),
                grid, LABEL_THREADS, shared_bytes,
                fields, places, np.uint32(matrix.bins), indptr, answers, cupy.asarray(rows),
                np.int32(len(rows)), self._zobrist, table_key, table_rank, np.uint32(slots),
                hashes, order, squares, np.int32(width), np.uint32(row_longs), scratch,
            )  # fmt: skip
        slices = min(-(-width // KEEP_THREADS), -(-matrix.most_blocks // len(batch)))
        self._launch(
            matrix.kernel("collapse.cu", "keep", "LABELS16"),
            (len(batch), slices), KEEP_THREADS, 0,
            fields, places, np.uint32(matrix.bins), np.int32(len(batch)), table_key, table_rank,
            np.uint32(slots), hashes, order, np.int32(width),
        )  # fmt: skip

    def _label_blocks(
        self, method: str, states: int, width: int, row_bytes: int
    ) -> tuple[str, tuple[int, int], int, Any]:
        """Method, grid, shared bytes and scratch memory of collapse, once what fits is known."""
        matrix = self._matrix
        threads = self._block_threads or LABEL_THREADS
        lanes = 32 // matrix.pattern_bits
        label_bytes = 2 if method == "LABELS16" else 4
        counter_bytes = matrix.bins * max(WORD_BYTES, lanes * label_bytes) * threads
        words = -(-width // lanes)
        slices = min(-(-words // threads), -(-matrix.most_blocks // states))
        if row_bytes + counter_bytes <= matrix.most_shared_bytes:
            return method, (states, slices), row_bytes + counter_bytes, np.intp(0)
        in_block = matrix.bins * lanes * threads
        most = matrix.scratch_blocks(WORD_BYTES * in_block)
        blocks = min(states, most)
        slices = max(1, min(slices, most // blocks))
        scratch = self._cupy.empty(blocks * slices * in_block, np.uint32)
        return "LABELS_GLOBAL", (blocks, slices), row_bytes, scratch

    def most_parts(
        self,
        batch: StateBatch,
        lists: Sequence[GuessList],
        list_of: NDArray[np.int32],
        enough: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """See Frontier."""
        cupy = self._cupy
        result = np.empty(len(batch), np.int64)
        if len(batch) == 0:
            return result
        with device_errors():
            fields = self._lists(lists)

        def work(start: int, stop: int) -> None:
            chunk = batch.chunk(start, stop)
            most = cupy.empty(len(chunk), np.int64)
            inputs = tuple(
                cupy.asarray(array)
                for array in (list_of[start:stop], chunk.indptr, chunk.answers, enough[start:stop])
            )
            order = np.argsort(-chunk.sizes, kind="stable").astype(np.int32)
            is_small = chunk.sizes[order] <= PAIRS_MOST
            for method, rows in (("SEEN", order[~is_small]), ("PAIRS", order[is_small])):
                if len(rows):
                    largest = int(chunk.sizes[rows[0]])
                    self._count(method, largest, fields, inputs, cupy.asarray(rows), most)
            result[start:stop] = cupy.asnumpy(most)

        bytes_per_state = 64 + batch.answers.nbytes // len(batch)
        self._matrix.in_chunks(len(batch), bytes_per_state, work)
        return result

    def _count(
        self, method: str, largest: int, fields: Any, inputs: tuple[Any, ...], rows: Any, most: Any
    ) -> None:
        """Launch most_parts.cu on the states ``rows``, the largest of which has so many answers."""
        matrix = self._matrix
        list_of, indptr, answers, enough = inputs
        threads = self._block_threads or COUNT_THREADS
        blocks = min(len(rows), matrix.most_blocks)
        bit_words = -(-matrix.bins // 32) * (32 // matrix.pattern_bits) * threads
        shared_bytes, scratch = 8 + 2 * largest, np.intp(0)
        if method == "SEEN":
            if shared_bytes + WORD_BYTES * bit_words <= matrix.most_shared_bytes:
                shared_bytes += WORD_BYTES * bit_words
            else:
                method = "SEEN_GLOBAL"
                blocks = min(blocks, matrix.scratch_blocks(WORD_BYTES * bit_words))
                scratch = self._cupy.empty(blocks * bit_words, np.uint32)
        self._launch(
            matrix.kernel("most_parts.cu", "most_parts", method),
            (blocks, 1),
            COUNT_THREADS,
            shared_bytes,
            fields, list_of, np.uint32(matrix.bins), indptr, answers, rows, np.int32(len(rows)),
            enough, scratch, most,
        )  # fmt: skip

    def _lists(self, lists: Sequence[GuessList]) -> Any:
        """The rows that describe lists to a kernel, on the device."""
        return self._cupy.asarray(np.stack([guesses.held.fields for guesses in lists]))

    def _launch(
        self, kernel: Any, grid: tuple[int, int], threads: int, shared_bytes: int, *arguments: Any
    ) -> None:
        kernel.max_dynamic_shared_size_bytes = shared_bytes
        block = (self._block_threads or threads,)
        kernel(grid, block, arguments, shared_mem=shared_bytes)


def _slots(width: int) -> int:
    """Slots of the hash table for a list of so many guesses, see collapse.cu."""
    return max(64, 1 << (2 * width - 1).bit_length())


def address_of(array: Any) -> int:
    """Where a device array lies."""
    return int(array.data.ptr)


def _merged(
    found: list[tuple[StateBatch, NDArray[np.int32]]],
) -> tuple[StateBatch, NDArray[np.int32]]:
    """One batch of the distinct states of several, and the places of all there."""
    if len(found) == 1:
        return found[0]
    batches = [states for states, _ in found]
    starts = np.cumsum([0, *(len(states) for states in batches)])
    states, place = StateBatch.join(batches).distinct()
    child = [place[start + c] for (_, c), start in zip(found, starts, strict=False)]
    return states, np.concatenate([np.empty(0, np.int32), *child]).astype(np.int32)
