"""Many simulations side by side: a row for each strategy and opener, and every game of it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, counted
from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.game.game import Game
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.strategies.play import NEVER

MAX_GAMES = 2**28
"""Of one table: each takes a byte, in memory and in a file."""

INFEASIBLE_TOTAL = -2
"""Stands for the exact total of an opener with which no strategy surely wins in time."""

Fixed = tuple[int, ...]
"""Guesses that are made whatever they show: the opener, and further ones of a fixed opening."""


@dataclass(frozen=True, eq=False)
class Simulations:
    """Games of strategies from openers, R rows of one game for each answer.

    Attributes:
        game: what is played.
        strategies: their names.
        strategy: int16[R], the place of the strategy of each row among them.
        opener: int32[R], index of the first guess.
        is_played: bool[R].
        turns: uint8[R, A], the turn on which each answer is found; NEVER if it is not, and in rows
            that are not played.
        exact_total: int64[R], total of the best strategy with that opener, or with all guesses that
            the row's strategy has fixed; UNKNOWN or INFEASIBLE_TOTAL if there is none to tell.
    """

    game: Game
    strategies: tuple[str, ...]
    strategy: NDArray[np.int16]
    opener: NDArray[np.int32]
    is_played: NDArray[np.bool_]
    turns: NDArray[np.uint8]
    exact_total: NDArray[np.int64]

    @classmethod
    def begin(
        cls, game: Game, strategies: Sequence[str], pairs: Iterable[tuple[int, int]]
    ) -> Simulations:
        """Rows of pairs of a strategy's place and an opener, each once and none played.

        Raises UserError where these are too many games.
        """
        rows = list(dict.fromkeys(pairs))
        games = len(rows) * game.answer_count
        if games > MAX_GAMES:
            raise UserError(
                f"{games:,} games; at most {MAX_GAMES:,} are played together; "
                "name fewer openers or strategies"
            )
        return cls(
            game,
            tuple(strategies),
            np.array([strategy for strategy, _ in rows], np.int16),
            np.array([opener for _, opener in rows], np.int32),
            np.zeros(len(rows), np.bool_),
            np.full((len(rows), game.answer_count), NEVER, np.uint8),
            np.full(len(rows), UNKNOWN, np.int64),
        )

    def __len__(self) -> int:
        return len(self.opener)

    @property
    def pairs(self) -> list[tuple[int, int]]:
        """Strategy and opener of each row."""
        return list(zip(self.strategy.tolist(), self.opener.tolist(), strict=True))

    def joined(self, older: Simulations) -> Simulations:
        """The rows of an older table of the same strategies as they are, then what it lacks."""
        result = Simulations.begin(self.game, self.strategies, [*older.pairs, *self.pairs])
        known = len(older)
        result.is_played[:known] = older.is_played
        result.turns[:known] = older.turns
        result.exact_total[:known] = older.exact_total
        return result

    @property
    def never_found(self) -> NDArray[np.int64]:
        """Answers that each row goes on missing, [R]."""
        return (self.turns == NEVER).sum(axis=1)

    @property
    def total(self) -> NDArray[np.int64]:
        """Guesses over all answers, late ones played to their end, [R]; UNKNOWN if never found."""
        totals = self.turns.sum(axis=1, dtype=np.int64)
        return np.where(self.never_found > 0, UNKNOWN, totals)

    @property
    def mean(self) -> NDArray[np.float64]:
        """Guesses of an answer, [R]; NaN if one is never found."""
        total = self.total
        return np.where(total == UNKNOWN, np.nan, total / self.game.answer_count)

    @property
    def worst(self) -> NDArray[np.int16]:
        """The turn on which the last answer is found, [R]; UNKNOWN if one is never found."""
        last = self.turns.max(axis=1).astype(np.int16)
        return np.where(self.never_found > 0, np.int16(UNKNOWN), last)

    @property
    def lost(self) -> NDArray[np.int32]:
        """Answers that are not found within the guess limit, [R]; UNKNOWN if not played."""
        limit = self.game.objective.max_guesses
        late = 0 if limit is None else (self.turns > limit).sum(axis=1)
        return np.where(self.is_played, self.never_found + late, UNKNOWN).astype(np.int32)

    @property
    def distribution(self) -> NDArray[np.int32]:
        """Answers found on turn 1, 2, ..., [R, T]; UNKNOWN if not played."""
        last = max(1, int(self.turns.max(initial=1)))
        found = np.empty((len(self), last), np.int32)
        for row, turns in enumerate(self.turns):
            found[row] = np.bincount(turns, minlength=last + 1)[1:]
        found[~self.is_played] = UNKNOWN
        return found

    def best_first(self, rows: Sequence[int]) -> list[int]:
        """The rows that are played, by their totals; those without one come last."""
        total, pairs = self.total.tolist(), self.pairs
        played = (row for row in rows if self.is_played[row])
        return sorted(played, key=lambda row: (total[row] == UNKNOWN, total[row], pairs[row]))

    def take(self, rows: Sequence[int]) -> Simulations:
        """Some rows, in that order."""
        chosen = np.array(rows, np.intp)
        return replace(
            self,
            strategy=self.strategy[chosen],
            opener=self.opener[chosen],
            is_played=self.is_played[chosen],
            turns=self.turns[chosen],
            exact_total=self.exact_total[chosen],
        )

    def row(self, row: int, play_again: Callable[[], DecisionTree]) -> Simulated:
        """A row by itself; ``play_again`` gives its strategy as a tree."""
        name, opener = self.strategies[int(self.strategy[row])], int(self.opener[row])
        return Simulated(self.game, name, opener, self.turns[row], play_again)

    def __str__(self) -> str:
        """How many of the rows are played."""
        return f"{int(self.is_played.sum()):,} of {counted(len(self), 'row')} played"
