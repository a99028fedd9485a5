"""A fixed sequence of opening words, followed by another strategy."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Strategy


@dataclass(frozen=True)
class Opening:
    """Plays fixed words regardless of feedback, then another strategy.

    All words are played even if the answer is already known ("Optimal Wordle strategies").

    Attributes:
        game: the game.
        guesses: indices of the fixed words, at least one.
        then: the strategy that plays on.
    """

    game: Game
    guesses: tuple[int, ...]
    then: Strategy

    @property
    def name(self) -> str:
        """Its name in tables and files."""
        return f"opening:{'+'.join(self.game.spell(self.guesses))}:{self.then.name}"

    @property
    def recalls_turns(self) -> bool:
        """True if the following strategy recalls turns.

        The fixed words depend on the turn number only.
        """
        return self.then.recalls_turns

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        made = positions.turns_made
        if made < len(self.guesses):
            return np.full(len(positions), self.guesses[made], np.int32)
        return self.then.choose(positions)
