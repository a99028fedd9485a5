"""Perturbed values as whole numbers, in many runs and at many levels at once."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.states.draws import ONE

UNSOLVABLE = 1 << 62
"""The perturbed value of what cannot surely be won in time."""

LEVEL_UNITS = 10**6
"""A level is a whole number of millionths: percent with four decimals."""


@dataclass(frozen=True, eq=False)
class Lanes:
    """Comparisons that are made side by side: L of each of R runs.

    Let a policy have the total A, and let its draws add up to B, in units of 2**-23. Its perturbed
    value is ``alpha * A + beta * B``, in units of its own.

    Attributes:
        first_run: number of the first run, a multiple of four.
        alpha: int64[L, R].
        beta: int64[L, R].
    """

    first_run: int
    alpha: NDArray[np.int64]
    beta: NDArray[np.int64]

    @classmethod
    def of_levels(cls, levels: Sequence[Fraction], first_run: int, runs: int) -> Lanes:
        """The same levels in every run."""
        beta = np.array([int(level * LEVEL_UNITS) for level in levels], np.int64)
        shape = len(levels), runs
        alpha = np.full(shape, LEVEL_UNITS * ONE, np.int64)
        return cls(first_run, alpha, np.repeat(beta[:, np.newaxis], runs, axis=1))

    @classmethod
    def of_ratios(cls, ratios: Sequence[tuple[int, int]], first_run: int) -> Lanes:
        """One comparison a run, each at its own pair of alpha and beta."""
        alpha, beta = np.array(ratios, np.int64).reshape(-1, 2).T
        return cls(first_run, alpha[np.newaxis].copy(), beta[np.newaxis].copy())
