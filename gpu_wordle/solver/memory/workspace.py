"""The memory of the search under the rules without constraints; see arenas.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from gpu_wordle.solver.machine.bitslice import COUNT_PLANES, MAX_BLOCK
from gpu_wordle.solver.machine.layout import PATTERNS, padded
from gpu_wordle.solver.machine.linking import Borrowed
from gpu_wordle.solver.machine.simd import LANES
from gpu_wordle.solver.memory.arenas import (
    ARRAY_WORDS,
    BUDGET,
    NO_BUDGET,
    ArenaMarks,
    Arrays,
    arenas,
    class_of,
    scratch,
    shared,
)
from gpu_wordle.solver.memory.ring import ring_of_lists
from gpu_wordle.solver.memory.search_matrix import SearchMatrix
from gpu_wordle.solver.memory.stage_costs import StageCosts, heaviest_first
from gpu_wordle.tunables import (
    DEPTHS,
    FILTER_BITS,
    MAX_COVERING,
    MAX_KEPT_LISTS,
    MAX_NOGOOD_SIZE,
    MAX_NOGOODS,
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


Memory = tuple[NDArray[np.uint8], NDArray[np.uint8]]
"""Memory of the compact matrices, and of those that are kept."""

LEVELS = 6
"""Numbers of guesses left for which Workspace.alive and the nogoods have room."""


class State(NamedTuple):
    """A set of answers and the matrix in which it is looked up.

    Answers are ``answers[at : at + n]``, heaviest first, and their rows ``rows[at : at + n]``. In a
    row, byte ``pos[at + j]`` is the pattern of the state's answer j as a guess. The columns of the
    matrix follow from byte ``first``. Column c is guess ``guess[info + c]``. It makes at most
    ``ceiling[info + c]`` parts, in descending order; ``matrix[info]`` describes the matrix.
    """

    at: int
    n: int
    first: int
    columns: int
    info: int


def overlap_bytes(answers: int) -> int:
    """Bytes of the overlaps of a matrix of ``answers`` answers, the same on every processor."""
    return OVERLAP_BLOCKS * (COUNT_PLANES + answers) * (MAX_BLOCK // 8)


def _usable(memory: NDArray[np.uint8]) -> tuple[int, int]:
    """Addresses between which matrices may lie: aligned, and with whole vectors to read beyond."""
    begin = memory.ctypes.data
    return -(-begin // LANES) * LANES, begin + memory.size - LANES * 4


def _set_of_all(columns: int) -> NDArray[np.uint64]:
    """A set of ``columns`` columns with a bit for each, in whole vectors."""
    bits = np.zeros(padded(-(-columns // 8)), np.uint8)
    bits[: -(-columns // 8)] = np.packbits(np.ones(columns, np.bool_), bitorder="little")
    return bits.view(np.uint64)


def _column_arenas(columns: int) -> Arrays:
    """Arrays about the columns of matrices, and about the matrices."""
    return {
        # int32[...], arena of columns: most parts on the state it was counted on.
        "ceiling": np.zeros(columns, np.int32),
        # int32[...], arena of columns: see least_excess in states/bounds.py, on that state.
        "excess": np.zeros(columns, np.int32),
        # int64[...], arena of columns: what the guess costs at least without a limit, as far as a
        # search has found out.
        "proven": np.zeros(columns, np.int64),
        # int64[...], arena of columns: offset of the column in a row.
        "source": np.zeros(columns, np.int64),
        # uint64[...], arena of columns: sort key, see ordering.py.
        "rank": np.zeros(columns, np.uint64),
        # int64[..., 8], arena of columns: the fields named above of the matrix whose columns begin
        # there. They are the cycles that labels would have saved so far, where the state that it
        # was made for lies, the size of that, the addresses of matrix and overlaps, and the number
        # of overlaps. Then the name of its list, two words; zeros name the game's matrix.
        "matrix": np.zeros((columns, NAME_1 + 1), np.int64),
    }


def _generation(matrix: SearchMatrix, g: int) -> Arrays:
    """Scratch of move generation."""
    slots = 2 * PATTERNS
    while slots <= 2 * g:  # more than half of a hash table is free, of 4,096 guesses, too
        slots *= 2
    return {
        # uint32[2 * LANES], scratch of measures.py.
        "entries": np.zeros(2 * LANES, np.uint32),
        # uint64[A], shared: a random number for each place in a state.
        "randoms": matrix.randoms,
        # uint8[G], parts of each column, of states that are small enough.
        "part_bytes": np.zeros(g, np.uint8),
        # uint32[G], low word of the hash of each column's partition.
        "hash_0": np.zeros(g, np.uint32),
        # uint32[G], high word.
        "hash_1": np.zeros(g, np.uint32),
        # int32[G], scratch of move generation: columns that are kept.
        "move_columns": np.zeros(g, np.int32),
        # int32[...], scratch of move generation: a hash table of columns.
        "slots": np.zeros(slots, np.int32),
        # int32[A], scratch of move generation: further candidates.
        "others": np.zeros(matrix.answers, np.int32),
    }


def _dominance(matrix: SearchMatrix, g: int) -> Arrays:
    """Arrays of dominance.py."""
    questions = len(matrix.question_random)
    return {
        # uint8[G, L], shared: letters of the guesses, numbered; none for games without letters.
        "guess_letters": matrix.guess_letters,
        # uint8[A, L], shared: letters of the answers.
        "answer_letters": matrix.answer_letters,
        # bool[G], shared: whether a guess has a letter more than once.
        "repeats": matrix.repeats,
        # uint64[Q], shared: a random number for each question of dominance.py.
        "question_random": matrix.question_random,
        # int32[Q], scratch of dominance.py: answers that say yes.
        "question_count": np.zeros(questions, np.int32),
        # uint64[Q], scratch of dominance.py: the number of a live question, 0 of a dead one.
        "live": np.zeros(questions, np.uint64),
        # uint64[Q], scratch of dominance.py: what the first letter of its kind asks at a place.
        "live_first": np.zeros(questions, np.uint64),
        # bool[16], scratch of dominance.py.
        "letter_is_live": np.zeros(16, np.bool_),
        # uint64[G], scratch of dominance.py: hash of the live questions of a guess.
        "question_hash": np.zeros(g, np.uint64),
        # uint64[...], scratch of dominance.py: a filter of such hashes, a bit each.
        "question_filter": np.zeros((1 << FILTER_BITS) // 64, np.uint64),
        # uint64[64], scratch of dominance.py: hashes of the subsets of one guess.
        "subset_hash": np.zeros(64, np.uint64),
    }


def _kept_lists(a: int, kept_at: tuple[int, int], byte_end: int) -> Arrays:
    """Arrays of kept_lists.py and tree_lists.py."""
    return {
        # int64[MAX_KEPT_LISTS, 4], what kept_lists.py keeps: answers of the state, 0 if there is
        # none, columns, and where the matrix begins and ends. Their columns lie in the arena of
        # columns after those of the game.
        "lists": np.zeros((MAX_KEPT_LISTS, KEPT_END + 1), np.int64),
        # int32[MAX_KEPT_LISTS, A], the states of these lists.
        "list_answers": np.zeros((MAX_KEPT_LISTS, a), np.int32),
        # Lists that kept_lists.py remembers: of each, how many columns are tried and how many there
        # are, then the columns.
        **ring_of_lists(REMEMBERED_WORDS),
        # int64[4], addresses of the memory for the matrices that are kept and of the next one,
        # and the next place in ``lists``.
        "ring": np.array([*kept_at, kept_at[0], 0], np.int64),
        # int64[1], end of the arena of matrices, an address.
        "byte_end": np.array([byte_end], np.int64),
        # int64[DEPTHS, 5], the states above whose lists tree_lists.py has noted: where their
        # answers lie and how many they are, the guesses left and the cutoff. Then whether all
        # guesses were listed there, or -1 where that is not known.
        "listed": np.zeros((DEPTHS, LISTED_WHOLE + 1), np.int64),
    }


def _nogoods(matrix: SearchMatrix) -> Arrays:
    """Arrays of nogoods.py and winnable.py."""
    a, bits = matrix.answers, _set_of_all(matrix.guesses)
    return {
        # int64[3], where the rows of the game's matrix begin, the bytes of one, and the first
        # column in it.
        "game_rows": np.zeros(3, np.int64),
        # int64[G], shared: the column of each guess in the game's matrix.
        "game_column": matrix.place,
        # uint64[C], shared: a bit for each column of the game's matrix; C is a multiple of eight.
        "columns": bits,
        # uint64[LEVELS, C], scratch of nogoods.py: by the guesses left, the columns of the game's
        # matrix that are not refuted yet.
        "alive": np.zeros((LEVELS, len(bits)), np.uint64),
        # uint64[LEVELS, MAX_NOGOODS + 1, C], the columns that leave the answers of a nogood
        # together; number 0 is what is not kept.
        "refuted": np.zeros((LEVELS, MAX_NOGOODS + 1, len(bits)), np.uint64),
        # bool[A], scratch of nogoods.py: which answers of a state are in its core.
        "core": np.zeros(a, np.bool_),
        # int32[MAX_COVERING], scratch of nogoods.py: nogoods within a core.
        "covering": np.zeros(MAX_COVERING, np.int32),
        # int32[LEVELS, MAX_NOGOODS + 1, MAX_NOGOOD_SIZE], answers that cannot be won, by the
        # guesses with which they are lost; nogoods are numbered from 1.
        "nogoods": np.zeros((LEVELS, MAX_NOGOODS + 1, MAX_NOGOOD_SIZE), np.int32),
        # int32[LEVELS, MAX_NOGOODS + 1], how many each nogood holds.
        "nogood_sizes": np.zeros((LEVELS, MAX_NOGOODS + 1), np.int32),
        # int32[LEVELS, A], the last nogood that hangs on an answer, 0 if there is none.
        "nogood_of_answer": np.zeros((LEVELS, a), np.int32),
        # int32[LEVELS, MAX_NOGOODS + 1], the one before it on the same answer, or 0.
        "nogood_after": np.zeros((LEVELS, MAX_NOGOODS + 1), np.int32),
        # int32[LEVELS, A], how many hang on an answer.
        "nogoods_on_answer": np.zeros((LEVELS, a), np.int32),
        # int64[LEVELS], how many are kept.
        "nogoods_made": np.zeros(LEVELS, np.int64),
        # uint64[MAX_WON], hashes of winnable states, with the guesses left.
        "won": np.zeros(MAX_WON, np.uint64),
        # int64[1], scratch of winnable.py: guesses that may still be tried.
        "tries_left": np.zeros(1, np.int64),
    }


def _settings(matrix: SearchMatrix) -> Arrays:
    """Thresholds that tests may change."""
    return {
        # int64[1], not zero if only answers of the state are legal guesses.
        "candidates_only": np.array([matrix.candidates_only], np.int64),
        # int64[1], MAX_UNCOMPACTED; tests lower it, so that small games have matrices too.
        "max_uncompacted": np.array([MAX_UNCOMPACTED], np.int64),
        # int64[2], MIN_KEPT and MIN_REMEMBERED; tests lower them, so that lists of small games
        # are kept.
        "least_kept": np.array([MIN_KEPT, MIN_REMEMBERED], np.int64),
        # int64[4], MIN_RECALLING, MIN_LEARNING, MIN_LOST_PART and MIN_FAR_MISSING; tests lower
        # them, so that parts of small games are looked into.
        "least_lost": np.array(
            [MIN_RECALLING, MIN_LEARNING, MIN_LOST_PART, MIN_FAR_MISSING], np.int64
        ),
    }


def _arrays_of(
    matrix: SearchMatrix,
    costs: StageCosts,
    table: NDArray[np.uint64],
    move_cache: NDArray[np.uint64],
    stop: NDArray[np.int64],
) -> tuple[Arrays, ArenaMarks, Memory]:
    """The arrays of a workspace, the bottom of its arenas, and memory known by address only."""
    a, g = matrix.answers, padded(matrix.guesses)
    states = 2 * min(a * (a + 1), DEPTHS * a) + LANES
    columns = (1 + MAX_KEPT_LISTS + DEPTHS) * g
    matrices, kept = np.empty((2, matrix.cells.size * 3 // 2 + (1 << 20)), dtype=np.uint8)
    byte_begin, byte_end = _usable(matrices)
    arrays = {
        **arenas(states, columns),
        # int32[...], arena of states: where a row holds the answer's own column.
        "pos": np.zeros(states, np.int32),
        **_column_arenas(columns),
        **scratch(a, g),
        **_generation(matrix, g),
        **_dominance(matrix, g),
        **_kept_lists(a, _usable(kept), byte_end),
        **_nogoods(matrix),
        **_settings(matrix),
        **shared(matrix, table, stop),
        # uint64[E, 8], shared; see move_cache.py.
        "move_cache": move_cache,
        **costs._asdict(),
    }
    return arrays, ArenaMarks(0, columns - DEPTHS * g, 0, byte_begin), (matrices, kept)


@dataclass(frozen=True, eq=False)
class Thread:
    """A workspace and the bottom of its arenas."""

    workspace: Any
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
        """A workspace for the game of ``matrix`` that shares its last three arguments."""
        arrays, marks, (matrices, kept) = _arrays_of(matrix, costs, table, move_cache, stop)
        workspace = Workspace(**arrays)
        workspace.counters[BUDGET] = NO_BUDGET
        overlaps = np.zeros(overlap_bytes(matrix.answers), np.uint8)
        borrowed = np.zeros(ARRAY_WORDS * len(workspace), np.uint64)
        return cls(workspace, marks, matrices, kept, overlaps, borrowed)

    def enter(
        self, matrix: SearchMatrix, state: NDArray[np.uint16], _revealed: object = None
    ) -> tuple[State, ArenaMarks]:
        """Put ``state`` at the bottom of the arenas, looked up in the matrix of the game.

        What the feedback has revealed does not matter here.
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
        """Drop the overlaps, nogoods and lists of the game's own matrix."""
        self.workspace.matrix[0, OVERLAPS] = 0
        self.workspace.nogoods_made[:] = 0
        self.workspace.nogood_of_answer[:] = 0
        self.workspace.nogoods_on_answer[:] = 0
        self.workspace.lists[:] = 0
        self.workspace.list_names[:] = 0


_SMALLEST = (
    SearchMatrix.empty(),
    StageCosts.empty(np.zeros(1, np.int64)),
    np.zeros((2, 4), np.uint64),
    np.zeros((2, 8), np.uint64),
    np.zeros(1, np.int64),
)
Workspace = class_of(_arrays_of(*_SMALLEST)[0], __name__)
"""Arrays of one thread, and those that it shares, by their names."""

ARRAYS = typeof(Thread.of(*_SMALLEST).workspace)
WORKSPACE = Borrowed(ARRAYS, "Workspace")
"""numba's types of a workspace, its arrays and itself by its address; of a state and the marks."""
STATE = types.NamedUniTuple(types.int64, len(State._fields), State)
