"""Answers that cannot be won together, and the guesses that they refute.

With two guesses left a state is won only if some guess tells all its answers apart. So a few
answers that no guess tells apart, a *nogood* of two guesses, lose every state in which they are
together. With three guesses left they refute every guess that leaves them together. Where no guess
is left, the answers of the state are made as few as they can be, and are a nogood of three guesses;
and so on. A nogood refutes many guesses of many states, hundreds of guesses a step: it is worth
making it small, and keeping it. So solvers of satisfiability learn a clause from each conflict
(Marques-Silva and Sakallah, "GRASP", 1999). They look at what the conflict needed: so the answers
of the nogoods that refuted all guesses of a state, its *core*, are a nogood themselves.

Nogoods of as many guesses are kept together, so that the many of two guesses are not in the way of
the others. They hang on the one of their answers on which fewest hang: a state looks at few.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.guesses.membership import mark, unmark
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING
from gpu_wordle.solver.memory.workspace import LEVELS, STATE, WORKSPACE
from gpu_wordle.solver.unconstrained.column_sets import note_refuted_by, strike_none, strike_out
from gpu_wordle.tunables import MAX_NOGOOD_SIZE, MAX_NOGOODS


@inlined(BOOL(WORKSPACE, INT, INT))
def is_within(w, left, nogood):
    """Whether all answers of a nogood of ``left`` guesses are in the state that is marked."""
    for i in range(w.nogood_sizes[left, nogood]):
        if w.member[w.nogoods[left, nogood, i]] == 0:
            return False
    return True


@inlined(BOOL(WORKSPACE, INT, INT, INT))
def is_some_within(w, at, n, left):
    """Whether n answers at ``at``, which are marked, hold a nogood of ``left`` guesses or more."""
    for level in range(LEVELS - 1, left - 1, -1):
        if w.nogoods_made[level] == 0:
            continue
        for t in range(at, at + n):
            nogood = np.int64(w.nogood_of_answer[level, w.answers[t]])
            while nogood > 0:
                if is_within(w, level, nogood):
                    return True
                nogood = np.int64(w.nogood_after[level, nogood])
    return False


@inlined(BOOL(WORKSPACE, STATE, INT))
def refute_in_turn(w, state, left):
    """Strike out what nogoods of a guess less refute on a state that is marked.

    Whether columns are left. The nogoods come in the order of the answers on which they hang. The
    answers of those that struck any columns out are noted in ``w.core``.
    """
    waiting = True
    t = state.at
    while waiting and t < state.at + state.n:
        nogood = np.int64(w.nogood_of_answer[left - 1, w.answers[t]])
        while waiting and nogood > 0:
            if is_within(w, left - 1, nogood):
                struck, waiting = strike_out(w, left, nogood)
                if struck:
                    for i in range(w.nogood_sizes[left - 1, nogood]):
                        w.core[w.member[w.nogoods[left - 1, nogood, i]] - 1] = True
            nogood = np.int64(w.nogood_after[left - 1, nogood])
        t += 1
    return waiting


@inlined(BOOL(WORKSPACE, STATE, INT))
def refute_by_known(w, state, left):
    """Of all columns, strike out what the nogoods that are kept refute on a state.

    Whether columns are left. One of as many guesses as are left refutes them all.
    """
    strike_none(w, left)
    mark(w, state.at, state.n)
    waiting = False
    if not is_some_within(w, state.at, state.n, left):
        waiting = refute_in_turn(w, state, left)
    unmark(w, state.at, state.n)
    return waiting


@inlined(NOTHING(WORKSPACE, INT, INT))
def swap_answers(w, t, i):
    """Let two answers of the arena of states change places."""
    w.answers[t], w.answers[i] = w.answers[i], w.answers[t]
    w.rows[t], w.rows[i] = w.rows[i], w.rows[t]


@linked(INT(WORKSPACE, STATE, INT))
def core_of(w, state, left):
    """Bring answers of a lost state to the front that are lost by themselves; how many.

    They are those of the nogoods that refute all columns. Where nogoods alone do not, all answers
    are the core.
    """
    strike_none(w, left)
    w.core[: state.n] = False
    mark(w, state.at, state.n)
    waiting = refute_in_turn(w, state, left)
    unmark(w, state.at, state.n)
    if waiting:
        return state.n
    k = np.int64(0)
    for i in range(state.n):
        if w.core[i]:
            swap_answers(w, state.at + k, state.at + i)
            k += 1
    return k


@inlined(INT(WORKSPACE, INT, INT, INT))
def keep_nogood(w, left, at, k):
    """Keep a nogood of ``left`` guesses, if it is small; its number, 0 if it is not kept.

    What it refutes is noted in any case. If there is no room, all of as many guesses make room.
    """
    if k > MAX_NOGOOD_SIZE:
        note_refuted_by(w, left, np.int64(0), at, k)
        return np.int64(0)
    if w.nogoods_made[left] == MAX_NOGOODS:
        w.nogoods_made[left] = 0
        w.nogood_of_answer[left] = 0
        w.nogoods_on_answer[left] = 0
    w.nogoods_made[left] += 1
    nogood = w.nogoods_made[left]
    note_refuted_by(w, left, nogood, at, k)
    w.nogood_sizes[left, nogood] = k
    rarest = w.answers[at]
    for i in range(k):
        answer = w.answers[at + i]
        w.nogoods[left, nogood, i] = answer
        if w.nogoods_on_answer[left, answer] < w.nogoods_on_answer[left, rarest]:
            rarest = answer
    w.nogoods_on_answer[left, rarest] += 1
    w.nogood_after[left, nogood] = w.nogood_of_answer[left, rarest]
    w.nogood_of_answer[left, rarest] = nogood
    return nogood
