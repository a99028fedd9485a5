"""WeighedParts: partition statistics of each guess for a state of weighted answers."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.tunables import WEIGHED_CHUNK


@dataclass(frozen=True, eq=False)
class WeighedParts:
    """Weighted statistics of the partition that each guess makes of one state; arrays are [G].

    The weight of a part is the sum of the weights of its answers.

    Attributes:
        heaviest: int64, sum of the weights of the heaviest answer of each part.
        sum_squares: float64, sum of the squared weights of the parts.
        entropy_bits: float64, Shannon entropy of the pattern in bits, for answers drawn by weight.
    """

    heaviest: NDArray[np.int64]
    sum_squares: NDArray[np.float64]
    entropy_bits: NDArray[np.float64]

    @classmethod
    def of(
        cls, patterns: PatternMatrix, state: NDArray[np.uint16], weights: NDArray[np.int64]
    ) -> WeighedParts:
        """Partition a state by every guess; ``weights``, int64[n], are those of its answers."""
        lightest_first = np.argsort(weights, kind="stable")
        state, weights = state[lightest_first], weights[lightest_first]
        count = patterns.values.shape[1]
        heaviest = np.zeros(count, dtype=np.int64)
        squares = np.zeros(count, dtype=np.float64)
        entropy = np.zeros(count, dtype=np.float64)
        top = np.zeros(patterns.pattern_count, dtype=np.int64)
        total = float(weights.sum())
        for start in range(0, count, WEIGHED_CHUNK):
            columns = np.ascontiguousarray(patterns.values[state, start : start + WEIGHED_CHUNK].T)
            for guess, column in enumerate(columns, start):
                top[:] = 0
                top[column] = weights  # ascending weights: the heaviest answer is written last
                heaviest[guess] = top.sum()
                parts = np.bincount(column, weights)
                parts = parts[parts > 0]
                squares[guess] = parts @ parts
                if total > 0:
                    entropy[guess] = np.log2(total) - parts @ np.log2(parts) / total
        return cls(heaviest, squares, np.maximum(entropy, 0.0))
