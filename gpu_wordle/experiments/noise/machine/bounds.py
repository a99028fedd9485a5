"""Lower bounds on the parts of a guess that is not the last before the noise, the cheapest first.

A part is a state of k answers. Each bound holds in every run and level, and is computed for all of
them at once:

1. By size: a guess in the state, then a leaf for each answer but one, all at the least draw.
2. By the draws, for parts just before the last guess. Each answer but one ends up in a leaf. If it
   is alone there, its draw is known. Otherwise it shares a leaf of s answers, whose value is at
   least 2s - 1. That is at least 3/2 for each of them.
3. By the exact value V. Let -x be the least that noise adds to one guess of an answer. Then
   V' >= V - x (V - C). Here C is a lower bound on the cost before the noise: k, or 2k - 1 if two
   guesses come before it.

The third bound is expensive. So V is searched only up to the value that refutes the guess.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.experiments.noise.machine.context import (
    CONTEXT,
    DEPTH,
    DRAWS,
    LEAST_DRAW,
    PER,
    STOPPED,
)
from gpu_wordle.experiments.noise.machine.last import copy, weight_of
from gpu_wordle.experiments.noise.machine.leaves import value_of
from gpu_wordle.experiments.noise.machine.partitions import reveal
from gpu_wordle.experiments.noise.machine.signatures import ANSWERS, PARTS, REVEALED, VALUES
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.jit.cache import callee
from gpu_wordle.solver.machine.signatures import BOOL, INT
from gpu_wordle.solver.machine.templates import linked_template


@callee
def fill(c, cost, weight, bound):
    """Write a cost, and the least draw times a weight, into int64[L, R]."""
    for level in range(bound.shape[0]):
        for r in range(bound.shape[1]):
            bound[level, r] = cost * c.alpha[level, r]
            bound[level, r] += weight * c.settings[LEAST_DRAW] * c.beta[level, r]


@callee
def replace(total, old, new):
    """Replace a summand of a total, int64[L, R], by a new one."""
    for level in range(total.shape[0]):
        for r in range(total.shape[1]):
            total[level, r] += new[level, r] - old[level, r]


@callee
def lowest_share(c, alpha, beta):
    """Return the least perturbed cost of an answer in a shared leaf, rounded down."""
    weight = (3, 2, 1)[c.settings[PER]]
    return (3 * alpha + beta * c.settings[LEAST_DRAW] * weight) // 2


@callee
def price_answers(c, answers, made):
    """Return the least perturbed cost of each answer in a leaf, int64[n, L, R].

    Empty if it is unknown: before earlier guesses, and if visits have draws.
    """
    if made + 2 != c.settings[DEPTH] or c.settings[DRAWS] != 0:
        return np.empty((0, 0, 0), np.int64)
    levels, runs = c.alpha.shape
    prices = np.empty((answers.size, levels, runs), np.int64)
    weight = weight_of(c, 1, 1)
    for i in range(answers.size):
        draws = c.single[answers[i]]
        for level in range(levels):
            for r in range(runs):
                alpha, beta = c.alpha[level, r], c.beta[level, r]
                alone = alpha + beta * weight * draws[r]
                prices[i, level, r] = min(alone, lowest_share(c, alpha, beta))
    return prices


@callee
def slope_of(c, alpha, beta):
    """Return the slope of a part's bound as a function of its exact value."""
    return alpha + beta * c.settings[LEAST_DRAW] if c.settings[PER] == 0 else alpha


@callee
def draws_of(c, size, certain):
    """Return the term times beta in a part's bound that does not depend on its exact value."""
    return c.settings[LEAST_DRAW] * (-certain if c.settings[PER] == 0 else np.int64(size))


