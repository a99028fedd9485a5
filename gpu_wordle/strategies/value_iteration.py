"""Value iteration over the last turn: what its states come to if they were all that there is.

It takes the answer to be any of those that give the last feedback, all equally likely, whatever the
turns before have ruled out. So it may go round in circles, and win fewer games than it holds.
Q-learning meets the answers that its own earlier guesses leave, and can do better where it has
played enough.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.strategies.last_turns import START, UNKNOWN, ByLastTurn, LastTurns
from gpu_wordle.strategies.tables import sweep

Values = NDArray[np.float32]


class ValueIteration(ByLastTurn):
    """Guess what is worth most by the values after some sweeps, the first of equal guesses.

    A won game is worth 1, and ``discount`` for each turn that it takes longer.
    """

    def __init__(self, name: str, states: LastTurns, sweeps: int, discount: float) -> None:
        super().__init__(name, states)
        self._sweeps = sweeps
        self._discount = np.float32(discount)

    @cached_property
    def worth(self) -> Values:
        """What each guess comes to for each hidden answer, float32[A, A], after all sweeps."""
        return self._worth(self._values)

    @property
    def expected(self) -> float:
        """What the table holds of the start: the discounted share of games that it would win."""
        return float(self.worth.mean(axis=0).max())

    @cached_property
    def _values(self) -> Values:
        """The value of each guess and its feedback, float32[A, P], after all sweeps but the last.

        The value of a guess for an answer does not depend on the state. So a state takes the mean
        of these over its answers, and the best of the means.
        """
        patterns = self.states.game.patterns.pattern_count
        values = np.zeros((len(self.states.seen), patterns), np.float32)
        for _ in range(self._sweeps - 1):
            sweep(self.states.seen, patterns, self._worth(values), values)
        return values

    def _worth(self, values: Values) -> Values:
        """See :attr:`worth`."""
        seen = self.states.seen
        following = self._discount * values[np.arange(len(seen)), seen]
        return np.where(seen == self.states.game.patterns.all_green, np.float32(1), following)

    def _best(self, state: int, made: int) -> int:
        if state in (START, UNKNOWN):
            return int(self.worth.sum(axis=0).argmax())
        guess, pattern = divmod(state - 1, self.states.game.patterns.pattern_count)
        answers = np.flatnonzero(self.states.seen[:, guess] == pattern)
        return int(self.worth[answers].sum(axis=0).argmax())
