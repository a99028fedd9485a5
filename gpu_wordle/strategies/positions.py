"""A batch of positions of one game with equal numbers of turns, as strategies receive it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import Evaluator
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import PartitionStats

Key = tuple[int, bytes, bytes]
"""Everything that optimal play depends on: turns made, answers left, traits revealed."""


class StoppedError(Exception):
    """The games were stopped before their end."""


@dataclass(frozen=True, eq=False)
class Positions:
    """B positions of a game.

    Attributes:
        game: the game.
        evaluator: the game on a backend.
        states: the possible answers of each position.
        turns: int32[B, T, 2], guess and pattern of each turn.
        revealed: uint64[B, W], the traits that legal guesses must have; see legality.py.
        stop: ends the games early when set; later positions inherit it.
    """

    game: Game
    evaluator: Evaluator
    states: StateBatch
    turns: NDArray[np.int32]
    revealed: NDArray[np.uint64]
    stop: Stop | None = None

    @classmethod
    def of(cls, position: Position, evaluator: Evaluator) -> Positions:
        """Return a batch of one position."""
        game = position.game
        states = StateBatch.from_sets([position.state.tolist()], game.answer_count)
        turns = np.array(position.turns, np.int32).reshape(1, len(position.turns), 2)
        return cls(game, evaluator, states, turns, position.revealed[np.newaxis])

    def __len__(self) -> int:
        return len(self.states)

    @property
    def turns_made(self) -> int:
        """Number of guesses made."""
        return self.turns.shape[1]

    @property
    def is_last_turn(self) -> bool:
        """True if the guess limit leaves only one guess."""
        limit = self.game.objective.max_guesses
        return limit is not None and self.turns_made == limit - 1

    def raise_if_stopped(self) -> None:
        """Raise StoppedError if the stop is set. Slow strategies should call this often."""
        if self.stop is not None and self.stop.is_set():
            raise StoppedError

    def statistics(self) -> PartitionStats:
        """Partition statistics of every guess in every state; arrays [B, G]."""
        return self.evaluator.stats(self.states)

    def candidates(self) -> NDArray[np.bool_]:
        """Return the guesses that are possible answers, bool[B, G]."""
        result = np.zeros((len(self), self.game.guess_count), np.bool_)
        row = np.repeat(np.arange(len(self)), self.states.sizes)
        result[row, self.game.words.guess_of_answer[self.states.answers]] = True
        return result

    def legal(self) -> NDArray[np.bool_] | None:
        """The guesses that are legal under the rule, bool[B, G]; None if all are."""
        if self.game.rule is Rule.NORMAL:
            return None
        rows = zip(range(len(self)), self.revealed, strict=True)
        return np.stack(
            [self.game.legal_guesses(self.states.state(b), revealed) for b, revealed in rows]
        )

    def take(self, indices: NDArray[np.integer]) -> Positions:
        """Return the positions ``indices``, in that order."""
        states = self.states.take(indices)
        return replace(
            self, states=states, turns=self.turns[indices], revealed=self.revealed[indices]
        )

    def chunk(self, start: int, stop: int) -> Positions:
        """Return the positions from ``start`` up to, but without, ``stop``."""
        states = self.states.chunk(start, stop)
        own = slice(start, stop)
        return replace(self, states=states, turns=self.turns[own], revealed=self.revealed[own])

    def chunks(self, size: int) -> Iterator[Positions]:
        """Yield the positions in order, ``size`` at a time."""
        for start in range(0, len(self), size):
            yield self.chunk(start, min(start + size, len(self)))

    def allows(self, guess: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return whether the guess of each position is legal, bool[B].

        On the first turn all are.
        """
        game, states = self.game, self.states
        if self.turns_made == 0 or game.rule is Rule.NORMAL:
            return np.ones(len(self), np.bool_)
        if game.rule is Rule.CANDIDATES:
            wanted = np.repeat(game.words.answer_of_guess[guess], states.sizes)
            return np.logical_or.reduceat(states.answers == wanted, states.indptr[:-1])
        return game.traits.agree(self.first_guesses, self.revealed, guess)

    @property
    def first_guesses(self) -> NDArray[np.int32]:
        """Return for each state the guess that is its first possible answer, int32[B]."""
        first = self.states.answers[self.states.indptr[:-1]]
        return self.game.words.guess_of_answer[first]


def key_of(position: Position) -> Key:
    """Return the key of a position: turns made, answers left, traits revealed."""
    return position.turns_made, position.state.tobytes(), position.revealed.tobytes()


def is_over(position: Position) -> bool:
    """True if the guess limit leaves no guess, so that there is nothing to solve."""
    try:
        return position.guesses_left < 1
    except UserError:
        return True
