"""The memory of the search under the constrained rules; see arenas.py."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numba import typeof, types
from numpy.typing import NDArray

from gpu_wordle.game.legality import BITS, Revealed, Traits
from gpu_wordle.game.rule import Rule
from gpu_wordle.solver.machine.bitslice import BLOCK
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
    LINES_BYTES,
    MAX_LEGAL_SETS,
    MAX_LISTED_COLUMNS,
    MEASURED_WORDS,
    PLACES_BYTES,
    SLICE_CYCLES,
)

# How much of the memory of legal guesses is in use, the entries of Workspace.used.
GENERATION, SETS, COLUMNS, LINES = range(4)


class State(NamedTuple):
    """A set of answers and what is revealed.

    Answers are ``answers[at : at + n]``, heaviest first; ``revealed`` is a row of
    ``Workspace.revealed``.
    """

    at: int
    n: int
    revealed: int


def holders_of(traits: Traits, order: NDArray[np.int64]) -> NDArray[np.uint64]:
    """For each trait the guesses that have it, a bit for each in the given order, [T, words]."""
    has = np.zeros((traits.count, -(-len(order) // BITS) * BITS), dtype=np.uint8)
    for column in traits.numbers[order].T:
        has[column, np.arange(len(order))] = 1
    return np.packbits(has, axis=1, bitorder="little").view(np.uint64)


def _legal_sets(matrix: SearchMatrix, lines: NDArray[np.uint8], words: int) -> Arrays:
    """Arrays of legal.py."""
    a, g = matrix.answers, padded(matrix.guesses)
    sets = min(MAX_LEGAL_SETS, PLACES_BYTES // (4 * a) + 1)
    skip = -lines.ctypes.data % LANES
    return {
        # int64[4], how much is used of the memory of legal guesses, with the names above, and how
        # often it has been emptied.
        "used": np.zeros(4, np.int64),
        # int32[...], hash table of the sets of legal guesses.
        "set_slots": np.zeros(4 * MAX_LEGAL_SETS, np.int32),
        # uint64[S, 2], the key of each set.
        "set_keys": np.zeros((sets, 2), np.uint64),
        # int32[S], how many guesses it holds.
        "set_sizes": np.zeros(sets, np.int32),
        # int64[S], where its list begins.
        "set_columns": np.zeros(sets, np.int64),
        # int32[...], the lists: columns of the game's matrix, ascending.
        "columns": np.zeros(max(MAX_LISTED_COLUMNS, 2 * g), np.int32),
        # int32[S, A], where the line of an answer begins in a set, in vectors; 0 if nowhere.
        "places": np.zeros((sets, a), np.int32),
        # int64[2], address and size of the memory of lines.
        "lines": np.array([lines.ctypes.data + skip, lines.size - LANES], np.int64),
        # int64[A], addresses of the lines of a state.
        "line": np.zeros(a, np.int64),
        # int64[64 * W], scratch of list_legal: the traits that are revealed.
        "wanted": np.zeros(BITS * words, np.int64),
        # uint64[64 * W], scratch of list_legal: all bits for a trait that the answer has not.
        "flip": np.zeros(BITS * words, np.uint64),
        # uint64[...], scratch: the columns of a set, a bit for each.
        "legal": np.zeros(-(-g // BLOCK) * BLOCK // 64, np.uint64),
    }


def _arrays_of(
    matrix: SearchMatrix,
    traits: Traits,
    rule: Rule,
    costs: StageCosts,
    table: NDArray[np.uint64],
    stop: NDArray[np.int64],
) -> tuple[Arrays, NDArray[np.uint8]]:
    """The arrays of a workspace, and the memory of its lines, which are known by address only."""
    a, g = matrix.answers, padded(matrix.guesses)
    words = traits.bits.shape[1]
    states = 2 * min(a * (a + 1), DEPTHS * a) + LANES
    moves = (DEPTHS + 1) * g
    parts = states // 2 + 2 * PATTERNS
    lines = np.empty(max(LINES_BYTES, 2 * a * g) + 2 * LANES, dtype=np.uint8)
    base = matrix.cells.ctypes.data, matrix.cells.shape[1], padded(a)
    arrays = {
        **arenas(states, moves),
        **scratch(a, g),
        **_legal_sets(matrix, lines, words),
        **shared(matrix, table, stop),
        # int32[...], arena of moves: its place in a row.
        "source": np.zeros(moves, np.int32),
        # uint64[..., W], arena of parts: what is revealed on the part.
        "revealed": np.zeros((parts, words), np.uint64),
        # uint64[T, ceil(G / 64)], shared: for each trait the columns that have it.
        "holders": holders_of(traits, matrix.order),
        # int32[G], shared: most parts that the columns make of all answers.
        "ceiling": matrix.ceiling,
        # int64[1], SLICE_CYCLES; tests lower it, so that small states go by slices too.
        "slice_cost": np.array([SLICE_CYCLES], np.int64),
        # uint32[G], its largest part, less one.
        "column_largest": np.zeros(g, np.uint32),
        # int64[3], shared: address of the game's matrix, its stride, and where the columns of the
        # guesses begin; those of the answers come first.
        "game_rows": np.array(base, np.int64),
        # int32[G], shared: the guesses in the order of the game's matrix.
        "guess_of_column": matrix.order.astype(np.int32),
        # int32[G], shared: where each guess is in it.
        "place": matrix.place.astype(np.int32),
        # Measures of states, a word a guess; see remembered.py.
        **ring_of_lists(MEASURED_WORDS),
        # uint64[G, W], shared; see legality.py.
        "traits": traits.bits,
        # uint64[1], all bits if a guess reveals all its traits, none if those that it shares with
        # the answer.
        "reveals_all": np.array([0 if rule is Rule.HARD else 2**64 - 1], np.uint64),
        **costs._asdict(),
    }
    return arrays, lines


@dataclass(frozen=True, eq=False)
class Thread:
    """A workspace."""

    workspace: Any
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
        arrays, lines = _arrays_of(matrix, traits, rule, costs, table, stop)
        workspace = Workspace(**arrays)
        workspace.counters[BUDGET] = NO_BUDGET
        borrowed = np.zeros(ARRAY_WORDS * len(workspace), np.uint64)
        return cls(workspace, lines, borrowed)

    def enter(
        self, matrix: SearchMatrix, state: NDArray[np.uint16], revealed: Revealed | None
    ) -> tuple[State, ArenaMarks]:
        """Put a state at the bottom of the arenas, with what is revealed on it."""
        w = self.workspace
        w.answers[: len(state)] = heaviest_first(state, w.weight, w.terms)
        w.revealed[0] = 0 if revealed is None else revealed
        return State(0, len(state), 0), ArenaMarks(len(state), 0, 1, 0)

    def forget(self) -> None:
        """Drop the sets of legal guesses with their lines, and the measures of states."""
        self.workspace.set_slots[:] = 0
        self.workspace.used[SETS:] = 0
        self.workspace.used[GENERATION] += 1
        self.workspace.list_names[:] = 0


_SMALLEST = (
    SearchMatrix.empty(),
    Traits(np.zeros((1, 2), np.int32), np.zeros((1, 1), np.uint64)),
    Rule.HARD,
    StageCosts.empty(np.zeros(1, np.int64)),
    np.zeros((2, 4), np.uint64),
    np.zeros(1, np.int64),
)
Workspace = class_of(_arrays_of(*_SMALLEST)[0], __name__)
"""Arrays of one thread, and those that it shares, by their names."""

ARRAYS = typeof(Thread.of(*_SMALLEST).workspace)
WORKSPACE = Borrowed(ARRAYS, "ConstrainedWorkspace")
"""numba's types of a workspace, its arrays and itself by its address; of a state and the marks."""
STATE = types.NamedUniTuple(types.int64, len(State._fields), State)
