"""The prices of turns in a certificate: a list, and one rule for all turns after it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT

ONE_MORE = -1
"""``TurnPrices.then`` if each later turn costs one more than the turn before."""


@dataclass(frozen=True)
class TurnPrices:
    """The price of each turn; see certificates/FORMAT.md.

    Attributes:
        listed: the prices of the first turns, at least one.
        then: the price of each later turn. INFEASIBLE if there is none; ONE_MORE if each costs one
            more than the turn before.
    """

    listed: tuple[int, ...]
    then: int = ONE_MORE

    @classmethod
    def of(cls, game: Game) -> TurnPrices:
        """Return the prices of a game's own objective and limit.

        Raises ValueError for WORST, which has none.
        """
        objective = game.objective
        if objective.aim is Aim.WORST:
            raise ValueError("the worst case is no sum of prices")
        if objective.max_guesses is None:
            return cls(game.prices.by_turn[: (objective.within or 0) + 1])
        return cls(game.prices.by_turn, game.prices.failure)

    @property
    def is_linear(self) -> bool:
        """True if each feasible turn costs one more than the turn before."""
        return self.listed == tuple(range(1, self.turns + 1)) and self.then in (
            ONE_MORE,
            INFEASIBLE,
        )

    @property
    def turns(self) -> int:
        """T, the number of listed prices. All later turns are of one class."""
        return len(self.listed)

    def price(self, turn: int) -> int:
        """Return the price of a turn, counted from 1, for an answer of weight one; 0 for turn 0."""
        if turn <= self.turns:
            return self.listed[turn - 1] if turn else 0
        return self.listed[-1] + turn - self.turns if self.then == ONE_MORE else self.then

    def marginal_costs(self, made: int) -> NDArray[np.int64]:
        """Return what each of the next three turns costs more than the turn before it, int64[3]."""
        prices = [self.price(made + ahead) for ahead in range(4)]
        return np.diff(np.minimum(prices, INFEASIBLE)).astype(np.int64)

    def guesses_left(self, made: int) -> int:
        """Return the guesses left after ``made`` turns.

        Returns NO_LIMIT if answers may be found later, or lost.
        """
        return max(self.turns - made, 0) if self.then == INFEASIBLE else NO_LIMIT

    def stage(self, made: int) -> int:
        """Return the class of states after ``made`` turns.

        Equal states of one class cost the same.
        """
        return min(made, self.turns + (self.then != ONE_MORE))

    def __str__(self) -> str:
        later = {ONE_MORE: "+1", INFEASIBLE: "infeasible"}.get(self.then, str(self.then))
        return f"{' '.join(map(str, self.listed))} then {later}"
