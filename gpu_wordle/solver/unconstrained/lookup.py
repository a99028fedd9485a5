"""How states are looked up: in a matrix of the guesses that matter in it or in a state above it.

Rows are known by their addresses, columns by their places in a row.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import NO_LIMIT
from gpu_wordle.solver.guesses.measures import measure
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, PAIR, WORD
from gpu_wordle.solver.memory.arenas import (
    ARENA_MARKS,
    AT,
    SIZE,
)
from gpu_wordle.solver.memory.workspace import (
    STATE,
    WORKSPACE,
    State,
)


@inlined(INT(WORKSPACE, INT))
def answer_row(w, t):
    """See search/hooks.py."""
    return w.rows[t]


@inlined(INT(WORKSPACE, INT))
def answer_place(w, t):
    """See search/hooks.py."""
    return np.int64(w.pos[t])


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def has_room(w, state, marks):
    """See search/hooks.py; the state may be entered once more."""
    return (
        marks.state + 2 * state.n <= w.answers.size
        and marks.column + 2 * state.columns <= w.guess.size
    )


@inlined(PAIR(WORKSPACE, STATE, INT))
def look_up(w, state, number):
    """See search/hooks.py; the number is that of a column."""
    return state.first + number, np.int64(w.guess[state.info + number])


@inlined(INT(WORKSPACE, STATE, INT))
def look_up_answer(w, state, j):
    """See search/hooks.py."""
    return np.int64(w.pos[state.at + j])


@inlined(INT(WORKSPACE, STATE, INT))
def number_of(w, state, move):
    """See search/hooks.py."""
    return w.source[move] - state.first


@inlined(INT(WORKSPACE, STATE, INT))
def keep_rows(w, state, since):
    """See search/hooks.py; rows are never dropped."""
    return since


@inlined(NOTHING(WORKSPACE, INT, INT, INT))
def note_refuted(w, move, guesses_left, lower):
    """See search/hooks.py; what is learned with a limit does not hold without."""
    if guesses_left >= NO_LIMIT:
        w.proven[move] = lower


@inlined(NOTHING(WORKSPACE, INT, INT))
def copy_answer(w, t, i):
    """See search/hooks.py."""
    w.answers[t] = w.answers[i]
    w.pos[t] = w.pos[i]
    w.rows[t] = w.rows[i]


@inlined(NOTHING(WORKSPACE, INT, STATE, INT))
def reveal(w, p, state, guess):
    """See search/hooks.py; nothing that is revealed matters."""


@inlined(types.UniTuple(WORD, 2)(WORKSPACE, INT))
def key_of(w, p):
    """See search/hooks.py; the answers are all."""
    return np.uint64(0), np.uint64(0)


@inlined(STATE(WORKSPACE, STATE, INT))
def child(w, state, p):
    """See search/hooks.py; a part is looked up in the matrix of the state."""
    return State(w.parts[p, AT], w.parts[p, SIZE], state.first, state.columns, state.info)


@inlined(NOTHING(WORKSPACE, STATE))
def measure_all(w, state):
    """See search/hooks.py."""
    measure(w, state.at, state.n, state.first, state.columns)
