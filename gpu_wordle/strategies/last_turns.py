"""A state space of last turns only, and strategies that look up their guess in a table over it.

Erkin, "Solving Wordle", 2022, has a state for each guess with its feedback, and one for the start.
Earlier turns are forgotten, so the process is not Markov, and play by a table may cycle.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES
from gpu_wordle.strategies.machine import sweep
from gpu_wordle.strategies.positions import Positions

START = 0
UNKNOWN = -1
"""The state after a guess that is no answer, which no table contains."""

MAX_TABLED_ANSWERS = 5000
"""Largest number of answers for a table, since all pairs of answers are held in memory."""


class LastTurns:
    """The state space of one game: the start, and each answer as the last guess with its feedback.

    State 0 is the start. State ``1 + a * P + p`` is a last guess of answer a with pattern p of P.

    Raises UserError for a rule other than normal, and for more than MAX_TABLED_ANSWERS answers.
    """

    def __init__(self, name: str, game: Game) -> None:
        if game.rule is not Rule.NORMAL:
            raise UserError(
                f"{name} forgets earlier turns, and so cannot keep the {game.rule} rule; leave "
                "--rule out"
            )
        if game.answer_count > MAX_TABLED_ANSWERS:
            raise UserError(
                f"{name} takes games of at most {MAX_TABLED_ANSWERS:,} answers, and this one has "
                f"{game.answer_count:,}; give a shorter list with --answers"
            )
        self.game = game

    @property
    def count(self) -> int:
        """Number of states, including some that never occur."""
        return 1 + self.game.answer_count * self.game.patterns.pattern_count

    @property
    def max_turns(self) -> int:
        """Number of guesses in an episode: the guess limit, or Wordle's if there is none."""
        return self.game.objective.max_guesses or DEFAULT_MAX_GUESSES

    @cached_property
    def seen(self) -> NDArray[np.uint16]:
        """``seen[x, a]``: the pattern of answer a as the guess when x is hidden, uint16[A, A]."""
        guesses = self.game.words.guess_of_answer
        return np.ascontiguousarray(self.game.patterns.values[:, guesses], np.uint16)

    @cached_property
    def occurring(self) -> int:
        """Number of states that occur, the start excluded and solved games included."""
        return sum(len(np.unique(column)) for column in self.seen.T)

    def of(self, positions: Positions) -> NDArray[np.int64]:
        """The state of each position, int64[B]; UNKNOWN if the last guess is no answer."""
        if positions.turns_made == 0:
            return np.full(len(positions), START, np.int64)
        guess, pattern = positions.turns[:, -1].T.astype(np.int64)
        answer = self.game.words.answer_of_guess[guess].astype(np.int64)
        state = 1 + answer * self.game.patterns.pattern_count + pattern
        return np.where(answer < 0, UNKNOWN, state)


class ByLastTurn(ABC):
    """A strategy whose guess depends only on the last turn.

    After ``max_turns`` guesses the game is lost; it then plays the first answer left, so that the
    game ends.

    Attributes:
        name: its name in tables and files.
        states: the state space.
    """

    recalls_turns = True

    def __init__(self, name: str, states: LastTurns) -> None:
        self.name = name
        self.states = states

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        made = positions.turns_made
        if made >= self.states.max_turns:
            return positions.first_guesses
        states, place = np.unique(self.states.of(positions), return_inverse=True)
        best = np.array([self._best(state, made) for state in states.tolist()], np.intp)
        return self.states.game.words.guess_of_answer[best[place.ravel()]]

    @abstractmethod
    def _best(self, state: int, made: int) -> int:
        """Return the index of the answer to guess in a state after ``made`` turns."""


Values = NDArray[np.float32]


class ValueIteration(ByLastTurn):
    """Plays the guess of the highest value after some sweeps; ties go to the first.

    The reward of a won game is 1, multiplied by ``discount`` for each turn after the first.

    It assumes that all answers which agree with the last turn are equally likely, although earlier
    turns rule some out. So play may cycle, and win fewer games than the values predict. Q-learning
    trains on the answers that its own earlier guesses leave. It can do better after enough games.
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
