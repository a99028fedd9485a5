"""Machine code for making certificates: measures of guesses on a state, and its one-ply bound.

Answers of a state come heaviest first. So the first of each part is its heaviest, the *head*.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.backends.cpu.measures import ALL, Block, add_marked, make_room, measuring
from gpu_wordle.backends.cpu.signatures import (
    ANSWERS,
    GUESSES,
    INDICES,
    INT,
    INT64S,
    NOTHING,
    UINT64_ROWS,
    ZOBRIST,
    given,
)
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.jit.cache import callee
from gpu_wordle.jit.functions import Need, compiled_by_width
from gpu_wordle.tunables import MAX_PAIRWISE_FRONTIER, TABLE_BLOCK

MARK_BLOCK = 4 * TABLE_BLOCK
"""Guesses in a block where bytes mark the patterns. Longer rows are read faster."""

WEIGHED = types.Tuple([ANSWERS, INDICES])
"""numba's type of the answers of a state, heaviest first, and their weights."""
SUMS = [INT64S, INT64S, INT64S]
"""numba's types of each guess's parts, weight of heads, and own weight; 0 if it is no answer."""


@callee
def _add_heads(sums, i, cells, earlier, first):
    """Add one answer to the parts, heads and own weights of a guess."""
    parts, heads, own, weight, solved = sums
    for k in range(parts.size):
        is_new = np.int64(earlier[k] == 0)
        parts[k] += is_new
        heads[k] += weight[i] * is_new
        own[k] += weight[i] * np.int64(cells[k] == solved)


@measuring
def _measure_heads(sums, i, cells, earlier, first):
    """Add one answer to the parts, heads and own weights of a guess, in place."""
    _add_heads(sums, i, cells, earlier, first)


@measuring
def _measure_all(sums, i, cells, earlier, first):
    """Add one answer to the measures and the hash of a guess.

    See add_description in cpu/frontier.py.
    """
    of_heads, hashes, zobrist = sums
    _add_heads(of_heads, i, cells, earlier, first)
    for k in range(len(hashes)):
        label = np.uint64(first[k]) + np.uint64(1)
        hashes[k, 0] += label * zobrist[i, 0]
        hashes[k, 1] += label * zobrist[i, 1]


@compiled_by_width(
    lambda pattern: NOTHING(
        given(pattern, 2), INT, WEIGHED, GUESSES, ZOBRIST, types.Tuple([*SUMS, UINT64_ROWS])
    ),
    Need.RARE,
)
def measure(patterns, bins, weighed, guesses, zobrist, into):
    """Write for each guess its number of parts, the weight of their heads, its own weight, a hash.

    The solved pattern, ``bins - 1``, counts as a part. Own weights are 0 where it does not occur.
    The hash of a partition does not depend on the names of its patterns.
    """
    state, weight = weighed
    parts, heads, own, hashes = into
    parts[:] = 0
    heads[:] = 0
    own[:] = 0
    hashes[:] = 0
    solved = patterns.dtype.type(bins - 1)
    room = make_room(patterns, bins, state.size, MAX_PAIRWISE_FRONTIER, np.uint32)
    for start in range(0, guesses.size, room.width):
        stop = min(start + room.width, guesses.size)
        mine = parts[start:stop], heads[start:stop], own[start:stop], weight, solved
        block = Block(patterns, state, guesses, start, stop - start)
        _measure_all(block, room, (mine, hashes[start:stop], zobrist))


@callee
def _least(parts, heads, own, weighed, marginal_costs, guesses_left):
    """Return the least one-ply bound of a block of guesses, from their measures."""
    n, total = weighed
    least = np.int64(INFEASIBLE)
    for k in range(parts.size):
        if guesses_left <= 2 and (parts[k] < n or (guesses_left <= 1 and n > 1)):
            continue
        cost = (
            marginal_costs[0] * total
            + marginal_costs[1] * (total - own[k])
            + marginal_costs[2] * (total - heads[k])
        )
        least = min(least, cost)
    return least


@measuring
def _measure_equal(sums, i, cells, earlier, first):
    """Add one answer to the parts and own weights of a guess, if every answer weighs one."""
    parts, own, solved = sums
    for k in range(parts.size):
        parts[k] += np.uint16(earlier[k] == 0)
        own[k] += np.uint16(cells[k] == solved)


