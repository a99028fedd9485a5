"""How states are looked up: in lines of the legal guesses, or in the rows of the whole game."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.constrained.generate import line_up_again, measure_in_game
from gpu_wordle.solver.constrained.legal import key_of_legal
from gpu_wordle.solver.constrained.legal import reveal as reveal_traits
from gpu_wordle.solver.constrained.workspace import GENERATION, STATE, WORKSPACE, State
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, PAIR, WORD
from gpu_wordle.solver.memory.arenas import ARENA_MARKS, AT, SIZE


@inlined(NOTHING(WORKSPACE, STATE))
def use_game_rows(w, state):
    """Set the rows of a state to the patterns of all guesses, in the game's own matrix."""
    for t in range(state.at, state.at + state.n):
        w.rows[t] = w.game_rows[0] + w.game_rows[1] * w.answers[t] + w.game_rows[2]


@inlined(INT(WORKSPACE, INT))
def answer_row(w, t):
    """See search/hooks.py; the columns of the answers come first in a row of the game."""
    return w.game_rows[0] + w.game_rows[1] * w.answers[t]


@inlined(INT(WORKSPACE, INT))
def answer_place(w, t):
    """See search/hooks.py."""
    return np.int64(w.answers[t])


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def has_room(w, state, marks):
    """See search/hooks.py."""
    return (
        marks.state + state.n <= w.answers.size
        and marks.column + w.guess_of_column.size <= w.guess.size
    )


@inlined(PAIR(WORKSPACE, STATE, INT))
def look_up(w, state, number):
    """See search/hooks.py; the number is that of a column of the game's matrix."""
    use_game_rows(w, state)
    return number, np.int64(w.guess_of_column[number])


@inlined(INT(WORKSPACE, STATE, INT))
def look_up_answer(w, state, j):
    """See search/hooks.py."""
    use_game_rows(w, state)
    return np.int64(w.place[w.own_guess[w.answers[state.at + j]]])


@inlined(INT(WORKSPACE, STATE, INT))
def number_of(w, state, move):
    """See search/hooks.py."""
    return np.int64(w.place[w.guess[move]])


@inlined(INT(WORKSPACE, STATE, INT))
def keep_rows(w, state, since):
    """See search/hooks.py; lines are dropped when their memory is emptied."""
    if since >= 0 and w.used[GENERATION] != since:
        line_up_again(w, state)
    return w.used[GENERATION]


@inlined(NOTHING(WORKSPACE, INT, INT, INT))
def note_refuted(w, move, guesses_left, lower):
    """See search/hooks.py; moves are not kept."""


@inlined(NOTHING(WORKSPACE, INT, INT))
def copy_answer(w, t, i):
    """See search/hooks.py; rows are set when they are needed."""
    w.answers[t] = w.answers[i]


@inlined(NOTHING(WORKSPACE, INT, STATE, INT))
def reveal(w, p, state, guess):
    """See search/hooks.py."""
    if guess < 0:
        w.revealed[p] = w.revealed[state.revealed]
    else:
        reveal_traits(w, p, state.revealed, guess, w.answers[w.parts[p, AT]])


@inlined(types.UniTuple(WORD, 2)(WORKSPACE, INT))
def key_of(w, p):
    """See search/hooks.py; what is revealed stands for the legal guesses."""
    return key_of_legal(w, p, w.answers[w.parts[p, AT]])


@inlined(STATE(WORKSPACE, STATE, INT))
def child(w, state, p):
    """See search/hooks.py."""
    return State(w.parts[p, AT], w.parts[p, SIZE], p)


@inlined(NOTHING(WORKSPACE, STATE))
def measure_all(w, state):
    """See search/hooks.py."""
    measure_in_game(w, state.at, state.n)
