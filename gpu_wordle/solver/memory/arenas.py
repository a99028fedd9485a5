"""What the workspaces of all rules have in common: fields of parts, counters, marks of arenas.

A recursive search in numba can afford no allocation, so every thread brings arenas. The frames of
the search take room from them in stack order, and ``ArenaMarks`` tell how far each is in use.
"""

from __future__ import annotations

from collections import namedtuple
from typing import Any, NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from gpu_wordle.solver.counting.sliced import SCRATCH_SLICES
from gpu_wordle.solver.machine.bitslice import BLOCK
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.simd import LANES
from gpu_wordle.solver.memory.search_matrix import SearchMatrix

# Fields of a part, the columns of Workspace.parts: where its answers are, how many, lower bound,
# height of its tree, key, marks of the table, whether its value is open; then the most parts that
# one of its answers makes as a guess (0 where that is not known), what the best of its answers
# costs, and the guesses left with which it is searched at present, NO_LIMIT for any number.
AT, SIZE, LOWER, HEIGHT, KEY_0, KEY_1, MARKS, OPEN, MINE, OWN, LEFT = range(11)
PART_FIELDS = LEFT + 1

# Counters, the entries of Workspace.counters.
EXPANDED, GENERATED, TABLE_HITS, PRUNED, BUDGET, STOPPED, OVERFLOW, NODES = range(8)

NO_BUDGET = 1 << 62

# The result of an opener, a row of openers.py: value, end of its nodes, then counted work.
TOTAL, NODES_END, WORK = range(3)
WORK_COUNTERS = (EXPANDED, GENERATED, TABLE_HITS, PRUNED)
FOUND_FIELDS = WORK + len(WORK_COUNTERS)

ARRAY_WORDS = 9
"""Words of 64 bits in which numba holds an array of two dimensions."""


class ArenaMarks(NamedTuple):
    """First free entry of each arena: states, columns or moves, parts, bytes of matrices."""

    state: int
    column: int
    part: int
    byte: int


ARENA_MARKS = types.NamedUniTuple(types.int64, len(ArenaMarks._fields), ArenaMarks)


class Asked(NamedTuple):
    """A question about a state.

    Attributes:
        cutoff: values from here on need not be exact.
        guesses_left: guesses left, NO_LIMIT for any number.
        forced: the guess to value, by the number that look_up takes, legal or not; ANY_GUESS for
            the best one.
        max_parts: with a guess to value, a bound on the parts that any legal guess makes.
        known_lower: a lower bound on the value; the first guess that reaches it ends the search.
    """

    cutoff: int
    guesses_left: int
    forced: int
    max_parts: int
    known_lower: int


ASKED = types.NamedUniTuple(types.int64, len(Asked._fields), Asked)


class Trial(NamedTuple):
    """A guess that is tried on a state.

    Attributes:
        place: where the rows of the state hold its patterns.
        guess: the guess.
        self_row: which answer of the state it is, or -1.
        max_parts: a bound on the parts that any legal guess makes of the state.
    """

    place: int
    guess: int
    self_row: int
    max_parts: int


TRIAL = types.NamedUniTuple(types.int64, len(Trial._fields), Trial)


class Branch(NamedTuple):
    """A tree to be extracted, or a part of one.

    Attributes:
        guesses_left: guesses left, NO_LIMIT for any number.
        lists: number of lists above that bind the state, see generate_for_tree; 0 at first.
        forced: the first guess, by its number; ANY_GUESS for the best one.
        parent: number of the node above, -1 if there is none.
        answer: some answer of the state.
    """

    guesses_left: int
    lists: int
    forced: int
    parent: int
    answer: int


BRANCH = types.NamedUniTuple(types.int64, len(Branch._fields), Branch)


Arrays = dict[str, NDArray[Any]]
"""Arrays of a workspace by their names; A answers, G guesses, padded to vectors."""


def class_of(arrays: Arrays, module: str) -> Any:
    """Named tuple type of these arrays for a module, in which numba finds it by its name."""
    return namedtuple("Workspace", list(arrays), module=module)


def arenas(states: int, moves: int) -> Arrays:
    """Arenas of states, of columns or moves, and of parts."""
    return {
        # int32[...], arena of states: index of the answer.
        "answers": np.zeros(states, np.int32),
        # int64[...], arena of states: address of the answer's row.
        "rows": np.zeros(states, np.int64),
        # int32[...], arena of columns: index of the guess.
        "guess": np.zeros(moves, np.int32),
        # int64[...], arena of columns: bound on the value of the guess, on that state.
        "one_ply": np.zeros(moves, np.int64),
        # int32[...], arena of columns: which answer of the state it is, or -1.
        "self_row": np.zeros(moves, np.int32),
        # uint64[...], arena of columns: what is still to be tried, see ordering.py.
        "heap": np.zeros(moves, np.uint64),
        # int64[..., PART_FIELDS], arena of parts, with the fields of arenas.py.
        "parts": np.zeros((states // 2 + 2 * PATTERNS, PART_FIELDS), np.int64),
    }


def scratch(a: int, g: int) -> Arrays:
    """Scratch of splits, counts and move generation, for A answers and G guesses."""
    square = np.zeros(4 * LANES * LANES, np.uint8)
    return {
        # int32[PATTERNS], scratch of a split: sizes of parts; all zero between uses.
        "tally": np.zeros(PATTERNS, np.int32),
        # int32[PATTERNS], scratch of a split: where parts lie.
        "start": np.zeros(PATTERNS, np.int32),
        # uint8[A], scratch of a split: the label of each answer.
        "labels": np.zeros(a, np.uint8),
        # int32[PATTERNS + 1], scratch of a split: the labels that occur.
        "found": np.zeros(PATTERNS + 1, np.int32),
        # uint64[PATTERNS + 1], scratch: when each pattern was seen last, and the time.
        "seen": np.zeros(PATTERNS + 1, np.uint64),
        # uint8[...], scratch: patterns of the answers of a part among themselves.
        "square": square,
        # int64[...], addresses of the rows of ``square``.
        "square_rows": square.ctypes.data + 2 * LANES * np.arange(2 * LANES, dtype=np.int64),
        # uint64[...], scratch of sliced.py.
        "slices": np.zeros(SCRATCH_SLICES * BLOCK // 64, np.uint64),
        # uint32[LANES * PATTERNS], scratch of measures.py.
        "first_seen": np.zeros(LANES * PATTERNS, np.uint32),
        # uint32[G], parts of each column.
        "column_parts": np.zeros(g, np.uint32),
        # uint32[G], pairs of answers that each column leaves together.
        "column_pairs": np.zeros(g, np.uint32),
        # int32[A], scratch: places of the answers in a state, from 1; zero between uses.
        "member": np.zeros(a, np.int32),
        # int64[A + 1], scratch of move generation: what 0, 1, ... answers pay for the third
        # guess.
        "late": np.zeros(a + 1, np.int64),
    }


def shared(matrix: SearchMatrix, table: NDArray[np.uint64], stop: NDArray[np.int64]) -> Arrays:
    """Arrays that threads share, and the counters of one."""
    return {
        # int64[8], with the names of arenas.py.
        "counters": np.zeros(8, np.int64),
        # int64[1], shared; not zero if every thread is to come to an end.
        "stop": stop,
        # uint64[E, 4], shared; see table.py.
        "table": table,
        # uint64[A, 2], shared; see table.py.
        "zobrist": matrix.zobrist,
        # int32[G], shared; -1 of a guess that is no answer.
        "answer_of_guess": matrix.answer_of_guess,
        # int32[A], shared: the guess that each answer is.
        "own_guess": matrix.own_guess,
    }