@callee
def _least_equal(matrix, bins, rows, marginal_costs, guesses_left, enough):
    """Return the least one-ply bound of a state if every answer, and so every head, weighs one."""
    n = rows.size
    by_pairs = n <= MAX_PAIRWISE_FRONTIER
    room = make_room(matrix, bins, n if by_pairs else 1, MAX_PAIRWISE_FRONTIER, np.uint16)
    solved = matrix.dtype.type(bins - 1)
    step = room.width if by_pairs else MARK_BLOCK
    flags = np.empty((1 if by_pairs else step, bins), np.uint8)
    sums = np.empty((2, step), np.uint16)
    least = np.int64(INFEASIBLE)
    for start in range(0, matrix.shape[1], step):
        width = min(step, matrix.shape[1] - start)
        parts, own = sums[0, :width], sums[1, :width]
        parts[:] = 0
        own[:] = 0
        block = Block(matrix, rows, ALL, start, width)
        if by_pairs:
            _measure_equal(block, room, (parts, own, solved))
        else:
            add_marked(block, flags, parts)
            for k in range(width):
                own[k] = flags[k, bins - 1]
        least = min(least, _least(parts, parts, own, (n, n), marginal_costs, guesses_left))
        if least <= enough:
            break
    return least


@compiled_by_width(
    lambda pattern: INT(given(pattern, 2), INT, WEIGHED, INDICES, INT, INT), Need.RARE
)
def least_one_ply(matrix, bins, weighed, marginal_costs, guesses_left, enough):
    """Return the least one-ply bound of a state over the guesses that are columns of a matrix.

    ``weighed`` holds the rows of the state, heaviest answer first, and their weights. The next
    three turns cost ``marginal_costs``; see bounds.py. It stops at ``enough``, which no guess
    undercuts.
    """
    rows, weight = weighed
    total = np.int64(0)
    is_equal = True
    for w in weight:
        total += w
        is_equal &= w == 1
    if is_equal:
        return _least_equal(matrix, bins, rows, marginal_costs, guesses_left, enough)
    room = make_room(matrix, bins, rows.size, MAX_PAIRWISE_FRONTIER, np.uint16)
    solved = matrix.dtype.type(bins - 1)
    sums = np.empty((3, room.width), np.int64)
    least = np.int64(INFEASIBLE)
    for start in range(0, matrix.shape[1], room.width):
        width = min(room.width, matrix.shape[1] - start)
        parts, heads, own = sums[0, :width], sums[1, :width], sums[2, :width]
        parts[:] = 0
        heads[:] = 0
        own[:] = 0
        block = Block(matrix, rows, ALL, start, width)
        _measure_heads(block, room, (parts, heads, own, weight, solved))
        counted = rows.size, total
        least = min(least, _least(parts, heads, own, counted, marginal_costs, guesses_left))
        if least <= enough:
            break
    return least


@compiled_by_width(
    lambda pattern: NOTHING(given(pattern, 2), INT, ANSWERS, GUESSES, INT64S, INT64S), Need.RARE
)
def fullest(patterns, bins, state, guesses, sizes, shown):
    """Write for each guess the size of its largest part of a state, and the pattern of that part.

    Of parts of equal size the least pattern counts.
    """
    counts = np.zeros((TABLE_BLOCK, bins), np.int64)
    for start in range(0, guesses.size, TABLE_BLOCK):
        width = min(TABLE_BLOCK, guesses.size - start)
        counts[:] = 0
        for i in range(state.size):
            row = patterns[state[i]]
            for k in range(width):
                counts[k, row[guesses[start + k]]] += 1
        for k in range(width):
            b = counts[k].argmax()
            sizes[start + k] = counts[k, b]
            shown[start + k] = b


@compiled_by_width(
    lambda pattern: NOTHING(
        given(pattern, 2), given(types.uint16, 2), INDICES, GUESSES, INT64S
    ),
    Need.RARE,
)  # fmt: skip
def count_keeping(patterns, states, sizes, guesses, counts):
    """Count the guesses that leave each state together.

    ``sizes`` of its row in ``states`` are used.
    """
    kept = np.empty(guesses.size, np.int32)
    for s in range(sizes.size):
        count = guesses.size
        for k in range(count):
            kept[k] = guesses[k]
        first = patterns[states[s, 0]]
        for i in range(1, sizes[s]):
            row = patterns[states[s, i]]
            still = 0
            for k in range(count):
                if row[kept[k]] == first[kept[k]]:
                    kept[still] = kept[k]
                    still += 1
            count = still
            if count == 0:
                break
        counts[s] = count
