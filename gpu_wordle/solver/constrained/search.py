"""The exact search under the constrained rules; see the normal search for how it goes.

It is always under the limit of the guesses left, which does much of the work: a strategy for n
answers that uses at most r guesses costs at most n * r, so that the cutoff need not be above that
and a greater lower bound means INFEASIBLE, or where answers may be lost that one is. A guess that
the cutoff of the caller refuted has not been shown to be infeasible.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.bounds.part_bounds import keep
from gpu_wordle.solver.constrained.generate import generate, line_up_again
from gpu_wordle.solver.constrained.parts import enter_part, raise_bounds, split
from gpu_wordle.solver.constrained.workspace import GENERATION, STATE, TOPS, WORKSPACE, State, Tops
from gpu_wordle.solver.guesses.ordering import sift_down, slot_of_key
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, PAIR
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
    LOWER,
    OPEN,
    OVERFLOW,
    PRUNED,
    SIZE,
    STOPPED,
)

ANY_GUESS = np.int64(-1)
"""``forced`` where it is not; see the normal search."""

STEPS_MOST = 100
"""Parts smaller than this are raised in steps, so that one does not hold up the others."""

SHALLOW = 3
"""Guesses left with which a part is searched to the end at once: nothing below it is searched."""


@inlined(BOOL(WORKSPACE))
def must_stop(w):
    """Count a frame; True if the budget is spent, a stop is asked for, or an arena is full."""
    w.counters[EXPANDED] += 1
    if w.counters[EXPANDED] > w.counters[BUDGET] or w.stop[0] != 0:
        w.counters[STOPPED] = 1
    return w.counters[STOPPED] != 0


@inlined(INT(WORKSPACE, INT, INT, INT))
def row_of_guess(w, at, n, guess):
    """Which answer of a state a guess is, or -1."""
    for i in range(n):
        if w.own_guess[w.answers[at + i]] == guess:
            return i
    return -1


@inlined(NOTHING(WORKSPACE, STATE))
def use_ground_rows(w, state):
    """Set ``w.rows`` of a state to the patterns of all guesses, in the game's own matrix."""
    for t in range(state.at, state.at + state.n):
        w.rows[t] = w.game_rows[0] + w.game_rows[1] * w.answers[t] + w.game_rows[2]


@linked(PAIR(WORKSPACE, STATE, TOPS, INT, INT, INT, INT, INT))
def search(w, state, tops, cutoff, left, forced, most, known):
    """``(value, height)`` of a state of three answers or more, or of one guess on it.

    Args:
        w: workspace.
        state: the state.
        tops: first free entries of the arenas.
        cutoff: fail-soft, as in the normal search.
        left: guesses left, NO_LIMIT for any number.
        forced: the guess to value, as a column of the game's matrix, legal or not; -1 for the best
            one.
        most: with a guess to value, a bound on the parts that any legal guess makes of the state.
        known: a lower bound on the value; the first guess that reaches it ends the search.

    A stopped search sets ``counters[STOPPED]`` and returns a lower bound that may be below the
    cutoff.
    """
    n = state.n
    weight = weigh(w, state.at, n)
    idle = least_cost(w, state.at, n, left)
    if must_stop(w):
        return idle, 0
    if tops.state + n > w.answers.size or tops.column + w.guess_of_column.size > w.guess.size:
        w.counters[OVERFLOW] = 1
        w.counters[STOPPED] = 1
        return idle, 0
    cutoff = round_down(w, weight, left, cutoff)

    heap = tops.column
    if forced < 0:
        tries, most, bound, tops = generate(w, state, tops, cutoff, left)
        bound = max(bound, known)
        floor = cutoff
    else:
        use_ground_rows(w, state)
        tries, bound, floor = 1, 0, INFEASIBLE
    generation = w.used[GENERATION]

    best = cutoff
    best_height = 0
    below = left if left >= NO_LIMIT else left - 1
    while tries > 0:
        if forced < 0:
            slot = slot_of_key(w.heap[heap])
            tries -= 1
            w.heap[heap] = w.heap[heap + tries]
            sift_down(w.heap, heap, tries, 0)
            self_row = np.int64(w.self_row[heap + slot])
            one_ply = w.one_ply[heap + slot]
            if one_ply >= best:
                floor = min(floor, one_ply)
                continue
            column = np.int64(w.source[heap + slot])
            guess = np.int64(w.guess[heap + slot])
            if w.used[GENERATION] != generation:
                line_up_again(w, state)
                generation = w.used[GENERATION]
        else:
            tries = 0
            column = forced
            guess = np.int64(w.guess_of_column[forced])
            self_row = row_of_guess(w, state.at, n, guess)
        w.counters[GENERATED] += 1
        total, height, parts = split(
            w, state, column, guess, self_row, most, below, best, tops.state, tops.part
        )
        if total < best and parts > 0:
            total = raise_bounds(w, below, best, total, tops.part, parts)
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
                lower = w.parts[p, LOWER]
                limit = part_limit(w, below, k)
                goal = lower + best - total
                if k < STEPS_MOST and limit > SHALLOW:
                    goal = min(goal, lower + step)
                value, value_height = search(
                    w,
                    State(w.parts[p, AT], k, p),
                    Tops(tops.state + n, tops.column, tops.part + parts),
                    goal,
                    np.int64(limit),
                    ANY_GUESS,
                    most,
                    lower,
                )
                if w.counters[STOPPED] != 0:
                    return idle, 0
                if value < goal:
                    keep(w, p, limit, value, value, value_height, COUNTED)
                else:
                    keep(w, p, limit, value, INFEASIBLE, 0, COUNTED)
                    waiting = waiting or w.parts[p, OPEN] != 0
                total += w.parts[p, LOWER] - lower
            step *= 2
        if total >= best:
            w.counters[PRUNED] += 1
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
    if left < min(n, 2) and (left < 1 or w.terms[MAY_LOSE] == 0):
        return INFEASIBLE, 0
    if n <= 2 or left < 2:
        return least_cost(w, state.at, n, left), min(n, left)
    left = part_limit(w, left, n)
    part = w.parts
    p = tops.part
    part[p, AT] = state.at
    part[p, SIZE] = n
    w.revealed[p] = w.revealed[state.revealed]
    enter_part(w, p, left, np.int64(PATTERNS))
    total = raise_bounds(w, left, cutoff, part[p, LOWER], p, 1)
    if part[p, OPEN] != 0 and total < cutoff:
        below = Tops(tops.state, tops.column, p + 1)
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
    ``most`` bounds the parts that any legal guess makes of the state.
    """
    guess = np.int64(w.guess_of_column[forced])
    use_ground_rows(w, state)
    self_row = row_of_guess(w, state.at, state.n, guess)
    below = left if left >= NO_LIMIT else left - 1
    by_sizes, _, parts = split(
        w, state, forced, guess, self_row, most, below, cutoff, tops.state, tops.part
    )
    if parts == 0 or by_sizes >= cutoff:
        return by_sizes, by_sizes
    return by_sizes, raise_bounds(w, below, cutoff, by_sizes, tops.part, parts)
