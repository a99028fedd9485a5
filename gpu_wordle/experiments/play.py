"""An interactive game: the umpire, the board, and explanations of guesses."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.values import Values, per_answer
from gpu_wordle.game.feedback import GREEN, YELLOW, digits
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.values import INFEASIBLE

MAX_ALTERNATIVES = 5
"""Most alternatives that an explanation names."""


class Role(StrEnum):
    """The role of the program in a game."""

    UMPIRE = "umpire"  # gives feedback to the user's guesses
    PLAYER = "player"  # guesses the user's word
    ADVISER = "adviser"  # suggests guesses for a game that is played elsewhere


@dataclass(frozen=True)
class Honest:
    """An umpire with a fixed answer."""

    answer: int

    def pattern(self, position: Position, guess: int) -> int:
        """Feedback of the fixed answer to a guess."""
        return int(position.game.patterns.values[self.answer, guess])


@dataclass(frozen=True)
class Adversary:
    """An umpire without a fixed answer, which keeps as many answers as it can, like Absurdle.

    It gives the feedback of the largest part. Ties go to a part that does not solve the game, then
    to fewest greens, then to fewest yellows, then to the first pattern.
    """

    def pattern(self, position: Position, guess: int) -> int:
        """Feedback of the largest part of the guess."""
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


Umpire = Honest | Adversary
"""Gives feedback to guesses."""


class Board:
    """The turns of a game, with undo.

    Attributes:
        turns: all guesses with feedback, including those made before the board was set up.
        first: number of turns made before the board was set up.
    """

    def __init__(self, start: Position) -> None:
        self._positions = [start]
        self.turns: list[tuple[int, int]] = list(start.turns)
        self.first = len(self.turns)

    @property
    def position(self) -> Position:
        """The current position; once the game is solved, the one before the last guess."""
        return self._positions[-1]

    @property
    def game(self) -> Game:
        """The game."""
        return self.position.game

    @property
    def is_solved(self) -> bool:
        """Whether the answer is found."""
        return bool(self.turns) and self.turns[-1][1] == self.game.words.feedback.solved

    @property
    def is_lost(self) -> bool:
        """Whether the guess limit is reached without finding the answer."""
        limit = self.game.objective.max_guesses
        return not self.is_solved and limit is not None and len(self.turns) >= limit

    @property
    def is_over(self) -> bool:
        """Whether the game is solved or lost."""
        return self.is_solved or self.is_lost

    def play(self, guess: int, pattern: int) -> None:
        """Make a turn. Raises UserError for feedback that no possible answer gives."""
        if pattern == self.game.words.feedback.solved:
            if not is_candidate(self.position, guess):
                word = self.game.words.guesses.shown(guess)
                raise UserError(f"{word} cannot be the answer after these turns; check them")
            self._positions.append(self.position)
        else:
            self._positions.append(self.position.after(guess, pattern))
        self.turns.append((guess, pattern))

    def undo(self) -> None:
        """Take the last turn back. Raises UserError if there is none."""
        if len(self.turns) == self.first:
            raise UserError("no turn to take back; make a guess first")
        self.turns.pop()
        self._positions.pop()

    def before(self, turn: int) -> Position:
        """The position before turn ``turn``, counted from 0; not for turns before the board."""
        return self._positions[turn - self.first]


@dataclass(frozen=True)
class Explained:
    """Facts that explain how good a guess is.

    Attributes:
        guess: index of the guess.
        parts: number of different feedbacks it can receive.
        largest: number of answers in the largest part.
        is_candidate: whether it is a possible answer.
        mean: expected number of further guesses after it; None if it may lose.
        best_mean: expected number of further guesses after a best guess; None if every guess may
            lose.
        best: some of the best guesses, at most MAX_ALTERNATIVES.
        best_count: number of best guesses.
    """

    guess: int
    parts: int
    largest: int
    is_candidate: bool
    mean: float | None
    best_mean: float | None
    best: list[int]
    best_count: int


def groups(position: Position, guess: int) -> tuple[int, int]:
    """The number of groups into which a guess splits the answers, and the largest size."""
    seen = position.game.patterns.values[position.state, guess]
    sizes = np.unique(seen, return_counts=True)[1]
    return len(sizes), int(sizes.max())


def is_candidate(position: Position, guess: int) -> bool:
    """Whether a guess is a possible answer."""
    return bool((position.game.words.guess_of_answer[position.state] == guess).any())


def explain(values: Values, position: Position, guess: int) -> Explained:
    """Explain a guess: its parts, and its value compared with the best guesses."""
    best = values.best(position)
    own = per_answer(position, values.total_of(position, guess))
    least = per_answer(position, values.total(position))
    return Explained(
        guess,
        *groups(position, guess),
        is_candidate(position, guess),
        None if own is None else float(own),
        None if least is None else float(least),
        list(best[:MAX_ALTERNATIVES]),
        len(best),
    )


def hint(values: Values, position: Position) -> int:
    """The best guess; the first answer left if there is no guaranteed win."""
    best = values.best(position)
    return best[0] if best else int(position.game.words.guess_of_answer[position.state[0]])


def is_sure(values: Values, position: Position, guess: int) -> bool:
    """Whether a guess is a guaranteed win."""
    return values.total_of(position, guess) < INFEASIBLE
