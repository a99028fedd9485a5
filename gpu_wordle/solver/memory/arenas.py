"""What the workspaces of all rules have in common: fields of parts, counters, marks of arenas.

A recursive search in numba can afford no allocation, so every thread brings arenas. The frames of
the search take room from them in stack order, and ``ArenaMarks`` say how far each is in use.
"""

from __future__ import annotations

from typing import NamedTuple

from numba import types

# Fields of a part, the columns of Workspace.parts: where its answers are, how many, lower bound,
# height of its tree, key, marks of the table, whether its value is open; then the most parts that
# one of its answers makes as a guess (0 where that is not known), what that answer costs, and the
# guesses left with which its value is looked for at present, NO_LIMIT for any number.
AT, SIZE, LOWER, HEIGHT, KEY_0, KEY_1, MARKS, OPEN, MINE, OWN, LEFT = range(11)
PART_FIELDS = LEFT + 1

# Counters, the entries of Workspace.counters.
EXPANDED, GENERATED, TABLE_HITS, PRUNED, BUDGET, STOPPED, OVERFLOW, NODES = range(8)

NO_BUDGET = 1 << 62

# What is found of an opener, a row of openers.py: value, end of its nodes, then counted work.
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
    """What is asked of a state.

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
        max_parts: bounds the parts that any legal guess makes of the state.
    """

    place: int
    guess: int
    self_row: int
    max_parts: int


TRIAL = types.NamedUniTuple(types.int64, len(Trial._fields), Trial)


class Branch(NamedTuple):
    """A tree that is to be extracted, or a part of one.

    Attributes:
        guesses_left: guesses left, NO_LIMIT for any number.
        lists: those above that bind the state, see generate_for_tree; 0 at first.
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
