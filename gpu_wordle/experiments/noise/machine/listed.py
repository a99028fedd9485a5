"""What the best guess is found among, listed for a backend that compares many states at once.

The guesses of a state are told in an order that is fixed, a few at a time. So those that come later
are left out where values that were found meanwhile refute them in every lane.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.experiments.noise.machine.bounds import price_answers
from gpu_wordle.experiments.noise.machine.context import (
    CONTEXT,
    MAX_PARTS,
    PER,
    STOPPED,
)
from gpu_wordle.experiments.noise.machine.inner import bound_guess, in_order, make_room
from gpu_wordle.experiments.noise.machine.last import (
    ascending,
    exact_leaf,
    is_beaten,
    left_after,
    weight_of,
)
from gpu_wordle.experiments.noise.machine.leaves import UNKNOWN
from gpu_wordle.experiments.noise.machine.partitions import (
    chain_of,
    distinct,
    labels_of,
    mixed,
    part_up,
    reveal,
)
from gpu_wordle.experiments.noise.machine.signatures import (
    ANSWERS,
    CELLS,
    GUESSES,
    REVEALED,
    ROWS,
    VALUES,
)
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.machine.signatures import BOOL, INT, WORD
from gpu_wordle.solver.machine.templates import rare_template

NUMBERS = types.int64[::1]
KEYS = types.uint64[:, ::1]

LEAST, RANK, COUNT, COLUMN = range(4)
"""Rows of what is known of guesses.

