"""The states of a certificate, with their legal guesses and the guesses that lead to them."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.certify.turn_prices import TurnPrices
from gpu_wordle.game.game import Game, Position, State
from gpu_wordle.game.legality import Revealed

Key = bytes
"""What the cost of a state depends on: answers, legal guesses, and the class of its turn."""


@dataclass(frozen=True, eq=False)
class CertifiedState:
    """A state that play can reach.

    Attributes:
        answers: the answers still possible, ascending.
        revealed: what feedback has revealed; see legality.py.
        path: the indices of the guesses made.
        key: see :data:`Key`.
    """

    answers: State
    revealed: Revealed
    path: tuple[int, ...]
    key: Key

    @property
    def turns(self) -> int:
        """Number of turns made."""
        return len(self.path)

    def position(self, game: Game) -> Position:
        """Return the position that solvers are asked about. Its symmetries keep the path."""
        patterns = game.patterns.values[self.answers[0], list(self.path)].tolist()
        turns = tuple(zip(self.path, patterns, strict=True))
        return Position(game, self.answers, turns, self.revealed, self.turns)

    def bare(self, game: Game) -> Position:
        """Return the position without its path."""
        return Position(game, self.answers, (), self.revealed, self.turns)


def start_of(game: Game) -> CertifiedState:
    """Return the state before the first guess."""
    return CertifiedState(game.root(), game.traits.nothing(), (), b"")


def key_of(zobrist: NDArray[np.uint64], revealed: Revealed, tariff: TurnPrices, turns: int) -> Key:
    """Return the key of a state whose answers have this Zobrist key."""
    return zobrist.tobytes() + revealed.tobytes() + bytes([tariff.stage(turns)])
