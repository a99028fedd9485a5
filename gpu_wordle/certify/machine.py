"""Machine code of the maker: what guesses do to a state, and the least that a state costs by them.

Answers of a state come heaviest first, so that the first of each part is its heaviest, the *head*.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit, types

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
from gpu_wordle.jit.functions import Need, compiled_by_width
from gpu_wordle.tunables import MAX_PAIRWISE_FRONTIER, PAIR_BLOCK, TABLE_BLOCK

MARK_BLOCK = 4 * TABLE_BLOCK
"""Guesses at a time where patterns are bytes that are set: rows are read in longer pieces."""
ONE_EACH = np.uint64(0x0101010101010101)
"""Times which eight bytes have their sum in the highest one."""


@compiled_by_width(
    lambda pattern: NOTHING(
        given(pattern, 2), INT, ANSWERS, INDICES, GUESSES, ZOBRIST,
        INT64S, INT64S, INT64S, UINT64_ROWS,
    ),
    Need.RARE,
)  # fmt: skip
def measure(patterns, bins, state, weight, guesses, zobrist, parts, heads, own, hashes):
    """Parts that each guess makes of a state, the weight of their heads, and its own weight.

    The solved pattern, ``bins - 1``, counts as a part, and ``own`` is 0 where it does not occur.
    An answer's label is one more than the place of the first answer with its pattern. The hash of
    a partition is the sum of labels times random 128-bit words: patterns may have any names.
    """
    first = np.zeros((TABLE_BLOCK, bins), np.uint32)
    for start in range(0, guesses.size, TABLE_BLOCK):
        width = min(TABLE_BLOCK, guesses.size - start)
        for k in range(start, start + width):
            parts[k] = 0
            heads[k] = 0
            own[k] = 0
            hashes[k] = 0
        for i in range(state.size):
            row = patterns[state[i]]
            for k in range(width):
                b = row[guesses[start + k]]
                if first[k, b] == 0:
                    first[k, b] = i + 1
                    parts[start + k] += 1
                    heads[start + k] += weight[i]
                if b == bins - 1:
                    own[start + k] = weight[i]
                label = np.uint64(first[k, b])
                hashes[start + k, 0] += label * zobrist[i, 0]
                hashes[start + k, 1] += label * zobrist[i, 1]
        for i in range(state.size):
            row = patterns[state[i]]
            for k in range(width):
                first[k, row[guesses[start + k]]] = 0


@njit
def _least(parts, heads, own, n, total, marginal_costs, guesses_left):
    """The least cost of a block of guesses, by what they make of a state of n answers."""
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


@njit
def _block_by_pairs(matrix, bins, rows, weight, start, block, is_new, parts, heads, own):
    """Parts, heads and own weights of a block of guesses, by comparing every two rows."""
    width = parts.size
    solved = matrix.dtype.type(bins - 1)
    parts[:] = 0
    heads[:] = 0
    own[:] = 0
    for i in range(rows.size):
        row = matrix[rows[i], start : start + width]
        mine = block[i]
        for k in range(width):
            mine[k] = row[k]
        is_new[:] = 1
        for j in range(i):
            other = block[j]
            for k in range(is_new.size):
                is_new[k] &= np.uint8(mine[k] != other[k])
        w = weight[i]
        for k in range(width):
            parts[k] += is_new[k]
            heads[k] += w * np.int64(is_new[k])
        for k in range(width):
            own[k] += w * np.int64(mine[k] == solved)


@njit
def _block_by_tables(matrix, bins, rows, weight, start, seen, parts, heads, own):
    """The same by which patterns have been seen; ``seen`` is left at zero."""
    width = parts.size
    parts[:] = 0
    heads[:] = 0
    own[:] = 0
    for i in range(rows.size):
        row = matrix[rows[i], start : start + width]
        w = weight[i]
        for k in range(width):
            b = row[k]
            is_new = np.int64(1) - np.int64(seen[k, b])
            seen[k, b] = 1
            parts[k] += is_new
            heads[k] += is_new * w
            own[k] += w * np.int64(b == bins - 1)
    for i in range(rows.size):
        row = matrix[rows[i], start : start + width]
        for k in range(width):
            seen[k, row[k]] = 0


@njit
def _equal_by_pairs(matrix, bins, rows, start, block, is_new, parts, own):
    """Parts and own weights, as bytes, where every answer weighs one: many guesses at a time."""
    width = parts.size
    solved = matrix.dtype.type(bins - 1)
    parts[:] = 0
    own[:] = 0
    for i in range(rows.size):
        row = matrix[rows[i], start : start + width]
        mine = block[i]
        for k in range(width):
            mine[k] = row[k]
        is_new[:] = 1
        for j in range(i):
            other = block[j]
            for k in range(is_new.size):
                is_new[k] &= np.uint8(mine[k] != other[k])
        for k in range(width):
            parts[k] += is_new[k]
        for k in range(width):
            own[k] |= np.uint8(mine[k] == solved)


@njit
def _equal_by_tables(matrix, bins, rows, start, seen, eights, parts, own):
    """The same for larger states; ``seen`` are the bytes of ``eights``, left at zero."""
    width = parts.size
    for i in range(rows.size):
        row = matrix[rows[i], start : start + width]
        for k in range(width):
            seen[k, row[k]] = 1
    for k in range(width):
        own[k] = seen[k, bins - 1]
        count = np.uint64(0)
        for eight in range(eights.shape[1]):
            count += (eights[k, eight] * ONE_EACH) >> np.uint64(56)
            eights[k, eight] = 0
        parts[k] = count


@njit
def _least_equal(matrix, bins, rows, marginal_costs, guesses_left, enough):
    """``least_one_ply`` where every answer weighs one, and so every head."""
    n = rows.size
    by_pairs = n <= MAX_PAIRWISE_FRONTIER
    step = PAIR_BLOCK if by_pairs else MARK_BLOCK
    block = np.zeros((n if by_pairs else 1, step), matrix.dtype)
    is_new = np.empty(step, np.uint8)
    eights = np.zeros((1 if by_pairs else step, (bins + 7) // 8), np.uint64)
    seen = eights.view(np.uint8)
    few, found = np.empty(step, np.uint8), np.empty(step, np.uint8)
    many = np.empty(step, np.int64)
    least = np.int64(INFEASIBLE)
    for start in range(0, matrix.shape[1], step):
        width = min(step, matrix.shape[1] - start)
        own, parts = found[:width], many[:width]
        if by_pairs:
            _equal_by_pairs(matrix, bins, rows, start, block, is_new, few[:width], own)
            parts[:] = few[:width]
        else:
            _equal_by_tables(matrix, bins, rows, start, seen, eights, parts, own)
        least = min(least, _least(parts, parts, own, n, n, marginal_costs, guesses_left))
        if least <= enough:
            break
    return least


@compiled_by_width(
    lambda pattern: INT(given(pattern, 2), INT, ANSWERS, INDICES, INDICES, INT, INT),
    Need.RARE,
)
def least_one_ply(matrix, bins, rows, weight, marginal_costs, guesses_left, enough):
    """The least one-ply bound of a state over the guesses that are columns of a matrix.

    ``rows`` are those of the state, heaviest answer first, and ``marginal_costs`` what the next
    three turns cost; see bounds.py. Counting stops at ``enough``, if no guess can have less.
    """
    total = np.int64(0)
    is_equal = True
    for w in weight:
        total += w
        is_equal &= w == 1
    if is_equal:
        return _least_equal(matrix, bins, rows, marginal_costs, guesses_left, enough)
    by_pairs = rows.size <= MAX_PAIRWISE_FRONTIER
    step = PAIR_BLOCK if by_pairs else TABLE_BLOCK
    block = np.zeros((rows.size if by_pairs else 1, step), matrix.dtype)
    is_new = np.empty(step, np.uint8)
    seen = np.zeros((1 if by_pairs else step, bins), np.uint8)
    sums = np.empty((3, step), np.int64)
    least = np.int64(INFEASIBLE)
    for start in range(0, matrix.shape[1], step):
        width = min(step, matrix.shape[1] - start)
        parts, heads, own = sums[0, :width], sums[1, :width], sums[2, :width]
        if by_pairs:
            _block_by_pairs(matrix, bins, rows, weight, start, block, is_new, parts, heads, own)
        else:
            _block_by_tables(matrix, bins, rows, weight, start, seen, parts, heads, own)
        least = min(
            least, _least(parts, heads, own, rows.size, total, marginal_costs, guesses_left)
        )
        if least <= enough:
            break
    return least


@compiled_by_width(
    lambda pattern: NOTHING(given(pattern, 2), INT, ANSWERS, GUESSES, INT64S, INT64S), Need.RARE
)
def fullest(patterns, bins, state, guesses, sizes, shown):
    """The most answers of a state that each guess leaves together, and the pattern they have.

    Of patterns that as many have it is the least.
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
    """How many guesses leave each state together; of its row in ``states`` it has ``sizes``."""
    kept = np.empty(guesses.size, np.int32)
    for s in range(sizes.size):
        count = guesses.size
        kept[:] = guesses
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
