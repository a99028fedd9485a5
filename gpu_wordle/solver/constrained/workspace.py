"""The memory of the constrained search; compare the workspace of the normal one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from gpu_wordle.game.game import Game
from gpu_wordle.game.legality import BITS, Revealed, Traits
from gpu_wordle.game.rule import Rule
from gpu_wordle.solver.counting.sliced import SCRATCH_SLICES
from gpu_wordle.solver.machine.bitslice import BLOCK
from gpu_wordle.solver.machine.layout import PATTERNS, padded
from gpu_wordle.solver.machine.linking import Borrowed
from gpu_wordle.solver.machine.simd import LANES
from gpu_wordle.solver.memory.arenas import ARRAY_WORDS, BUDGET, NO_BUDGET, PART_FIELDS, ArenaMarks
from gpu_wordle.solver.memory.search_matrix import SearchMatrix
from gpu_wordle.solver.memory.stage_costs import StageCosts, heaviest_first
from gpu_wordle.tunables import (
    DEPTHS,
    LINES_BYTES,
    MAX_LEGAL_SETS,
    MAX_LISTED_COLUMNS,
    PLACES_BYTES,
    SLICE_CYCLES,
)

# What is used of the memory of legal guesses, the entries of Workspace.used.
GENERATION, SETS, COLUMNS, LINES = range(4)


class State(NamedTuple):
    """A set of answers and what is revealed.

    Answers are ``answers[at : at + n]``, heaviest first; ``revealed`` is a row of
    ``Workspace.revealed``.
    """

    at: int
    n: int
    revealed: int


class Workspace(NamedTuple):
    """Arrays of one thread, and those that it shares.

    Attributes:
        answers: int32[...], arena of states: index of the answer.
        rows: int64[...], arena of states: address from which the patterns of the guesses that are
            being tried lie for it.

        guess: int32[...], arena of moves: index of the guess.
        one_ply: int64[...], arena of moves: bound on the value of the guess.
        self_row: int32[...], arena of moves: which of the answers it is, or -1.
        source: int32[...], arena of moves: its place in a row.
        heap: uint64[...], arena of moves: what is still to be tried.

        parts: int64[..., PART_FIELDS], arena of parts, with the fields of arenas.py.
        revealed: uint64[..., W], arena of parts: what is revealed on the part.
        tally: int32[PATTERNS], scratch of a split: sizes of parts; all zero between uses.
        start: int32[PATTERNS], scratch of a split: where parts lie.
        labels: uint8[A], scratch of a split: the label of each answer.
        found: int32[PATTERNS + 1], scratch of a split: the labels that occur.
        seen: uint64[PATTERNS + 1], scratch: when each pattern was seen last, and the time.
        square: uint8[...], scratch: patterns of the answers of a part among themselves.
        square_rows: int64[...], addresses of the rows of ``square``.
        slices: uint64[...], scratch of sliced.py.

        used: int64[4], how much is used of the memory of legal guesses, with the names above, and
            how often it has been emptied.
        set_slots: int32[...], hash table of the sets of legal guesses.
        set_keys: uint64[S, 2], the key of each set.
        set_sizes: int32[S], how many guesses it holds.
        set_columns: int64[S], where its list begins.
        columns: int32[...], the lists: columns of the game's matrix, ascending.
        places: int32[S, A], where the line of an answer begins in a set, in vectors; 0 if nowhere.
        lines: int64[2], address and size of the memory of lines.
        line: int64[A], addresses of the lines of a state.
        holders: uint64[T, ceil(G / 64)], shared: for each trait the columns that have it.
        wanted: int64[64 * W], scratch of a list of legal guesses: the traits that are revealed.
        flip: uint64[64 * W], scratch of it: all bits for a trait that the answer has not.
        legal: uint64[...], scratch: the columns of a set, a bit for each.
        slice_cost: int64[1], SLICE_CYCLES; tests lower it, so that small states go by slices too.

        first_seen: uint32[LANES * PATTERNS], scratch of move generation.
        column_parts: uint32[G], parts of each legal guess.
        column_pairs: uint32[G], pairs of answers that it leaves together.
        column_largest: uint32[G], its largest part, less one.
        member: int32[A], scratch: places of the answers in a state, from 1; zero between uses.
        late: int64[A + 1], scratch of move generation: what 0, 1, ... answers pay for the third
            guess.

        game_rows: int64[3], shared: address of the game's matrix, its stride, and where the columns
            of the guesses begin; those of the answers come first.
        guess_of_column: int32[G], shared: the guesses in the order of the game's matrix.
        place: int32[G], shared: where each guess is in it.
        ceiling: int32[G], shared: most parts that the columns make of all answers.
        traits: uint64[G, W], shared; see legality.py.
        reveals_all: uint64[1], all bits if a guess reveals all its traits, none if those that it
            shares with the answer.

        counters: int64[8], with the names of arenas.py.
        stop: int64[1], shared; not zero if every thread is to come to an end.
        table: uint64[E, 4], shared; see table.py.
        zobrist: uint64[A, 2], shared; see table.py.
        answer_of_guess: int32[G], shared; -1 of a guess that is no answer.
        own_guess: int32[A], shared: the guess that each answer is.

        marginal_costs: int64[...], see StageCosts; likewise the next three.
        dearest: int64[...].
        weight: int64[A].
        terms: int64[4].
    """

    answers: NDArray[np.int32]
    rows: NDArray[np.int64]
    guess: NDArray[np.int32]
    one_ply: NDArray[np.int64]
    self_row: NDArray[np.int32]
    source: NDArray[np.int32]
    heap: NDArray[np.uint64]
    parts: NDArray[np.int64]
    revealed: NDArray[np.uint64]
    tally: NDArray[np.int32]
    start: NDArray[np.int32]
    labels: NDArray[np.uint8]
    found: NDArray[np.int32]
    seen: NDArray[np.uint64]
    used: NDArray[np.int64]
    set_slots: NDArray[np.int32]
    set_keys: NDArray[np.uint64]
    set_sizes: NDArray[np.int32]
    set_columns: NDArray[np.int64]
    columns: NDArray[np.int32]
    places: NDArray[np.int32]
    lines: NDArray[np.int64]
    holders: NDArray[np.uint64]
    wanted: NDArray[np.int64]
    flip: NDArray[np.uint64]
    legal: NDArray[np.uint64]
    ceiling: NDArray[np.int32]
    slices: NDArray[np.uint64]
    slice_cost: NDArray[np.int64]
    line: NDArray[np.int64]
    first_seen: NDArray[np.uint32]
    column_parts: NDArray[np.uint32]
    column_pairs: NDArray[np.uint32]
    column_largest: NDArray[np.uint32]
    square: NDArray[np.uint8]
    square_rows: NDArray[np.int64]
    member: NDArray[np.int32]
    game_rows: NDArray[np.int64]
    guess_of_column: NDArray[np.int32]
    place: NDArray[np.int32]
    traits: NDArray[np.uint64]
    counters: NDArray[np.int64]
    stop: NDArray[np.int64]
    table: NDArray[np.uint64]
    zobrist: NDArray[np.uint64]
    answer_of_guess: NDArray[np.int32]
    own_guess: NDArray[np.int32]
    reveals_all: NDArray[np.uint64]
    marginal_costs: NDArray[np.int64]
    dearest: NDArray[np.int64]
    weight: NDArray[np.int64]
    terms: NDArray[np.int64]
    late: NDArray[np.int64]


def holders_of(traits: Traits, order: NDArray[np.int64]) -> NDArray[np.uint64]:
    """For each trait the guesses that have it, a bit for each in the given order, [T, words]."""
    has = np.zeros((traits.count, -(-len(order) // BITS) * BITS), dtype=np.uint8)
    for column in traits.numbers[order].T:
        has[column, np.arange(len(order))] = 1
    return np.packbits(has, axis=1, bitorder="little").view(np.uint64)


@dataclass(frozen=True, eq=False)
class Thread:
    """A workspace and the bottom of its arenas."""

    workspace: Workspace
    marks: ArenaMarks
    lines: NDArray[np.uint8]  # kept alive: the search knows them by their addresses only
    borrowed: NDArray[np.uint64]  # the workspace as machine code sees it, see entry.py

    @classmethod
    def of(
        cls,
        matrix: SearchMatrix,
        traits: Traits,
        rule: Rule,
        costs: StageCosts,
        table: NDArray[np.uint64],
        stop: NDArray[np.int64],
    ) -> Thread:
        """A workspace for the game of ``matrix`` that shares ``table`` and ``stop``."""
        a, g = matrix.answers, padded(matrix.guesses)
        words = traits.bits.shape[1]
        states = 2 * min(a * (a + 1), DEPTHS * a) + LANES
        tries = (DEPTHS + 1) * g
        parts = states // 2 + 2 * PATTERNS
        sets = min(MAX_LEGAL_SETS, PLACES_BYTES // (4 * a) + 1)
        lines = np.empty(max(LINES_BYTES, 2 * a * g) + 2 * LANES, dtype=np.uint8)
        skip = -lines.ctypes.data % LANES
        square = np.zeros(4 * LANES * LANES, np.uint8)
        base = matrix.cells.ctypes.data, matrix.cells.shape[1], padded(a)
        workspace = Workspace(
            answers=np.zeros(states, np.int32),
            rows=np.zeros(states, np.int64),
            guess=np.zeros(tries, np.int32),
            one_ply=np.zeros(tries, np.int64),
            self_row=np.zeros(tries, np.int32),
            source=np.zeros(tries, np.int32),
            heap=np.zeros(tries, np.uint64),
            parts=np.zeros((parts, PART_FIELDS), np.int64),
            revealed=np.zeros((parts, words), np.uint64),
            tally=np.zeros(PATTERNS, np.int32),
            start=np.zeros(PATTERNS, np.int32),
            labels=np.zeros(a, np.uint8),
            found=np.zeros(PATTERNS + 1, np.int32),
            seen=np.zeros(PATTERNS + 1, np.uint64),
            used=np.zeros(4, np.int64),
            set_slots=np.zeros(4 * MAX_LEGAL_SETS, np.int32),
            set_keys=np.zeros((sets, 2), np.uint64),
            set_sizes=np.zeros(sets, np.int32),
            set_columns=np.zeros(sets, np.int64),
            columns=np.zeros(max(MAX_LISTED_COLUMNS, 2 * g), np.int32),
            places=np.zeros((sets, a), np.int32),
            lines=np.array([lines.ctypes.data + skip, lines.size - LANES], np.int64),
            holders=holders_of(traits, matrix.order),
            wanted=np.zeros(BITS * words, np.int64),
            flip=np.zeros(BITS * words, np.uint64),
            legal=np.zeros(-(-g // BLOCK) * BLOCK // 64, np.uint64),
            ceiling=matrix.ceiling,
            slices=np.zeros(SCRATCH_SLICES * BLOCK // 64, np.uint64),
            slice_cost=np.array([SLICE_CYCLES], np.int64),
            line=np.zeros(a, np.int64),
            first_seen=np.zeros(LANES * PATTERNS, np.uint32),
            column_parts=np.zeros(g, np.uint32),
            column_pairs=np.zeros(g, np.uint32),
            column_largest=np.zeros(g, np.uint32),
            square=square,
            square_rows=square.ctypes.data + 2 * LANES * np.arange(2 * LANES, dtype=np.int64),
            member=np.zeros(a, np.int32),
            game_rows=np.array(base, np.int64),
            guess_of_column=matrix.order.astype(np.int32),
            place=matrix.place.astype(np.int32),
            traits=traits.bits,
            counters=np.zeros(8, np.int64),
            stop=stop,
            table=table,
            zobrist=matrix.zobrist,
            answer_of_guess=matrix.answer_of_guess,
            own_guess=matrix.own_guess,
            reveals_all=np.array([0 if rule is Rule.HARD else 2**64 - 1], np.uint64),
            **costs._asdict(),
            late=np.zeros(a + 1, np.int64),
        )
        workspace.counters[BUDGET] = NO_BUDGET
        borrowed = np.zeros(ARRAY_WORDS * len(workspace), np.uint64)
        return cls(workspace, ArenaMarks(0, 0, 0, 0), lines, borrowed)

    @classmethod
    def of_game(
        cls,
        game: Game,
        matrix: SearchMatrix,
        costs: StageCosts,
        table: NDArray[np.uint64],
        stop: NDArray[np.int64],
    ) -> Thread:
        """A workspace for a game."""
        return cls.of(matrix, game.traits, game.rule, costs, table, stop)

    def enter(
        self, matrix: SearchMatrix, state: NDArray[np.uint16], revealed: Revealed | None
    ) -> tuple[State, ArenaMarks]:
        """Put a state at the bottom of the arenas."""
        w = self.workspace
        w.answers[: len(state)] = heaviest_first(state, w.weight, w.terms)
        w.revealed[0] = 0 if revealed is None else revealed
        return State(0, len(state), 0), ArenaMarks(len(state), 0, 1, 0)

    def forget(self) -> None:
        """Drop the legal guesses that are kept."""
        self.workspace.set_slots[:] = 0
        self.workspace.used[SETS:] = 0
        self.workspace.used[GENERATION] += 1


ARRAYS = typeof(
    Thread.of(
        SearchMatrix.empty(),
        Traits(np.zeros((1, 2), np.int32), np.zeros((1, 1), np.uint64)),
        Rule.HARD,
        StageCosts.empty(np.zeros(1, np.int64)),
        np.zeros((2, 4), np.uint64),
        np.zeros(1, np.int64),
    ).workspace
)
WORKSPACE = Borrowed(ARRAYS, "ConstrainedWorkspace")
"""numba's types of a workspace, its arrays and itself by its address; of a state and the marks."""
STATE = types.NamedUniTuple(types.int64, len(State._fields), State)
