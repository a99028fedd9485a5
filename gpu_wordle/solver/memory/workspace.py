"""The memory of the search under the rules without constraints; see arenas.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from gpu_wordle.solver.counting.sliced import SCRATCH_SLICES
from gpu_wordle.solver.machine.bitslice import BLOCK, COUNT_PLANES, SLICE_BYTES
from gpu_wordle.solver.machine.layout import PATTERNS, padded
from gpu_wordle.solver.machine.linking import Borrowed
from gpu_wordle.solver.machine.simd import LANES
from gpu_wordle.solver.memory.arenas import ARRAY_WORDS, BUDGET, NO_BUDGET, PART_FIELDS, ArenaMarks
from gpu_wordle.solver.memory.arrays import Workspace
from gpu_wordle.solver.memory.search_matrix import SearchMatrix
from gpu_wordle.solver.memory.stage_costs import StageCosts, heaviest_first
from gpu_wordle.tunables import (
    DEPTHS,
    FILTER_BITS,
    MAX_COVERING,
    MAX_KEPT_LISTS,
    MAX_NOGOOD_SIZE,
    MAX_NOGOODS,
    MAX_REMEMBERED,
    MAX_UNCOMPACTED,
    MAX_WON,
    MIN_FAR_MISSING,
    MIN_KEPT,
    MIN_LEARNING,
    MIN_LOST_PART,
    MIN_RECALLING,
    MIN_REMEMBERED,
    OVERLAP_BLOCKS,
    REMEMBERED_WORDS,
)

# Fields of a matrix, the columns of Workspace.matrix.
WORK, HOME_AT, HOME_SIZE, MATRIX_AT, OVERLAPS_AT, OVERLAPS, NAME_0, NAME_1 = range(8)
SLICED = 1 << 62
"""WORK of a matrix whose labels are laid out, and more than any other's."""

# Fields of a kept list, the columns of Workspace.lists.
KEPT_SIZE, KEPT_COLUMNS, KEPT_BEGIN, KEPT_END = range(4)

# Entries of Workspace.least_kept.
WHOLE, REMEMBERED = range(2)

# Entries of Workspace.least_lost.
RECALLING, LEARNING, LOST_PART, FAR = range(4)

# Fields of a noted list, the columns of Workspace.listed.
LISTED_AT, LISTED_SIZE, LISTED_LEFT, LISTED_CUTOFF, LISTED_WHOLE = range(5)

# Entries of Workspace.ring.
RING_BEGIN, RING_END, RING_NEXT, RING_PLACE = range(4)


LEVELS = 6
"""Numbers of guesses left that Workspace.alive and the nogoods have room for."""


class State(NamedTuple):
    """A set of answers and the matrix that it is looked up in.

    Answers are ``answers[at : at + n]``, heaviest first, and their rows ``rows[at : at + n]``. In
    a row, byte ``pos[at + j]`` is the pattern of the state's answer j as a guess. The columns of
    the matrix follow from byte ``first``. Column c is guess ``guess[info + c]``. It makes at most
    ``ceiling[info + c]`` parts, in descending order; ``matrix[info]`` tells of their labels.
    """

    at: int
    n: int
    first: int
    columns: int
    info: int


def overlap_block_bytes(answers: int) -> int:
    """Bytes of a block of overlaps of a matrix of so many answers; see overlaps.py."""
    return (COUNT_PLANES + answers) * SLICE_BYTES


