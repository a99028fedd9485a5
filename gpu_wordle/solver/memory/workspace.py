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
from gpu_wordle.solver.memory.arenas import ARRAY_WORDS, BUDGET, NO_BUDGET, PART_FIELDS, Tops
from gpu_wordle.solver.memory.search_matrix import SearchMatrix
from gpu_wordle.solver.memory.stage_costs import StageCosts, heaviest_first
from gpu_wordle.tunables import (
    DEPTHS,
    FILTER_BITS,
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


class Workspace(NamedTuple):
    """Arrays of one thread, and those that it shares; A answers, G guesses, padded to vectors.

    Attributes:
        answers: int32[...], arena of states: index of the answer.
        pos: int32[...], arena of states: where a row holds the answer's own column.
        rows: int64[...], arena of states: address of the answer's row.

        guess: int32[...], arena of columns: index of the guess.
        ceiling: int32[...], arena of columns: most parts on the state it was counted on.
        excess: int32[...], arena of columns: see least_excess in states/bounds.py, on that state.
        one_ply: int64[...], arena of columns: bound on the value of the guess, on that state.
        proven: int64[...], arena of columns: what the guess costs at least without a limit, as far
            as a search has found out.
        self_row: int32[...], arena of columns: which answer of the state it is, or -1.
        source: int64[...], arena of columns: offset of the column in a row.
        heap: uint64[...], arena of columns: what is still to be tried, see ordering.py.
        rank: uint64[...], arena of columns: sort key, see ordering.py.
        matrix: int64[..., 8], arena of columns: of the matrix whose columns begin there, the fields
            named above. They are what labels would have saved so far, where the state that it was
            made for lies and its size, the addresses of matrix and overlaps, and their number. Then
            the name of its list, two words; zeros are that of the game's matrix.
        byte_end: int64[1], end of the arena of matrices, an address.

        parts: int64[..., PART_FIELDS], arena of parts, with the fields of arenas.py.
        tally: int32[PATTERNS], scratch of a split: sizes of parts; all zero between uses.
        start: int32[PATTERNS], scratch of a split: where parts lie.
        labels: uint8[A], scratch of a split: the label of each answer.
        found: int32[PATTERNS + 1], scratch of a split: the labels that occur.
        seen: uint64[PATTERNS + 1], scratch: when each pattern was seen last, and the time.
        square: uint8[...], scratch: patterns of the answers of a part among themselves.
        square_rows: int64[...], addresses of the rows of ``square``.
        slices: uint64[...], scratch of sliced.py.

        first_seen: uint32[LANES * PATTERNS], scratch of measures.py.
        entries: uint32[2 * LANES], scratch of measures.py.
        randoms: uint64[A], shared: a random number for each place in a state.
        part_bytes: uint8[G], parts of each column, of states that are small enough.
        column_parts: uint32[G], parts of each column.
        column_pairs: uint32[G], pairs of answers that each column leaves together.
        hash_0: uint32[G], low word of the hash of each column's partition.
        hash_1: uint32[G], high word.
        kept: int32[G], scratch of move generation: columns that are kept.
        slots: int32[...], scratch of move generation: a hash table of columns.
        others: int32[A], scratch of move generation: further candidates.
        member: int32[A], scratch: places of the answers in a state, from 1; zero between uses.
        late: int64[A + 1], scratch of move generation: what 0, 1, ... answers pay for the third
            guess.

        guess_letters: uint8[G, L], shared: letters of the guesses, numbered; none for games
            without letters.
        answer_letters: uint8[A, L], shared: letters of the answers.
        repeats: bool[G], shared: whether a guess has a letter more than once.
        question_random: uint64[Q], shared: a random number for each question of dominance.py.
        question_count: int32[Q], scratch of dominance.py: answers that say yes.
        live: uint64[Q], scratch of dominance.py: the number of a live question, 0 of a dead one.
        live_first: uint64[Q], scratch of dominance.py: the same for a letter that does not repeat.
        letter_is_live: bool[16], scratch of dominance.py.
        question_hash: uint64[G], scratch of dominance.py: hash of the live questions of a guess.
        question_filter: uint64[...], scratch of dominance.py: a filter of such hashes, a bit each.
        subset_hash: uint64[64], scratch of dominance.py: hashes of the subsets of one guess.

        lists: int64[MAX_KEPT_LISTS, 4], what list_cache.py keeps: answers of the state, 0 if
            there is none, columns, and where the matrix begins and ends. Their columns lie in the
            arena of columns after those of the game.
        list_answers: int32[MAX_KEPT_LISTS, A], the states of these lists.
        list_names: uint64[MAX_REMEMBERED, 2], names of the lists that list_memory.py remembers.
        list_begins: int64[MAX_REMEMBERED], where they begin, counted from the first word ever.
        list_words: uint64[...], ring of these lists: of each, how many columns are tried and how
            many there are, then the columns.
        list_end: int64[1], words of lists so far.
        ring: int64[4], addresses of the memory for the matrices that are kept and of the next one,
            and the next place in ``lists``.
        alive: uint8[LEVELS, G], scratch of nogoods.py: by the guesses left, not zero for the
            columns that are not refuted yet.
        core: bool[A], scratch of nogoods.py: which answers of a state are in its core.
        nogoods: int32[LEVELS, MAX_NOGOODS + 1, MAX_NOGOOD_SIZE], answers that cannot be won, by the
            guesses with which they are lost; nogoods are numbered from 1.
        nogood_sizes: int32[LEVELS, MAX_NOGOODS + 1], how many each nogood holds.
        nogood_of_answer: int32[LEVELS, A], the last nogood that hangs on an answer, 0 if there is
            none.
        nogood_after: int32[LEVELS, MAX_NOGOODS + 1], the one before it on the same answer, or 0.
        nogoods_on_answer: int32[LEVELS, A], how many hang on an answer.
        won: uint64[MAX_WON], hashes of states that were seen to be won, with the guesses left.
        tries_left: int64[1], scratch of fates.py: guesses that may still be looked at.
        nogoods_made: int64[LEVELS], how many are kept.

        counters: int64[8], with the names of arenas.py.
        stop: int64[1], shared; not zero if every thread is to come to an end.
        table: uint64[E, 4], shared; see table.py.
        shortlists: uint64[E, 8], shared; see shortlists.py.
        zobrist: uint64[A, 2], shared; see table.py.
        answer_of_guess: int32[G], shared; -1 of a guess that is no answer.
        own_guess: int32[A], shared: the guess that each answer is.
        candidates_only: int64[1], not zero if only answers of the state are legal guesses.
        few: int64[1], MAX_UNCOMPACTED; tests lower it, so that small games have matrices too.
        least_kept: int64[2], MIN_KEPT and MIN_REMEMBERED; tests lower them, so that lists of small
            games are kept.
        least_lost: int64[4], MIN_RECALLING, MIN_LEARNING, MIN_LOST_PART and MIN_FAR_MISSING; tests
            lower them, so that parts of small games are looked into.

        steps: int64[...], see StageCosts; likewise the next three.
        dearest: int64[...].
        weight: int64[A].
        terms: int64[4].

        listed: int64[DEPTHS, 5], the states above whose lists tree_lists.py has noted: where their
            answers lie and how many they are, the guesses left and the cutoff. Then whether all
            guesses were listed there, or -1 where that is not known.
    """

    answers: NDArray[np.int32]
    pos: NDArray[np.int32]
    rows: NDArray[np.int64]
    guess: NDArray[np.int32]
    ceiling: NDArray[np.int32]
    excess: NDArray[np.int32]
    one_ply: NDArray[np.int64]
    proven: NDArray[np.int64]
    self_row: NDArray[np.int32]
    source: NDArray[np.int64]
    heap: NDArray[np.uint64]
    rank: NDArray[np.uint64]
    matrix: NDArray[np.int64]
    parts: NDArray[np.int64]
    tally: NDArray[np.int32]
    start: NDArray[np.int32]
    labels: NDArray[np.uint8]
    found: NDArray[np.int32]
    first_seen: NDArray[np.uint32]
    entries: NDArray[np.uint32]
    slices: NDArray[np.uint64]
    seen: NDArray[np.uint64]
    randoms: NDArray[np.uint64]
    part_bytes: NDArray[np.uint8]
    alive: NDArray[np.uint8]
    core: NDArray[np.bool_]
    nogoods: NDArray[np.int32]
    nogood_sizes: NDArray[np.int32]
    nogood_of_answer: NDArray[np.int32]
    nogood_after: NDArray[np.int32]
    nogoods_on_answer: NDArray[np.int32]
    won: NDArray[np.uint64]
    tries_left: NDArray[np.int64]
    nogoods_made: NDArray[np.int64]
    column_parts: NDArray[np.uint32]
    column_pairs: NDArray[np.uint32]
    hash_0: NDArray[np.uint32]
    hash_1: NDArray[np.uint32]
    square: NDArray[np.uint8]
    square_rows: NDArray[np.int64]
    guess_letters: NDArray[np.uint8]
    answer_letters: NDArray[np.uint8]
    question_random: NDArray[np.uint64]
    question_count: NDArray[np.int32]
    live: NDArray[np.uint64]
    live_first: NDArray[np.uint64]
    repeats: NDArray[np.bool_]
    question_hash: NDArray[np.uint64]
    question_filter: NDArray[np.uint64]
    subset_hash: NDArray[np.uint64]
    letter_is_live: NDArray[np.bool_]
    kept: NDArray[np.int32]
    slots: NDArray[np.int32]
    others: NDArray[np.int32]
    member: NDArray[np.int32]
    lists: NDArray[np.int64]
    list_answers: NDArray[np.int32]
    list_names: NDArray[np.uint64]
    list_begins: NDArray[np.int64]
    list_words: NDArray[np.uint64]
    list_end: NDArray[np.int64]
    ring: NDArray[np.int64]
    counters: NDArray[np.int64]
    stop: NDArray[np.int64]
    table: NDArray[np.uint64]
    shortlists: NDArray[np.uint64]
    zobrist: NDArray[np.uint64]
    answer_of_guess: NDArray[np.int32]
    own_guess: NDArray[np.int32]
    byte_end: NDArray[np.int64]
    candidates_only: NDArray[np.int64]
    few: NDArray[np.int64]
    least_kept: NDArray[np.int64]
    least_lost: NDArray[np.int64]
    steps: NDArray[np.int64]
    dearest: NDArray[np.int64]
    weight: NDArray[np.int64]
    terms: NDArray[np.int64]
    late: NDArray[np.int64]
    listed: NDArray[np.int64]


def overlap_block_bytes(answers: int) -> int:
    """Bytes of a block of overlaps of a matrix of so many answers; see overlaps.py."""
    return (COUNT_PLANES + answers) * SLICE_BYTES


def _usable(memory: NDArray[np.uint8]) -> tuple[int, int]:
    """Addresses between which matrices may lie: aligned, and whole vectors may be read beyond."""
    begin = memory.ctypes.data
    return -(-begin // LANES) * LANES, begin + memory.size - LANES * 4


@dataclass(frozen=True, eq=False)
class Thread:
    """A workspace and the bottom of its arenas."""

    workspace: Workspace
    tops: Tops
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
        shortlists: NDArray[np.uint64],
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
            alive=np.zeros((LEVELS, g), np.uint8),
            core=np.zeros(a, np.bool_),
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
            kept=np.zeros(g, np.int32),
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
            shortlists=shortlists,
            zobrist=matrix.zobrist,
            answer_of_guess=matrix.answer_of_guess,
            own_guess=matrix.own_guess,
            byte_end=np.array([byte_end], np.int64),
            candidates_only=np.array([matrix.candidates_only], np.int64),
            few=np.array([MAX_UNCOMPACTED], np.int64),
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
        tops = Tops(0, columns - DEPTHS * g, 0, byte_begin)
        return cls(workspace, tops, matrices, kept, overlaps, borrowed)

    def enter(
        self, matrix: SearchMatrix, state: NDArray[np.uint16], _revealed: object = None
    ) -> tuple[State, Tops]:
        """Put ``state`` at the bottom of the arenas, looked up in the matrix of the game.

        What the feedback has revealed is of no matter here.
        """
        w, tops = self.workspace, self.tops
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
        columns = guesses
        return State(0, n, first, columns, 0), tops._replace(state=n)

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
"""numba's types of a workspace, its arrays and itself by its address; of a state and the tops."""
STATE = types.NamedUniTuple(types.int64, len(State._fields), State)
