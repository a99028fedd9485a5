"""Guess lists on a CUDA device: the kernels collapse.cu and bound_guesses.cu.

Each state has a compact matrix on the device, with the state's answers as rows and its list's
guesses as columns. So bounding the parts of a state reads few, neighbouring bytes. The lists
themselves stay on the device, since the host would take longer to copy them than the device takes
to make them.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.cuda.device import WORD_BYTES
from gpu_wordle.backends.cuda.launch import Launcher, address_of
from gpu_wordle.backends.protocol import Entries, GuessLists, Survivors, Window
from gpu_wordle.game.game import Game
from gpu_wordle.states.batch import StateBatch, zobrist
from gpu_wordle.states.bounds import guess_lower_bound
from gpu_wordle.tunables import (
    COPY_THREADS,
    COVER_SHARE,
    FRONTIER_THREADS,
    INTERLEAVED_STATES,
    KEEP_THREADS,
    LABEL_SLICES,
    LABEL_THREADS,
    MAX_COVER_WORDS,
    MAX_ROW_BLOCKS,
    MAX_SMALL_BLOCKS,
    MEMO_SHARE,
)

MAX_LABELS16 = 255  # largest state for which collapse.cu needs only 16 bits a label
ROW_BYTES = 32  # rows of a list's matrix begin at multiples of this
ALL_ONES = np.uint64(2**64 - 1)  # in collapse.cu: an empty slot, or a guess that is not kept
NOT_CANDIDATE = 1 << 31  # bit of a sort key of collapse.cu
MAX_COLLAPSED = 1 << 16  # a sort key has 16 bits for the state
MAX_GRID_ROWS = (1 << 16) - 1  # CUDA allows no more
COVER_PLANES = 8  # as in covers.cuh
MEMO_ENTRY_BYTES = 16  # as in memo.cuh
MIN_MEMO_ENTRIES = 64
ENTRY_HELD_BYTES = 15  # bytes of a list entry in the arrays of DeviceLists
ENTRY_WORK_BYTES = 128  # bytes of a list entry while it is bounded
NO_CUTOFF = 1 << 30  # above any bound, and small enough not to overflow the kernel's sums


@dataclass(frozen=True, eq=False)
class DeviceLists:
    """The guess lists of one chunk of states, on the device.

    Attributes:
        sizes: int64[B], number of answers of each state; on the host.
        indptr: int64[B + 1]; the entries of state b are ``indptr[b]:indptr[b + 1]``.
        state: int32[nnz], the state of each entry.
        guess: int32[nnz], as in Entries.
        sum_squares: uint32[nnz], as in Entries.
        is_candidate: bool[nnz], as in Entries.
        reach: uint16[nnz], number of parts that a guess makes, plus one for a candidate.
        own_indptr: int64[B + 1]; the answers of state b are ``own_indptr[b]:own_indptr[b + 1]``.
        own: int32[...], for each answer of each state, the index of its own guess in the list.
            Lists of states of two answers or more contain all candidates.
        matrices: int64[B, 2], address and pitch in bytes of each state's matrix.
        covers: int64[B, 2], address and words of each state's table of covers, see covers.cuh.
        entered: uint32[B], number of covers in each table.
        memos: int64[B, 2], address and number of entries of each state's memo, see memo.cuh.
        memory: the allocation that holds matrices, memos and covers.
    """

    sizes: NDArray[np.int64]
    indptr: Any
    state: Any
    guess: Any
    sum_squares: Any
    is_candidate: Any
    reach: Any
    own_indptr: Any
    own: Any
    matrices: Any
    covers: Any
    entered: Any
    memos: Any
    memory: Any


class CudaLists:
    """Makes guess lists on the device, and refutes the guesses in them by bounds."""

    def __init__(self, game: Game, launch: Launcher) -> None:
        self._game = game
        self._launch = launch
        self._matrix = launch.matrix
        self._cupy = launch.matrix.cupy
        self._zobrist = self._cupy.asarray(zobrist(game.answer_count).copy())
        self._answer_of_guess = self._cupy.asarray(game.words.answer_of_guess.astype(np.int64))

    def list_bytes(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Upper bound on the bytes of a state's guess list, by the state's size, int64[B]."""
        guesses = self._game.guess_count
        pitch = self._pitch_bytes(np.int64(guesses))
        entries = ENTRY_HELD_BYTES * guesses + 4 * answers
        memos = _memo_bytes(answers * pitch)
        return answers * pitch + memos + self._cover_bytes(answers, pitch) + entries

    def _pitch_bytes(self, guesses: Any) -> Any:
        """Pitch in bytes of a matrix with ``guesses`` columns."""
        return -(-guesses * self._matrix.pattern_bits // 8 // ROW_BYTES) * ROW_BYTES

    def _cover_bytes(self, answers: Any, pitches: Any) -> Any:
        """Bytes of the table of covers, for a state's answers and the pitch of its matrix."""
        return (COVER_PLANES + answers) * WORD_BYTES * _cover_words(pitches)

    def collapse(self, batch: StateBatch) -> GuessLists:
        """Guess lists of states of two answers or more, on the device."""
        held: list[DeviceLists] = []
        reach, most_parts, promising = (np.empty(len(batch), np.int64) for _ in range(3))

        def work(start: int, stop: int) -> None:
            rows = slice(start, stop)
            lists, reach[rows], most_parts[rows], promising[rows] = self._collapse(
                batch.chunk(start, stop)
            )
            held.append(lists)

        guesses = self._game.guess_count
        bytes_per_state = 96 * guesses + 12 * _slots(guesses)
        bytes_per_state += int(self.list_bytes(batch.sizes.max(initial=0)))
        least = -(-self._matrix.work_bytes() // MAX_COLLAPSED)  # so that no chunk has more states
        self._matrix.in_chunks(len(batch), max(bytes_per_state, least), work)
        bound = 3 * batch.sizes - reach
        return GuessLists(batch, bound, most_parts, promising.astype(np.int32), tuple(held))

    def _collapse(
        self, batch: StateBatch
    ) -> tuple[DeviceLists, NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Lists; the largest reach, the most parts and the promising guess of each state, [B]."""
        cupy, matrix = self._cupy, self._matrix
        indptr, answers = cupy.asarray(batch.indptr), cupy.asarray(batch.answers)
        order = cupy.empty((len(batch), self._game.guess_count), np.uint64)
        squares = cupy.empty(order.shape, np.uint32)
        self._rank(batch, indptr, answers, order, squares)
        hopes = self._root_moves(cupy.asarray(batch.sizes), order, squares)

        keys = cupy.sort(order[order != ALL_ONES])
        state = (keys >> np.uint64(48)).astype(np.int32)
        at = cupy.searchsorted(state, cupy.arange(len(batch) + 1, dtype=np.int32)).astype(np.int64)
        guess, reach, is_candidate = (field.astype(dtype) for field, dtype in zip(
            _fields(keys), (np.int32, np.uint16, np.bool_), strict=True))  # fmt: skip
        squares = squares[state, guess]

        # A list has all candidates of its state, so sorting its candidates by answer yields one
        # entry for each answer of the state, in the state's order.
        entry = cupy.flatnonzero(is_candidate)
        by_answer = state[entry].astype(np.int64) * self._game.answer_count
        by_answer += self._answer_of_guess[guess[entry]]
        own = (entry - at[state[entry]]).astype(np.int32)[cupy.argsort(by_answer)]

        ends, *root_moves = matrix.fetched(at, *hopes)
        pitches = self._pitch_bytes(np.diff(ends))
        matrices, memos, covers, memory = self._lay_out(batch.sizes, pitches)
        self._launch(
            matrix.kernel("collapse.cu", "copy_columns", "LABELS16"),
            (len(batch), min(MAX_ROW_BLOCKS, int(batch.sizes.max()))),
            COPY_THREADS,
            0,
            *matrix.arguments[:2], indptr, answers, np.int32(len(batch)),
            guess, at, matrices,
        )  # fmt: skip
        lists = DeviceLists(
            batch.sizes,
            at,
            state,
            guess,
            squares,
            is_candidate,
            reach,
            indptr,
            own,
            matrices,
            covers,
            cupy.zeros(len(batch), np.uint32),
            memos,
            memory,
        )
        reached, most_parts, promising = root_moves
        return lists, reached, most_parts, promising

    def _lay_out(
        self, sizes: NDArray[np.int64], pitches: NDArray[np.int64]
    ) -> tuple[Any, Any, Any, Any]:
        """Allocate matrices, memos and covers; their addresses and sizes, and the memory."""
        cupy = self._cupy
        matrix_bytes = sizes * pitches
        memo_bytes = _memo_bytes(matrix_bytes)
        each = np.concatenate([matrix_bytes, memo_bytes, self._cover_bytes(sizes, pitches)])
        ends = np.cumsum(each)
        memory = cupy.empty(max(1, int(ends[-1])), np.uint8)
        memory[int(matrix_bytes.sum()) :] = 0
        matrices, memos, covers = np.split(address_of(memory) + ends - each, 3)
        return (
            cupy.asarray(np.stack([matrices, pitches], axis=1)),
            cupy.asarray(np.stack([memos, memo_bytes // MEMO_ENTRY_BYTES], axis=1)),
            cupy.asarray(np.stack([covers, _cover_words(pitches)], axis=1)),
            memory,
        )

    def _root_moves(self, sizes: Any, order: Any, squares: Any) -> tuple[Any, Any, Any]:
        """Largest reach, most parts and the promising guess of each state, int64[B] each."""
        cupy = self._cupy
        is_kept = order != ALL_ONES
        guess, reach, is_candidate = (field.astype(np.int64) for field in _fields(order))
        n = sizes[:, None]
        bound = guess_lower_bound(n, reach, 0)
        promise = 2 * (n * bound + 2 * squares.astype(np.int64)) + 1 - is_candidate
        first = cupy.where(is_kept, promise * self._game.guess_count + guess, 1 << 62).min(axis=1)
        return (
            cupy.where(is_kept, reach, 0).max(axis=1),
            cupy.where(is_kept, reach - is_candidate, 0).max(axis=1),
            first % self._game.guess_count,
        )

    def _rank(self, batch: StateBatch, indptr: Any, answers: Any, order: Any, squares: Any) -> None:
        """Fill the sort keys ``order`` and ``squares``, [B, G], with collapse.cu."""
        cupy, matrix = self._cupy, self._matrix
        guesses = self._game.guess_count
        slots = _slots(guesses)
        table_key, table_rank = (
            cupy.empty((len(batch), slots), dtype) for dtype in (np.uint64, np.uint32)
        )
        table_key.fill(ALL_ONES)
        table_rank.fill(2**32 - 1)
        hashes = cupy.empty((len(batch), guesses, 2), np.uint64)
        is_small = batch.sizes <= MAX_LABELS16
        for method, chosen in (("LABELS32", ~is_small), ("LABELS16", is_small)):
            rows = np.flatnonzero(chosen).astype(np.int32)
            if len(rows) == 0:
                continue
            method, (blocks, slices), shared_bytes, scratch = self._launch.counters(
                method, len(rows), guesses, LABEL_THREADS, least_slices=LABEL_SLICES
            )
            self._launch(
                matrix.kernel("collapse.cu", "collapse", method),
                (slices, min(blocks, MAX_GRID_ROWS)), LABEL_THREADS, shared_bytes,
                *matrix.arguments, np.int32(guesses), indptr, answers, cupy.asarray(rows),
                np.int32(len(rows)), self._zobrist, table_key, table_rank, np.uint32(slots), hashes,
                order, squares, scratch,
            )  # fmt: skip
        slices = min(-(-guesses // KEEP_THREADS), -(-matrix.most_blocks // len(batch)))
        self._launch(
            matrix.kernel("collapse.cu", "keep", "LABELS16"),
            (len(batch), slices), KEEP_THREADS, 0,
            np.int32(guesses), np.int32(len(batch)), table_key, table_rank, np.uint32(slots),
            hashes, order,
        )  # fmt: skip

    def entries(self, lists: GuessLists) -> Entries:
        """Copy guess lists to the host."""
        held: tuple[DeviceLists, ...] = lists.held

        def all_of(name: str) -> Any:
            return np.concatenate([self._cupy.asnumpy(getattr(chunk, name)) for chunk in held])

        with self._matrix.at_work():
            counts = [np.diff(self._cupy.asnumpy(chunk.indptr)) for chunk in held]
            indptr = np.cumsum(np.concatenate([np.zeros(1, np.int64), *counts]))
            is_candidate = all_of("is_candidate")
            parts = (all_of("reach") - is_candidate).astype(np.uint16)
            return Entries(indptr, all_of("guess"), parts, all_of("sum_squares"), is_candidate)

    def refute(
        self, lists: GuessLists, cutoff: NDArray[np.int64], window: Window | None = None
    ) -> Survivors:
        """The guesses in the window whose bounds are below ``cutoff``, int64[B]."""
        least, below = window or (np.zeros_like(cutoff), cutoff)
        below = np.minimum(below, cutoff)
        found = [np.empty((0, 4), np.int64)]  # state, bound, place and guess of each survivor
        first = 0
        for held in lists.held:
            mine = slice(first, first + len(held.sizes))
            with self._matrix.at_work():
                given = (
                    self._cupy.asarray(np.minimum(each[mine], NO_CUTOFF))
                    for each in (cutoff, least, below)
                )
                for survivors in self._refute(held, *given):
                    survivors[:, 0] += first
                    found.append(survivors)
            first += len(held.sizes)
        state, bound, place, guess = np.concatenate(found).T
        order = np.lexsort((place, bound, state))
        counts = np.bincount(state, minlength=len(cutoff))
        indptr = np.concatenate([[0], np.cumsum(counts)]).astype(np.int64)
        return Survivors(indptr, guess[order].astype(np.int32), bound[order])

    def _refute(
        self, held: DeviceLists, cutoff: Any, least: Any, below: Any
    ) -> list[NDArray[np.int64]]:
        """Rows (state, bound, index in the list, guess) of the entries with bounds below cutoff.

        Only entries with one-ply bounds from ``least`` to below ``below`` are examined.
        """
        cupy = self._cupy
        sizes = cupy.asarray(held.sizes)
        found = []

        def work(start: int, stop: int) -> None:
            state, reach = held.state[start:stop], held.reach[start:stop].astype(np.int64)
            one_ply = guess_lower_bound(sizes[state], reach, 0)
            is_hopeful = (least[state] <= one_ply) & (one_ply < below[state])
            # Small states need less shared memory, so that more of their blocks run at a time.
            is_small = sizes[state] <= MAX_SMALL_BLOCKS
            mine = []
            for chosen in (is_hopeful & ~is_small, is_hopeful & is_small):
                pairs = start + cupy.flatnonzero(chosen)
                if len(pairs) > 0:
                    pairs = self._take_turns(held, pairs)
                    mine.append(self._bound_guesses(held, pairs, cutoff))
            found.extend(mine)  # only now, since the chunk is done again if memory runs out

        self._matrix.in_chunks(len(held.guess), ENTRY_WORK_BYTES, work)
        return found

    def _take_turns(self, held: DeviceLists, pairs: Any) -> Any:
        """Order entries so that blocks at work at one time belong to INTERLEAVED_STATES states.

        Covers and memos help only later entries of their state, so that entries of one state should
        not run at once. The matrices of more states would not fit into the L2 cache together.
        """
        state = held.state[pairs]
        column = pairs - held.indptr[state]
        turn = (state // INTERLEAVED_STATES).astype(np.int64) * self._game.guess_count + column
        return pairs[self._cupy.argsort(turn)]

    def _bound_guesses(self, held: DeviceLists, pairs: Any, cutoff: Any) -> NDArray[np.int64]:
        """Bound some entries with bound_guesses.cu; rows (state, bound, index, guess)."""
        cupy, matrix = self._cupy, self._matrix
        state = held.state[pairs]
        column = (pairs - held.indptr[state]).astype(np.int32)
        (states,) = matrix.fetched(cupy.unique(state))
        largest = int(held.sizes[states].max())
        own_bytes = 24 + WORD_BYTES * (largest // 3 + largest)
        self._launch.require_shared(own_bytes, largest)
        words = matrix.bins + self._launch.bit_words()
        method, blocks, shared_bytes, scratch = self._launch.slab(
            "SEEN", len(pairs), own_bytes, words
        )
        bounds = cupy.empty(len(pairs), np.int64)
        self._launch(
            matrix.kernel("bound_guesses.cu", "bound_guesses", method),
            (blocks, 1), FRONTIER_THREADS, shared_bytes,
            held.matrices, np.uint32(matrix.bins), held.indptr, held.reach, held.own_indptr,
            held.own, held.covers, held.entered, held.memos, self._zobrist, cutoff, state, column,
            np.int32(len(pairs)), cupy.zeros(1, np.int32), np.uint32(largest), scratch, bounds,
        )  # fmt: skip
        alive = bounds < cutoff[state]
        columns = (state[alive], bounds[alive], column[alive], held.guess[pairs[alive]])
        return matrix.fetched(cupy.stack([field.astype(np.int64) for field in columns], axis=1))[0]


def _fields(keys: Any) -> tuple[Any, Any, Any]:
    """Decode sort keys of collapse.cu into guess, reach, and whether it is a candidate."""
    return (
        keys & np.uint64(NOT_CANDIDATE - 1),
        np.uint64(65_535) - (keys >> np.uint64(32) & np.uint64(65_535)),
        (keys & np.uint64(NOT_CANDIDATE)) == np.uint64(0),
    )


def _cover_words(pitches: Any) -> Any:
    """32-bit words of a row of covers, for matrices of the given pitches in bytes."""
    return np.minimum(MAX_COVER_WORDS, pitches // (WORD_BYTES * COVER_SHARE))


def _memo_bytes(matrix_bytes: Any) -> Any:
    """Bytes of memos for matrices of the given sizes in bytes; entries are a power of two."""
    wanted = np.maximum(MIN_MEMO_ENTRIES, matrix_bytes // (MEMO_ENTRY_BYTES * MEMO_SHARE))
    _, bits = np.frexp(wanted)
    return MEMO_ENTRY_BYTES << (bits.astype(np.int64) - 1)


def _slots(guesses: int) -> int:
    """Slots of the hash table of collapse.cu: a power of two, at least twice the guesses."""
    return max(64, 1 << (2 * guesses - 1).bit_length())
