"""Statistics of the partition that each guess makes: in exact integers, and of weighted answers."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.states.bounds import guess_lower_bound
from gpu_wordle.tunables import WEIGHED_CHUNK

ENTROPY_FRACTION_BITS = 24
"""Fixed point of entropy sums: c * log2(c) is stored as an integer in units of 2**-24."""


@lru_cache(maxsize=2)
def entropy_table(most: int) -> NDArray[np.int64]:
    """round(c * log2(c) * 2**24) for c = 0 to ``most``, int64[most + 1], shared by all backends."""
    c = np.arange(most + 1, dtype=np.float64)
    scaled = c * np.log2(np.maximum(c, 1)) * 2.0**ENTROPY_FRACTION_BITS
    table = np.rint(scaled).astype(np.int64)
    table.flags.writeable = False
    return table


def entropy_of_counts(counts: NDArray[np.int64]) -> float:
    """Shannon entropy, in bits, of a partition with parts of the given sizes."""
    n = int(counts.sum())
    total = int(entropy_table(n)[counts].sum())
    return max(0.0, float(np.log2(n) - total / (n * 2.0**ENTROPY_FRACTION_BITS)))


class Criterion(StrEnum):
    """A partition statistic that ranks guesses; lower is better.

    Ties go to candidates, then to the lowest guess index.
    """

    LOWER_BOUND = "lower_bound"  # 3n - parts - [candidate]
    ENTROPY = "entropy"  # sum of c log2 c over the parts, which falls as entropy grows
    MAX_PART = "max_part"
    SUM_SQUARES = "sum_squares"  # n times the expected part size
    PARTS = "parts"  # minus the number of parts


@dataclass(frozen=True)
class PartitionStats:
    """Statistics of G guesses on B states; every array is [B, G].

    Attributes:
        parts: uint16, number of non-empty parts, including ALL_GREEN.
        is_candidate: bool, whether the guess is a possible answer, so that ALL_GREEN occurs.
        max_part: uint16, size of the largest part.
        sum_squares: uint32, sum of the squared sizes of the parts.
        sum_nlog2n: int64, sum of c * log2(c) over the sizes c of the parts, in fixed point.
        sizes: int64[B], number of answers of each state.
    """

    parts: NDArray[np.uint16]
    is_candidate: NDArray[np.bool_]
    max_part: NDArray[np.uint16]
    sum_squares: NDArray[np.uint32]
    sum_nlog2n: NDArray[np.int64]
    sizes: NDArray[np.int64]

    @classmethod
    def empty(cls, states: int, guesses: int, sizes: NDArray[np.int64]) -> PartitionStats:
        """Uninitialised arrays for a backend to fill."""
        shape = (states, guesses)
        return cls(
            np.empty(shape, np.uint16),
            np.empty(shape, np.bool_),
            np.empty(shape, np.uint16),
            np.empty(shape, np.uint32),
            np.empty(shape, np.int64),
            sizes,
        )

    @property
    def lower_bound(self) -> NDArray[np.int64]:
        """Lower bound on the total of each guess (bounds.guess_lower_bound), int64[B, G]."""
        return guess_lower_bound(
            self.sizes[:, None], self.parts.astype(np.int64), self.is_candidate.astype(np.int64)
        )

    @property
    def entropy_bits(self) -> NDArray[np.float64]:
        """Shannon entropy of the pattern in bits: its mutual information with the answer."""
        n = self.sizes[:, None].astype(np.float64)
        bits = np.log2(n) - self.sum_nlog2n / (n * 2.0**ENTROPY_FRACTION_BITS)
        return np.asarray(np.maximum(bits, 0.0))  # no -0.000 from rounding

    @property
    def expected_part_size(self) -> NDArray[np.float64]:
        """Expected number of answers left, including the answer itself, float64[B, G]."""
        return np.asarray(self.sum_squares / self.sizes[:, None])

    def standard_deviation(self, pattern_count: int) -> NDArray[np.float64]:
        """Population standard deviation of the part sizes over all patterns, including empty ones.

        Hayes, "Words for the Wordle-Weary", 2022.
        """
        mean = self.sizes[:, None] / pattern_count
        return np.asarray(np.sqrt(self.sum_squares / pattern_count - mean**2))

    def criterion(self, by: Criterion) -> NDArray[np.int64]:
        """The integers by which ``by`` ranks the guesses, int64[B, G]; lower is better."""
        if by is Criterion.LOWER_BOUND:
            return self.lower_bound
        if by is Criterion.PARTS:
            return -self.parts.astype(np.int64)
        if by is Criterion.ENTROPY:
            return self.sum_nlog2n
        return (self.max_part if by is Criterion.MAX_PART else self.sum_squares).astype(np.int64)


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


@dataclass(frozen=True)
class BestGuesses:
    """The best guess of each state under a Criterion, and the one-ply bound; every array is [B].

    Attributes:
        guess: int32, index of the best guess.
        value: int64, its criterion; lower is better.
        lower_bound: int64, least :func:`bounds.guess_lower_bound` of any guess: a lower bound on
            the value of the state.
    """

    guess: NDArray[np.int32]
    value: NDArray[np.int64]
    lower_bound: NDArray[np.int64]
