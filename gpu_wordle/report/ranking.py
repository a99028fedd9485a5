"""The columns of a ranking, for a table, CSV or JSON."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.report.figures import Figures, Number, figure_columns, number_column
from gpu_wordle.report.table import Column

# Statistics that fit beside totals, beside the figures of other objectives, and beside weights.
_BESIDE_TOTALS = ("entropy", "parts", "max_part")
_BESIDE_MORE = ("entropy",)
_BESIDE_WEIGHED = ("weighted_entropy",)


@dataclass(frozen=True)
class RankingTable:
    """Rows of a ranking, best first.

    Attributes:
        rows: guess indices to show, in order.
        words: all guesses.
        candidates: bool[G], whether the guess can be the answer.
        statistics: arrays [G] by name.
        openers: what is known of every guess.
        figures: what values of the position stand for.
    """

    rows: list[int]
    words: tuple[str, ...]
    candidates: NDArray[np.bool_]
    statistics: dict[str, NDArray[Any]]
    openers: Openers
    figures: Figures

    def all_columns(self, *, exact: bool) -> list[Column]:
        """Everything, for CSV and JSON; totals and bounds only with ``exact``."""
        solvable = self._has_infeasible(slice(None))
        totals = [*self._totals(solvable=solvable), *self._work()] if exact else []
        return [*self._head(), *totals, *self._statistics(tuple(self.statistics))]

    def columns_for_people(self, *, exact: bool, by: str) -> list[Column]:
        """What fits on a screen; the column sorted by is always among it."""
        if not exact:
            return [*self._head(), *self._statistics(tuple(self.statistics))]
        objective = self.figures.objective
        solvable = self._has_infeasible(self.rows)
        is_open = bool((self.openers.status[self.rows] == Status.BOUNDED).any())
        is_wide = solvable or is_open or not objective.is_default
        beside = _BESIDE_MORE if is_wide else _BESIDE_TOTALS
        if objective.weights is not None:
            beside = _BESIDE_WEIGHED
        few = tuple(name for name in self.statistics if name in (*beside, by))
        is_priced = "cost" in self.figures.names
        totals = self._totals(solvable=solvable, intervals=True)
        if is_priced:
            totals = [column for column in totals if column.name not in ("total", "mean")]
        return [*self._head(), *totals, *self._statistics(few)]

    def _has_infeasible(self, guesses: list[int] | slice) -> bool:
        """Whether any of the guesses is infeasible, so that the solvable answers are of interest.

        Elsewhere they are all, or all but the failures.
        """
        return bool((self.openers.status[guesses] == Status.INFEASIBLE).any())

    def _head(self) -> list[Column]:
        return [
            Column("guess", [self.words[g] for g in self.rows]),
            Column("is_candidate", self.candidates[self.rows].tolist(), heading="can be\nanswer"),
        ]

    def _totals(self, *, solvable: bool, intervals: bool = False) -> list[Column]:
        """What is known of values; with ``intervals`` also of those that are not exact, as text."""
        openers = self.openers
        exact = (openers.status[self.rows] == Status.EXACT).tolist()
        status = [Status(code).name.lower() for code in openers.status[self.rows].tolist()]

        def known(values: list[Any]) -> list[Any]:
            return [v if is_known else None for v, is_known in zip(values, exact, strict=True)]

        figures = [self._figures_of(guess, intervals=intervals) for guess in self.rows]
        counts = [
            " ".join(map(str, openers.distribution[g, : openers.worst[g]])) for g in self.rows
        ]
        columns = figure_columns(self.figures, figures)
        if "worst" not in self.figures.names:
            columns.append(Column("worst", known(openers.worst[self.rows].tolist())))
        if solvable:
            weights = openers.solvable[self.rows].tolist()
            numbers = [None if w == UNKNOWN else self.figures.scaled(w) for w in weights]
            columns.append(number_column("solvable", numbers))
        return [
            Column("status", status),
            *columns,
            Column("distribution", known(counts), heading="found on\nturn 1 2 ..."),
        ]

    def _figures_of(self, guess: int, *, intervals: bool) -> Mapping[str, Number | str | None]:
        openers = self.openers
        lower, upper = int(openers.lower[guess]), int(openers.upper[guess])
        if openers.status[guess] == Status.EXACT:
            return self.figures.named(upper, openers.weight_distribution[guess])
        if openers.status[guess] == Status.BOUNDED and intervals:
            return self.figures.interval(lower, upper)
        return {}

    def _work(self) -> list[Column]:
        openers = self.openers
        return [
            Column("lower", _finite(openers.lower[self.rows].tolist())),
            Column("upper", _finite(openers.upper[self.rows].tolist())),
            Column("height", openers.height[self.rows].tolist()),
            Column("expanded", openers.expanded[self.rows].tolist()),
            Column("seconds", openers.seconds[self.rows].round(6).tolist(), 3),
        ]

    def _statistics(self, names: tuple[str, ...]) -> list[Column]:
        return [
            Column(
                name,
                self.statistics[name][self.rows].tolist(),
                STATISTICS[name].decimals,
                STATISTICS[name].heading,
            )
            for name in names
        ]


def _finite(bounds: list[int]) -> list[int | None]:
    return [None if bound >= INFEASIBLE else bound for bound in bounds]
