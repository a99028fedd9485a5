"""Refuting guesses by a part that is unwinnable in the guesses left.

A value under a limit may be far above that without. Guesses are then hard to refute by what they
cost, but most leave a part that cannot be won in time. Such a part is looked for before any part is
searched: briefly on large states, and guess by guess where much is missing.

A part is unwinnable if it holds a nogood, or if nogoods of one guess fewer refute all guesses on
it. Where they leave a few guesses, these are looked at. An unwinnable part that is not large is
minimized and kept, for it refutes the same guess elsewhere and many others.
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
    FIRST_LOST_TRIES,
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
    """True if n answers at ``at`` hold a kept nogood of ``left`` guesses or more."""
    mark(w, at, n)
    found = is_some_within(w, at, n, left)
    unmark(w, at, n)
    return found


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT, INT))
def is_some_nogood_held(w, state, marks, parts, left):
    """True if one of the parts below ``marks`` holds a nogood; looks at the largest part first."""
    for p in range(marks.part - 1, marks.part - parts - 1, -1):
        part = child(w, state, p)
        # As many guesses as answers always win, and the parts that follow are no larger.
        if part.n <= left:
            return False
        if holds_nogood(w, part.at, part.n, left):
            return True
    return False


@inlined(BOOL(WORKSPACE, STATE, INT))
def is_few_alive(w, state, left):
    """True if fewer than MAX_ALIVE columns of a state are not struck out."""
    column = np.int64(-1)
    for _ in range(MAX_ALIVE):
        column = next_alive(w, state, left, column + 1)
        if column == state.columns:
            return True
    return False


@linked(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def is_lost_in_four(w, state, marks):
    """True if a state is soon proved unwinnable in four guesses, mostly by nogoods of three."""
    four = np.int64(4)
    if not refute_by_known(w, state, four):
        return True
    # Each guess that is left takes a proof of its own: with many left it takes too long.
    if not is_few_alive(w, state, four):
        return False
    w.tries_left[0] = MAX_LOST_TRIES
    return winnable_in_four(w, state, marks) == LOST


@linked(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def is_learned_lost_in_four(w, state, marks):
    """True if a state is soon proved unwinnable in four guesses; a small one becomes a nogood.

    It is minimized in its place in the arena.
    """
    if not is_lost_in_four(w, state, marks):
        return False
    if state.n <= MAX_LEARNED and marks.state + state.n <= w.answers.size:
        # A small nogood refutes many guesses elsewhere, which is worth tries of its own.
        w.tries_left[0] = MAX_LEARNING_TRIES
        above = ArenaMarks(marks.state + state.n, marks.column, marks.part, marks.byte)
        k = minimize_nogood_of_four(w, state, above, marks.state)
        keep_nogood(w, np.int64(4), state.at, k)
    return True


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT))
def is_some_lost_in_four(w, state, marks, parts):
    """True if one of the parts is soon proved unwinnable in four guesses.

    The largest part comes first, except parts so large that the proof takes too long.
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
    """True if one of the open parts is proved unwinnable, by all guesses on it if need be.

    The largest part comes first. At most ``tries`` guesses are looked at for each part, with three
    guesses left or four.
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
    """True if one of the last ``parts`` parts below ``marks`` is proved unwinnable in time.

    See search/hooks.py for ``thoroughly`` and ``missing``. Under the rule candidates, a compact
    matrix has only the candidates of its state. Other guesses may tell apart what these cannot, so
    no nogood for all states follows from it.
    """
    if (
        guesses_left < 3
        or guesses_left > 4
        or w.terms[MAY_LOSE] != 0
        or (w.candidates_only[0] != 0 and state.info != 0)
    ):
        return False
    if guesses_left == 3 and thoroughly:
        # A few tries mostly show that some part is lost, and that may be any part. So each gets a
        # few before one gets many.
        tries = np.int64(FIRST_LOST_TRIES)
        while tries <= MAX_LOST_TRIES:
            if is_some_lost_by_guesses(w, state, marks, parts, guesses_left, tries):
                return True
            tries *= 4
        return False
    if state.n >= w.least_lost[RECALLING if guesses_left == 3 else LEARNING] and (
        is_some_nogood_held(w, state, marks, parts, guesses_left)
        or (guesses_left == 4 and is_some_lost_in_four(w, state, marks, parts))
    ):
        return True
    is_far = guesses_left == 4 and missing >= w.least_lost[FAR] * w.marginal_costs[guesses_left]
    return is_far and is_some_lost_by_guesses(w, state, marks, parts, guesses_left, MAX_FATE_TRIES)
