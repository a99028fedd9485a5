"""Nogoods: answers that cannot be won together, the guesses they refute, how to minimize them.

With two guesses left a state is won only if some guess tells all its answers apart. So a few
answers that no guess tells apart, a *nogood* of two guesses, lose every state in which they are
together. With three guesses left they refute every guess that leaves them together. If all guesses
are refuted so, the answers of the state are minimized, and are a nogood of three guesses; and so
on. A nogood refutes many guesses of many states, hundreds of guesses a step: it is worth minimizing
it, and keeping it. So solvers of satisfiability learn a clause from each conflict (Marques-Silva
and Sakallah, "GRASP", 1999). They look at what the conflict needed: so the answers of the nogoods
that refuted all guesses of a state, its *core*, are a nogood themselves.

A nogood refutes the same guesses wherever it is met. They are found once, as a set with a bit for
each column of the game's matrix, and 512 of them are struck out of a set at a time. States are
looked up in matrices of fewer columns. A column left out splits no finer than one that is there. So
if nogoods refute all columns of such a matrix, they refute all guesses.

Nogoods of as many guesses are kept together, so that the many of two guesses are not in the way of
the others. Each hangs on that one of its answers on which the fewest hang, so a state looks at few.

A core is made irreducible by its nogoods alone. Together they cover all columns: each column is
refuted by one of them. An answer may go if the nogoods without it still cover all columns.
Unsatisfiable sets of clauses are minimized in the same way, one clause after the other
("deletion-based"); here no trial takes a search.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.guesses.membership import mark, unmark
from gpu_wordle.solver.machine.linking import inlined, linked
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
from gpu_wordle.solver.memory.workspace import LEVELS, STATE, WORKSPACE
from gpu_wordle.tunables import MAX_COVERING, MAX_NOGOOD_SIZE, MAX_NOGOODS

STRUCK = types.UniTuple(types.boolean, 2)
"""Whether any columns were struck out, and whether any are left."""


@inlined(INT(WORKSPACE))
def set_bytes(w):
    """Bytes of a set of columns."""
    return 8 * w.columns.size


@inlined(INT(WORKSPACE, INT))
def alive_at(w, left):
    """Address of the set of columns that may still win a state with ``left`` guesses."""
    return w.alive.ctypes.data + left * set_bytes(w)


@inlined(INT(WORKSPACE, INT, INT))
def refuted_at(w, left, nogood):
    """Address of the set of columns that a nogood of ``left`` guesses refutes."""
    return w.refuted.ctypes.data + (left * w.refuted.shape[1] + nogood) * set_bytes(w)


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT))
def note_refuted_by(w, left, nogood, at, k):
    """Record which columns leave k answers together, and so are refuted by the nogood of these."""
    begin, stride, first = w.game_rows[0], w.game_rows[1], w.game_rows[2]
    rows = begin + first
    one = rows + w.answers[at] * stride
    for word in range((w.game_column.size + LANES - 1) // LANES):
        pattern = load(one + word * LANES)
        apart = splat(0)
        # A column leaves the answers together if none has another pattern than the first.
        for i in range(at + 1, at + k):
            other = load(rows + w.answers[i] * stride + word * LANES)
            apart = greater(apart, difference(other, pattern))
        w.refuted[left, nogood, word] = zeros_of(apart)


@inlined(NOTHING(WORKSPACE, INT))
def strike_none(w, left):
    """Mark all columns alive."""
    alive, columns = alive_at(w, left), w.columns.ctypes.data
    for start in range(0, set_bytes(w), LANES):
        store(alive + start, load(columns + start))


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
    """True if a column of the matrix of a state is not struck out."""
    # Nogoods refute columns of the game's matrix, and a state has a matrix of its own.
    place = w.game_column[w.guess[state.info + column]]
    return (w.alive[left, place >> 6] >> np.uint64(place & 63)) & np.uint64(1) != 0


@inlined(INT(WORKSPACE, STATE, INT, INT))
def next_alive(w, state, left, column):
    """The first column of a state from ``column`` on that is alive, or the number of columns."""
    while column < state.columns and not is_alive(w, state, left, column):
        column += 1
    return column


@inlined(BOOL(WORKSPACE, INT, INT))
def is_within(w, left, nogood):
    """True if all answers of a nogood of ``left`` guesses are in the state that is marked."""
    for i in range(w.nogood_sizes[left, nogood]):
        if w.member[w.nogoods[left, nogood, i]] == 0:
            return False
    return True


@inlined(BOOL(WORKSPACE, INT, INT, INT))
def is_some_within(w, at, n, left):
    """True if n answers at ``at``, which are marked, hold a nogood of ``left`` guesses or more."""
    # What more guesses cannot win, fewer cannot win either.
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
    """Strike out what nogoods of a guess less refute on a marked state; True if columns are left.

    The nogoods come in the order of the answers on which they hang. The answers of those that
    struck any columns out are noted in ``w.core``.
    """
    waiting = True
    t = state.at
    while waiting and t < state.at + state.n:
        nogood = np.int64(w.nogood_of_answer[left - 1, w.answers[t]])
        while waiting and nogood > 0:
            if is_within(w, left - 1, nogood):
                struck, waiting = strike_out(w, left, nogood)
                # A nogood that strikes nothing out is not needed, and would only make the core
                # larger.
                if struck:
                    for i in range(w.nogood_sizes[left - 1, nogood]):
                        w.core[w.member[w.nogoods[left - 1, nogood, i]] - 1] = True
            nogood = np.int64(w.nogood_after[left - 1, nogood])
        t += 1
    return waiting


@inlined(BOOL(WORKSPACE, STATE, INT))
def refute_by_known(w, state, left):
    """Of all columns, strike out what kept nogoods refute on a state; True if columns are left.

    A nogood of ``left`` guesses within the state refutes them all.
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
    """Bring the core of an unwinnable state to the front; returns its number of answers.

    The core is the answers of the nogoods that refute all columns. Where nogoods alone do not
    refute them all, the core is the whole state.
    """
    strike_none(w, left)
    w.core[: state.n] = False
    mark(w, state.at, state.n)
    waiting = refute_in_turn(w, state, left)
    unmark(w, state.at, state.n)
    # Some guesses fell by a part too large, or by nogoods that were not kept.
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
    """Keep a nogood of ``left`` guesses, if it is small; returns its number, 0 if it is not kept.

    What it refutes is recorded in any case. Where there is no room, all nogoods of as many guesses
    are dropped first.
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
    # Chains stay short if a nogood hangs on its answer that bears the fewest.
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


@inlined(INT(WORKSPACE, STATE, INT))
def gather_covering(w, state, left):
    """Write the nogoods of ``left`` guesses within a state to ``w.covering``; returns their number.

    They are MAX_COVERING at most.
    """
    number = np.int64(0)
    mark(w, state.at, state.n)
    for t in range(state.at, state.at + state.n):
        nogood = np.int64(w.nogood_of_answer[left, w.answers[t]])
        while nogood > 0 and number < MAX_COVERING:
            if is_within(w, left, nogood):
                w.covering[number] = nogood
                number += 1
            nogood = np.int64(w.nogood_after[left, nogood])
    unmark(w, state.at, state.n)
    return number


@inlined(BOOL(WORKSPACE, INT, INT))
def is_covered(w, left, number):
    """True if the nogoods ``w.covering[:number]`` of ``left`` guesses refute all columns."""
    for start in range(0, set_bytes(w), LANES):
        rest = load(w.columns.ctypes.data + start)
        for k in range(number):
            rest = without(rest, load(refuted_at(w, left, np.int64(w.covering[k])) + start))
        if greatest_lane(rest) > 0:
            return False
    return True


@inlined(INT(WORKSPACE, INT, INT, INT))
def put_last(w, left, number, answer):
    """Move the nogoods that hold an answer to the end of ``w.covering``; how many do not."""
    without_it = np.int64(0)
    for k in range(number):
        nogood = w.covering[k]
        is_held = False
        for i in range(w.nogood_sizes[left, nogood]):
            if w.nogoods[left, nogood, i] == answer:
                is_held = True
        if not is_held:
            w.covering[k], w.covering[without_it] = w.covering[without_it], nogood
            without_it += 1
    return without_it


@linked(INT(WORKSPACE, STATE, INT))
def irreducible_core(w, state, left):
    """Bring answers of a state to the front that nogoods lose, none superfluous; how many they are.

    The nogoods of ``left`` guesses within the state have to refute all columns. If they do not, all
    answers are left. If there are more nogoods than MAX_COVERING, the first ones count.
    """
    number = gather_covering(w, state, left)
    if not is_covered(w, left, number):
        return state.n
    k = np.int64(0)
    # Throughout, w.covering[:number] refute all columns, and hold no answer that was dropped.
    for t in range(state.at, state.at + state.n):
        without_it = put_last(w, left, number, np.int64(w.answers[t]))
        if is_covered(w, left, without_it):
            number = without_it
        else:
            swap_answers(w, state.at + k, t)
            k += 1
    return k
