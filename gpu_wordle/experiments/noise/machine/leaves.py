"""Exact values of states for other machine code: one signature for the search under each rule."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.experiments.noise.machine.context import ADDRESS, TOP_BYTE, TOP_COLUMN, TOP_PART
from gpu_wordle.experiments.noise.machine.signatures import ANSWERS, REVEALED
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.machine.signatures import INT, INT64S
from gpu_wordle.solver.machine.templates import hook, linked_template
from gpu_wordle.solver.memory.arenas import BUDGET, NO_BUDGET, STOPPED, ArenaMarks
from gpu_wordle.solver.search.hooks import fetch
from gpu_wordle.solver.search.search import value

UNKNOWN = -1
"""The value of a state whose search was stopped."""


@hook
def enter_leaf(w, entered, answers, revealed):
    """Put a state at the bottom of the arenas, in the form that the search uses."""


@linked_template(INT(INT64S, ANSWERS, REVEALED, INT, INT))
def value_of(entered, answers, revealed, guesses_left, cutoff):
    """Return the value of a state, or INFEASIBLE; UNKNOWN after a stop.

    Args:
        entered: see context.py.
        answers: int32[n], ascending.
        revealed: uint64[W], what is revealed; see game/legality.py.
        guesses_left: guesses left, or NO_LIMIT.
        cutoff: a value that reaches it is a lower bound only.
    """
    n = answers.size
    if n <= 2:
        return np.int64(2 * n - 1 if guesses_left >= n else INFEASIBLE)
    w = fetch(entered[ADDRESS])
    w.counters[:] = 0
    w.counters[BUDGET] = NO_BUDGET
    entered_marks = ArenaMarks(n, entered[TOP_COLUMN], entered[TOP_PART], entered[TOP_BYTE])
    state = enter_leaf(w, entered, answers, revealed)
    total, height = value(w, state, entered_marks, cutoff, np.int64(NO_LIMIT))
    if total < cutoff and height > guesses_left and w.counters[STOPPED] == 0:
        state = enter_leaf(w, entered, answers, revealed)
        total, height = value(w, state, entered_marks, cutoff, np.int64(guesses_left))
    return total if w.counters[STOPPED] == 0 else np.int64(UNKNOWN)


TEMPLATES = (value_of,)
