"""The draws u: a function of seed, run and key of a state, independent of earlier draws.

Philox 4x32-10 maps a counter of 128 bits and a key of 64 bits to four words of 32 bits. The counter
is the key of the state. The key is the seed and a quarter of the number of the run; the remainder
picks one of the words. Source: Salmon, Moraes, Dror and Shaw, "Parallel random numbers: as easy as
1, 2, 3", SC 2011.

A draw is a whole multiple of 2**-23. So perturbed values are whole numbers too, and compare
exactly.
"""

from __future__ import annotations

from enum import StrEnum
from functools import lru_cache
from statistics import NormalDist

import numpy as np
from numpy.typing import NDArray

FRACTION_BITS = 23
ONE = 1 << FRACTION_BITS
"""A draw of 1."""

ROUNDS = 10
WORDS = 4
"""Words that one call of Philox makes, one for each of four runs."""

MAX_SEED = 2**32 - 1


class Kind(StrEnum):
    """The distribution of draws.

    Normal draws have the variance of uniform ones. They are quantiles of the normal distribution at
    65,536 evenly spaced places, so that they lie between -2.5 and 2.5.
    """

    UNIFORM = "uniform"  # on [-1, 1)
    GAUSSIAN = "gaussian"
    ONE_SIDED = "one-sided"  # uniform on [0, 1)


@lru_cache(maxsize=1)
def gaussian_table() -> NDArray[np.int32]:
    """Return quantiles of the normal distribution of variance 1/3, in 2**-23; int32[65536]."""
    places, normal = 1 << 16, NormalDist(0, 3**-0.5)
    half = [round(ONE * normal.inv_cdf((i + 0.5) / places)) for i in range(places // 2)]
    return np.array([*half, *(-value for value in reversed(half))], np.int32)


def extremes(kind: Kind) -> tuple[int, int]:
    """Return the least and the greatest draw, in units of 2**-23."""
    if kind is Kind.GAUSSIAN:
        table = gaussian_table()
        return int(table[0]), int(table[-1])
    return (0 if kind is Kind.ONE_SIDED else -ONE), ONE - 1


def philox(counter: tuple[int, int, int, int], key: tuple[int, int]) -> tuple[int, int, int, int]:
    """Return Philox 4x32-10 in plain Python: four words of 32 bits."""
    c_0, c_1, c_2, c_3 = counter
    key_0, key_1 = key
    for _ in range(ROUNDS):
        high_0, low_0 = divmod(0xD2511F53 * c_0, 1 << 32)
        high_1, low_1 = divmod(0xCD9E8D57 * c_2, 1 << 32)
        c_0, c_1, c_2, c_3 = high_1 ^ c_1 ^ key_0, low_1, high_0 ^ c_3 ^ key_1, low_0
        key_0, key_1 = (key_0 + 0x9E3779B9) % (1 << 32), (key_1 + 0xBB67AE85) % (1 << 32)
    return c_0, c_1, c_2, c_3


def draw(key: tuple[int, int], seed: int, run: int, kind: Kind) -> int:
    """Return one draw, in units of 2**-23, in plain Python."""
    (high_0, low_0), (high_1, low_1) = (divmod(word, 1 << 32) for word in key)
    word = philox((low_0, high_0, low_1, high_1), (seed, run // WORDS))[run % WORDS]
    if kind is Kind.GAUSSIAN:
        return int(gaussian_table()[word >> 16])
    return word >> 9 if kind is Kind.ONE_SIDED else (word >> 8) - ONE
