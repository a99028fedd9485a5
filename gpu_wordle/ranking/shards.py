"""Shards: a ranking in parts of about the same size, for job arrays without any engine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.numbers import natural_number

MAX_RUN = 25
"""Guesses that stay together, since those of the same letters share what is learned of states."""

MIN_RUNS = 4
"""Runs that a shard has, if there are guesses enough, so that all shards take about as long."""


@dataclass(frozen=True)
class Shard:
    """One of so many parts, numbered from 1.

    Attributes:
        number: which.
        count: of how many.
    """

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``3/12``; UserError for what is no part of anything."""
        number, _, count = text.partition("/") if isinstance(text, str) else ("", "", "")
        read = natural_number(number), natural_number(count)
        if read[0] is None or read[1] is None or not 1 <= read[0] <= read[1]:
            raise UserError(
                f"shard {quoted(text)}: give its number and how many there are, as in 3/12"
            )
        return cls(read[0], read[1])

    def of(self, guesses: NDArray[np.intp]) -> NDArray[np.intp]:
        """Its part of the guesses: runs of neighbours, dealt out in turn."""
        run = max(1, min(MAX_RUN, len(guesses) // (MIN_RUNS * self.count)))
        dealt = np.arange(len(guesses)) // run % self.count
        return guesses[dealt == self.number - 1]
