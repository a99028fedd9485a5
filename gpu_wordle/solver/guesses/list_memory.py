"""Which guesses a state lists, remembered.

To find the distinct guesses of a state is most of move generation. A search comes back to the same
state many times: to raise its bound by a further step, with a larger ration, or under a limit. What
is listed depends on the state and on the matrix that it is looked up in alone. That is the
matrix of the game, or one that was made for the list of a state above. So the *name* of a list is a
hash of the state and of the name of the list above. By it the columns are remembered, with their
parts and pairs. That is eight bytes a guess, where a list of list_cache.py takes some for each
answer of the state, too.

The lists lie one after the other in a ring of memory, where the newest overwrite the oldest.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, NOTHING, PAIR, WORD
from gpu_wordle.solver.memory.workspace import NAME_0, NAME_1, STATE, WORKSPACE

NAME = types.UniTuple(WORD, 2)
"""The name of a list."""

_ODD = np.uint64(0x9E3779B97F4A7C15)

_FIELD = np.uint64(0xFFFF)
_PARTS_AT = np.uint64(16)
_PAIRS_AT = np.uint64(32)
"""Where the numbers begin in a word: of the column 16 bits, of its parts 16, of its pairs 32."""


@inlined(NAME(WORKSPACE, STATE))
def name_of_list(w, state):
    """The name of the list of a state, looked up where it is."""
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
    """Enter and measure the columns of a list in ``w.move_columns``; ``(tried, kept)``.

    See :func:`distinct` for both. They are ``(0, -1)`` if the list is not remembered.
    """
    slot = np.int64(name[0] & np.uint64(w.list_names.shape[0] - 1))
    size = w.list_words.size
    begin = w.list_begins[slot]
    is_there = w.list_names[slot, 0] == name[0] and w.list_names[slot, 1] == name[1]
    if not is_there or w.list_end[0] > begin + size:
        return np.int64(0), np.int64(-1)
    at = begin % size
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
    size = w.list_words.size
    if kept >= size:
        return
    begin = w.list_end[0]
    if begin % size + 1 + kept > size:
        begin += size - begin % size
    w.list_end[0] = begin + 1 + kept
    slot = np.int64(name[0] & np.uint64(w.list_names.shape[0] - 1))
    w.list_names[slot, 0] = name[0]
    w.list_names[slot, 1] = name[1]
    w.list_begins[slot] = begin
    at = begin % size
    w.list_words[at] = np.uint64(tried) | np.uint64(kept) << _PAIRS_AT
    for k in range(kept):
        column = np.int64(w.move_columns[k])
        word = np.uint64(column) | np.uint64(w.column_parts[column]) << _PARTS_AT
        w.list_words[at + 1 + k] = word | np.uint64(w.column_pairs[column]) << _PAIRS_AT
