"""A guess before the last one: the best one on a state, in all runs and levels at once.

A guess costs the n answers and what its parts cost, each of which is a state of its own. Parts are
bounded before they are searched. Let V be the exact value of a part of k answers, and -x the least
that noise adds to a guess of an answer. Then V' >= V - x (V - C), where C is what any policy costs
before the noise: k, or 2k - 1 where two guesses come before it.

Before the last guess there is a second bound, of the draws: each answer but one ends up in a leaf.
Either it is alone there, and its draw is known. Or it shares a leaf of s answers, of value 2s - 1
at least. That is 3/2 for each of them at least.

Both hold in every lane, and a guess is left only where it is refuted in all of them.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import njit

from gpu_wordle.experiments.noise.machine.context import (
    CONTEXT,
    DEPTH,
    DRAWS,
    LEAST_DRAW,
    MAX_PARTS,
    NOTHING_REVEALED,
    PER,
    RULE,
    STOPPED,
)
from gpu_wordle.experiments.noise.machine.last import (
    UNSOLVABLE,
    best_last,
    guess_the_only,
    is_beaten,
    left_after,
    take,
    weight_of,
)
from gpu_wordle.experiments.noise.machine.leaves import value_of
from gpu_wordle.experiments.noise.machine.partitions import (
    distinct,
    labels_of,
    mixed,
    part_up,
    reveal,
    revealed_key,
)
from gpu_wordle.experiments.noise.machine.signatures import (
    ANSWERS,
    CELLS,
    CHOSEN,
    GUESSES,
    REVEALED,
    ROWS,
    VALUES,
)
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.machine.signatures import INT, NOTHING, WORD
from gpu_wordle.solver.machine.templates import linked_template

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@njit
def lowest_share(c, alpha, beta):
    """What each answer of a shared leaf costs at least, perturbed: rounded down."""
    weight = (3, 2, 1)[c.settings[PER]]
    return (3 * alpha + beta * c.settings[LEAST_DRAW] * weight) // 2


@njit
def price_answers(c, answers):
    """What each answer costs at least in a leaf, int64[n, L, R]."""
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


@njit
def bound_part(c, value, size, certain, bound):
    """The bound by the exact value of a part, into int64[L, R]; see the module."""
    weight = value - certain if c.settings[PER] == 0 else np.int64(size)
    least = c.settings[LEAST_DRAW] * weight
    for level in range(bound.shape[0]):
        for r in range(bound.shape[1]):
            bound[level, r] = value * c.alpha[level, r] + least * c.beta[level, r]


@njit
def raise_by_prices(c, part_of, p, size, prices, scratch, bound):
    """Raise the bound of part ``p`` to that by the draws of its answers."""
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


@njit
def exceeds(total, values):
    """Whether bounds are above the values in every lane."""
    for level in range(values.shape[0]):
        promising = 0
        for r in range(values.shape[1]):
            promising += np.int64(total[level, r] <= values[level, r])
        if promising:
            return False
    return True


@linked_template(
    NOTHING(CONTEXT, ANSWERS, REVEALED, WORD, WORD, INT, GUESSES, CELLS, ROWS, VALUES, CHOSEN)
)
def best_inner(
    c, answers, revealed, path_0, path_1, made, guesses, cells, rows, values, chosen
):  # fmt: skip
    """The best guess on a state, in every lane; see best_last for arguments and results."""
    values[:] = UNSOLVABLE
    chosen[:] = -1
    n = answers.size
    if n == 1:
        guess_the_only(c, answers, made, values, chosen)
        return
    chain_0 = chain_1 = np.uint64(0)
    if c.settings[DRAWS] != 0:
        chain_0, chain_1 = mixed(path_0), mixed(path_1)
    left = np.int64(left_after(c, made + 1))
    salt = np.uint64(made + 1) * _GOLDEN
    is_last = made + 2 == c.settings[DEPTH]
    has_prices = is_last and c.settings[DRAWS] == 0
    prices = price_answers(c, answers) if has_prices else np.empty((0, 0, 0), np.int64)
    columns, parts, is_candidate, squares = distinct(c, answers, revealed, guesses, cells, rows)
    by_parts = 3 * n - parts - 2 * is_candidate.astype(np.int64)
    below, below_cells = guesses, cells
    is_compact = c.settings[RULE] == NOTHING_REVEALED
    if is_compact:  # what splits this state like another guess splits its parts like it
        order = np.sort(columns)
        below = guesses[order]
        below_cells = np.empty((n, order.size), np.uint8)
        for i in range(n):
            for k in range(order.size):
                below_cells[i, k] = cells[rows[i], order[k]]
    most = parts.max() if parts.size else 0
    bounds = np.empty((most, values.shape[0], values.shape[1]), np.int64)
    total = np.empty(values.shape, np.int64)
    scratch = np.empty(values.shape[1], np.int64)
    part_values = np.empty(values.shape, np.int64)
    part_chosen = np.empty(chosen.shape, np.int32)
    place = np.full(MAX_PARTS, -1, np.int16)
    part_of = np.empty(n, np.int16)
    sizes = np.empty(n, np.int64)
    keys = np.empty((n, 2), np.uint64)
    firsts = np.empty(n, np.int32)
    after = np.empty_like(revealed)
    members = np.empty(n, np.int32)
    member_rows = np.empty(n, np.int32)
    labels = np.empty(n, np.uint8)
    places = np.empty(most, np.int64)
    tags = np.empty((most, 2), np.uint64)
    for j in np.argsort(n * by_parts + 2 * squares, kind="mergesort"):
        others = n - np.int64(is_candidate[j])
        weight = others - parts[j] if is_last else np.int64(0)
        if is_beaten(c, n + 2 * others - parts[j], weight, values):
            continue
        guess = guesses[columns[j]]
        labels_of(cells, rows, columns[j], labels)
        made_parts, _ = part_up(c, answers, labels, place, part_of, sizes, keys, firsts)
        for level in range(total.shape[0]):
            for r in range(total.shape[1]):
                total[level, r] = (n + 2 * others - parts[j]) * c.alpha[level, r]
                total[level, r] += weight * c.settings[LEAST_DRAW] * c.beta[level, r]
        is_refuted = False
        for p in range(made_parts):
            size = sizes[p]
            places[p] = -1
            if size == 1:
                is_refuted |= left < 1
                continue
            reveal(c, revealed, guess, firsts[p], after)
            path = keys[p, 0] ^ chain_0
            tags[p, 0], tags[p, 1] = path ^ salt ^ revealed_key(after), keys[p, 1] ^ chain_1
            at = np.int64(mixed(tags[p, 0]) >> np.uint64(24)) & (c.node_keys.shape[0] - 1)
            if c.node_keys[at, 0] == tags[p, 0] and c.node_keys[at, 1] == tags[p, 1]:
                bounds[p] = c.node_values[at]
            else:
                count = 0
                for i in range(n):
                    if part_of[i] == p:
                        members[count] = answers[i]
                        count += 1
                value = value_of(c.entered, members[:count], after, left)
                if value < 0:
                    c.settings[STOPPED] = 1
                    return
                if value >= INFEASIBLE:
                    is_refuted = True
                    break
                bound_part(c, value, size, size if is_last else 2 * size - 1, bounds[p])
                if has_prices:
                    raise_by_prices(c, part_of, p, size, prices, scratch, bounds[p])
                places[p] = at
            least = 2 * size - 1
            weight = size - 1 if is_last else 0
            for level in range(total.shape[0]):
                for r in range(total.shape[1]):
                    total[level, r] += (
                        bounds[p, level, r]
                        - least * c.alpha[level, r]
                        - weight * c.settings[LEAST_DRAW] * c.beta[level, r]
                    )
            if exceeds(total, values):
                is_refuted = True
                break
        if is_refuted:
            continue
        for p in np.argsort(sizes[:made_parts], kind="mergesort"):
            if places[p] < 0:
                continue
            count = 0
            for i in range(n):
                if part_of[i] == p:
                    members[count] = answers[i]
                    member_rows[count] = i if is_compact else rows[i]
                    count += 1
            reveal(c, revealed, guess, firsts[p], after)
            next_0, next_1 = keys[p, 0] ^ chain_0, keys[p, 1] ^ chain_1
            if is_last:
                best_last(
                    c, members[:count], after, next_0, next_1, made + 1, False, below,
                    below_cells, member_rows[:count], part_values, part_chosen,
                )  # fmt: skip
            else:
                best_inner(
                    c, members[:count], after, next_0, next_1, np.int64(made + 1), below,
                    below_cells, member_rows[:count], part_values, part_chosen,
                )  # fmt: skip
            if c.settings[STOPPED] != 0:
                return
            at = places[p]
            c.node_keys[at] = tags[p]
            c.node_values[at] = part_values
            for level in range(total.shape[0]):
                for r in range(total.shape[1]):
                    total[level, r] += part_values[level, r] - bounds[p, level, r]
            if exceeds(total, values):
                is_refuted = True
                break
        if not is_refuted:
            take(c, answers, guess, total, values, chosen)


TEMPLATES = (best_inner,)
