"""The exact search: depth first, branch and bound, one core.

The least total V(S) of a state S of n answers is the least, over the guesses, of n plus the sum of
V(P) over the parts P into which the guess splits S, ALL_GREEN left out. A guess is refuted when n
plus the sum of lower bounds of its parts reaches the cutoff. Bounds are raised from the cheapest
to the dearest: by sizes alone, from the table, from the answers of the part as guesses, by counting
the parts that any guess makes of it, by search.

All of it is fail-soft: below the cutoff a value is exact, otherwise it is a lower bound that is at
least the cutoff. A value comes with the height of a tree that reaches it; height 0 marks a bound.
With a limit on the guesses left, a state may be INFEASIBLE, which is an exact value of height 0.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.bounds.part_bounds import keep
from gpu_wordle.solver.guesses.generate import generate
from gpu_wordle.solver.guesses.ordering import sift_down, slot_of_key
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, PAIR
from gpu_wordle.solver.memory.stage_costs import (
    MAY_LOSE,
    least_cost,
    part_limit,
    round_down,
    round_up,
    weigh,
)
from gpu_wordle.solver.memory.table import COUNTED
from gpu_wordle.solver.memory.workspace import (
    AT,
    BUDGET,
    EXPANDED,
    GENERATED,
    HEIGHT,
    KEY_0,
    KEY_1,
    LOWER,
    MARKS,
    MINE,
    OPEN,
    OVERFLOW,
    PRUNED,
    SIZE,
    STATE,
    STOPPED,
    TOPS,
    WORKSPACE,
    State,
    Tops,
)
from gpu_wordle.solver.search.nogoods import is_some_hopeless
from gpu_wordle.solver.search.parts import raise_bounds, split

ANY_GUESS = np.int64(-1)
"""``forced`` where it is not. A plain -1 in the recursive call would be a literal type to numba,
another signature, and a crash when loaded from the cache."""

STEPS_MOST = 100
"""Parts smaller than this are raised in steps, so that one does not hold up the others."""


@inlined(BOOL(WORKSPACE))
def must_stop(w):
    """Count a frame; True if the budget is spent, a stop is asked for, or an arena is full."""
    w.counters[EXPANDED] += 1
    if w.counters[EXPANDED] > w.counters[BUDGET] or w.stop[0] != 0:
        w.counters[STOPPED] = 1
    return w.counters[STOPPED] != 0


@linked(PAIR(WORKSPACE, STATE, TOPS, INT, INT, INT, INT, INT))
def search(w, state, tops, cutoff, left, forced, most, known):
    """``(value, height)`` of a state of three answers or more, or of one guess on it.

    Args:
        w: workspace.
        state: the state.
        tops: first free entries of the arenas.
        cutoff: see the module.
        left: guesses left, NO_LIMIT for any number.
        forced: the guess to value, as a number of a column; -1 for the best one.
        most: with a guess to value, a bound on the parts that any guess makes of the state.
        known: a lower bound on the value; the first guess that reaches it ends the search.

    A stopped search sets ``counters[STOPPED]`` and returns a lower bound that may be below the
    cutoff.
    """
    at, n, first, columns, info = state
    weight = weigh(w, at, n)
    idle = least_cost(w, at, n, left)
    if must_stop(w):
        return idle, 0
    if tops.state + 2 * n > w.answers.size or tops.column + 2 * columns > w.guess.size:
        w.counters[OVERFLOW] = 1
        w.counters[STOPPED] = 1
        return idle, 0
    cutoff = round_down(w, weight, left, cutoff)

    top_column = tops.column
    top_state = tops.state
    top_byte = tops.byte
    if forced < 0:
        at, heap, kept, tries, most, bound, first, columns, info, top_byte = generate(
            w, at, n, first, columns, info, top_state, top_column, top_byte, left, cutoff
        )
        if at == top_state:
            top_state += n
        bound = max(bound, known)
        floor = cutoff
        top_column += kept
    else:
        tries, bound, floor, heap = 1, 0, INFEASIBLE, 0

    best = cutoff
    best_height = 0
    below = left if left >= NO_LIMIT else left - 1
    while tries > 0:
        if forced < 0:
            slot = slot_of_key(w.heap[heap])
            tries -= 1
            w.heap[heap] = w.heap[heap + tries]
            sift_down(w.heap, heap, tries, 0)
            self_row = w.self_row[heap + slot]
            one_ply = w.one_ply[heap + slot]
            if one_ply >= best:
                floor = min(floor, one_ply)
                continue
            column = w.source[heap + slot]
        else:
            tries = 0
            column = first + forced
            slot = np.int64(0)
            self_row = -1
            answer = w.answer_of_guess[w.guess[info + forced]]
            for i in range(n):
                if w.answers[at + i] == answer:
                    self_row = i
        w.counters[GENERATED] += 1
        total, height, parts = split(
            w, at, n, column, self_row, most, below, best, top_state, tops.part
        )
        if forced >= 0 and below == 3 and total < best and w.terms[MAY_LOSE] == 0:
            is_open = best > weight * w.dearest[left]  # else values refute it sooner than cores
            above = top_state + n
            if is_open and is_some_hopeless(w, first, columns, info, above, tops.part, parts):
                total = np.int64(INFEASIBLE)
        if total < best and parts > 0:
            total = raise_bounds(w, first, columns, info, below, best, total, tops.part, parts)
        step = max(1, w.steps[below] * weight // n)
        waiting = True
        while waiting and total < best:
            waiting = False
            for p in range(tops.part, tops.part + parts):
                if total >= best:
                    break
                if w.parts[p, OPEN] == 0:
                    continue
                k = w.parts[p, SIZE]
                known = w.parts[p, LOWER]
                goal = known + best - total
                if k < STEPS_MOST:
                    goal = min(goal, known + step)
                limit = part_limit(w, below, k)
                value, value_height = search(
                    w,
                    State(w.parts[p, AT], k, first, columns, info),
                    Tops(top_state + n, top_column, tops.part + parts, top_byte),
                    goal,
                    np.int64(limit),
                    ANY_GUESS,
                    most,
                    known,
                )
                if w.counters[STOPPED] != 0:
                    return idle, 0
                if value < goal:
                    keep(w, p, limit, value, value, value_height, COUNTED)
                else:
                    keep(w, p, limit, value, INFEASIBLE, 0, COUNTED)
                    waiting = waiting or w.parts[p, OPEN] != 0
                total += w.parts[p, LOWER] - known
            step *= 2
        if total >= best:
            w.counters[PRUNED] += 1
            if forced < 0 and left >= NO_LIMIT:
                w.proven[heap + slot] = total
            floor = min(floor, total)
            continue
        best = total
        for p in range(tops.part, tops.part + parts):
            height = max(height, w.parts[p, HEIGHT])
        best_height = height + 1
        if best <= bound:
            break

    if best < cutoff:
        return best, best_height
    return min(round_up(w, weight, left, floor), INFEASIBLE), 0


@linked(PAIR(WORKSPACE, STATE, TOPS, INT, INT))
def value(w, state, tops, cutoff, left):
    """``(value, height)`` of any state; see :func:`search`."""
    n = state.n
    least = least_cost(w, state.at, n, left)
    if left < min(n, 2) and (left < 1 or w.terms[MAY_LOSE] == 0):
        return INFEASIBLE, 0
    if n <= 2 or left < 2:
        return least, min(n, left)
    part = w.parts
    p = tops.part
    left = part_limit(w, left, n)
    key_0 = np.uint64(0)
    key_1 = np.uint64(0)
    for a in w.answers[state.at : state.at + n]:
        key_0 ^= w.zobrist[a, 0]
        key_1 ^= w.zobrist[a, 1]
    part[p, AT] = state.at
    part[p, SIZE] = n
    part[p, KEY_0] = np.int64(key_0)
    part[p, KEY_1] = np.int64(key_1)
    part[p, LOWER] = least
    part[p, HEIGHT] = 0
    part[p, MARKS] = 0
    part[p, MINE] = 0
    part[p, OPEN] = 1
    total = raise_bounds(
        w, state.first, state.columns, state.info, left, cutoff, part[p, LOWER], p, 1
    )
    if part[p, OPEN] != 0 and total < cutoff:
        below = Tops(tops.state, tops.column, p + 1, tops.byte)
        found, height = search(
            w, state, below, cutoff, np.int64(left), ANY_GUESS, np.int64(PATTERNS), part[p, LOWER]
        )
        if w.counters[STOPPED] == 0:
            keep(w, p, left, found, found if found < cutoff else INFEASIBLE, height, COUNTED)
    return part[p, LOWER], part[p, HEIGHT]


@linked(PAIR(WORKSPACE, STATE, TOPS, INT, INT, INT, INT))
def bound_guess(w, state, tops, cutoff, left, forced, most):
    """Lower bounds on one guess without search: by sizes alone, and by all that is quick.

    The second is not worked out beyond the cutoff, and equals the first where that reaches it.
    ``most`` bounds the parts that any guess makes of the state.
    """
    at, n, first, columns, info = state
    self_row = -1
    answer = w.answer_of_guess[w.guess[info + forced]]
    for i in range(n):
        if w.answers[at + i] == answer:
            self_row = i
    below = left if left >= NO_LIMIT else left - 1
    by_sizes, _, parts = split(
        w, at, n, first + forced, self_row, most, below, cutoff, tops.state, tops.part
    )
    if parts == 0 or by_sizes >= cutoff:
        return by_sizes, by_sizes
    total = raise_bounds(w, first, columns, info, below, cutoff, by_sizes, tops.part, parts)
    return by_sizes, total
