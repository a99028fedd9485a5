"""The best last guess before the noise on a state, for all runs and levels at once.

A guess leads to leaves. Let A be the sum of their true values, and B in each run the sum of their
draws, each times its weight. Then the perturbed value of the guess is a line in the level, and one
sum serves all levels. All numbers are whole, so the order of additions never changes a result.

A guess that makes m parts of n answers leaves leaves of at least 2n - m in total, or 2n - 2 - m if
it is a candidate. Guesses are ordered by that bound. Once it refutes one in every lane, the search
ends.

Draws are cheap and exact values are expensive. So a leaf of k answers counts as 2k - 1 at first,
with its own draws. Leaves are solved only for a guess that this does not refute, the largest first,
and only up to the value that refutes the guess.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

from gpu_wordle.backends.cpu.measures import sort_ascending
from gpu_wordle.experiments.noise.machine.context import (
    CONTEXT,
    DRAWS,
    FIRST_RUN,
    LEAST_DRAW,
    LIMIT,
    MAX_PARTS,
    NOISE,
    PER,
    SEED,
    SMALL,
    STOPPED,
    UNSOLVABLE,
)
from gpu_wordle.experiments.noise.machine.leaves import UNKNOWN, value_of
from gpu_wordle.experiments.noise.machine.partitions import (
    chain_of,
    distinct,
    labels_of,
    mixed,
    partition,
    reveal,
    revealed_key,
)
from gpu_wordle.experiments.noise.machine.philox import draw_runs
from gpu_wordle.experiments.noise.machine.signatures import (
    ANSWERS,
    CELLS,
    CHOSEN,
    GUESSES,
    PART_OF,
    REVEALED,
    ROWS,
    VALUES,
)
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.jit.cache import callee
from gpu_wordle.solver.machine.linking import linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, WORD
from gpu_wordle.solver.machine.templates import callable_template, linked_template

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


@callee
def left_after(c, made):
    """Return the guesses left after ``made`` guesses, or NO_LIMIT."""
    limit = c.settings[LIMIT]
    return np.int64(NO_LIMIT) if limit >= NO_LIMIT else limit - made


@callee
def weight_of(c, size, value):
    """Return what a draw of 1 adds to a leaf at a level of 100 %; see NoiseModel.weight."""
    if size <= (0, 2, 1)[c.settings[SMALL]]:
        return np.int64(0)
    if c.settings[PER] == 0:
        return value
    return np.int64(size if c.settings[PER] == 1 else 1)


@callee
def is_beaten(c, total, weight, values):
    """True if a guess is refuted in every lane.

    Its bound is ``total``, plus the least draw times ``weight``.
    """
    least = c.settings[LEAST_DRAW] * weight
    for level in range(values.shape[0]):
        alpha, beta, best = c.alpha[level], c.beta[level], values[level]
        promising = 0
        for r in range(best.size):
            promising += np.int64(total * alpha[r] + least * beta[r] <= best[r])
        if promising:
            return False
    return True


@callee
def copy(lanes, into):
    """Copy a number of each lane, int64[L, R]. An assignment would take seconds to compile."""
    for level in range(into.shape[0]):
        for r in range(into.shape[1]):
            into[level, r] = lanes[level, r]


@callee
def comes_before(c, answers, guess, other):
    """True if a guess precedes another one of equal value: candidates first, then word order."""
    if other < 0:
        return True
    own, others = np.int64(c.answer_of_guess[guess]), np.int64(c.answer_of_guess[other])
    mine = theirs = False
    for a in answers:
        mine |= a == own
        theirs |= a == others
    return mine > theirs or (mine == theirs and guess < other)


@callee
def take(c, answers, guess, found, values, chosen):
    """Take a guess in the lanes where it is better, or precedes a guess of equal value."""
    for level in range(values.shape[0]):
        best, new = values[level], found[level]
        better = 0
        for r in range(best.size):
            better += np.int64(new[r] <= best[r])
        if better:
            for r in range(best.size):
                if new[r] < best[r] or (
                    new[r] == best[r]
                    and new[r] < UNSOLVABLE
                    and comes_before(c, answers, guess, chosen[level, r])
                ):
                    best[r] = new[r]
                    chosen[level, r] = guess


@callee
def guess_the_only(c, answers, made, values, chosen):
    """Take the only guess on a state of one answer."""
    if left_after(c, made) < 1:
        return
    copy(c.alpha, values)
    chosen[:] = c.guess_of_answer[answers[0]]


@callee
def is_refuted(c, total, drawn, values):
    """True if a guess with this total and these draws is above the values in every lane."""
    for level in range(values.shape[0]):
        alpha, beta, best = c.alpha[level], c.beta[level], values[level]
        promising = 0
        for r in range(best.size):
            promising += np.int64(total * alpha[r] + beta[r] * drawn[r] <= best[r])
        if promising:
            return False
    return True


@callee
def leaf_that_refutes(c, size, bound, draws, total, drawn, values):
    """Return the least value of a leaf that refutes a guess in every lane.

    ``bound`` is the share of the leaf in ``total`` and ``drawn`` so far.
    """
    noisy = weight_of(c, size, 1) if c.settings[PER] == 0 else np.int64(0)
    more = np.int64(0)
    for level in range(values.shape[0]):
        alpha, beta = c.alpha[level], c.beta[level]
        for r in range(alpha.size):
            missing = values[level, r] - total * alpha[r] - beta[r] * drawn[r]
            if missing >= 0:
                more = max(more, missing // (alpha[r] + beta[r] * noisy * draws[r]) + 1)
    return min(bound + more, np.int64(INFEASIBLE))


@linked(INT(CONTEXT, WORD, WORD, REVEALED, INT, INT))
def leaf_place(c, draw_0, draw_1, revealed, guesses_left, size):
    """Return the index of a leaf in the memory of leaves. A new leaf is entered with its draws.

    Args:
        c: context.
        draw_0: first word of the key by which it has its draws.
        draw_1: second word.
        revealed: uint64[W], what is revealed in it.
        guesses_left: guesses left, or NO_LIMIT.
        size: its answers, two or more.
    """
    tag_0 = draw_0 ^ (np.uint64(guesses_left + 1) * _GOLDEN) ^ revealed_key(revealed)
    place = np.int64(mixed(tag_0) >> np.uint64(24)) & (c.leaf_values.size - 1)
    if c.leaf_keys[place, 0] != tag_0 or c.leaf_keys[place, 1] != draw_1:
        words = np.empty(4, np.uint64)
        settings = c.settings
        draw_runs(
            draw_0, draw_1, settings[SEED], settings[FIRST_RUN], settings[NOISE], c.table, words,
            c.leaf_draws[place],
        )  # fmt: skip
        c.leaf_values[place] = 3 if size == 2 else 1 - 2 * size
        c.leaf_keys[place, 0] = tag_0
        c.leaf_keys[place, 1] = draw_1
    return place


@linked_template(INT(CONTEXT, ANSWERS, PART_OF, INT, REVEALED, INT, INT, INT))
def solve_leaf(c, answers, part_of, p, revealed, guesses_left, cutoff, place):
    """Return the value of the leaf of part ``p``, and store it; UNKNOWN after a stop.

    A value that reaches the cutoff is a lower bound only.
    """
    members = np.empty(answers.size, np.int32)
    count = 0
    for i in range(answers.size):
        if part_of[i] == p:
            members[count] = answers[i]
            count += 1
    value = value_of(c.entered, members[:count], revealed, guesses_left, cutoff)
    if value == UNKNOWN:
        c.settings[STOPPED] = 1
    else:
        c.leaf_values[place] = value if value < cutoff else -cutoff
    return value


@callee
def add_draws(weight, draws, drawn):
    """Add the draws of a leaf, each times a weight, to the draws of a guess."""
    for r in range(drawn.size):
        drawn[r] += weight * draws[r]


@linked(NOTHING(CONTEXT, ANSWERS, WORD, WORD))
def draw_singles(c, answers, chain_0, chain_1):
    """Write the draws of the states of one answer that may follow into ``c.single``."""
    words = np.empty(4, np.uint64)
    settings = c.settings
    for a in answers:
        draw_runs(
            c.zobrist[a, 0] ^ chain_0, c.zobrist[a, 1] ^ chain_1, settings[SEED],
            settings[FIRST_RUN], settings[NOISE], c.table, words, c.single[a],
        )  # fmt: skip


@callable_template(
    NOTHING(
        CONTEXT, ANSWERS, REVEALED, WORD, WORD, INT, BOOL, GUESSES, CELLS, ROWS, VALUES, CHOSEN
    )
)  # fmt: skip
def best_last(
    c, answers, revealed, path_0, path_1, made, must_tell, guesses, cells, rows, values, chosen
):  # fmt: skip
    """Find the best guess on a state whose guesses lead to leaves, in every lane.

    Args:
        c: context.
        answers: int32[n], the state, ascending.
        revealed: uint64[W], what is revealed.
        path_0: first word of the key of the state, or of its path if visits have draws.
        path_1: second word.
        made: guesses made before.
        must_tell: whether to skip guesses that make one part and find nothing.
        guesses: int32[m], the guesses to choose from, ascending.
        cells: uint8[..., m], their patterns.
        rows: int32[n], the rows of the answers.
        values: int64[L, R], output: the perturbed values; UNSOLVABLE if there is no guess.
        chosen: int32[L, R], output: the guesses; -1 if there is none.

    After a stop, settings[STOPPED] is set and the outputs are incomplete.
    """
    values[:] = UNSOLVABLE
    chosen[:] = -1
    n = answers.size
    if n == 1:
        guess_the_only(c, answers, made, values, chosen)
        return
    chain_0, chain_1 = chain_of(c, path_0, path_1)
    if c.settings[DRAWS] != 0:
        draw_singles(c, answers, chain_0, chain_1)
    left = np.int64(left_after(c, made + 1))
    columns, parts, is_candidate, _ = distinct(c, answers, revealed, guesses, cells, rows)
    least = np.empty(parts.size, np.int64)
    for j in range(parts.size):
        least[j] = 2 * (n - np.int64(is_candidate[j])) - parts[j]
    order = np.empty(parts.size, np.int64)
    sort_ascending(least, 2 * n, order)
    runs = values.shape[1]
    found = np.empty(values.shape, np.int64)
    drawn = np.empty(runs, np.int64)
    place = np.full(MAX_PARTS, -1, np.int16)
    part_of = np.empty(n, np.int16)
    sizes = np.empty(n, np.int64)
    keys = np.empty((n, 2), np.uint64)
    firsts = np.empty(n, np.int32)
    after = np.empty_like(revealed)
    # values of the leaves; minus the bound of a leaf that is not solved
    known = np.empty(n, np.int64)
    labels = np.empty(n, np.uint8)
    by_size = np.empty(n, np.int64)
    for j in order:
        if must_tell and parts[j] == 1 and not is_candidate[j]:
            continue
        weight = least[j] if c.settings[PER] == 0 else np.int64(n)
        if is_beaten(c, n + least[j], weight, values):
            break  # the bounds of all later guesses are no lower
        guess = guesses[columns[j]]
        labels_of(cells, rows, columns[j], labels)
        made_parts, _ = partition(c, answers, labels, place, part_of, sizes, keys, firsts)
        is_told_apart = made_parts == n - np.int64(is_candidate[j])
        if made_parts and left < (1 if is_told_apart else 2):
            continue
        total = np.int64(n)
        drawn[:] = 0
        for p in range(made_parts):
            size = sizes[p]
            if size == 1:
                known[p] = 1
                draws = c.single[firsts[p]]
            else:
                reveal(c, revealed, guess, firsts[p], after)
                keys[p, 0] ^= chain_0
                keys[p, 1] ^= chain_1
                at = leaf_place(c, keys[p, 0], keys[p, 1], after, left, np.int64(size))
                known[p] = c.leaf_values[at]
                draws = c.leaf_draws[at]
            bound = abs(known[p])
            total += bound
            add_draws(weight_of(c, size, bound), draws, drawn)
        if total >= INFEASIBLE or is_refuted(c, total, drawn, values):
            continue
        is_left_out = False
        sort_ascending(sizes[:made_parts], n, by_size)
        for p in by_size[:made_parts][::-1]:
            if known[p] > 0:
                continue
            reveal(c, revealed, guess, firsts[p], after)
            at = leaf_place(c, keys[p, 0], keys[p, 1], after, left, sizes[p])
            draws = c.leaf_draws[at]
            cutoff = leaf_that_refutes(c, sizes[p], -known[p], draws, total, drawn, values)
            value = solve_leaf(c, answers, part_of, p, after, left, cutoff, at)
            if value == UNKNOWN:
                return
            is_left_out = value >= cutoff
            if is_left_out:
                break
            total += value + known[p]
            more = weight_of(c, sizes[p], value) - weight_of(c, sizes[p], -known[p])
            add_draws(more, draws, drawn)
        if is_left_out:
            continue
        for level in range(values.shape[0]):
            alpha, beta, new = c.alpha[level], c.beta[level], found[level]
            for r in range(runs):
                new[r] = total * alpha[r] + beta[r] * drawn[r]
        take(c, answers, guess, found, values, chosen)


TEMPLATES = (solve_leaf, best_last)
