"""Sets of guesses, a bit for each column of the game's matrix: which are left, which are refuted.

A nogood refutes the same guesses wherever it is met. They are found once, and 512 of them struck
out of a set at a time. States are looked up in matrices of fewer columns, but what those lack
splits no finer: where all columns of such a matrix are refuted by nogoods, all guesses are.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING
from gpu_wordle.solver.machine.simd import (
    LANES,
    difference,
    greater,
    greatest_lane,
    load,
    splat,
    store,
    without,
    zeros_of,
)
from gpu_wordle.solver.memory.workspace import STATE, WORKSPACE

STRUCK = types.UniTuple(types.boolean, 2)
"""Whether any columns were struck out, and whether any are left."""


@inlined(INT(WORKSPACE))
def set_bytes(w):
    """Bytes of a set of columns."""
    return 8 * w.columns.size


@inlined(INT(WORKSPACE, INT))
def alive_at(w, left):
    """Address of the columns that may still win a state with ``left`` guesses."""
    return w.alive.ctypes.data + left * set_bytes(w)


@inlined(INT(WORKSPACE, INT, INT))
def refuted_at(w, left, nogood):
    """Address of the columns that a nogood of ``left`` guesses refutes."""
    return w.refuted.ctypes.data + (left * w.refuted.shape[1] + nogood) * set_bytes(w)


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT))
def note_refuted_by(w, left, nogood, at, k):
    """Note which columns leave k answers together, as what a nogood of ``left`` guesses refutes."""
    begin, stride, first = w.game_rows[0], w.game_rows[1], w.game_rows[2]
    rows = begin + first
    one = rows + w.answers[at] * stride
    for word in range((w.game_column.size + LANES - 1) // LANES):
        pattern = load(one + word * LANES)
        apart = splat(0)
        for i in range(at + 1, at + k):
            other = load(rows + w.answers[i] * stride + word * LANES)
            apart = greater(apart, difference(other, pattern))
        w.refuted[left, nogood, word] = zeros_of(apart)


@inlined(NOTHING(WORKSPACE, INT))
def strike_none(w, left):
    """No column is struck out."""
    w.alive[left] = w.columns


@inlined(STRUCK(WORKSPACE, INT, INT))
def strike_out(w, left, nogood):
    """Strike out what a nogood of a guess less refutes: ``(whether any were, any are left)``."""
    alive, refuted = alive_at(w, left), refuted_at(w, left - 1, nogood)
    some_struck = splat(0)
    some_left = splat(0)
    for start in range(0, set_bytes(w), LANES):
        before = load(alive + start)
        rest = without(before, load(refuted + start))
        store(alive + start, rest)
        some_struck = greater(some_struck, without(before, rest))
        some_left = greater(some_left, rest)
    return greatest_lane(some_struck) > 0, greatest_lane(some_left) > 0


@inlined(BOOL(WORKSPACE, STATE, INT, INT))
def is_alive(w, state, left, column):
    """Whether a column of the matrix of a state is not struck out."""
    place = w.game_column[w.guess[state.info + column]]
    return (w.alive[left, place >> 6] >> np.uint64(place & 63)) & np.uint64(1) != 0


@inlined(INT(WORKSPACE, STATE, INT, INT))
def next_alive(w, state, left, column):
    """The first column of a state from ``column`` on that is alive; their number if none is."""
    while column < state.columns and not is_alive(w, state, left, column):
        column += 1
    return column
