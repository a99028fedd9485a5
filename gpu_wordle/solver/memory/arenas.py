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
