"""Guess lists of large states that are not made twice.

A search comes back to a large state: to raise its bound by a further step, under a limit to find
the least worst case, and to extract the tree. Openers of the same letters leave the same states
behind. What move generation finds out depends on the state and on the matrix that it is
looked up in alone. So the columns of the last large states that were looked up in the matrix of
the game are kept, together with the compact matrix. With them goes what was learned since: labels,
overlaps, and what each guess costs at least.

The states below have that compact matrix instead of the game's. So no two states of one line are
kept, and none that makes room is still in use.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT, NOTHING
from gpu_wordle.solver.memory.workspace import (
    KEPT_BEGIN,
    KEPT_COLUMNS,
    KEPT_END,
    KEPT_SIZE,
    RING_BEGIN,
    RING_END,
    RING_NEXT,
    RING_PLACE,
    WORKSPACE,
)
from gpu_wordle.tunables import MAX_KEPT_LISTS


@inlined(INT(WORKSPACE, INT, INT))
def find_list(w, at, n):
    """Where the guess list of a state is kept, -1 if it is not."""
    for place in range(MAX_KEPT_LISTS):
        if w.lists[place, KEPT_SIZE] == n:
            same = 0
            while same < n and w.list_answers[place, same] == w.answers[at + same]:
                same += 1
            if same == n:
                return np.int64(place)
    return np.int64(-1)


@inlined(INT(WORKSPACE, INT))
def columns_at(w, place):
    """Where the columns of a list begin in the arena of columns, after those of the game."""
    return (1 + place) * w.part_bytes.size


@inlined(INT(WORKSPACE))
def next_place(w):
    """The place of a new list; the oldest makes room."""
    place = w.ring[RING_PLACE]
    w.ring[RING_PLACE] = (place + 1) % MAX_KEPT_LISTS
    w.lists[place, KEPT_SIZE] = 0
    return place


@inlined(INT(WORKSPACE, INT))
def next_room(w, size):
    """Address of so many bytes for a matrix; the oldest make room. 0 if it is too large to keep."""
    begin = w.ring[RING_NEXT]
    if begin + size > w.ring[RING_END]:
        begin = w.ring[RING_BEGIN]
        if begin + size > w.ring[RING_END]:
            return np.int64(0)
    end = begin + size
    for place in range(MAX_KEPT_LISTS):
        if w.lists[place, KEPT_BEGIN] < end and begin < w.lists[place, KEPT_END]:
            w.lists[place, KEPT_SIZE] = 0
    w.ring[RING_NEXT] = end
    return begin


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT, INT, INT))
def keep_list(w, place, at, n, kept, begin, end):
    """Keep a state's list of ``kept`` columns, its matrix from ``begin`` to ``end``."""
    for i in range(n):
        w.list_answers[place, i] = w.answers[at + i]
    w.lists[place, KEPT_SIZE] = n
    w.lists[place, KEPT_COLUMNS] = kept
    w.lists[place, KEPT_BEGIN] = begin
    w.lists[place, KEPT_END] = end