def _usable(memory: NDArray[np.uint8]) -> tuple[int, int]:
    """Addresses between which matrices may lie: aligned, and whole vectors may be read beyond."""
    begin = memory.ctypes.data
    return -(-begin // LANES) * LANES, begin + memory.size - LANES * 4


def _set_of_all(columns: int) -> NDArray[np.uint64]:
    """A bit for each of so many columns, in whole vectors."""
    bits = np.zeros(padded(-(-columns // 8)), np.uint8)
    bits[: -(-columns // 8)] = np.packbits(np.ones(columns, np.bool_), bitorder="little")
    return bits.view(np.uint64)


@dataclass(frozen=True, eq=False)
class Thread:
    """A workspace and the bottom of its arenas."""

    workspace: Workspace
    marks: ArenaMarks
    matrices: NDArray[np.uint8]  # held here, for the search knows no more than addresses
    kept: NDArray[np.uint8]
    overlaps: NDArray[np.uint8]
    borrowed: NDArray[np.uint64]  # the workspace as machine code sees it, see entry.py

    @classmethod
    def of(
        cls,
        matrix: SearchMatrix,
        costs: StageCosts,
        table: NDArray[np.uint64],
        move_cache: NDArray[np.uint64],
        stop: NDArray[np.int64],
    ) -> Thread:
        """A workspace for the game of ``matrix`` that shares the last three with others."""
        a, g = matrix.answers, padded(matrix.guesses)
        states = 2 * min(a * (a + 1), DEPTHS * a) + LANES
        columns = (1 + MAX_KEPT_LISTS + DEPTHS) * g
        matrices, kept = np.empty((2, matrix.cells.size * 3 // 2 + (1 << 20)), dtype=np.uint8)
        byte_begin, byte_end = _usable(matrices)
        kept_at = _usable(kept)
        slots = 2 * PATTERNS
        while slots <= 2 * g:  # more than half of a hash table is free, of 4,096 guesses, too
            slots *= 2
        square = np.zeros(4 * LANES * LANES, np.uint8)
        questions = len(matrix.question_random)
        bits = _set_of_all(matrix.guesses)
        workspace = Workspace(
            answers=np.zeros(states, np.int32),
            pos=np.zeros(states, np.int32),
            rows=np.zeros(states, np.int64),
            guess=np.zeros(columns, np.int32),
            ceiling=np.zeros(columns, np.int32),
            excess=np.zeros(columns, np.int32),
            one_ply=np.zeros(columns, np.int64),
            proven=np.zeros(columns, np.int64),
            self_row=np.zeros(columns, np.int32),
            source=np.zeros(columns, np.int64),
            heap=np.zeros(columns, np.uint64),
            rank=np.zeros(columns, np.uint64),
            matrix=np.zeros((columns, NAME_1 + 1), np.int64),
            parts=np.zeros((states // 2 + 2 * PATTERNS, PART_FIELDS), np.int64),
            tally=np.zeros(PATTERNS, np.int32),
            start=np.zeros(PATTERNS, np.int32),
            labels=np.zeros(a, np.uint8),
            found=np.zeros(PATTERNS + 1, np.int32),
            first_seen=np.zeros(LANES * PATTERNS, np.uint32),
            entries=np.zeros(2 * LANES, np.uint32),
            slices=np.zeros(SCRATCH_SLICES * BLOCK // 64, np.uint64),
            seen=np.zeros(PATTERNS + 1, np.uint64),
            randoms=matrix.randoms,
            part_bytes=np.zeros(g, np.uint8),
            game_rows=np.zeros(3, np.int64),
            game_column=matrix.place,
            columns=bits,
            alive=np.zeros((LEVELS, len(bits)), np.uint64),
            refuted=np.zeros((LEVELS, MAX_NOGOODS + 1, len(bits)), np.uint64),
            core=np.zeros(a, np.bool_),
            covering=np.zeros(MAX_COVERING, np.int32),
            nogoods=np.zeros((LEVELS, MAX_NOGOODS + 1, MAX_NOGOOD_SIZE), np.int32),
            nogood_sizes=np.zeros((LEVELS, MAX_NOGOODS + 1), np.int32),
            nogood_of_answer=np.zeros((LEVELS, a), np.int32),
            nogood_after=np.zeros((LEVELS, MAX_NOGOODS + 1), np.int32),
            nogoods_on_answer=np.zeros((LEVELS, a), np.int32),
            won=np.zeros(MAX_WON, np.uint64),
            tries_left=np.zeros(1, np.int64),
            nogoods_made=np.zeros(LEVELS, np.int64),
            column_parts=np.zeros(g, np.uint32),
            column_pairs=np.zeros(g, np.uint32),
            hash_0=np.zeros(g, np.uint32),
            hash_1=np.zeros(g, np.uint32),
            square=square,
            square_rows=square.ctypes.data + 2 * LANES * np.arange(2 * LANES, dtype=np.int64),
            guess_letters=matrix.guess_letters,
            answer_letters=matrix.answer_letters,
            question_random=matrix.question_random,
            question_count=np.zeros(questions, np.int32),
            live=np.zeros(questions, np.uint64),
            live_first=np.zeros(questions, np.uint64),
            repeats=matrix.repeats,
            question_hash=np.zeros(g, np.uint64),
            question_filter=np.zeros((1 << FILTER_BITS) // 64, np.uint64),
            subset_hash=np.zeros(64, np.uint64),
            letter_is_live=np.zeros(16, np.bool_),
            move_columns=np.zeros(g, np.int32),
            slots=np.zeros(slots, np.int32),
            others=np.zeros(a, np.int32),
            member=np.zeros(a, np.int32),
            lists=np.zeros((MAX_KEPT_LISTS, KEPT_END + 1), np.int64),
            list_answers=np.zeros((MAX_KEPT_LISTS, a), np.int32),
            list_names=np.zeros((MAX_REMEMBERED, 2), np.uint64),
            list_begins=np.zeros(MAX_REMEMBERED, np.int64),
            list_words=np.zeros(REMEMBERED_WORDS, np.uint64),
            list_end=np.zeros(1, np.int64),
            ring=np.array([*kept_at, kept_at[0], 0], np.int64),
            counters=np.zeros(8, np.int64),
            stop=stop,
            table=table,
            move_cache=move_cache,
            zobrist=matrix.zobrist,
            answer_of_guess=matrix.answer_of_guess,
            own_guess=matrix.own_guess,
            byte_end=np.array([byte_end], np.int64),
            candidates_only=np.array([matrix.candidates_only], np.int64),
            max_uncompacted=np.array([MAX_UNCOMPACTED], np.int64),
            least_kept=np.array([MIN_KEPT, MIN_REMEMBERED], np.int64),
            least_lost=np.array(
                [MIN_RECALLING, MIN_LEARNING, MIN_LOST_PART, MIN_FAR_MISSING], np.int64
            ),
            **costs._asdict(),
            late=np.zeros(a + 1, np.int64),
            listed=np.zeros((DEPTHS, LISTED_WHOLE + 1), np.int64),
        )
        workspace.counters[BUDGET] = NO_BUDGET
        overlaps = np.zeros(OVERLAP_BLOCKS * overlap_block_bytes(a), np.uint8)
        borrowed = np.zeros(ARRAY_WORDS * len(workspace), np.uint64)
        marks = ArenaMarks(0, columns - DEPTHS * g, 0, byte_begin)
        return cls(workspace, marks, matrices, kept, overlaps, borrowed)

    def enter(
        self, matrix: SearchMatrix, state: NDArray[np.uint16], _revealed: object = None
    ) -> tuple[State, ArenaMarks]:
        """Put ``state`` at the bottom of the arenas, looked up in the matrix of the game.

        What the feedback has revealed is of no matter here.
        """
        w, marks = self.workspace, self.marks
        n, guesses = len(state), matrix.guesses
        state = heaviest_first(state, w.weight, w.terms)
        w.answers[:n] = state
        w.pos[:n] = state
        w.rows[:n] = matrix.cells.ctypes.data + state.astype(np.int64) * matrix.cells.shape[1]
        w.guess[:guesses] = matrix.order
        w.ceiling[:guesses] = matrix.ceiling
        w.matrix[0, WORK] = SLICED
        w.matrix[0, HOME_SIZE] = matrix.answers
        w.matrix[0, OVERLAPS_AT] = self.overlaps.ctypes.data
        first = padded(matrix.answers)
        w.game_rows[:] = matrix.cells.ctypes.data, matrix.cells.shape[1], first
        return State(0, n, first, guesses, 0), marks._replace(state=n)

    def forget(self) -> None:
        """Drop what was found out about the game's own matrix."""
        self.workspace.matrix[0, OVERLAPS] = 0
        self.workspace.nogoods_made[:] = 0
        self.workspace.nogood_of_answer[:] = 0
        self.workspace.nogoods_on_answer[:] = 0
        self.workspace.lists[:] = 0
        self.workspace.list_names[:] = 0


ARRAYS = typeof(
    Thread.of(
        SearchMatrix.empty(),
        StageCosts.empty(np.zeros(1, np.int64)),
        np.zeros((2, 4), np.uint64),
        np.zeros((2, 8), np.uint64),
        np.zeros(1, np.int64),
    ).workspace
)
WORKSPACE = Borrowed(ARRAYS, "Workspace")
"""numba's types of a workspace, its arrays and itself by its address; of a state and the marks."""
STATE = types.NamedUniTuple(types.int64, len(State._fields), State)
