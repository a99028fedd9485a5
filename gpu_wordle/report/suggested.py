"""Suggested guesses: as plain values, as a table, and what is left in words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.experiments.suggest import Shortlist, Suggestions
from gpu_wordle.game.game import Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.statistics import BY_KEY
from gpu_wordle.report.figures import Figures, figure_columns
from gpu_wordle.report.solved import title_of
from gpu_wordle.report.table import Column, FittedTable

MAX_REMAINING = 60
"""Answers left that are shown to people; of more, how many they are."""

SHOWN_STATISTICS = ("parts", "entropy_bits", "max_part")
"""Statistics that every row has, whatever it is listed by."""


@dataclass(frozen=True, eq=False)
class SuggestedRows:
    """Suggestions as people and programs see them; ``statistics`` are arrays [G] by name."""

    suggestions: Suggestions
    statistics: Mapping[str, NDArray[Any]]

    @property
    def position(self) -> Position:
        """Where the game stands."""
        return self.suggestions.shortlist.position

    def describe(self) -> list[dict[str, Any]]:
        """A row for each guess of each list; what is not known is None."""
        lists = self.suggestions.lists
        return [self._row(guess, by) for by, guesses in lists.items() for guess in guesses]

    def answer(self) -> dict[str, Any]:
        """What is said of the whole."""
        words = self.position.game.words.answers.words
        return {"remaining": [words[a] for a in self.position.state]}

    def table(self, rows: Sequence[dict[str, Any]]) -> FittedTable:
        """The rows for people; an interval where a value is not known."""
        figures = Figures.of(self.position.game, self.position)
        columns = [
            Column("guess", [row["guess"] for row in rows]),
            *figure_columns(figures, [_figures(figures, row) for row in rows]),
        ]
        if "worst" not in figures.names:
            columns.append(_column(rows, "worst"))
        columns += [
            Column("optimal", [_mark(row["optimal"]) for row in rows], heading="best"),
            _column(rows, "candidate", heading="can be\nanswer"),
            _column(rows, "chance", 3),
            *(_statistic(rows, key) for key in rows[0] if key in BY_KEY),
        ]
        lists = list(self.suggestions.lists)
        if len(lists) > 1:
            columns.append(_column(rows, "by"))
        listed = [key for key in lists if key in BY_KEY]
        importance = (
            *("guess", "by", *figures.names[:1], *listed, *figures.names, "worst", "optimal"),
            *("candidate", *SHOWN_STATISTICS, "chance"),
        )
        return FittedTable(columns, importance, title_of(self.position))

    def warning(self) -> str:
        """What to do where no guess surely wins in time; empty where one does."""
        if self.suggestions.shortlist.value != INFEASIBLE:
            return ""
        return "no guess is sure to win in time; --objective fewest-failures finds the best of them"

    def remaining(self) -> str:
        """The answers that are left, or how many they are."""
        words = self.answer()["remaining"]
        if len(words) > MAX_REMAINING:
            return f"{counted(len(words), 'answer')} left"
        return f"{counted(len(words), 'answer')} left: {' '.join(words)}"

    def _row(self, guess: int, by: str) -> dict[str, Any]:
        """One guess of one list."""
        found, position = self.suggestions.shortlist, self.position
        figures = Figures.of(position.game, position)
        solved = self.suggestions.solved.get(guess)
        verdict = solved.verdict if solved else None
        lower, upper = int(found.lower[guess]), int(found.upper[guess])
        is_exact = bool(found.is_exact[guess])
        named: dict[str, Any] = dict.fromkeys(figures.names)
        if is_exact and lower < INFEASIBLE:
            named |= figures.named(lower, None if verdict is None else verdict.weight_distribution)
        worst = named.pop("worst", None)
        chance = _chance(position, guess)
        listed = [key for key in self.suggestions.lists if key in BY_KEY]
        shown = dict.fromkeys((*SHOWN_STATISTICS, *listed))
        return {
            "guess": position.game.words.guesses.words[guess],
            **named,
            "worst": worst if verdict is None else verdict.worst,
            "exact": is_exact,
            "optimal": found.is_optimal(guess),
            "candidate": bool((position.game.words.guess_of_answer[position.state] == guess).any()),
            **{key: self.statistics[BY_KEY[key].name][guess].item() for key in shown},
            "chance": chance,
            "infeasible": is_exact and lower >= INFEASIBLE,
            "lower": _finite(lower),
            "upper": _finite(upper),
            "by": by,
        }


def tightening(found: Shortlist) -> FittedTable:
    """What is known of the best guesses while the search goes on."""
    position, guesses = found.position, found.best()
    figures = Figures.of(position.game, position)
    bounds = [(int(found.lower[guess]), int(found.upper[guess])) for guess in guesses]
    columns = [
        Column("guess", position.game.spell(guesses)),
        *figure_columns(figures, [figures.interval(*pair) for pair in bounds]),
    ]
    left, title = counted(found.open_count, "guess", "guesses"), title_of(position)
    doing = "these are exact" if found.is_exact[guesses].all() else "these have bounds"
    return FittedTable(columns, ("guess", *figures.names), f"{title}; {doing}, {left} to rule out")


def describe_bounds(found: Shortlist) -> dict[str, Any]:
    """The same as plain values: a row for each of the best guesses, and how many are open."""
    guesses = found.best()
    rows = [
        {
            "guess": word,
            "exact": bool(found.is_exact[guess]),
            "lower": _finite(int(found.lower[guess])),
            "upper": _finite(int(found.upper[guess])),
        }
        for guess, word in zip(guesses, found.position.game.spell(guesses), strict=True)
    ]
    return {"open": found.open_count, "exact": bool(found.is_exact[guesses].all()), "rows": rows}


def _finite(value: int) -> int | None:
    """A bound; None if there is none."""
    return None if value >= INFEASIBLE else value


def _chance(position: Position, guess: int) -> float | None:
    """How likely a guess is the answer; None if no answer left has any weight."""
    weights = position.game.objective.weights_of(position.state)
    own = weights[position.game.words.guess_of_answer[position.state] == guess].sum()
    whole = int(weights.sum())
    return float(np.divide(own, whole)) if whole else None


def _figures(figures: Figures, row: Mapping[str, Any]) -> dict[str, Any]:
    """The figures of one row: known, or an interval of the first that is not."""
    first = figures.names[0]
    if row["infeasible"]:
        return {first: "infeasible"}
    if row["exact"]:
        return {name: row[name] for name in figures.names}
    upper = INFEASIBLE if row["upper"] is None else row["upper"]
    return dict(figures.interval(row["lower"], upper))


def _mark(is_optimal: bool | None) -> str:
    """How the optimum is marked."""
    return "?" if is_optimal is None else "=" if is_optimal else ""


def _column(
    rows: Sequence[Mapping[str, Any]], key: str, decimals: int = 0, heading: str | None = None
) -> Column:
    return Column(key, [row[key] for row in rows], decimals, heading)


def _statistic(rows: Sequence[Mapping[str, Any]], key: str) -> Column:
    return _column(rows, key, BY_KEY[key].decimals, BY_KEY[key].heading)
