"""Several words that are fixed beforehand, and a rule that plays on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Strategy


@dataclass(frozen=True)
class Opening:
    """Guess some words one after another whatever the feedback, then play by a strategy.

    The words are played even where the answer is already known ("Optimal Wordle strategies").

    Attributes:
        game: what is played.
        guesses: indices of the words, one or more.
        then: how to play on.
    """

    game: Game
    guesses: tuple[int, ...]
    then: Strategy

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"opening:{'+'.join(self.game.spell(self.guesses))}:{self.then.name}"

    @property
    def recalls_turns(self) -> bool:
        """See Strategy; which word is next depends on the number of turns alone."""
        return self.then.recalls_turns

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """See Strategy."""
        made = positions.turns_made
        if made < len(self.guesses):
            return np.full(len(positions), self.guesses[made], np.int32)
        return self.then.choose(positions)
