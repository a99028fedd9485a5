"""The memory of the constrained search; compare the workspace of the normal one.

Matrices hold bytes as there: a row an answer, its own columns first. In addition every matrix has
an index of traits: for each trait, the set of the columns whose guess has it, one bit a column.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from gpu_wordle.game import Game
from gpu_wordle.legality import BITS, Revealed
from gpu_wordle.rule import Rule
from gpu_wordle.solver.simd import LANES
from gpu_wordle.solver.workspace import (
    ARRAY_WORDS,
    BUDGET,
    DEPTHS,
    NO_BUDGET,
    PATTERNS,
    Ground,
    padded,
)

# Fields of a matrix, the columns of Workspace.matrix.
INDEX_AT, REVEALED = range(2)

NOTHING_REVEALED = 0
"""Row of Workspace.revealed of the matrix of the whole game."""


class State(NamedTuple):
    """A set of answers, what is revealed, and the matrix that they are looked up in.

    As under the normal rule, but ``matrix[info]`` tells of the index of traits; ``revealed`` is a
    row of ``Workspace.revealed``. The columns of the matrix are legal by what was revealed when it
    was made; some of them may no longer be.
    """

    at: int
    n: int
    first: int
    columns: int
    info: int
    revealed: int


class Tops(NamedTuple):
    """First free entry of each arena."""

    state: int
    column: int
    part: int
    byte: int
    holders: int


class Workspace(NamedTuple):
    """Arrays of one thread, and those that it shares.

    Attributes:
        answers: int32[...], pos: int32[...], rows: int64[...], arenas of states: index of the
            answer, where a row holds the answer's own column, address of the answer's row.
        guess: int32[...], ceiling: int32[...], self_row: int32[...], source: int64[...],
            heap: uint64[...], arenas of columns: index of the guess, most parts on the state that
            the matrix was made for, in descending order, which of its answers it is or -1, offset
            of the column in a row, what is still to be tried.
        matrix: int64[..., 2], arena of columns: of the matrix whose columns begin there, where its
            index begins, and what was revealed when it was made.
        holders: uint64[...], arena of indices: ``ceil(columns / 64)`` words for each trait.
        parts: int64[..., 9], arena of parts, with the fields of the normal workspace.
        revealed: uint64[..., W], arena of parts: what is revealed on the part.
        tally: int32[PATTERNS], all zero between uses.
        start: int32[PATTERNS], labels: uint8[A], found: int32[PATTERNS + 1], scratch of a split.
        wanted: int64[64 * W], flip: uint64[64 * W], legal: int32[G]: scratch of the legal columns.
        block: uint8[A * LANES], block_rows: int64[A]: some columns of a state side by side.
        first_seen: uint32[LANES * PATTERNS]: scratch of the survey.
        column_parts: uint32[G], column_pairs: uint32[G], slots: int32[PATTERNS + 2]: what the
            survey finds out about each legal column, and its counting sort.
        square: uint8[...], square_rows: int64[...]: patterns of answers among themselves.
        member: int32[A], all zero between uses.
        traits: uint64[G, W], trait_numbers: int32[G, 2L], shared; see legality.py.
        counters: int64[8], stop: int64[1], table: uint64[E, 4], zobrist: uint64[A, 2],
            answer_of_guess: int32[G], own_guess: int32[A], byte_end: int64[1]: as under the
            normal rule.
        reveals_all: uint64[1], all bits if a guess reveals all its traits, none if those that it
            shares with the answer.
    """

    answers: NDArray[np.int32]
    pos: NDArray[np.int32]
    rows: NDArray[np.int64]
    guess: NDArray[np.int32]
    ceiling: NDArray[np.int32]
    self_row: NDArray[np.int32]
    source: NDArray[np.int64]
    heap: NDArray[np.uint64]
    matrix: NDArray[np.int64]
    holders: NDArray[np.uint64]
    parts: NDArray[np.int64]
    revealed: NDArray[np.uint64]
    tally: NDArray[np.int32]
    start: NDArray[np.int32]
    labels: NDArray[np.uint8]
    found: NDArray[np.int32]
    wanted: NDArray[np.int64]
    flip: NDArray[np.uint64]
    legal: NDArray[np.int32]
    block: NDArray[np.uint8]
    block_rows: NDArray[np.int64]
    first_seen: NDArray[np.uint32]
    column_parts: NDArray[np.uint32]
    column_pairs: NDArray[np.uint32]
    slots: NDArray[np.int32]
    square: NDArray[np.uint8]
    square_rows: NDArray[np.int64]
    member: NDArray[np.int32]
    traits: NDArray[np.uint64]
    trait_numbers: NDArray[np.int32]
    counters: NDArray[np.int64]
    stop: NDArray[np.int64]
    table: NDArray[np.uint64]
    zobrist: NDArray[np.uint64]
    answer_of_guess: NDArray[np.int32]
    own_guess: NDArray[np.int32]
    byte_end: NDArray[np.int64]
    reveals_all: NDArray[np.uint64]


def index_words(columns: int) -> int:
    """Words in which a bit for each column fits."""
    return -(-columns // BITS)


@dataclass(frozen=True, eq=False)
class Thread:
    """A workspace and the bottom of its arenas."""

    workspace: Workspace
    tops: Tops
    matrices: NDArray[np.uint8]  # kept alive: the search knows them by their addresses only
    borrowed: NDArray[np.uint64]  # the workspace as machine code sees it, see entry.py

    @classmethod
    def of(
        cls,
        ground: Ground,
        traits: NDArray[np.uint64],
        trait_numbers: NDArray[np.int32],
        rule: Rule,
        table: NDArray[np.uint64],
        stop: NDArray[np.int64],
    ) -> Thread:
        """A workspace for the game of ``ground`` that shares ``table`` and ``stop``."""
        a, g = ground.answers, padded(ground.guesses)
        words = traits.shape[1]
        states = 2 * min(a * (a + 1), DEPTHS * a) + LANES
        columns = (DEPTHS + 1) * g
        parts = states // 2 + 2 * PATTERNS
        matrices = np.empty(ground.matrix.size * 3 // 2 + (1 << 20), dtype=np.uint8)
        square = np.zeros(4 * LANES * LANES, np.uint8)
        block = np.zeros((a + 1) * LANES, np.uint8)
        skip = -block.ctypes.data % LANES
        workspace = Workspace(
            answers=np.zeros(states, np.int32),
            pos=np.zeros(states, np.int32),
            rows=np.zeros(states, np.int64),
            guess=np.zeros(columns, np.int32),
            ceiling=np.zeros(columns, np.int32),
            self_row=np.zeros(columns, np.int32),
            source=np.zeros(columns, np.int64),
            heap=np.zeros(columns, np.uint64),
            matrix=np.zeros((columns, 2), np.int64),
            holders=np.zeros((DEPTHS + 1) * words * BITS * index_words(g), np.uint64),
            parts=np.zeros((parts, 9), np.int64),
            revealed=np.zeros((parts, words), np.uint64),
            tally=np.zeros(PATTERNS, np.int32),
            start=np.zeros(PATTERNS, np.int32),
            labels=np.zeros(a, np.uint8),
            found=np.zeros(PATTERNS + 1, np.int32),
            wanted=np.zeros(BITS * words, np.int64),
            flip=np.zeros(BITS * words, np.uint64),
            legal=np.zeros(g, np.int32),
            block=block,
            block_rows=block.ctypes.data + skip + LANES * np.arange(a, dtype=np.int64),
            first_seen=np.zeros(LANES * PATTERNS, np.uint32),
            column_parts=np.zeros(g, np.uint32),
            column_pairs=np.zeros(g, np.uint32),
            slots=np.zeros(PATTERNS + 2, np.int32),
            square=square,
            square_rows=square.ctypes.data + 2 * LANES * np.arange(2 * LANES, dtype=np.int64),
            member=np.zeros(a, np.int32),
            traits=traits,
            trait_numbers=trait_numbers,
            counters=np.zeros(8, np.int64),
            stop=stop,
            table=table,
            zobrist=ground.zobrist,
            answer_of_guess=ground.answer_of_guess,
            own_guess=ground.own_guess,
            byte_end=np.array([matrices.ctypes.data + matrices.size - LANES * 4], np.int64),
            reveals_all=np.array([0 if rule is Rule.HARD else 2**64 - 1], np.uint64),
        )
        workspace.counters[BUDGET] = NO_BUDGET
        bottom = -(-matrices.ctypes.data // LANES) * LANES
        borrowed = np.zeros(ARRAY_WORDS * len(workspace), np.uint64)
        top = words * BITS * index_words(ground.guesses)
        return cls(workspace, Tops(0, 0, NOTHING_REVEALED + 1, bottom, top), matrices, borrowed)

    @classmethod
    def of_game(
        cls, game: Game, ground: Ground, table: NDArray[np.uint64], stop: NDArray[np.int64]
    ) -> Thread:
        """A workspace for a game, with the index of its matrix made."""
        from gpu_wordle.solver.constrained.legal import index_columns

        traits = game.traits
        thread = cls.of(ground, traits.bits, traits.numbers, game.rule, table, stop)
        thread.workspace.guess[: ground.guesses] = ground.order
        index_columns.from_python(thread.workspace, 0, ground.guesses, 0)
        return thread

    def enter(
        self, ground: Ground, state: NDArray[np.uint16], revealed: Revealed | None
    ) -> tuple[State, Tops]:
        """Put a state at the bottom of the arenas, looked up in the matrix of the game."""
        w, tops = self.workspace, self.tops
        n, guesses = len(state), ground.guesses
        w.answers[:n] = state
        w.pos[:n] = state
        w.rows[:n] = ground.matrix.ctypes.data + state.astype(np.int64) * ground.matrix.shape[1]
        w.guess[:guesses] = ground.order
        w.ceiling[:guesses] = ground.ceiling
        w.matrix[0] = 0, NOTHING_REVEALED
        w.revealed[tops.part] = 0 if revealed is None else revealed
        entered = State(0, n, padded(ground.answers), guesses, 0, tops.part)
        return entered, Tops(n, padded(guesses), tops.part + 1, tops.byte, tops.holders)


WORKSPACE = typeof(
    Thread.of(
        Ground.empty(),
        np.zeros((1, 1), np.uint64),
        np.zeros((1, 2), np.int32),
        Rule.HARD,
        np.zeros((2, 4), np.uint64),
        np.zeros(1, np.int64),
    ).workspace
)
"""numba's types of a workspace, a state and the tops."""
STATE = types.NamedUniTuple(types.int64, len(State._fields), State)
TOPS = types.NamedUniTuple(types.int64, len(Tops._fields), Tops)
