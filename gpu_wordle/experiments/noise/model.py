"""The noise model: which values are perturbed, and by how much."""

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
"""A level is a whole number of millionths: a percentage with four decimals."""

MAX_LEVEL = Fraction(10)
"""Highest level, 1,000 %, so that perturbed totals fit 64 bits."""

MAX_FOLLOWED = Fraction(1, 2)
"""Highest level up to which departures from the optimum are searched."""
MAX_RUNS = 1_000_000
MASK = (1 << 64) - 1


class Small(StrEnum):
    """Which of the smallest states are noisy."""

    NOISY = "noisy"  # all states
    EXACT = "exact"  # states of three answers or more
    SINGLES_EXACT = "singles-exact"  # states of two answers or more


class Limit(StrEnum):
    """Whether perturbed values respect the guess limit."""

    KEPT = "kept"
    DROPPED = "dropped"


class Draws(StrEnum):
    """The unit that has an independent draw."""

    STATE = "state"
    VISIT = "visit"  # a state together with the states on the path to it


class Per(StrEnum):
    """What a level is a percentage of."""

    VALUE = "value"
    ANSWER = "answer"  # of one guess for each answer of the state
    STATE = "state"  # of one guess


class After(StrEnum):
    """The policy after the noisy depth."""

    OPTIMAL = "optimal"
    NOISY = "noisy"  # guesses by the noisy values of the next states


@dataclass(frozen=True)
class NoiseModel:
    """The noise model. Raises UserError for values out of range.

    Attributes:
        depth: number of guesses, including the opener, after which values are noisy.
        seed: seed of all draws.
        noise: distribution of the draws.
        small: which of the smallest states are noisy.
        limit: whether perturbed values respect the guess limit.
        draws: the unit that has an independent draw.
        per: what a level is a percentage of.
        after: the policy after the noisy depth.
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
        """Upper limit of levels, exclusive: at this level a perturbed value could be zero."""
        lowest = -self.least_draw
        return Fraction(ONE, lowest) if lowest else MAX_LEVEL

    @property
    def horizon(self) -> Fraction:
        """The level up to which departures from the optimum are searched."""
        return min(MAX_FOLLOWED, self.ceiling * Fraction(99, 100))

    @property
    def departs(self) -> bool:
        """Whether departures from the optimum are searched.

        This needs a choice before the noisy depth, and optimal play after it.
        """
        return self.depth > 1 and self.after is After.OPTIMAL

    def guesses_left(self, max_guesses: int | None, made: int) -> int:
        """Number of guesses left after ``made`` guesses, as perturbed values count them."""
        if max_guesses is None or self.limit is Limit.DROPPED:
            return NO_LIMIT
        return max(0, max_guesses - made)

    def check(self, level: Fraction) -> None:
        """Raise UserError for a level that could make values zero or negative."""
        if not 0 <= level < self.ceiling:
            most = float(100 * self.ceiling)
            raise UserError(
                f"level {float(100 * level):g} %: with {self.noise} noise give percentages from 0 "
                f"to below {most:.5g}"
            )


def read_level(text: str | float | Decimal | Fraction) -> Fraction:
    """Read a level as a percentage. Raises UserError unless it is a multiple of 0.0001 %."""
    try:
        level = Fraction(str(text) if isinstance(text, float) else text) / 100
    except (ValueError, ZeroDivisionError, TypeError, OverflowError):
        raise UserError(f"level {text!r}: give a percentage, as in 0.5") from None
    if (level * LEVEL_UNITS).denominator != 1:
        raise UserError(f"level {text}: give at most four decimals of a percent")
    return level


@dataclass(frozen=True, eq=False)
class Lanes:
    """Parallel lanes of a search: L comparisons in each of R runs.

    Let a policy have total A and weighted sum of draws B, in units of 2**-23. Its perturbed value
    in a lane is ``alpha * A + beta * B``, up to a factor of the lane.

    Attributes:
        first_run: number of the first run, a multiple of four.
        alpha: int64[L, R], factor of the total.
        beta: int64[L, R], factor of the draws.
    """

    first_run: int
    alpha: NDArray[np.int64]
    beta: NDArray[np.int64]

    @classmethod
    def of_levels(cls, levels: Sequence[Fraction], first_run: int, runs: int) -> Lanes:
        """Lanes with equal levels in all runs."""
        beta = np.array([int(level * LEVEL_UNITS) for level in levels], np.int64)
        shape = len(levels), runs
        alpha = np.full(shape, LEVEL_UNITS * ONE, np.int64)
        return cls(first_run, alpha, np.repeat(beta[:, np.newaxis], runs, axis=1))

    @classmethod
    def of_ratios(cls, ratios: Sequence[tuple[int, int]], first_run: int) -> Lanes:
        """One lane for each run, each with its own pair (alpha, beta)."""
        alpha, beta = np.array(ratios, np.int64).reshape(-1, 2).T
        return cls(first_run, alpha[np.newaxis].copy(), beta[np.newaxis].copy())


def mixed(word: int) -> int:
    """Mix a 64-bit word, so that the key of a path depends on the order of its states."""
    word = word * 0x9E3779B97F4A7C15 & MASK
    return word ^ word >> 29
