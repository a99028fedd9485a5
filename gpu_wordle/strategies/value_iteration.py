"""Value iteration with the last turn as the state.

It assumes that all answers which agree with the last turn are equally likely, although earlier
turns rule some out. So play may cycle, and win fewer games than the values predict. Q-learning
trains on the answers that its own earlier guesses leave. It can do better after enough games.
"""

from __future__ import annotations

from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.strategies.last_turns import START, UNKNOWN, ByLastTurn, LastTurns
from gpu_wordle.strategies.tables import sweep

Values = NDArray[np.float32]


class ValueIteration(ByLastTurn):
    """Plays the guess of the highest value after some sweeps; ties go to the first.

    The reward of a won game is 1, multiplied by ``discount`` for each turn after the first.
    """

    def __init__(self, name: str, states: LastTurns, sweeps: int, discount: float) -> None:
        super().__init__(name, states)
        self._sweeps = sweeps
        self._discount = np.float32(discount)

    @cached_property
    def worth(self) -> Values:
        """Value of each guess for each hidden answer after all sweeps, float32[A, A]."""
        return self._worth(self._values)

    @property
    def expected(self) -> float:
        """Value of the start: the discounted fraction of games won, as the table predicts."""
        return float(self.worth.mean(axis=0).max())

    @cached_property
    def _values(self) -> Values:
        """Value of each state (guess, pattern) after all sweeps but the last, float32[A, P].

        The value of a guess for a hidden answer does not depend on the state. So the value of a
        state is its best mean over the answers of the state.
        """
        patterns = self.states.game.patterns.pattern_count
        values = np.zeros((len(self.states.seen), patterns), np.float32)
        for _ in range(self._sweeps - 1):
            sweep(self.states.seen, patterns, self._worth(values), values)
        return values

    def _worth(self, values: Values) -> Values:
        """Compute the value of each guess for each hidden answer, float32[A, A]."""
        seen = self.states.seen
        following = self._discount * values[np.arange(len(seen)), seen]
        return np.where(seen == self.states.game.patterns.all_green, np.float32(1), following)

    def _best(self, state: int, made: int) -> int:
        if state in (START, UNKNOWN):
            return int(self.worth.sum(axis=0).argmax())
        guess, pattern = divmod(state - 1, self.states.game.patterns.pattern_count)
        answers = np.flatnonzero(self.states.seen[:, guess] == pattern)
        return int(self.worth[answers].sum(axis=0).argmax())
