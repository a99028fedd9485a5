"""Guesses that are refuted by one of their parts, which is seen to be lost in the guesses left.

A value under a limit may be far above that without. Guesses are then hard to refute by what they
cost, but most leave a part that cannot be won in time. It is looked for before any part is
searched: briefly on large states, and guess by guess where much is missing.

A part is lost if it holds a nogood, or if nogoods of a guess less refute all guesses on it. Where
they leave a few, these are looked at. A lost part that is not large is made small and kept, for it
refutes the same guess and many others.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.guesses.membership import mark, unmark
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT
from gpu_wordle.solver.memory.arenas import ARENA_MARKS, OPEN, SIZE, ArenaMarks
from gpu_wordle.solver.memory.stage_costs import MAY_LOSE
from gpu_wordle.solver.memory.workspace import (
    FAR,
    LEARNING,
    LOST_PART,
    RECALLING,
    STATE,
    WORKSPACE,
)
from gpu_wordle.solver.unconstrained.hooks import child
from gpu_wordle.solver.unconstrained.nogoods import (
    is_some_within,
    keep_nogood,
    next_alive,
    refute_by_known,
)
from gpu_wordle.solver.unconstrained.winnable import (
    LOST,
    minimize_nogood_of_four,
    winnable_in,
    winnable_in_four,
)
from gpu_wordle.tunables import (
    MAX_ALIVE,
    MAX_FATE_TRIES,
    MAX_LEARNED,
    MAX_LEARNING_TRIES,
    MAX_LOST_PART,
    MAX_LOST_TRIES,
    MIN_LOST,
)


@linked(BOOL(WORKSPACE, INT, INT, INT))
def holds_nogood(w, at, n, left):
    """Whether n answers at ``at`` hold a nogood that is kept of ``left`` guesses or more."""
    mark(w, at, n)
    found = is_some_within(w, at, n, left)
    unmark(w, at, n)
    return found


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT, INT))
def is_some_nogood_held(w, state, marks, parts, left):
    """Whether one of the parts below ``marks`` holds a nogood, the largest part first."""
    for p in range(marks.part - 1, marks.part - parts - 1, -1):
        part = child(w, state, p)
        if part.n <= left:
            return False
        if holds_nogood(w, part.at, part.n, left):
            return True
    return False


@inlined(BOOL(WORKSPACE, STATE, INT))
def is_few_alive(w, state, left):
    """Whether fewer than MAX_ALIVE columns of a state are not struck out."""
    column = np.int64(-1)
    for _ in range(MAX_ALIVE):
        column = next_alive(w, state, left, column + 1)
        if column == state.columns:
            return True
    return False


@linked(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def is_lost_in_four(w, state, marks):
    """Whether a state is soon seen not to be won in four guesses, mostly by nogoods of three."""
    four = np.int64(4)
    if not refute_by_known(w, state, four):
        return True
    if not is_few_alive(w, state, four):
        return False
    w.tries_left[0] = MAX_LOST_TRIES
    return winnable_in_four(w, state, marks) == LOST


@linked(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def is_learned_lost_in_four(w, state, marks):
    """The same; a state of few answers is made small then, in its place, and kept as a nogood."""
    if not is_lost_in_four(w, state, marks):
        return False
    if state.n <= MAX_LEARNED and marks.state + state.n <= w.answers.size:
        w.tries_left[0] = MAX_LEARNING_TRIES
        above = ArenaMarks(marks.state + state.n, marks.column, marks.part, marks.byte)
        k = minimize_nogood_of_four(w, state, above, marks.state)
        keep_nogood(w, np.int64(4), state.at, k)
    return True


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT))
def is_some_lost_in_four(w, state, marks, parts):
    """Whether one of the parts is soon seen not to be won in four guesses.

    The largest part comes first, but for those that hold so much that it takes long to see.
    """
    for p in range(marks.part - 1, marks.part - parts - 1, -1):
        if w.parts[p, SIZE] < w.least_lost[LOST_PART]:
            break
        if w.parts[p, SIZE] <= MAX_LOST_PART and is_learned_lost_in_four(
            w, child(w, state, p), marks
        ):
            return True
    return False


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT))
def is_some_lost_by_guesses(w, state, marks, parts, guesses_left, tries):
    """Whether one of the open parts is seen not to be won, by all guesses on it, if need be.

    The largest part comes first. So many guesses are looked at for each, with three guesses left or
    four.
    """
    for p in range(marks.part - 1, marks.part - parts - 1, -1):
        if w.parts[p, SIZE] < MIN_LOST:
            break
        if w.parts[p, OPEN] != 0:
            w.tries_left[0] = tries
            if winnable_in(w, child(w, state, p), marks, guesses_left) == LOST:
                return True
    return False


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT, INT, BOOL, INT))
def is_some_part_lost(w, state, marks, parts, guesses_left, thoroughly, missing):
    """See search/hooks.py.

    Where candidates alone may be guessed, a compact matrix has those of its state alone. What they
    cannot tell apart may be told apart by others, so that nothing kept for all states follows.
    """
    if (
        guesses_left < 3
        or guesses_left > 4
        or w.terms[MAY_LOSE] != 0
        or (w.candidates_only[0] != 0 and state.info != 0)
    ):
        return False
    if guesses_left == 3 and thoroughly:
        return is_some_lost_by_guesses(w, state, marks, parts, guesses_left, MAX_LOST_TRIES)
    if state.n >= w.least_lost[RECALLING if guesses_left == 3 else LEARNING] and (
        is_some_nogood_held(w, state, marks, parts, guesses_left)
        or (guesses_left == 4 and is_some_lost_in_four(w, state, marks, parts))
    ):
        return True
    is_far = guesses_left == 4 and missing >= w.least_lost[FAR] * w.marginal_costs[guesses_left]
    return is_far and is_some_lost_by_guesses(w, state, marks, parts, guesses_left, MAX_FATE_TRIES)