@callee
def bound_part(c, value, size, certain, bound):
    """Raise the bound of a part, int64[L, R], to the third one; see the module."""
    drawn = draws_of(c, size, certain)
    for level in range(bound.shape[0]):
        alpha, beta = c.alpha[level], c.beta[level]
        for r in range(alpha.size):
            by_value = value * slope_of(c, alpha[r], beta[r]) + drawn * beta[r]
            bound[level, r] = max(bound[level, r], by_value)


@callee
def value_that_refutes(c, size, certain, bound, total, values):
    """Return the least exact value of a part that refutes a guess in every lane.

    ``total`` holds the bounds of the guess; ``bound`` is the share of the part in it so far.
    """
    drawn = draws_of(c, size, certain)
    least = np.int64(0)
    for level in range(bound.shape[0]):
        alpha, beta = c.alpha[level], c.beta[level]
        for r in range(alpha.size):
            if total[level, r] <= values[level, r]:
                missing = values[level, r] - total[level, r] + bound[level, r] - drawn * beta[r]
                least = max(least, missing // slope_of(c, alpha[r], beta[r]) + 1)
    return min(least, np.int64(INFEASIBLE))


@callee
def raise_by_prices(c, part_of, p, size, prices, scratch, bound):
    """Raise the bound of part ``p`` to the second one, by the draws of its answers."""
    for level in range(bound.shape[0]):
        alpha, beta = c.alpha[level], c.beta[level]
        for r in range(alpha.size):
            scratch[r] = size * alpha[r] - lowest_share(c, alpha[r], beta[r])
        for i in range(part_of.size):
            if part_of[i] == p:
                price = prices[i, level]
                for r in range(alpha.size):
                    scratch[r] += price[r]
        for r in range(alpha.size):
            bound[level, r] = max(bound[level, r], scratch[r])


@callee
def gather(answers, parts, p):
    """Write the answers of part ``p`` and their indices into ``parts``; return their number."""
    count = 0
    for i in range(answers.size):
        if parts.part_of[i] == p:
            parts.members[count] = answers[i]
            parts.rows[count] = i
            count += 1
    return count


@callee
def exceeds(total, values):
    """True if bounds are above the values in every lane."""
    for level in range(values.shape[0]):
        promising = 0
        for r in range(values.shape[1]):
            promising += np.int64(total[level, r] <= values[level, r])
        if promising:
            return False
    return True


@linked_template(
    BOOL(
        CONTEXT, ANSWERS, REVEALED, PARTS, types.int64[::1], INT, INT, BOOL,
        types.int64[:, :, ::1], VALUES, VALUES,
    )
)  # fmt: skip
def raise_by_values(
    c, answers, revealed, parts, order, guess, left, is_last, bounds, total, values
):  # fmt: skip
    """Raise the bounds of the open parts to the third one, by exact values.

    Args:
        c: context.
        answers: int32[n], the state.
        revealed: uint64[W], what is revealed.
        parts: the parts of the guess; open ones have a place.
        order: int64[P], the order in which to look at the parts.
        guess: the guess.
        left: guesses left after it.
        is_last: whether the guess after it is the last before the noise.
        bounds: int64[P, L, R], raised.
        total: int64[L, R], the sum of all bounds, raised.
        values: int64[L, R], the incumbents.

    Returns True if the guess is refuted, or the search was stopped.
    """
    after = np.empty_like(revealed)
    before = np.empty_like(total)
    for p in order:
        if parts.places[p] < 0:
            continue
        size = parts.sizes[p]
        certain = size if is_last else 2 * size - 1
        count = gather(answers, parts, p)
        reveal(c, revealed, guess, parts.firsts[p], after)
        goal = value_that_refutes(c, size, certain, bounds[p], total, values)
        value = value_of(c.entered, parts.members[:count], after, np.int64(left), goal)
        if value < 0:
            c.settings[STOPPED] = 1
        if value < 0 or value >= goal:
            return True
        copy(bounds[p], before)
        bound_part(c, value, size, certain, bounds[p])
        replace(total, before, bounds[p])
    return False


TEMPLATES = (raise_by_values,)
