"""Machine code that sums the letter scores of each guess for many states at once."""

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.jit.functions import Need, compiled

ABREAST = 8
"""Number of states summed at once, one in each lane of a vector register or two."""

_ROWS = types.Array(types.int64, 3, "C", readonly=True)
_KEYS = types.Array(types.int64, 2, "C", readonly=True)


@compiled(types.void(_ROWS, _KEYS, types.int64[:, ::1]), Need.RARE)
def sum_letters(worth, keys, totals):  # type: ignore[no-untyped-def]
    """Sum the letter scores of every guess in every state.

    Args:
        worth: int64[B, L, K], the score of each place and key.
        keys: int64[L, G], the key of each guess's letter in each place.
        totals: int64[B, G], output: the sums.
    """
    states, length, size = worth.shape
    by_lane = np.zeros((length, size, ABREAST), np.int64)
    sums = np.empty(ABREAST, np.int64)
    for first in range(0, states, ABREAST):
        lanes = min(ABREAST, states - first)
        for lane in range(lanes):
            for place in range(length):
                for key in range(size):
                    by_lane[place, key, lane] = worth[first + lane, place, key]
        for guess in range(keys.shape[1]):
            sums[:] = 0
            for place in range(length):
                key = keys[place, guess]
                for lane in range(ABREAST):
                    sums[lane] += by_lane[place, key, lane]
            for lane in range(lanes):
                totals[first + lane, guess] = sums[lane]
