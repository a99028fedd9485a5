"""Exact regret and luck of many games at once: each turn is analysed once, then looked up."""

from __future__ import annotations

from dataclasses import replace
from itertools import repeat
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.analyse import step_of
from gpu_wordle.experiments.play import hint
from gpu_wordle.experiments.values import Values
from gpu_wordle.game.game import Position
from gpu_wordle.strategies.positions import Key, is_over, key_of

MAX_KEPT_TURNS = 500_000
"""Analysed turns that are kept, of some kilobytes each; then all begin anew."""

NONE = -1
"""The number of no guess, and of no position."""

_PLACE = np.dtype([("value", "f8"), ("candidates", "i8"), ("optimal", "i8")])
_TURN = np.dtype([("after", "i8"), ("regret", "f8"), ("luck", "f8")])


class ValuedTurns:
    """The positions of N games of one kind, and the exact values of their turns.

    Args:
        values: the values of the game, which are forgotten when too many turns are kept.
        count: N.

    Attributes:
        at: the position of each game, by its number here, int64[N].
    """

    def __init__(self, values: Values, count: int) -> None:
        self.game, self._values = values.game, values
        self.at: NDArray[np.int64] = np.zeros(count, np.int64)
        self._begin()

    def _begin(self) -> None:
        """Begin with nothing but the start of the game."""
        self._positions: list[Position | None] = []
        self._numbers: dict[Key | None, int] = {}
        self._turns: dict[int, int] = {}
        self._place, self._turn = np.empty(64, _PLACE), np.empty(64, _TURN)
        self._number(self.game.start())

    def restart(self, which: NDArray[np.bool_]) -> None:
        """Put the games ``which``, bool[N], at the start."""
        self.at = np.where(which, 0, self.at)

    def play(
        self,
        guess: NDArray[np.int64],
        pattern: NDArray[np.integer],
        is_played: NDArray[np.bool_],
    ) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
        """Play the games ``is_played``; return the regret and the luck of each turn, float64[N].

        They are NaN where no turn was played and where there is no value. Regret is infinite if a
        guaranteed win is given away that no other game can value.
        """
        if len(self._turns) > MAX_KEPT_TURNS:
            self._begin_anew()
        at, guess, pattern = self.at[is_played], guess[is_played], pattern[is_played]
        patterns = self.game.patterns.pattern_count
        keys = (at * self.game.guess_count + guess) * patterns + pattern.astype(np.int64)
        rows = self._rows(keys)
        for key in np.unique(keys[rows == NONE]).tolist():
            place, seen = divmod(key, patterns)
            at_place, made = divmod(place, self.game.guess_count)
            self._turns[key] = self._analysed(at_place, made, seen)
        turns = self._turn[self._rows(keys)]
        self.at = self.at.copy()
        self.at[is_played] = turns["after"]
        regret, luck = np.full((2, len(is_played)), np.nan)
        regret[is_played], luck[is_played] = turns["regret"], turns["luck"]
        return regret, luck

    def places(self) -> NDArray[Any]:
        """Value, number of answers left and a best guess of each position, structured [N].

        The value is NaN, and the guess NONE, where there is none.
        """
        return self._place[self.at]

    def _rows(self, keys: NDArray[np.int64]) -> NDArray[np.int64]:
        """The row of each turn, NONE where it is not known."""
        return np.fromiter(map(self._turns.get, keys.tolist(), repeat(NONE)), np.int64, len(keys))

    def _begin_anew(self) -> None:
        """Forget all turns, and find the positions of the games again."""
        positions = self._positions
        numbers, back = np.unique(self.at, return_inverse=True)
        self._values.forget()
        self._begin()
        found = [self._number(positions[number]) for number in numbers.tolist()]
        self.at = np.array(found, np.int64)[back]

    def _analysed(self, at: int, guess: int, pattern: int) -> int:
        """Analyse a turn; return its row."""
        position = self._positions[at]
        assert position is not None, "a game that is over has no turns"
        step = step_of(self._values, position, guess, pattern)
        after = None if step.is_solved else position.after(guess, pattern)
        regret, luck = step.regret, step.luck
        row = len(self._turns)
        self._turn = _grown(self._turn, row)
        lost = np.inf if step.is_guaranteed is False and step.value is not None else np.nan
        self._turn[row] = (
            self._number(after),
            lost if regret is None else float(regret),
            np.nan if luck is None else float(luck),
        )
        return row

    def _number(self, position: Position | None) -> int:
        """The number of a position; of None, when the answer is found."""
        key = None if position is None else key_of(position)
        if key not in self._numbers:
            number = self._numbers[key] = len(self._positions)
            self._positions.append(position)
            self._place = _grown(self._place, number)
            self._place[number] = (0.0, 1, NONE) if position is None else self._described(position)
        return self._numbers[key]

    def _described(self, position: Position) -> tuple[float, int, int]:
        """Value, number of answers left and a best guess of a position."""
        values, is_last = self._values, is_over(position)
        value, free = values.mean(position), values.without_limit
        if value is None and free is not None:
            values, position = free, replace(position, game=free.game)
            value = values.mean(position)
        left = len(position.state)
        if value is None:
            return np.nan, left, NONE
        return float(value), left, NONE if is_last else hint(values, position)


def _grown(rows: NDArray[Any], needed: int) -> NDArray[Any]:
    """The array with room for one row more."""
    return rows if needed < len(rows) else np.concatenate([rows, np.empty_like(rows)])
