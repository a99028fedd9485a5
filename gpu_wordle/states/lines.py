"""Guesses as lines in the level of noise: many perturbed values of one state at once.

A guess leads to leaves, states whose values are perturbed. Its true total is A. Its draws, each
times what it weighs, add up to B, run by run. So its perturbed value is a line in the level, and
the value of a state is the least of its lines.
"""

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

    @property
    def shape(self) -> tuple[int, int]:
        """L and R."""
        levels, runs = self.alpha.shape
        return levels, runs

    @property
    def runs(self) -> int:
        """R, the number of runs."""
        return self.alpha.shape[1]


@dataclass(frozen=True, eq=False)
class Lines:
    """N guesses on B states, the lines of a state in the order in which ties go to them.

    Attributes:
        indptr: int64[B + 1]; state b owns the lines ``indptr[b]`` to ``indptr[b + 1]``.
        total: int64[N], the true totals A.
        leaf_indptr: int64[N + 1]; line i owns ``leaf[leaf_indptr[i]:leaf_indptr[i + 1]]``.
        leaf: int32[...], indices into the leaves, of which there are K.
        keys: uint64[K, 2], what their draws are functions of.
        weight: int32[K], what a draw of 1 adds at a level of 100 %.
    """

    indptr: NDArray[np.int64]
    total: NDArray[np.int64]
    leaf_indptr: NDArray[np.int64]
    leaf: NDArray[np.int32]
    keys: NDArray[np.uint64]
    weight: NDArray[np.int32]

    def __len__(self) -> int:
        return len(self.indptr) - 1

    def chunk(self, start: int, stop: int) -> Lines:
        """The states ``start`` to ``stop``, with the leaves that they have."""
        lines = slice(self.indptr[start], self.indptr[stop])
        ends = self.leaf_indptr[lines.start : lines.stop + 1]
        kept, leaf = np.unique(self.leaf[ends[0] : ends[-1]], return_inverse=True)
        return Lines(
            self.indptr[start : stop + 1] - self.indptr[start],
            self.total[lines],
            ends - ends[0],
            leaf.astype(np.int32),
            self.keys[kept],
            self.weight[kept],
        )


@dataclass(frozen=True, eq=False)
class LeastLines:
    """The least lines of B states in every lane; of equal ones the first.

    Attributes:
        value: int64[B, L, R], the perturbed values; UNSOLVABLE where a state has no line.
        place: int32[B, L, R], which line of the state, counted from 0; -1 where there is none.
    """

    value: NDArray[np.int64]
    place: NDArray[np.int32]

    @classmethod
    def none(cls, states: int, lanes: Lanes) -> LeastLines:
        """Of states without lines."""
        shape = states, *lanes.shape
        return cls(np.full(shape, UNSOLVABLE, np.int64), np.full(shape, -1, np.int32))
