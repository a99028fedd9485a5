"""The best guess on a state before the last guess, for all runs and levels at once.

A guess costs the n answers, plus the costs of its parts, each of which is a state of its own. Parts
are bounded before they are searched, in three steps; see bounds.py. A guess is skipped only if it
is refuted in every lane.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from gpu_wordle.backends.cpu.measures import sort_ascending
from gpu_wordle.experiments.noise.machine.bounds import (
    exceeds,
    fill,
    gather,
    price_answers,
    raise_by_prices,
    raise_by_values,
    replace,
)
from gpu_wordle.experiments.noise.machine.context import (
    CONTEXT,
    DEPTH,
    MAX_PARTS,
    NOTHING_REVEALED,
    RULE,
    STOPPED,
    UNSOLVABLE,
)
from gpu_wordle.experiments.noise.machine.last import (
    best_last,
    copy,
    guess_the_only,
    is_beaten,
    left_after,
    take,
)
from gpu_wordle.experiments.noise.machine.partitions import (
    chain_of,
    distinct,
    labels_of,
    mixed,
    partition,
    reveal,
    revealed_key,
)
from gpu_wordle.experiments.noise.machine.signatures import (
    ANSWERS,
    CELLS,
    CHOSEN,
    GUESSES,
    PARTS,
    REVEALED,
    ROWS,
    VALUES,
    Parts,
)
from gpu_wordle.jit.cache import callee
from gpu_wordle.solver.guesses.ordering import heapify, pop_key
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, WORD
from gpu_wordle.solver.machine.templates import callable_template, linked_template

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_PLACE_BITS = np.uint64(24)
_PLACE_MASK = np.uint64(0xFFFFFF)


class Bounded(NamedTuple):
    """Bounds of a guess on a state of n answers that makes at most P parts, and scratch memory.

    Attributes:
        bounds: int64[P, L, R], bounds of its parts.
        total: int64[L, R], bound of the guess.
        order: int64[P], the parts, small ones first.
        least: int64[L, R], scratch.
        scratch: int64[R].
        place: int16[256], scratch; all -1 before and after.
        labels: uint8[n], the patterns of the guess.
        after: uint64[W], scratch.
    """

    bounds: NDArray[np.int64]
    total: NDArray[np.int64]
    order: NDArray[np.int64]
    least: NDArray[np.int64]
    scratch: NDArray[np.int64]
    place: NDArray[np.int16]
    labels: NDArray[np.uint8]
    after: NDArray[np.uint64]


BOUNDED = types.NamedTuple(
    [
        types.int64[:, :, ::1], types.int64[:, ::1], types.int64[::1], types.int64[:, ::1],
        types.int64[::1], types.int16[::1], types.uint8[::1], types.uint64[::1],
    ],
    Bounded,
)  # fmt: skip
"""numba's type of Bounded."""


@callee
def make_room(answers, revealed, most, values):
    """Allocate the arrays for the parts of one guess, at most ``most``, and for their bounds."""
    n = answers.size
    levels, runs = values.shape
    parts = Parts(
        np.empty(n, np.int16), np.empty(n, np.int64), np.empty((n, 2), np.uint64),
        np.empty(n, np.int32), np.empty((most, 2), np.uint64), np.empty(most, np.int64),
        np.empty(n, np.int32), np.empty(n, np.int32),
    )  # fmt: skip
    bounded = Bounded(
        np.empty((most, levels, runs), np.int64), np.empty((levels, runs), np.int64),
        np.empty(most, np.int64), np.empty((levels, runs), np.int64), np.empty(runs, np.int64),
        np.full(MAX_PARTS, -1, np.int16), np.empty(n, np.uint8), np.empty_like(revealed),
    )  # fmt: skip
    return parts, bounded


@callee
def in_order(n, counts, is_candidate, squares):
    """Return a heap of guesses, the most promising on top; see guesses/ordering.py."""
    heap = np.empty(counts.size, np.uint64)
    for j in range(counts.size):
        bound = 3 * n - np.int64(counts[j]) - 2 * np.int64(is_candidate[j])
        heap[j] = (np.uint64(n * bound + 2 * squares[j]) << _PLACE_BITS) | np.uint64(j)
    heapify(heap, 0, heap.size)
    return heap


