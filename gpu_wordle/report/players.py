"""Players: what a strategy, or best play, takes from every opener of a game."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from gpu_wordle.experiments.simulations import Simulations

Numbers = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Player:
    """A strategy, or best play, from every opener.

    Attributes:
        name: its name in tables.
        total: guesses over all answers, [G]; nan if unknown, or if some answer is never found.
        lost: answers not found within the guess limit, [G]; nan if unknown.
        least: total of best play from the opener, [G]; nan if unknown, as for best play itself.
    """

    name: str
    total: Numbers
    lost: Numbers
    least: Numbers

    @property
    def key(self) -> str:
        """The name of its column in a ranking."""
        return f"games_by_{self.name.lower().replace('-', '_')}"

    @property
    def regret(self) -> Numbers:
        """Guesses beyond best play from the same opener, [G]; nan if unknown."""
        return self.total - self.least


def players_of(games: Simulations) -> list[Player]:
    """The strategies of a table of simulations."""
    games = games.summed()
    columns = np.array([games.total, games.lost, games.exact_total], np.float64)
    columns[columns < 0] = np.nan
    found = []
    for number, name in enumerate(games.strategies):
        rows = np.flatnonzero((games.strategy == number) & games.is_played)
        mine = np.full((3, games.game.guess_count), np.nan)
        mine[:, games.opener[rows]] = columns[:, rows]
        found.append(Player(name, *mine))
    return found


def best_players(players: Sequence[Player]) -> list[str | None]:
    """For each guess the names of the players of the least total, [G]; None if all are unknown."""
    total = np.array([player.total for player in players])
    total[np.isnan(total)] = np.inf
    least = total.min(axis=0)
    names = [player.name for player in players]
    return [
        None
        if np.isinf(low)
        else ", ".join(n for n, t in zip(names, each, strict=True) if t == low)
        for low, each in zip(least.tolist(), total.T.tolist(), strict=True)
    ]


def whole_numbers(values: Numbers) -> list[int | None]:
    """Whole numbers, with None for nan."""
    return [None if np.isnan(value) else int(value) for value in values]
