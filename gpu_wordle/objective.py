"""What a strategy is charged for, in integers.

The value of a strategy is the sum over the answers of ``weight * cost(turn)``, where ``turn`` is
the guess that finds the answer, counted from 1. Division by the number of answers is left to
whoever prints a mean, so that values are exact and backends can be compared with ``==``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass

from gpu_wordle.errors import UserError

INFEASIBLE = 1 << 40
"""The value of a state that cannot surely be won within the guess limit: above any total, and
small enough that sums of it stay within 64 bits."""

NO_LIMIT = 255
"""Guesses left when there is no limit; no strategy that makes progress is higher."""


@dataclass(frozen=True)
class Objective:
    """The least mean number of guesses, every answer equally likely, under a guess limit.

    ``max_guesses`` is the number of guesses within which every answer must be found; ``None``
    means that there is no limit.
    """

    max_guesses: int | None = 6

    def __post_init__(self) -> None:
        if self.max_guesses is not None and not 1 <= self.max_guesses < NO_LIMIT:
            raise UserError(
                f"a limit of {self.max_guesses} guesses is out of range; "
                f"use 1 to {NO_LIMIT - 1}, or 0 for none"
            )

    @property
    def name(self) -> str:
        """The name by which the command line and files know this objective."""
        return "mean"

    @property
    def guesses_left(self) -> int:
        """Guesses left before the first one: the limit, or NO_LIMIT."""
        return NO_LIMIT if self.max_guesses is None else self.max_guesses

    def after(self, turns: int) -> int:
        """Guesses left after ``turns`` guesses; UserError if there are none."""
        if self.max_guesses is None:
            return NO_LIMIT
        if turns >= self.max_guesses:
            raise UserError(
                f"{turns} guesses made, and {self.max_guesses} are allowed; "
                "raise --max-guesses, or give 0 for no limit"
            )
        return self.max_guesses - turns

    @property
    def weights_sha256(self) -> str:
        """Identity of the weights: here, that of equal weights."""
        return hashlib.sha256(b"uniform").hexdigest()

    def cost(self, turn: int) -> int:
        """Cost of finding an answer of weight one on ``turn`` (from 1)."""
        return turn

    def total(self, distribution: Sequence[int]) -> int:
        """Value of a strategy that finds ``distribution[t]`` answers on turn ``t + 1``."""
        return sum(int(count) * self.cost(t) for t, count in enumerate(distribution, start=1))
