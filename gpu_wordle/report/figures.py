"""Translate values of the search into named figures for people."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.objective import Aim, Objective, Prices
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.report.keys import Number
from gpu_wordle.report.table import Column

SHOWN_WORDS = 6
"""Most equally good guesses shown to people; programs get all of them."""
MAX_LEFT = 12
"""Most remaining answers that a line lists; the others are counted."""


@dataclass(frozen=True)
class Figures:
    """Translates the values of one position.

    Attributes:
        objective: the objective of the values.
        prices: the prices of its turns.
        weight: total weight of the possible answers, in units of the weights.
        made: number of guesses made so far.
    """

    objective: Objective
    prices: Prices
    weight: int
    made: int

    @classmethod
    def of(cls, game: Game, position: Position) -> Figures:
        """The translator for a position."""
        weight = int(game.objective.weights_of(position.state).sum())
        return cls(game.objective, game.prices, weight, position.turns_made)

    @property
    def names(self) -> tuple[str, ...]:
        """The names of the figures, most important first."""
        return {
            Aim.WORST: ("worst", "total", "mean"),
            Aim.WITHIN: ("within", "total", "mean"),
            Aim.FEWEST_FAILURES: ("failures", "total", "mean"),
            Aim.COST: ("cost", "mean_cost", "total", "mean"),
        }.get(self.objective.aim, ("total", "mean"))

    def named(self, value: int, found: NDArray[np.int64] | None = None) -> dict[str, Number | None]:
        """Return the figures of a value, by name.

        ``found`` is the weight of the answers found on turn 1, 2, ... ``within`` and ``failures``
        count answers, or their weights if they have any. ``total`` is the sum of guesses, each
        answer's times its weight. ``mean`` is over the answers that are found; None if these have
        no weight. Prices do not tell the number of guesses. So for the objective cost, total and
        mean are None without ``found``.
        """
        score = self.prices.score(value, self.weight, self.made)
        total = max(score.total, 0)
        weight = self.weight - (score.lost or 0)
        result: dict[str, Number | None] = {}
        if score.worst is not None:
            result["worst"] = score.worst
        if score.late is not None:
            result["within"] = self.scaled(self.weight - score.late)
        if score.lost is not None:
            result["failures"] = self.scaled(score.lost)
        if self.objective.aim is Aim.COST:
            result |= {"cost": self.scaled(total), "mean_cost": _ratio(total, weight)}
            if found is None:
                return result | {"total": None, "mean": None}
            total = sum(turn * int(w) for turn, w in enumerate(found, start=1))
        return result | {"total": self.scaled(total), "mean": _ratio(total, weight)}

    def interval(self, lower: int, upper: int) -> dict[str, str | None]:
        """Return intervals of the figures as text, from bounds on a value.

        A figure is unknown while an earlier one is open; so is a mean.
        """
        low = self.named(lower)
        high = self.named(upper) if upper < INFEASIBLE else {}
        result: dict[str, str | None] = dict.fromkeys(self.names)
        for name in self.names:
            ends = [low[name], high.get(name)]
            if ends[0] == ends[1]:
                result[name] = _text(ends[0])
                continue
            if name == "within":
                ends.reverse()
            result[name] = f"[{_text(ends[0])}, {_text(ends[1])}]"
            break
        return result

    def cells(self, row: Mapping[str, Any]) -> dict[str, Number | str | None]:
        """The figures of a row as text: exact ones, and an interval for the first open one."""
        if row["infeasible"]:
            return {self.names[0]: "infeasible"}
        if row["exact"]:
            return {name: row[name] for name in self.names}
        upper = INFEASIBLE if row["upper"] is None else row["upper"]
        return dict(self.interval(row["lower"], upper))

    def scaled(self, weighed: int) -> Number:
        """A sum of weights in the units of the given weights; an int if possible."""
        if self.objective.weights is None:
            return weighed
        exact = Fraction(weighed) * self.objective.weights.unit
        return exact.numerator if exact.denominator == 1 else float(exact)

    def short(self, value: int) -> str:
        """The figures that are sums, as short text."""
        named = self.named(value).items()
        sums = (_text(v) for name, v in named if v is not None and not name.startswith("mean"))
        return "/".join(sums)

    def sentence(self, value: int) -> str:
        """The figures of a value as a sentence."""
        words = {
            "worst": "worst case",
            "within": f"within {counted(self.objective.within or 0, 'guess', 'guesses')}",
            "mean_cost": "mean cost",
        }
        return ", ".join(
            f"{words.get(name, name)} {_text(figure, name)}"
            for name, figure in self.named(value).items()
            if figure is not None
        )


def figure_columns(
    figures: Figures, rows: Sequence[Mapping[str, Number | str | None]]
) -> list[Column]:
    """A column for each figure; rows may lack some of them."""
    columns = []
    for name in figures.names:
        heading = f"within\n{figures.objective.within}" if name == "within" else None
        columns.append(number_column(name, [row.get(name) for row in rows], heading))
    return columns


def number_column(
    name: str, values: Sequence[Number | str | None], heading: str | None = None
) -> Column:
    """A column of numbers; it shows decimals if any number has them."""
    decimals = 4 if any(isinstance(value, float) for value in values) else 0
    return Column(name, values, decimals, heading)


def _ratio(total: int, weight: int) -> float | None:
    return total / weight if weight else None


def _text(figure: Number | None, name: str = "") -> str:
    """A figure as text."""
    if figure is None:
        return "?"
    if name.startswith("mean"):
        return f"{figure:.5f}"
    return f"{figure:,}" if isinstance(figure, int) else f"{figure:,.6g}"


def first_words(words: Sequence[str], separator: str = " ", most: int = SHOWN_WORDS) -> str:
    """The first words, and the number of further ones."""
    more = len(words) - most
    return separator.join(words[:most]) + (f" and {more:,} more" if more > 0 else "")


def short_means(means: Sequence[float | None]) -> str:
    """Means in three decimals, separated by blanks; a dash for unknown ones."""
    return " ".join("-" if mean is None else f"{mean:.3f}" for mean in means)


def count_line(position: Position) -> str:
    """The number of remaining answers, in words."""
    return f"{counted(len(position.state), 'answer')} left"


def left_line(position: Position) -> str:
    """The number of remaining answers and the first of them, in words."""
    words = position.game.words.answers.words
    named = first_words([words[a] for a in position.state], most=MAX_LEFT)
    return f"{count_line(position)}: {named}"