@linked_template(
    INT(
        CONTEXT, ANSWERS, REVEALED, WORD, WORD, INT, INT, INT, BOOL, types.int64[:, :, ::1], CELLS,
        ROWS, INT, PARTS, BOUNDED, VALUES,
    )
)  # fmt: skip
def bound_guess(
    c, answers, revealed, chain_0, chain_1, made, guess, count, is_candidate, prices, cells, rows,
    column, parts, bounded, values,
):  # fmt: skip
    """Bound a guess by known values of its parts, by draws, and by exact values.

    Args:
        c: context.
        answers: int32[n], the state.
        revealed: uint64[W], what is revealed in it.
        chain_0: first word of the key of the path, 0 if states have draws.
        chain_1: second word.
        made: guesses made before.
        guess: the guess.
        count: the number of its parts, ALL_GREEN left out.
        is_candidate: whether it is in the state.
        prices: int64[n, L, R], see bounds.py, or empty.
        cells: uint8[..., m], patterns.
        rows: int32[n], the rows of the answers.
        column: the column of the guess.
        parts: filled in; open parts have a place.
        bounded: filled in.
        values: int64[L, R], the incumbents.

    Returns the number of parts, or -1 if the guess is refuted in every lane or after a stop.
    """
    left = np.int64(left_after(c, made + 1))
    salt = np.uint64(made + 1) * _GOLDEN
    is_last = made + 2 == c.settings[DEPTH]
    others = answers.size - np.int64(is_candidate)
    weight = others - count if is_last else np.int64(0)
    if is_beaten(c, answers.size + 2 * others - count, weight, values):
        return -1
    total, bounds, least, after = bounded.total, bounded.bounds, bounded.least, bounded.after
    labels_of(cells, rows, column, bounded.labels)
    partition(
        c, answers, bounded.labels, bounded.place, parts.part_of, parts.sizes, parts.keys,
        parts.firsts,
    )  # fmt: skip
    fill(c, answers.size + 2 * others - count, weight, total)
    is_refuted = False
    for p in range(count):
        size = parts.sizes[p]
        parts.places[p] = -1
        if size == 1:
            is_refuted |= left < 1
            continue
        reveal(c, revealed, guess, parts.firsts[p], after)
        tag_0 = parts.keys[p, 0] ^ chain_0 ^ salt ^ revealed_key(after)
        tag_1 = parts.keys[p, 1] ^ chain_1
        at = np.int64(mixed(tag_0) >> np.uint64(24)) & (c.node_keys.shape[0] - 1)
        fill(c, 2 * size - 1, size - 1 if is_last else 0, least)
        if c.node_keys[at, 0] == tag_0 and c.node_keys[at, 1] == tag_1:
            copy(c.node_values[at], bounds[p])
        else:
            parts.places[p], parts.tags[p, 0], parts.tags[p, 1] = at, tag_0, tag_1
            copy(least, bounds[p])
            if prices.size:
                raise_by_prices(c, parts.part_of, p, size, prices, bounded.scratch, bounds[p])
        replace(total, least, bounds[p])
    if is_refuted or exceeds(total, values):
        return -1
    order = bounded.order[:count]
    sort_ascending(parts.sizes[:count], answers.size, order)
    if raise_by_values(
        c, answers, revealed, parts, order, guess, left, is_last, bounds, total, values
    ):
        return -1
    return count


@callable_template(
    NOTHING(CONTEXT, ANSWERS, REVEALED, WORD, WORD, INT, GUESSES, CELLS, ROWS, VALUES, CHOSEN)
)
def best_inner(
    c, answers, revealed, path_0, path_1, made, guesses, cells, rows, values, chosen
):  # fmt: skip
    """Find the best guess on a state, in every lane; see best_last for arguments and results."""
    values[:] = UNSOLVABLE
    chosen[:] = -1
    n = answers.size
    if n == 1:
        guess_the_only(c, answers, made, values, chosen)
        return
    chain_0, chain_1 = chain_of(c, path_0, path_1)
    is_last = made + 2 == c.settings[DEPTH]
    prices = price_answers(c, answers, made)
    columns, counts, is_candidate, squares = distinct(c, answers, revealed, guesses, cells, rows)
    below, below_cells = guesses, cells
    is_compact = c.settings[RULE] == NOTHING_REVEALED
    if is_compact:  # guesses that split this state alike also split each of its parts alike
        below = np.empty(columns.size, np.int32)
        below_cells = np.empty((n, columns.size), np.uint8)
        for k in range(columns.size):
            below[k] = guesses[columns[k]]
        for i in range(n):
            for k in range(columns.size):
                below_cells[i, k] = cells[rows[i], columns[k]]
    most = np.int64(0)
    for made_parts in counts:
        most = max(most, np.int64(made_parts))
    parts, bounded = make_room(answers, revealed, most, values)
    total, after = bounded.total, bounded.after
    part_values = np.empty(values.shape, np.int64)
    part_chosen = np.empty(chosen.shape, np.int32)
    heap = in_order(n, counts, is_candidate, squares)
    for rest in range(heap.size - 1, -1, -1):
        j = np.int64(pop_key(heap, 0, rest) & _PLACE_MASK)
        guess = guesses[columns[j]]
        count = bound_guess(
            c, answers, revealed, chain_0, chain_1, made, np.int64(guess), np.int64(counts[j]),
            is_candidate[j], prices, cells, rows, np.int64(columns[j]), parts, bounded, values,
        )  # fmt: skip
        if c.settings[STOPPED] != 0:
            return
        if count < 0:
            continue
        is_refuted = False
        for p in bounded.order[:count]:
            if is_refuted or parts.places[p] < 0:
                continue
            size = gather(answers, parts, p)
            if not is_compact:
                for i in range(size):
                    parts.rows[i] = rows[parts.rows[i]]
            reveal(c, revealed, guess, parts.firsts[p], after)
            next_0, next_1 = parts.keys[p, 0] ^ chain_0, parts.keys[p, 1] ^ chain_1
            if is_last:
                best_last(
                    c, parts.members[:size], after, next_0, next_1, made + 1, False, below,
                    below_cells, parts.rows[:size], part_values, part_chosen,
                )  # fmt: skip
            else:
                best_inner(
                    c, parts.members[:size], after, next_0, next_1, np.int64(made + 1), below,
                    below_cells, parts.rows[:size], part_values, part_chosen,
                )  # fmt: skip
            if c.settings[STOPPED] != 0:
                return
            at = parts.places[p]
            c.node_keys[at, 0], c.node_keys[at, 1] = parts.tags[p, 0], parts.tags[p, 1]
            copy(part_values, c.node_values[at])
            replace(total, bounded.bounds[p], part_values)
            is_refuted = exceeds(total, values)
        if not is_refuted:
            take(c, answers, guess, total, values, chosen)


TEMPLATES = (bound_guess, best_inner)
