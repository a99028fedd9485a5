"""Surveys of large states that are not made twice.

A search comes back to a large state: to raise its bound by a further step, under a limit to find
the least worst case, and to extract the tree; and openers of the same letters leave the same
states behind. What a survey finds out depends on the state and the matrix that it is looked up in
alone. So of the last large states that were looked up in the matrix of the game the columns are
kept, together with the compact matrix and what was learned since: labels, covers, and what each
guess costs at least.

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
    KEPT_SURVEYS,
    RING_BEGIN,
    RING_END,
    RING_NEXT,
    RING_PLACE,
    WORKSPACE,
)


@inlined(INT(WORKSPACE, INT, INT))
def find_survey(w, at, n):
    """Where the survey of a state is kept, -1 if it is not."""
    for place in range(KEPT_SURVEYS):
        if w.survey[place, KEPT_SIZE] == n:
            same = 0
            while same < n and w.survey_answers[place, same] == w.answers[at + same]:
                same += 1
            if same == n:
                return np.int64(place)
    return np.int64(-1)


@inlined(INT(WORKSPACE, INT))
def columns_at(w, place):
    """Where the columns of a survey begin in the arena of columns, after those of the game."""
    return (1 + place) * w.part_bytes.size


@inlined(INT(WORKSPACE))
def next_place(w):
    """The place of a new survey; the oldest makes room."""
    place = w.ring[RING_PLACE]
    w.ring[RING_PLACE] = (place + 1) % KEPT_SURVEYS
    w.survey[place, KEPT_SIZE] = 0
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
    for place in range(KEPT_SURVEYS):
        if w.survey[place, KEPT_BEGIN] < end and begin < w.survey[place, KEPT_END]:
            w.survey[place, KEPT_SIZE] = 0
    w.ring[RING_NEXT] = end
    return begin


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT, INT, INT))
def keep_survey(w, place, at, n, kept, begin, end):
    """Keep a state's survey of ``kept`` columns, its matrix from ``begin`` to ``end``."""
    for i in range(n):
        w.survey_answers[place, i] = w.answers[at + i]
    w.survey[place, KEPT_SIZE] = n
    w.survey[place, KEPT_COLUMNS] = kept
    w.survey[place, KEPT_BEGIN] = begin
    w.survey[place, KEPT_END] = end
