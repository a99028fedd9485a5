"""States that hold the last turn alone, and strategies that look their guess up by them.

Erkin, "Solving Wordle", 2022, has a state for each guess and its feedback, and one for the start.
What the turns before have shown is forgotten, so these states do not make a Markov process. A table
of them can go round in circles.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES
from gpu_wordle.strategies.positions import Positions

START = 0
UNKNOWN = -1
"""The state of a last guess that is no answer: no table has it."""

MAX_TABLED_ANSWERS = 5000
"""Answers up to which there are tables; all pairs of them are held in memory."""


class LastTurns:
    """The states of one game: the start, and each answer as the last guess with its feedback.

    State ``1 + a * P + p`` is that of answer a as the guess and pattern p of P.

    Raises UserError for a rule that forbids guesses, and for more than MAX_TABLED_ANSWERS.
    """

    def __init__(self, name: str, game: Game) -> None:
        if game.rule is not Rule.NORMAL:
            raise UserError(
                f"{name} does not recall what makes guesses illegal under the {game.rule} rule; "
                "leave --rule out"
            )
        if game.answer_count > MAX_TABLED_ANSWERS:
            raise UserError(
                f"{name} takes games of at most {MAX_TABLED_ANSWERS:,} answers, and this one has "
                f"{game.answer_count:,}; give a shorter list with --answers"
            )
        self.game = game

    @property
    def count(self) -> int:
        """Numbers of states; some of them never occur."""
        return 1 + self.game.answer_count * self.game.patterns.pattern_count

    @property
    def max_turns(self) -> int:
        """Guesses that an episode has: the guess limit, or that of Wordle if there is none."""
        return self.game.objective.max_guesses or DEFAULT_MAX_GUESSES

    @cached_property
    def seen(self) -> NDArray[np.uint16]:
        """The pattern of answer a as a guess when answer x is hidden, ``seen[x, a]``."""
        guesses = self.game.words.guess_of_answer
        return np.ascontiguousarray(self.game.patterns.values[:, guesses], np.uint16)

    @cached_property
    def occurring(self) -> int:
        """Guesses with a feedback that some answer gives, the last feedback of a game included."""
        return sum(len(np.unique(column)) for column in self.seen.T)

    def of(self, positions: Positions) -> NDArray[np.int64]:
        """The state of each position, [B]; UNKNOWN where the last guess is no answer."""
        if positions.turns_made == 0:
            return np.full(len(positions), START, np.int64)
        guess, pattern = positions.turns[:, -1].T.astype(np.int64)
        answer = self.game.words.answer_of_guess[guess].astype(np.int64)
        state = 1 + answer * self.game.patterns.pattern_count + pattern
        return np.where(answer < 0, UNKNOWN, state)


class ByLastTurn(ABC):
    """A strategy that guesses by the last turn alone.

    Where an episode would be over, it knows nothing more. The game is lost then, and is ended by
    guessing the first answer that is left.

    Attributes:
        name: what tables call it.
        states: what it tells apart.
    """

    recalls_turns = True

    def __init__(self, name: str, states: LastTurns) -> None:
        self.name = name
        self.states = states

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """See Strategy."""
        made = positions.turns_made
        if made >= self.states.max_turns:
            return positions.first_guesses
        states, place = np.unique(self.states.of(positions), return_inverse=True)
        best = np.array([self._best(state, made) for state in states.tolist()], np.intp)
        return self.states.game.words.guess_of_answer[best[place.ravel()]]

    @abstractmethod
    def _best(self, state: int, made: int) -> int:
        """The answer to guess in a state after so many turns."""
