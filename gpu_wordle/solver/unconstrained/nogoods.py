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
from numba import types

from gpu_wordle.solver.guesses.membership import mark, unmark
from gpu_wordle.solver.machine.bitslice import word_at
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING
from gpu_wordle.solver.machine.simd import (
    LANES,
    byte_at,
    difference,
    greater,
    least_lane,
    lesser,
    load,
    splat,
    store,
    store_byte,
)
from gpu_wordle.solver.memory.workspace import LEVELS, STATE, WORKSPACE, State
from gpu_wordle.tunables import MAX_CORE_PASSES, MAX_NOGOOD_SIZE, MAX_NOGOODS

STRUCK = types.UniTuple(types.boolean, 2)
"""Whether any columns were struck out, and whether any are left."""


@inlined(INT(WORKSPACE, INT))
def alive_at(w, left):
    """Address of the bytes that say which columns may still win a state with ``left`` guesses."""
    return w.alive.ctypes.data + left * w.alive.shape[1]


@inlined(STRUCK(WORKSPACE, STATE, INT, INT, INT))
def refute_together(w, state, left, at, k):
    """Strike columns out that leave k answers together: ``(whether any were, any are left)``."""
    first, columns = state.first, state.columns
    some_struck = splat(0)
    some_left = splat(0)
    alive = alive_at(w, left)
    for start in range(0, columns, LANES):
        base = first + start
        row = load(w.rows[at] + base)
        apart = splat(0)
        for i in range(at + 1, at + k):
            apart = greater(apart, difference(load(w.rows[i] + base), row))
        before = load(alive + start)
        rest = lesser(before, apart)
        store(alive + start, rest)
        struck = difference(lesser(before, splat(1)), lesser(rest, splat(1)))
        some_struck = greater(some_struck, struck)
        some_left = greater(some_left, rest)
    full = splat(255)
    was_struck = least_lane(difference(full, some_struck)) < 255
    return was_struck, least_lane(difference(full, some_left)) < 255


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


@inlined(STRUCK(WORKSPACE, STATE, INT, INT, INT))
def refute_by_one(w, state, left, scratch, nogood):
    """Strike out what a nogood of a guess less refutes on a state that is marked.

    ``(whether any columns were, any are left)``. It refutes nothing if one of its answers is not
    there.
    """
    if not is_within(w, left - 1, nogood):
        return False, True
    k = np.int64(w.nogood_sizes[left - 1, nogood])
    for i in range(k):
        place = w.member[w.nogoods[left - 1, nogood, i]]
        w.rows[scratch + i] = w.rows[state.at + place - 1]
    return refute_together(w, state, left, scratch, k)


@inlined(NOTHING(WORKSPACE, STATE, INT))
def refute_none(w, state, left):
    """No column is struck out."""
    alive = alive_at(w, left)
    for start in range(0, state.columns, LANES):
        store(alive + start, splat(255))
    for c in range(state.columns, (state.columns + LANES - 1) // LANES * LANES):
        store_byte(alive + c, 0)


@inlined(BOOL(WORKSPACE, STATE, INT, INT, BOOL))
def refute_in_turn(w, state, left, scratch, backwards):
    """Strike out what nogoods of a guess less refute on a state that is marked.

    Whether columns are left. The nogoods come in the order of the answers on which they hang. The
    answers of those that struck any columns out are noted in ``w.core``.
    """
    waiting = True
    j = np.int64(0)
    while waiting and j < state.n:
        t = state.at + (state.n - 1 - j if backwards else j)
        nogood = np.int64(w.nogood_of_answer[left - 1, w.answers[t]])
        while waiting and nogood > 0:
            struck, waiting = refute_by_one(w, state, left, scratch, nogood)
            if struck:
                for i in range(w.nogood_sizes[left - 1, nogood]):
                    w.core[w.member[w.nogoods[left - 1, nogood, i]] - 1] = True
            nogood = np.int64(w.nogood_after[left - 1, nogood])
        j += 1
    return waiting


@inlined(BOOL(WORKSPACE, STATE, INT, INT))
def refute_by_known(w, state, left, scratch):
    """Of all columns, strike out what the nogoods that are kept refute on a state.

    Whether columns are left. One of as many guesses as are left refutes them all.
    """
    refute_none(w, state, left)
    mark(w, state.at, state.n)
    waiting = False
    if not is_some_within(w, state.at, state.n, left):
        waiting = refute_in_turn(w, state, left, scratch, False)
    unmark(w, state.at, state.n)
    return waiting


@inlined(BOOL(WORKSPACE, STATE, INT, INT, BOOL))
def is_refuted_by_core(w, state, left, scratch, backwards):
    """Whether nogoods of a guess less refute all columns; what they needed is ``w.core`` then."""
    refute_none(w, state, left)
    w.core[: state.n] = False
    mark(w, state.at, state.n)
    waiting = refute_in_turn(w, state, left, scratch, backwards)
    unmark(w, state.at, state.n)
    return not waiting


@inlined(NOTHING(WORKSPACE, INT, INT))
def swap_answers(w, t, i):
    """Let two answers of the arena of states change places."""
    w.answers[t], w.answers[i] = w.answers[i], w.answers[t]
    w.rows[t], w.rows[i] = w.rows[i], w.rows[t]


@linked(INT(WORKSPACE, STATE, INT, INT))
def core_of(w, state, left, scratch):
    """Bring answers of a lost state to the front that are lost by themselves; how many.

    They are those of the nogoods that refute all columns, again and again in the other order. Where
    nogoods alone do not, all answers are the core. ``scratch`` is a place in the arena of states
    with room for a nogood.
    """
    at, k = state.at, state.n
    backwards = False
    for _ in range(MAX_CORE_PASSES):
        rest = State(at, k, state.first, state.columns, state.info)
        if not is_refuted_by_core(w, rest, left, scratch, backwards):
            break
        before = k
        k = np.int64(0)
        for i in range(before):
            if w.core[i]:
                swap_answers(w, at + k, at + i)
                k += 1
        if k == before:
            break
        backwards = not backwards
    return k


@inlined(NOTHING(WORKSPACE, INT, INT, INT))
def keep_nogood(w, left, at, k):
    """Keep a nogood of ``left`` guesses, if it is small.

    If there is no room, all of as many guesses make room.
    """
    if k > MAX_NOGOOD_SIZE:
        return
    if w.nogoods_made[left] == MAX_NOGOODS:
        w.nogoods_made[left] = 0
        w.nogood_of_answer[left] = 0
        w.nogoods_on_answer[left] = 0
    w.nogoods_made[left] += 1
    nogood = w.nogoods_made[left]
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


@inlined(INT(WORKSPACE, INT, INT, INT))
def next_alive(w, left, column, columns):
    """The first column from ``column`` on that is not struck out; ``columns`` if there is none."""
    alive = alive_at(w, left)
    while column < columns:
        if column % 8 == 0 and word_at(alive + column) == 0:
            column += 8
        elif byte_at(alive + column) == 0:
            column += 1
        else:
            return column
    return columns
