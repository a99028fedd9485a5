"""Machine code of the maker: what guesses do to a state, and the least that a state costs by them.

Answers of a state come heaviest first, so that the first of each part is its heaviest, the *head*.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

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
from gpu_wordle.tunables import TABLE_BLOCK


@compiled_by_width(
    lambda pattern: NOTHING(
        given(pattern, 2), INT, ANSWERS, INDICES, GUESSES, ZOBRIST,
        INT64S, INT64S, INT64S, UINT64_ROWS,
    ),
    Need.RARE,
)  # fmt: skip
def measure(  # type: ignore[no-untyped-def]
    patterns, bins, state, weight, guesses, zobrist, parts, heads, own, hashes
):
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


@compiled_by_width(
    lambda pattern: INT(given(pattern, 2), INT, ANSWERS, INDICES, GUESSES, INDICES, INT, INT),
    Need.RARE,
)
def least_one_ply(  # type: ignore[no-untyped-def]
    patterns, bins, state, weight, guesses, steps, guesses_left, enough
):
    """The least one-ply bound of a state over its legal guesses; see costs.py.

    ``steps`` are what the next three turns cost. Counting stops at a bound of ``enough`` or less,
    which is returned if no guess can have less.
    """
    total = np.int64(0)
    for w in weight:
        total += w
    seen = np.zeros((TABLE_BLOCK, bins), np.uint8)
    parts = np.empty(TABLE_BLOCK, np.int64)
    heads = np.empty(TABLE_BLOCK, np.int64)
    own = np.empty(TABLE_BLOCK, np.int64)
    least = np.int64(INFEASIBLE)
    for start in range(0, guesses.size, TABLE_BLOCK):
        width = min(TABLE_BLOCK, guesses.size - start)
        parts[:] = 0
        heads[:] = 0
        own[:] = 0
        for i in range(state.size):
            row = patterns[state[i]]
            w = weight[i]
            for k in range(width):
                b = row[guesses[start + k]]
                is_new = np.int64(1) - np.int64(seen[k, b])
                seen[k, b] = 1
                parts[k] += is_new
                heads[k] += is_new * w
                own[k] += w * np.int64(b == bins - 1)
        for i in range(state.size):
            row = patterns[state[i]]
            for k in range(width):
                seen[k, row[guesses[start + k]]] = 0
        for k in range(width):
            if guesses_left <= 2 and parts[k] < state.size:
                continue
            if guesses_left <= 1 and state.size > 1:
                continue
            cost = (
                steps[0] * total + steps[1] * (total - own[k]) + steps[2] * (total - heads[k])
            )
            least = min(least, cost)
        if least <= enough:
            break
    return least
