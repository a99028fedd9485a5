"""A game at the terminal: who answers, where it stands, and what can be said of a guess."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Protocol

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.values import Values, per_answer
from gpu_wordle.game.feedback import GREEN, YELLOW, digits
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.values import INFEASIBLE

MAX_ALTERNATIVES = 5
"""Best guesses that an explanation names."""


class Role(StrEnum):
    """What the machine does."""

    UMPIRE = "umpire"  # answers the guesses of a player
    PLAYER = "player"  # guesses a word that it is told of
    ADVISER = "adviser"  # names guesses for a game that is played elsewhere


class Umpire(Protocol):
    """Who answers guesses."""

    def pattern(self, position: Position, guess: int) -> int:
        """The feedback to a guess."""
        ...


@dataclass(frozen=True)
class Honest:
    """Answers by a word that does not change."""

    answer: int

    def pattern(self, position: Position, guess: int) -> int:
        """See Umpire."""
        return int(position.game.patterns.values[self.answer, guess])


@dataclass(frozen=True)
class Adversary:
    """Has no word in mind and keeps as many as it can, as Absurdle does.

    It gives the feedback of the largest part. Of equally large ones it says as little as it can:
    not that the answer is found, then fewest greens, then fewest yellows, then the first pattern.
    """

    def pattern(self, position: Position, guess: int) -> int:
        """See Umpire."""
        feedback = position.game.words.feedback
        seen, sizes = np.unique(
            position.game.patterns.values[position.state, guess], return_counts=True
        )
        largest = [int(pattern) for pattern in seen[sizes == sizes.max()]]

        def told(pattern: int) -> tuple[bool, int, int, int]:
            colours = digits(pattern, position.game.words.length) if feedback.is_of_words else []
            return (
                pattern == feedback.solved,
                colours.count(GREEN),
                colours.count(YELLOW),
                pattern,
            )

        return min(largest, key=told)


class Board:
    """The turns of a game, which can be taken back.

    Attributes:
        turns: guesses and feedback, those before the board was set up included.
        first: how many those were.
    """

    def __init__(self, start: Position) -> None:
        self._positions = [start]
        self.turns: list[tuple[int, int]] = list(start.turns)
        self.first = len(self.turns)

    @property
    def position(self) -> Position:
        """Where the game stands; once it is solved, before the last guess."""
        return self._positions[-1]

    @property
    def game(self) -> Game:
        """What is played."""
        return self.position.game

    @property
    def is_solved(self) -> bool:
        """Whether the answer is found."""
        return bool(self.turns) and self.turns[-1][1] == self.game.words.feedback.solved

    @property
    def is_lost(self) -> bool:
        """Whether no guess is left."""
        limit = self.game.objective.max_guesses
        return not self.is_solved and limit is not None and len(self.turns) >= limit

    @property
    def is_over(self) -> bool:
        """Whether there is nothing to guess any more."""
        return self.is_solved or self.is_lost

    def play(self, guess: int, pattern: int) -> None:
        """Take a turn; UserError for feedback that no answer gives."""
        if pattern == self.game.words.feedback.solved:
            if not (self.game.words.guess_of_answer[self.position.state] == guess).any():
                word = self.game.words.guesses.shown(guess)
                raise UserError(f"{word} cannot be the answer after these turns; check them")
            self._positions.append(self.position)
        else:
            self._positions.append(self.position.after(guess, pattern))
        self.turns.append((guess, pattern))

    def undo(self) -> None:
        """Take the last turn back; UserError if there is none."""
        if len(self.turns) == self.first:
            raise UserError("there is no turn to take back")
        self.turns.pop()
        self._positions.pop()

    def before(self, turn: int) -> Position:
        """The position before a turn that was taken here, numbered from 0."""
        return self._positions[turn - self.first]


@dataclass(frozen=True)
class Explained:
    """Why a guess, or why not.

    Attributes:
        guess: which.
        parts: how many kinds of feedback it can receive.
        largest: answers behind the likeliest of them.
        is_candidate: whether it can be the answer.
        mean: guesses that an answer takes with it on average; None if it may lose.
        best_mean: the same of the best guesses; None if any guess may lose.
        best: the best guesses, a few of them.
        best_count: how many they are.
    """

    guess: int
    parts: int
    largest: int
    is_candidate: bool
    mean: float | None
    best_mean: float | None
    best: list[int]
    best_count: int


def explain(values: Values, position: Position, guess: int) -> Explained:
    """The parts of a guess, and what it costs beside the best ones."""
    sizes = np.unique(position.game.patterns.values[position.state, guess], return_counts=True)[1]
    best = values.best(position)
    own = per_answer(position, values.total_of(position, guess))
    least = per_answer(position, values.total(position))
    return Explained(
        guess,
        len(sizes),
        int(sizes.max()),
        bool((position.game.words.guess_of_answer[position.state] == guess).any()),
        None if own is None else float(own),
        None if least is None else float(least),
        list(best[:MAX_ALTERNATIVES]),
        len(best),
    )


def hint(values: Values, position: Position) -> int:
    """The best guess; where none surely wins in time, the first answer that is left."""
    best = values.best(position)
    return best[0] if best else int(position.game.words.guess_of_answer[position.state[0]])


def is_sure(values: Values, position: Position, guess: int) -> bool:
    """Whether every answer can surely be found in time after a guess."""
    return values.total_of(position, guess) < INFEASIBLE
