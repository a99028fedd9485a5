"""States that cannot be won in three guesses, refuted by answers that no guess tells apart.

With two guesses left a state is won only if some guess tells all its answers apart. So a few
answers that no guess tells apart, a *nogood*, lose every state in which they are together. With
three guesses left they refute every guess that leaves them together. A nogood refutes many guesses
of many states, hundreds of guesses a step: it is worth making it small, and keeping it. So solvers
of satisfiability learn a clause from each conflict (Marques-Silva and Sakallah, "GRASP", 1999).
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.counting.pairwise import MAX_COUNTABLE
from gpu_wordle.solver.machine.bitslice import word_at
from gpu_wordle.solver.machine.layout import PATTERNS
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
from gpu_wordle.solver.memory.arenas import AT, SIZE, TOPS
from gpu_wordle.solver.memory.workspace import STATE, WORKSPACE
from gpu_wordle.solver.unconstrained.bounding import most_of_all
from gpu_wordle.solver.unconstrained.hooks import SUPPLIED
from gpu_wordle.solver.unconstrained.lookup import child, look_up
from gpu_wordle.tunables import MAX_LOST_TRIES, MAX_NOGOOD_SIZE, MAX_NOGOODS, MIN_LOST

split = SUPPLIED["split"]


@inlined(BOOL(WORKSPACE, STATE, INT, INT))
def is_told_apart(w, state, at, k):
    """Whether some guess tells k answers of a state apart; True where that is not counted."""
    if k > PATTERNS:
        return False
    if k > MAX_COUNTABLE:
        return True
    return most_of_all(w, state, at, k, k - 1) == k


@inlined(INT(WORKSPACE, STATE, INT, INT, INT))
def shrink(w, state, at, k, scratch):
    """Drop some of k answers of a state while no guess tells the others apart; how many are left.

    Halves are tried first, then ever fewer answers at a time. ``scratch`` is a place in the arena
    of states with room for k.
    """
    dropped = k // 2
    while dropped > 0:
        begin = 0
        while begin < k:
            end = min(begin + dropped, k)
            rest = 0
            for i in range(k):
                if i < begin or i >= end:
                    w.rows[scratch + rest] = w.rows[at + i]
                    w.answers[scratch + rest] = w.answers[at + i]
                    rest += 1
            if rest > 2 and not is_told_apart(w, state, scratch, rest):
                for i in range(rest):
                    w.rows[at + i] = w.rows[scratch + i]
                    w.answers[at + i] = w.answers[scratch + i]
                k = rest
            else:
                begin = end
        dropped //= 2
    return k


@inlined(BOOL(WORKSPACE, STATE, INT, INT))
def refute_together(w, state, at, k):
    """Strike the columns out of ``w.alive`` that leave answers together; whether any are left."""
    first, columns = state.first, state.columns
    some = splat(0)
    alive = w.alive.ctypes.data
    for start in range(0, columns, LANES):
        base = first + start
        row = load(w.rows[at] + base)
        apart = splat(0)
        for i in range(at + 1, at + k):
            apart = greater(apart, difference(load(w.rows[i] + base), row))
        rest = lesser(load(alive + start), apart)
        store(alive + start, rest)
        some = greater(some, rest)
    return least_lane(difference(splat(255), some)) < 255


@inlined(BOOL(WORKSPACE, STATE, INT))
def refute_by_known(w, state, scratch):
    """Strike out what the nogoods that are kept refute on a state; whether columns are left.

    ``w.member`` says which answers the state has, and where.
    """
    for nogood in range(min(w.nogoods_made[0], MAX_NOGOODS)):
        k = np.int64(w.nogood_sizes[nogood])
        present = 0
        while present < k:
            place = w.member[w.nogoods[nogood, present]]
            if place == 0:
                break
            w.rows[scratch + present] = w.rows[state.at + place - 1]
            present += 1
        if present == k and not refute_together(w, state, scratch, k):
            return False
    return True


@inlined(NOTHING(WORKSPACE, INT, INT))
def keep_nogood(w, at, k):
    """Keep a nogood, if it is small, in the place of the oldest one if there is no room."""
    if k > MAX_NOGOOD_SIZE:
        return
    nogood = w.nogoods_made[0] % MAX_NOGOODS
    w.nogoods_made[0] += 1
    w.nogood_sizes[nogood] = k
    for i in range(k):
        w.nogoods[nogood, i] = w.answers[at + i]


@inlined(INT(WORKSPACE, INT, INT))
def next_alive(w, column, columns):
    """The first column from ``column`` on that is not struck out; ``columns`` if there is none."""
    alive = w.alive.ctypes.data
    while column < columns:
        if column % 8 == 0 and word_at(alive + column) == 0:
            column += 8
        elif byte_at(alive + column) == 0:
            column += 1
        else:
            return column
    return columns


@inlined(INT(WORKSPACE, STATE, INT, TOPS))
def part_together(w, state, column, tops):
    """The largest part that a guess leaves of which no guess tells the answers apart.

    -1 if there is none, so that the state is won; ``w.parts.shape[0]`` if a part is too large by
    its size alone.
    """
    place, guess = look_up(w, state, column)
    answer = w.answer_of_guess[guess]
    self_row = np.int64(w.member[answer]) - 1 if answer >= 0 else np.int64(-1)
    total, _, parts = split(
        w, state, place, guess, self_row, np.int64(PATTERNS), np.int64(2), np.int64(INFEASIBLE),
        tops.state, tops.part,
    )  # fmt: skip
    if total >= INFEASIBLE:
        return w.parts.shape[0]
    for p in range(tops.part + parts - 1, tops.part - 1, -1):
        if not is_told_apart(w, state, w.parts[p, AT], w.parts[p, SIZE]):
            return p
    return -1


@linked(BOOL(WORKSPACE, STATE, TOPS))
def is_lost(w, state, tops):
    """Whether a state is seen not to be surely won in three guesses.

    False where it can be won, and where too many guesses would have to be looked at. Any guess
    counts as legal: what no guess can do, no legal one can. The arenas are free from ``tops`` on.
    """
    at, n, columns = state.at, state.n, state.columns
    for i in range(n):
        w.member[w.answers[at + i]] = i + 1
    for start in range(0, columns, LANES):
        store(w.alive.ctypes.data + start, splat(255))
    for c in range(columns, (columns + LANES - 1) // LANES * LANES):
        store_byte(w.alive.ctypes.data + c, 0)
    scratch = tops.state + n
    waiting = refute_by_known(w, state, scratch)
    column = np.int64(0)
    tries = 0
    while waiting and tries < MAX_LOST_TRIES:
        tries += 1
        column = next_alive(w, column, columns)
        p = part_together(w, state, column, tops)
        if p < 0:
            break
        store_byte(w.alive.ctypes.data + column, 0)
        if p == w.parts.shape[0]:
            waiting = next_alive(w, column, columns) < columns
            continue
        nogood = w.parts[p, AT]
        k = shrink(w, state, nogood, w.parts[p, SIZE], scratch)
        keep_nogood(w, nogood, k)
        waiting = refute_together(w, state, nogood, k)
    for i in range(n):
        w.member[w.answers[at + i]] = 0
    return not waiting


@inlined(BOOL(WORKSPACE, STATE, TOPS, INT))
def is_some_part_lost(w, state, tops, parts):
    """See search/hooks.py; the largest part first."""
    for p in range(tops.part - 1, tops.part - parts - 1, -1):
        if w.parts[p, SIZE] < MIN_LOST:
            break
        if is_lost(w, child(w, state, p), tops):
            return True
    return False
