"""What the legal guesses make of a state, remembered for when the state comes back.

A search comes back to a state to raise its bound by a further step, or with a larger ration. To
measure the legal guesses is most of what the visit of a large state takes. The measures depend on
the answers and on the legal guesses alone. They are remembered by a *name* that is a hash of both,
eight bytes a guess, in a ring of memory.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.constrained.legal import key_of_legal
from gpu_wordle.solver.constrained.workspace import STATE, WORKSPACE
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, WORD
from gpu_wordle.solver.memory.ring import place_for_list, place_of_list

NAME = types.UniTuple(WORD, 2)
"""The name of a state."""

_SHORT = np.uint64(0xFFFF)
_PARTS_AT = np.uint64(16)
_PAIRS_AT = np.uint64(32)
"""Where the numbers begin in a word: 16 bits for the largest part, 16 for parts, 32 for pairs."""


@inlined(NAME(WORKSPACE, STATE))
def name_of_state(w, state):
    """The name of a state with what is revealed on it."""
    name_0, name_1 = key_of_legal(w, state.revealed, w.answers[state.at])
    for i in range(state.at, state.at + state.n):
        name_0 ^= w.zobrist[w.answers[i], 0]
        name_1 ^= w.zobrist[w.answers[i], 1]
    return name_0, name_1


@inlined(BOOL(WORKSPACE, NAME, INT))
def recall_measures(w, name, columns):
    """Set the measures of the legal guesses of a state if they are remembered; else False."""
    at = place_of_list(w, name)
    if at < 0:
        return False
    for c in range(columns):
        word = w.list_words[at + c]
        w.column_largest[c] = np.uint32(word & _SHORT)
        w.column_parts[c] = np.uint32(word >> _PARTS_AT & _SHORT)
        w.column_pairs[c] = np.uint32(word >> _PAIRS_AT)
    return True


@inlined(NOTHING(WORKSPACE, NAME, INT))
def remember_measures(w, name, columns):
    """Remember the measures of the legal guesses of a state."""
    at = place_for_list(w, name, columns)
    if at < 0:
        return
    for c in range(columns):
        parts = np.uint64(w.column_parts[c]) << _PARTS_AT
        pairs = np.uint64(w.column_pairs[c]) << _PAIRS_AT
        w.list_words[at + c] = np.uint64(w.column_largest[c]) | parts | pairs
