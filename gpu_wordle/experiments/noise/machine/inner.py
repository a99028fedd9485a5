"""A guess before the last one: the best one on a state, in all runs and levels at once.

A guess costs the n answers and what its parts cost, each of which is a state of its own. Parts are
bounded before they are searched, in three steps; see bounds.py. A guess is left only where it is
refuted in every lane.
"""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np

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
    DRAWS,
    MAX_PARTS,
    NOTHING_REVEALED,
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
)
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
    Parts,
)
from gpu_wordle.solver.machine.signatures import INT, NOTHING, WORD
from gpu_wordle.solver.machine.templates import linked_template

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)


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
    columns, counts, is_candidate, squares = distinct(c, answers, revealed, guesses, cells, rows)
    by_parts = 3 * n - counts - 2 * is_candidate.astype(np.int64)
    below, below_cells = guesses, cells
    is_compact = c.settings[RULE] == NOTHING_REVEALED
    if is_compact:  # what splits this state like another guess splits its parts like it
        kept = np.sort(columns)
        below = guesses[kept]
        below_cells = np.empty((n, kept.size), np.uint8)
        for i in range(n):
            for k in range(kept.size):
                below_cells[i, k] = cells[rows[i], kept[k]]
    most = counts.max() if counts.size else 0
    bounds = np.empty((most, values.shape[0], values.shape[1]), np.int64)
    total = np.empty(values.shape, np.int64)
    scratch = np.empty(values.shape[1], np.int64)
    least = np.empty(values.shape, np.int64)
    part_values = np.empty(values.shape, np.int64)
    part_chosen = np.empty(chosen.shape, np.int32)
    place = np.full(MAX_PARTS, -1, np.int16)
    labels = np.empty(n, np.uint8)
    after = np.empty_like(revealed)
    parts = Parts(
        np.empty(n, np.int16), np.empty(n, np.int64), np.empty((n, 2), np.uint64),
        np.empty(n, np.int32), np.empty((most, 2), np.uint64), np.empty(most, np.int64),
        np.empty(n, np.int32), np.empty(n, np.int32),
    )  # fmt: skip
    for j in np.argsort(n * by_parts + 2 * squares, kind="mergesort"):
        others = n - np.int64(is_candidate[j])
        weight = others - counts[j] if is_last else np.int64(0)
        if is_beaten(c, n + 2 * others - counts[j], weight, values):
            continue
        guess = guesses[columns[j]]
        labels_of(cells, rows, columns[j], labels)
        count, _ = part_up(
            c, answers, labels, place, parts.part_of, parts.sizes, parts.keys, parts.firsts
        )
        fill(c, n + 2 * others - counts[j], weight, total)
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
                bounds[p] = c.node_values[at]
            else:
                parts.places[p], parts.tags[p, 0], parts.tags[p, 1] = at, tag_0, tag_1
                bounds[p] = least
                if has_prices:
                    raise_by_prices(c, parts.part_of, p, size, prices, scratch, bounds[p])
            replace(total, least, bounds[p])
        if is_refuted or exceeds(total, values):
            continue
        order = np.argsort(parts.sizes[:count], kind="mergesort")
        is_refuted = raise_by_values(
            c, answers, revealed, parts, order, np.int64(guess), left, is_last, bounds, total,
            values,
        )  # fmt: skip
        if c.settings[STOPPED] != 0:
            return
        for p in order:
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
            c.node_keys[parts.places[p]] = parts.tags[p]
            c.node_values[parts.places[p]] = part_values
            replace(total, bounds[p], part_values)
            is_refuted = exceeds(total, values)
        if not is_refuted:
            take(c, answers, guess, total, values, chosen)


TEMPLATES = (best_inner,)
