"""What a guess reveals, the key of what is revealed, and the columns of a matrix that are legal.

No list of guesses is filtered to look a state up: what is revealed stands for the legal guesses.
Where they are needed, they are the intersection of a few sets of columns in the matrix's index.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit, types

from gpu_wordle.solver.bitslice import lowest_bit
from gpu_wordle.solver.constrained.workspace import INDEX_AT, REVEALED, WORKSPACE
from gpu_wordle.solver.linking import linked
from gpu_wordle.solver.signatures import INT, NOTHING, WORD

_ONE = np.uint64(1)
_LOW_BITS = np.uint64(63)
_SHIFT = np.uint64(29)
_TURN = np.uint64(32)
_MIX_0 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_1 = np.uint64(0x94D049BB133111EB)


@njit(NOTHING(WORKSPACE, INT, INT, INT, INT), cache=True, nogil=True)
def reveal(w, into, before, guess, answer):
    """Row ``into``: what was revealed in row ``before`` and what ``guess`` adds to it."""
    own = w.own_guess[answer]
    for j in range(w.traits.shape[1]):
        shown = w.traits[guess, j] & (w.traits[own, j] | w.reveals_all[0])
        w.revealed[into, j] = w.revealed[before, j] | shown


@njit(types.UniTuple(WORD, 2)(WORKSPACE, INT), cache=True, nogil=True)
def key_of_revealed(w, row):
    """128 bits that stand for what is revealed, to be combined with the key of the answers.

    Multiplications and shifts mix each word in, as in SplitMix64.
    """
    key_0 = np.uint64(0)
    key_1 = np.uint64(0)
    for word in w.revealed[row]:
        key_0 = (key_0 ^ word) * _MIX_0
        key_0 ^= key_0 >> _SHIFT
        key_1 = (key_1 + word) * _MIX_1
        key_1 ^= key_1 >> _TURN
    return key_0 * _MIX_1, key_1 * _MIX_0


@linked(NOTHING(WORKSPACE, INT, INT, INT))
def index_columns(w, info, columns, at):
    """Write the index of a matrix whose columns begin at ``info``."""
    words = (columns + 63) // 64
    w.holders[at : at + 64 * w.traits.shape[1] * words] = 0
    for c in range(columns):
        place = at + (c >> 6)
        bit = _ONE << (np.uint64(c) & _LOW_BITS)
        for trait in w.trait_numbers[w.guess[info + c]]:
            w.holders[place + trait * words] |= bit


@linked(INT(WORKSPACE, INT, INT, INT, INT, INT))
def legal_columns(w, columns, info, revealed, answer, floor):
    """List the legal columns that make more than ``floor`` parts of the matrix's own state.

    Args:
        w: workspace; the result is ``w.legal``, ascending.
        columns: columns of the matrix.
        info: where they begin.
        revealed: row of what is revealed.
        answer: any answer that agrees with it.
        floor: parts that are of no interest.

    Returns:
        Their number.
    """
    words = (columns + 63) // 64
    before = w.matrix[info, REVEALED]
    own = w.own_guess[answer]
    number = 0
    for j in range(w.traits.shape[1]):
        new = w.revealed[revealed, j] & ~w.revealed[before, j]
        while new != 0:
            bit = lowest_bit(new)
            new &= new - _ONE
            w.wanted[number] = w.matrix[info, INDEX_AT] + (64 * j + bit) * words
            has = (w.traits[own, j] >> np.uint64(bit)) & _ONE
            w.flip[number] = has - _ONE  # all bits if the answer has it not
            number += 1
    listed = 0
    for t in range(words):
        if w.ceiling[info + 64 * t] <= floor:
            break
        agree = ~np.uint64(0)
        if t == words - 1 and columns % 64 != 0:
            agree = (_ONE << np.uint64(columns % 64)) - _ONE
        for q in range(number):
            agree &= w.holders[w.wanted[q] + t] ^ w.flip[q]
        while agree != 0:
            c = 64 * t + lowest_bit(agree)
            agree &= agree - _ONE
            if w.ceiling[info + c] <= floor:
                return listed
            w.legal[listed] = c
            listed += 1
    return listed
