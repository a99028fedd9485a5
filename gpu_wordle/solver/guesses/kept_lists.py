"""Caches of move lists: whole lists of large states, and the columns of all others.

A search comes back to the same state many times. It raises the bound by a further step, tries a
larger ration, finds the least worst case under a limit, and extracts the tree. Openers of the same
letters leave the same states behind. What move generation finds depends only on the state and on
the matrix in which the state is looked up.

*Whole* lists: the columns of the last large states that were looked up in the matrix of the game
are kept, together with the compact matrix. Labels, overlaps and lower bounds of guesses that were
learned since are kept with them. The states below use that compact matrix instead of the game's. So
no two states of one line are kept, and none that makes room is still in use.

*Remembered* lists: to find the distinct guesses of a state is most of move generation. The matrix
is that of the game, or one that was made for the list of a state above. So the *name* of a list is
a hash of the state and of the name of the list above. The columns are remembered by that name, with
their parts and pairs. That is eight bytes a guess, where a whole list takes a byte or more for each
answer of the state. They lie one after the other in a ring of memory, where the newest overwrite
the oldest.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, NOTHING, PAIR, WORD
from gpu_wordle.solver.memory.ring import place_for_list, place_of_list
from gpu_wordle.solver.memory.workspace import (
    KEPT_BEGIN,
    KEPT_COLUMNS,
    KEPT_END,
    KEPT_SIZE,
    NAME_0,
    NAME_1,
    RING_BEGIN,
    RING_END,
    RING_NEXT,
    RING_PLACE,
    STATE,
    WORKSPACE,
)
from gpu_wordle.tunables import MAX_KEPT_LISTS


@inlined(INT(WORKSPACE, INT, INT))
def find_list(w, at, n):
    """Place of the kept guess list of a state, -1 if it is not kept."""
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
    """Free the place of the oldest kept list for a new one; returns it."""
    place = w.ring[RING_PLACE]
    w.ring[RING_PLACE] = (place + 1) % MAX_KEPT_LISTS
    w.lists[place, KEPT_SIZE] = 0
    return place


@inlined(INT(WORKSPACE, INT))
def next_room(w, size):
    """Address of ``size`` bytes for a matrix; the oldest make room. 0 if it is too large."""
    begin = w.ring[RING_NEXT]
    if begin + size > w.ring[RING_END]:
        begin = w.ring[RING_BEGIN]
        if begin + size > w.ring[RING_END]:
            return np.int64(0)
    end = begin + size
    for place in range(MAX_KEPT_LISTS):
        # A list whose matrix overlaps the new one is overwritten, so it is no longer kept.
        if w.lists[place, KEPT_BEGIN] < end and begin < w.lists[place, KEPT_END]:
            w.lists[place, KEPT_SIZE] = 0
    w.ring[RING_NEXT] = end
    return begin


@inlined(NOTHING(WORKSPACE, INT, STATE, INT, INT, INT))
def keep_list(w, place, state, kept, begin, end):
    """Keep a state's list of ``kept`` columns, with its matrix from ``begin`` to ``end``."""
    for i in range(state.n):
        w.list_answers[place, i] = w.answers[state.at + i]
    w.lists[place, KEPT_SIZE] = state.n
    w.lists[place, KEPT_COLUMNS] = kept
    w.lists[place, KEPT_BEGIN] = begin
    w.lists[place, KEPT_END] = end


NAME = types.UniTuple(WORD, 2)
"""The name of a list."""

_ODD = np.uint64(0x9E3779B97F4A7C15)

_FIELD = np.uint64(0xFFFF)
_PARTS_AT = np.uint64(16)
_PAIRS_AT = np.uint64(32)
"""Where the numbers begin in a word: 16 bits for the column, 16 for its parts, 32 for its pairs."""


@inlined(NAME(WORKSPACE, STATE))
def name_of_list(w, state):
    """The name of the list of a state in the matrix in which it is looked up."""
    # Without the factor, the answers of the state would cancel out of the name above.
    name_0 = np.uint64(w.matrix[state.info, NAME_0]) * _ODD
    name_1 = np.uint64(w.matrix[state.info, NAME_1]) * _ODD
    for i in range(state.at, state.at + state.n):
        name_0 ^= w.zobrist[w.answers[i], 0]
        name_1 ^= w.zobrist[w.answers[i], 1]
    return name_0, name_1


@inlined(NOTHING(WORKSPACE, INT, NAME))
def name_matrix(w, column, name):
    """Name the matrix whose columns begin at ``column`` by the list that it is made for."""
    w.matrix[column, NAME_0] = np.int64(name[0])
    w.matrix[column, NAME_1] = np.int64(name[1])


@linked(PAIR(WORKSPACE, NAME))
def recall_columns(w, name):
    """Write a remembered list to ``w.move_columns``, with parts and pairs; ``(tried, kept)``.

    See :func:`distinct` for both. They are ``(0, -1)`` if the list is not remembered.
    """
    at = place_of_list(w, name)
    if at < 0:
        return np.int64(0), np.int64(-1)
    tried = np.int64(w.list_words[at] & np.uint64(0xFFFFFFFF))
    kept = np.int64(w.list_words[at] >> _PAIRS_AT)
    for k in range(kept):
        word = w.list_words[at + 1 + k]
        column = np.int64(word & _FIELD)
        w.move_columns[k] = column
        w.column_parts[column] = np.uint32(word >> _PARTS_AT & _FIELD)
        w.column_pairs[column] = np.uint32(word >> _PAIRS_AT)
    return tried, kept


@linked(NOTHING(WORKSPACE, NAME, INT, INT))
def remember_columns(w, name, tried, kept):
    """Remember ``w.move_columns[:kept]``, of which the first ``tried`` are tried."""
    at = place_for_list(w, name, 1 + kept)
    if at < 0:
        return
    w.list_words[at] = np.uint64(tried) | np.uint64(kept) << _PAIRS_AT
    for k in range(kept):
        column = np.int64(w.move_columns[k])
        word = np.uint64(column) | np.uint64(w.column_parts[column]) << _PARTS_AT
        w.list_words[at + 1 + k] = word | np.uint64(w.column_pairs[column]) << _PAIRS_AT
