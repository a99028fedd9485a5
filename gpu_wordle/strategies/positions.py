"""Positions: many positions of one game after equally many turns, as strategies see them."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import Evaluator
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.legality import Revealed
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.partition import PartitionStats


@dataclass(frozen=True, eq=False)
class Positions:
    """B positions of a game.

    Attributes:
        game: the game that is played.
        evaluator: the game on a backend.
        states: the answers still possible in each.
        turns: int32[B, T, 2], the guess and the pattern of each turn made.
        revealed: uint64[B, W], what the turns say of the next guess; see legality.py.
    """

    game: Game
    evaluator: Evaluator
    states: StateBatch
    turns: NDArray[np.int32]
    revealed: NDArray[np.uint64]

    @classmethod
    def of(cls, position: Position, evaluator: Evaluator) -> Positions:
        """The batch of one position."""
        game = position.game
        states = StateBatch.from_sets([position.state.tolist()], game.answer_count)
        turns = np.array(position.turns, np.int32).reshape(1, len(position.turns), 2)
        return cls(game, evaluator, states, turns, position.revealed[np.newaxis])

    def __len__(self) -> int:
        return len(self.states)

    @property
    def turns_made(self) -> int:
        """Guesses made so far."""
        return self.turns.shape[1]

    @property
    def is_last_turn(self) -> bool:
        """Whether the guess limit leaves one guess."""
        limit = self.game.objective.max_guesses
        return limit is not None and self.turns_made == limit - 1

    def statistics(self) -> PartitionStats:
        """What every guess does to every state; arrays [B, G]."""
        return self.evaluator.stats(self.states)

    def candidates(self) -> NDArray[np.bool_]:
        """Which guesses may be the answer, bool[B, G]."""
        result = np.zeros((len(self), self.game.guess_count), np.bool_)
        row = np.repeat(np.arange(len(self)), self.states.sizes)
        result[row, self.game.words.guess_of_answer[self.states.answers]] = True
        return result

    def legal(self) -> NDArray[np.bool_] | None:
        """Which guesses the rule allows, bool[B, G]; None for all of them."""
        if self.game.rule is Rule.NORMAL:
            return None
        rows = zip(range(len(self)), self.revealed, strict=True)
        return np.stack(
            [self.game.legal_guesses(self.states.state(b), revealed) for b, revealed in rows]
        )

    def take(self, indices: NDArray[np.integer]) -> Positions:
        """The positions ``indices``, in that order."""
        states = self.states.take(indices)
        return replace(
            self, states=states, turns=self.turns[indices], revealed=self.revealed[indices]
        )

    def chunk(self, start: int, stop: int) -> Positions:
        """The positions ``start`` to ``stop``."""
        states = self.states.chunk(start, stop)
        own = slice(start, stop)
        return replace(self, states=states, turns=self.turns[own], revealed=self.revealed[own])

    def revealed_by(self, guess: NDArray[np.int32], answer: NDArray[np.int32]) -> Revealed:
        """What guesses reveal if the guesses ``answer`` are the answers, uint64[P, W]."""
        bits = self.game.traits.bits
        if self.game.rule is Rule.HARD:
            return bits[guess] & bits[answer]
        if self.game.rule is Rule.ULTRA_HARD:
            return bits[guess]
        return np.zeros((len(guess), bits.shape[1]), np.uint64)