The least that leaves cost, the place among equals, the parts without ALL_GREEN, the column.
"""


@rare_template(types.int64[:, ::1](CONTEXT, ANSWERS, REVEALED, BOOL, BOOL, GUESSES, CELLS, ROWS))
def order_guesses(c, answers, revealed, is_inner, must_tell, guesses, cells, rows):
    """The guesses that matter on a state, in the order in which best_inner or best_last goes.

    See there for what is given. Returns int64[4, m], with the rows above.
    """
    n = answers.size
    columns, parts, is_candidate, squares = distinct(c, answers, revealed, guesses, cells, rows)
    least = 2 * (n - is_candidate.astype(np.int64)) - parts
    order = in_order(n, parts, is_candidate, squares) if is_inner else ascending(least, 2 * n)
    known = np.empty((4, columns.size), np.int64)
    count = 0
    for j in order:
        if must_tell and parts[j] == 1 and not is_candidate[j]:
            continue
        known[LEAST, count] = least[j]
        known[RANK, count] = guesses[columns[j]]
        if not is_candidate[j]:
            known[RANK, count] += c.answer_of_guess.size
        known[COUNT, count] = parts[j]
        known[COLUMN, count] = columns[j]
        count += 1
    return known[:, :count].copy()


@rare_template(
    types.Tuple([INT, NUMBERS, NUMBERS, NUMBERS, types.int32[::1], KEYS, types.int32[::1]])(
        CONTEXT, ANSWERS, REVEALED, WORD, WORD, INT, GUESSES, CELLS, ROWS, types.int64[:, ::1],
        INT, INT, VALUES,
    )
)  # fmt: skip
def list_lines(
    c, answers, revealed, path_0, path_1, made, guesses, cells, rows, known, start, most, values
):  # fmt: skip
    """The next guesses of a state whose guesses lead to leaves, as lines; see states/lines.py.

    Args:
        c: context.
        answers: int32[n], the state, ascending; two or more.
        revealed: uint64[W], what is revealed.
        path_0: first word of the key of the state, or of the path to it where visits have draws.
        path_1: second word.
        made: guesses made before.
        guesses: int32[m], what to choose from.
        cells: uint8[..., m], their patterns.
        rows: int32[n], the rows of the answers.
        known: what order_guesses told.
        start: the first guess to look at.
        most: how many guesses at most.
        values: int64[L, R], what is to be beaten, or reached.

    Returns seven things. First the guess to go on with: the number of guesses if no other is of
    use, and -1 after a stop. Then ranks and totals of the lines, int64[N], by rank. Then their
    leaves, by indptr, int64[N + 1]; keys and weights of these.
    """
    chain_0, chain_1 = chain_of(c, path_0, path_1)
    n = answers.size
    left = np.int64(left_after(c, made + 1))
    stop = start
    while stop < min(start + most, known.shape[1]):
        least = known[LEAST, stop]
        if is_beaten(c, n + least, least if c.settings[PER] == 0 else np.int64(n), values):
            break
        stop += 1
    is_through = stop < min(start + most, known.shape[1])
    some = known[:, start:stop]
    ranks = np.empty(stop - start, np.int64)
    totals = np.empty(stop - start, np.int64)
    ends = np.zeros(stop - start + 1, np.int64)
    leaf = np.empty((stop - start) * n, np.int32)
    leaf_keys = np.empty((leaf.size, 2), np.uint64)
    leaf_weights = np.empty(leaf.size, np.int32)
    mask = 63
    while mask < 2 * leaf.size:
        mask = 2 * mask + 1
    slots = np.full(mask + 1, -1, np.int32)
    leaves = lines = 0
    place = np.full(MAX_PARTS, -1, np.int16)
    part_of = np.empty(n, np.int16)
    sizes = np.empty(n, np.int64)
    keys = np.empty((n, 2), np.uint64)
    firsts = np.empty(n, np.int32)
    after = np.empty_like(revealed)
    labels = np.empty(n, np.uint8)
    for j in np.argsort(some[RANK], kind="mergesort"):
        labels_of(cells, rows, some[COLUMN, j], labels)
        count, _ = part_up(c, answers, labels, place, part_of, sizes, keys, firsts)
        total, end = np.int64(n), ends[lines]
        for p in range(count):
            size, value = sizes[p], np.int64(1)
            if left < min(size, 2):
                value = np.int64(INFEASIBLE)
            elif size > 1:
                reveal(c, revealed, np.int64(guesses[some[COLUMN, j]]), firsts[p], after)
                value = exact_leaf(
                    c, answers, part_of, np.int64(p), size, keys[p, 0] ^ chain_0,
                    keys[p, 1] ^ chain_1, after, left,
                )  # fmt: skip
                if value == UNKNOWN:
                    stop = np.int64(-1)
                    break
            total += value
            if total >= INFEASIBLE:
                break
            weight = np.int32(weight_of(c, size, value))
            key_0, key_1 = keys[p, 0] ^ chain_0, keys[p, 1] ^ chain_1
            slot = np.int64(mixed(key_0) >> np.uint64(20)) & mask
            while slots[slot] >= 0 and (
                leaf_keys[slots[slot], 0] != key_0
                or leaf_keys[slots[slot], 1] != key_1
                or leaf_weights[slots[slot]] != weight
            ):
                slot = (slot + 1) & mask
            if slots[slot] < 0:
                slots[slot] = leaves
                leaf_keys[leaves, 0], leaf_keys[leaves, 1] = key_0, key_1
                leaf_weights[leaves] = weight
                leaves += 1
            leaf[end] = slots[slot]
            end += 1
        if stop < 0:
            break
        if total < INFEASIBLE:
            ranks[lines], totals[lines] = some[RANK, j], total
            lines += 1
            ends[lines] = end
    return (
        np.int64(known.shape[1]) if is_through and stop >= 0 else np.int64(stop),
        ranks[:lines].copy(), totals[:lines].copy(), ends[: lines + 1].copy(),
        leaf[: ends[lines]].copy(), leaf_keys[:leaves].copy(), leaf_weights[:leaves].copy(),
    )  # fmt: skip


@rare_template(
    types.Tuple(
        [
            INT, NUMBERS, types.int64[:, :, ::1], types.int16[:, ::1], types.uint64[:, :, ::1],
            types.int64[:, ::1],
        ]
    )(
        CONTEXT, ANSWERS, REVEALED, WORD, WORD, INT, GUESSES, CELLS, ROWS, types.int64[:, ::1],
        INT, INT, VALUES,
    )
)  # fmt: skip
def list_open(
    c, answers, revealed, path_0, path_1, made, guesses, cells, rows, known, start, most, values
):  # fmt: skip
    """The next guesses of a state that bounds do not refute, and the parts whose values are open.

    What is given is as in list_lines. Returns six things. First the guess to go on with, -1 after a
    stop, and the ranks, int64[N]. Then what a guess costs with the parts that are known,
    int64[N, L, R]. Then the open part of each answer, -1 for none, int16[N, n]. Then tags and
    places of the parts in the memory of nodes, uint64[N, n, 2] and int64[N, n].
    """
    chain_0, chain_1 = chain_of(c, path_0, path_1)
    n = answers.size
    prices = price_answers(c, answers, made)
    room = known[COUNT].max() if known.shape[1] else 0
    parts, bounded = make_room(answers, revealed, room, values)
    ranks = np.empty(most, np.int64)
    totals = np.empty((most, values.shape[0], values.shape[1]), np.int64)
    part_of = np.empty((most, n), np.int16)
    tags = np.zeros((most, n, 2), np.uint64)
    places = np.zeros((most, n), np.int64)
    lines, at = 0, start
    while at < known.shape[1] and lines < most:
        rank, column = known[RANK, at], known[COLUMN, at]
        count = bound_guess(
            c, answers, revealed, chain_0, chain_1, made, np.int64(guesses[column]),
            known[COUNT, at], rank < c.answer_of_guess.size, prices, cells, rows, column, parts,
            bounded, values,
        )  # fmt: skip
        at += 1
        if c.settings[STOPPED] != 0:
            at = np.int64(-1)
            break
        if count < 0:
            continue
        ranks[lines] = rank
        totals[lines] = bounded.total
        part_of[lines] = parts.part_of
        for p in range(count):
            if parts.places[p] >= 0:
                totals[lines] -= bounded.bounds[p]
                tags[lines, p], places[lines, p] = parts.tags[p], parts.places[p]
        for i in range(n):
            if part_of[lines, i] >= 0 and parts.places[part_of[lines, i]] < 0:
                part_of[lines, i] = -1
        lines += 1
    return (
        np.int64(at), ranks[:lines].copy(), totals[:lines].copy(), part_of[:lines].copy(),
        tags[:lines].copy(), places[:lines].copy(),
    )  # fmt: skip


TEMPLATES = (order_guesses, list_lines, list_open)
