"""The model: which values are perturbed, by how much, and what the perturbed ones are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.noise.machine.draws import MAX_SEED, ONE, Kind, extremes
from gpu_wordle.game.values import NO_LIMIT

MAX_DEPTH = 5
LEVEL_UNITS = 10**6
"""A level is a whole number of millionths: percent with four decimals."""

MAX_LEVEL = Fraction(10)
"""Noise of 1,000 %: perturbed totals are integers of 64 bits."""

MAX_FOLLOWED = Fraction(1, 2)
"""Where a run that has not left the optimum by then is not followed further."""
MAX_RUNS = 1_000_000
MASK = (1 << 64) - 1


class Small(StrEnum):
    """Which of the smallest states are noisy."""

    NOISY = "noisy"  # all
    EXACT = "exact"  # none of one or two answers
    SINGLES_EXACT = "singles-exact"  # none of one answer


class Limit(StrEnum):
    """Whether values know the guess limit."""

    KEPT = "kept"
    DROPPED = "dropped"


class Draws(StrEnum):
    """What has a draw of its own."""

    STATE = "state"
    VISIT = "visit"  # a state, with the states that were passed on the way to it


class Per(StrEnum):
    """What a level is a percentage of."""

    VALUE = "value"
    ANSWER = "answer"  # of one guess for each answer of the state
    STATE = "state"  # of one guess


class After(StrEnum):
    """How play goes on after the noisy depth."""

    OPTIMAL = "optimal"
    NOISY = "noisy"  # by the noisy values of what the next guess leads to


@dataclass(frozen=True)
class NoiseModel:
    """What is drawn and perturbed; UserError for what is out of range.

    Attributes:
        depth: guesses made, the opener among them, when values are noisy.
        seed: of all draws.
        noise: how they are distributed.
        small: which of the smallest states are noisy.
        limit: whether values know the guess limit.
        draws: what has a draw of its own.
        per: what a level is a percentage of.
        after: how play goes on after the noisy depth.
    """

    depth: int = 3
    seed: int = 0
    noise: Kind = Kind.UNIFORM
    small: Small = Small.NOISY
    limit: Limit = Limit.KEPT
    draws: Draws = Draws.STATE
    per: Per = Per.VALUE
    after: After = After.OPTIMAL

    def __post_init__(self) -> None:
        if not 1 <= self.depth <= MAX_DEPTH:
            raise UserError(f"depth {self.depth}: give a whole number from 1 to {MAX_DEPTH}")
        if not 0 <= self.seed <= MAX_SEED:
            raise UserError(f"seed {self.seed}: give a whole number from 0 to {MAX_SEED}")

    @property
    def least_draw(self) -> int:
        """The least draw, in units of 2**-23."""
        return extremes(self.noise)[0]

    @property
    def greatest_draw(self) -> int:
        """The greatest draw, in units of 2**-23."""
        return extremes(self.noise)[1]

    @property
    def ceiling(self) -> Fraction:
        """The level that none may reach: a perturbed value could be zero."""
        lowest = -self.least_draw
        return Fraction(ONE, lowest) if lowest else MAX_LEVEL

    @property
    def horizon(self) -> Fraction:
        """The level up to which runs are followed that have not left the optimum."""
        return min(MAX_FOLLOWED, self.ceiling * Fraction(99, 100))

    @property
    def departs(self) -> bool:
        """Whether runs are followed to where they leave the optimum.

        Before the noise there must be something to choose, and nothing may be lost after it.
        """
        return self.depth > 1 and self.after is After.OPTIMAL

    def is_noisy(self, size: int) -> bool:
        """Whether states of so many answers are noisy."""
        return size > {Small.NOISY: 0, Small.SINGLES_EXACT: 1, Small.EXACT: 2}[self.small]

    def weight(self, size: int, value: int) -> int:
        """What a draw of 1 adds at a level of 100 %."""
        if not self.is_noisy(size):
            return 0
        return {Per.VALUE: value, Per.ANSWER: size, Per.STATE: 1}[self.per]

    def guesses_left(self, max_guesses: int | None, made: int) -> int:
        """Guesses that values may count on once so many are made."""
        if max_guesses is None or self.limit is Limit.DROPPED:
            return NO_LIMIT
        return max(0, max_guesses - made)

    def check(self, level: Fraction) -> None:
        """UserError for a level that would make values zero or negative."""
        if not 0 <= level < self.ceiling:
            most = float(100 * self.ceiling)
            raise UserError(
                f"level {float(100 * level):g} %: with {self.noise} noise give percentages from 0 "
                f"to below {most:.5g}"
            )


def read_level(text: str | float | Decimal | Fraction) -> Fraction:
    """The level of a percentage, a multiple of 0.0001 %; UserError for anything else."""
    try:
        level = Fraction(str(text) if isinstance(text, float) else text) / 100
    except (ValueError, ZeroDivisionError, TypeError, OverflowError):
        raise UserError(f"level {text!r}: give a percentage, as in 0.5") from None
    if (level * LEVEL_UNITS).denominator != 1:
        raise UserError(f"level {text}: give at most four decimals of a percent")
    return level


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


def mixed(word: int) -> int:
    """A word of 64 bits stirred, so that keys of a path tell its order."""
    word = word * 0x9E3779B97F4A7C15 & MASK
    return word ^ word >> 29
