"""What loses a state of which it is known, or thought, that it cannot be won in the guesses left.

A nogood that a search has found holds answers that play no part in it. Looked into once more, guess
by guess, the state tells which of them do.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT
from gpu_wordle.solver.memory.arenas import TOPS, Tops
from gpu_wordle.solver.memory.workspace import STATE, WORKSPACE, State
from gpu_wordle.solver.unconstrained.fates import LOST, fate_of, make_small_of
from gpu_wordle.solver.unconstrained.nogoods import core_of, keep_nogood
from gpu_wordle.tunables import MAX_CORE_TRIES, MAX_NOGOOD_SIZE


@inlined(INT(WORKSPACE, STATE, TOPS, INT))
def lost_core(w, state, tops, guesses_left):
    """See search/hooks.py.

    A core that is small enough to be kept is made smaller, and kept.
    """
    n = state.n
    if guesses_left < 2 or guesses_left > 4 or tops.state + 2 * n > w.answers.size:
        return np.int64(0)
    w.tries_left[0] = MAX_CORE_TRIES
    if fate_of(w, state, tops, guesses_left) != LOST:
        return np.int64(0)
    k = n if guesses_left == 2 else core_of(w, state, guesses_left, tops.state)
    if guesses_left > 2 and k > MAX_NOGOOD_SIZE:
        return k
    w.tries_left[0] = MAX_CORE_TRIES
    above = Tops(tops.state + n, tops.column, tops.part, tops.byte)
    core = State(state.at, k, state.first, state.columns, state.info)
    k = make_small_of(w, core, above, guesses_left, tops.state)
    keep_nogood(w, guesses_left, state.at, k)
    return k
