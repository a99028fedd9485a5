"""The columns and rows of a ranking."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.alphabet import PLAIN, Alphabet
from gpu_wordle.game.game import Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.words import GameWords
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status
from gpu_wordle.ranking.statistics import ALIASES, BY_KEY, STATISTICS, order_by
from gpu_wordle.report import keys
from gpu_wordle.report.figures import Figures, figure_columns, number_column
from gpu_wordle.report.keys import Key, Number, schema
from gpu_wordle.report.players import Player, best_players, whole_numbers
from gpu_wordle.report.table import Column, FittedTable
from gpu_wordle.store import Contents, read_objective, read_openers, read_statistics


@schema
class RankedRow(keys.Valued, keys.Statistics):
    """A guess of a ranking."""

    is_candidate: keys.IsCandidate
    simulated_totals: Annotated[
        list[int | None],
        Key("totals of the strategies in `simulated_strategies`; null if one is unknown"),
    ]
    simulated_lost: Annotated[list[int | None], Key("answers that they do not find in time")]
    best_strategy: Annotated[str | None, Key("the ones of them with the least total")]


@schema
class RankingFacts(TypedDict, total=False):
    """The strategies whose games stand beside a ranking."""

    simulated_strategies: Annotated[list[str], Key("strategies whose games are given")]


TOTAL, ENTROPY = "total", "entropy_bits"
"""The default columns to sort by: the value under the objective; or the entropy, if nothing
is solved."""

VALUED = tuple(name for name in keys.Valued.__annotations__ if name not in (TOTAL, "opener"))
"""Columns about strategies, beside the total."""

SORTABLE = (TOTAL, *BY_KEY, "opener", "is_candidate", *VALUED)
"""The columns that can sort a ranking, beside aliases of statistics."""

_PLACES = {"exact": 0, "infeasible": 1, "bounded": 2}
"""The order of openers by status."""

_MOST_FIRST = ("is_candidate", "within", "solvable", "distribution")

_IMPORTANCE = (
    *("is_candidate", "solvable", "weighted_entropy_bits", "entropy_bits", "distribution", "parts"),
    *("max_part", "height", "expected_part_size", "standard_deviation", "greens", "yellows"),
    *("coloured_tiles", "common_characters", "lower_bound", "expanded", "seconds"),
)
"""Further columns for people, most important first for narrow terminals."""


def sort_key(name: str, players: Sequence[Player] = ()) -> str:
    """The column of a name or alias, dashes allowed; UserError if there is none."""
    key = name.lower().replace("-", "_")
    key = ALIASES.get(key, key)
    known = (*SORTABLE, *(player.key for player in players))
    if key not in known:
        raise UserError(f"no column {quoted(name)}; choose one of {', '.join((*known, *ALIASES))}")
    return key


def read_table(
    contents: Contents, words: GameWords, open_position: Callable[[], Position]
) -> RankingTable:
    """Read all rows of a ranking file; opens its position only if it is not the start."""
    openers = read_openers(contents)
    legal = None  # all guesses are legal at the start
    if contents.attributes["state"]:
        position = open_position()
        legal = position.legal
        figures = Figures.of(position.game, position)
        candidates = np.isin(words.answer_of_guess, position.state)
    else:
        objective = read_objective(contents)
        weight = objective.weights_of(np.arange(len(words.answers))).sum()
        figures = Figures(objective, objective.prices(len(words.answers)), int(weight), 0)
        candidates = words.answer_of_guess >= 0
    order = openers.order(legal).tolist()
    statistics = read_statistics(contents)
    guesses = words.guesses
    return RankingTable(
        order, guesses.words, candidates, statistics, openers, figures, guesses.alphabet
    )


@dataclass(frozen=True)
class RankingTable:
    """Rows of a ranking, best first.

    Attributes:
        rows: guess indices to show, in order.
        words: all guesses.
        candidates: bool[G], whether the guess can be the answer.
        statistics: arrays [G] by name.
        openers: status, bounds and strategy figures of every guess.
        figures: translates values of the position.
        alphabet: what the letters of the words are.
        players: strategies whose games from each guess are shown beside the values.
    """

    rows: list[int]
    words: tuple[str, ...]
    candidates: NDArray[np.bool_]
    statistics: dict[str, NDArray[Any]]
    openers: Openers
    figures: Figures
    alphabet: Alphabet = PLAIN
    players: Sequence[Player] = ()

    def check(self, by: str) -> None:
        """Raise UserError if the table lacks a column that ``sort_key`` returned."""
        known = {TOTAL, *(column.name for column in (*self._first(0), *self._of_players()))}
        if by not in known:
            needs = BY_KEY[by].needs if by in BY_KEY else "another --objective"
            raise UserError(f"--by {by} needs {needs}")

    def sorted_by(self, by: str) -> RankingTable:
        """The table sorted by a column, best first; unknown values last, ties in their order."""
        if by == TOTAL:
            return self
        if by in BY_KEY:
            order = order_by(BY_KEY[by], self.statistics, self.candidates)
            mine = set(self.rows)
            return replace(self, rows=[g for g in order.tolist() if g in mine])
        columns = (*self.all_columns(), *self._of_players())
        (values,) = (column.values for column in columns if column.name == by)
        found = {g: v for g, v in zip(self.rows, values, strict=True) if v is not None}
        if by == "status":
            found = {g: _PLACES[v] for g, v in found.items()}
        known = sorted(found, key=found.__getitem__, reverse=by in _MOST_FIRST)
        return replace(self, rows=[*known, *(g for g in self.rows if g not in found)])

    def all_columns(self) -> list[Column]:
        """All columns, for programs."""
        return self._columns(intervals=False)

    def for_people(self, *, exact: bool, by: str, title: str | None = None) -> FittedTable:
        """The table for people, fitted to its console; with values only if ``exact``.

        It always shows the column that sorts it.
        """
        figure, *others = self.figures.names
        values = (figure, "status", *others, "worst") if exact else ()
        games = self._of_players()
        values += (*(column.name for column in games), *(["best_strategy"] if games else []))
        left_out = set() if exact else {"solvable", "distribution", "height", "expanded", "seconds"}
        if not self._has_infeasible:
            left_out.add("solvable")
        rest = [name for name in _IMPORTANCE if name not in left_out]
        columns = [*self._columns(intervals=True), *games]
        return FittedTable(columns, ("opener", by, *values, *rest), title, by)

    @property
    def _has_infeasible(self) -> bool:
        """True if any guess is infeasible, so that solvable answers need a column.

        Otherwise all answers are solvable, or all but the failures.
        """
        return bool((self.openers.status[self.rows] == Status.INFEASIBLE).any())

    def _first(self, rows: int) -> list[Column]:
        return replace(self, rows=self.rows[:rows]).all_columns()

    def _columns(self, *, intervals: bool) -> list[Column]:
        """All columns; with ``intervals``, open values are shown as intervals."""
        openers, rows = self.openers, self.rows
        status = openers.status[rows]

        def known(array: NDArray[Any], *, is_known: NDArray[np.bool_]) -> list[Any]:
            values = array[rows].tolist()
            return [v if k else None for v, k in zip(values, is_known.tolist(), strict=True)]

        is_exact = status == Status.EXACT
        figures = figure_columns(self.figures, [self._figures_of(g, intervals) for g in rows])
        if "worst" not in self.figures.names:
            figures.append(Column("worst", known(openers.worst, is_known=is_exact)))
        found = [
            openers.distribution[g, : openers.worst[g]].tolist() if exact else None
            for g, exact in zip(rows, is_exact.tolist(), strict=True)
        ]
        solvable = known(openers.solvable, is_known=openers.solvable[rows] != UNKNOWN)
        scaled = [None if weight is None else self.figures.scaled(weight) for weight in solvable]
        return [
            Column("opener", [self.words[g] for g in rows], heading="guess"),
            Column("is_candidate", self.candidates[rows].tolist()),
            Column("status", [Status(code).name.lower() for code in status.tolist()]),
            *figures,
            number_column("solvable", scaled),
            Column("distribution", found),
            Column("value", known(openers.upper, is_known=is_exact)),
            Column("lower", known(openers.lower, is_known=openers.lower[rows] < INFEASIBLE)),
            Column("upper", known(openers.upper, is_known=openers.upper[rows] < INFEASIBLE)),
            *map(self._statistic, self.statistics),
            Column("height", known(openers.height, is_known=is_exact)),
            Column("expanded", openers.expanded[rows].tolist()),
            Column("seconds", openers.seconds[rows].round(6).tolist()),
            *self._simulated(),
        ]

    def _simulated(self) -> list[Column]:
        """What all players take from the guesses, for programs; no columns without players."""
        if not self.players:
            return []
        total, lost = (
            [whole_numbers(getattr(player, name)[self.rows]) for player in self.players]
            for name in ("total", "lost")
        )
        best = best_players(self.players)
        return [
            Column("simulated_totals", [list(each) for each in zip(*total, strict=True)]),
            Column("simulated_lost", [list(each) for each in zip(*lost, strict=True)]),
            Column("best_strategy", [best[guess] for guess in self.rows]),
        ]

    def _of_players(self) -> list[Column]:
        """A column of totals for each player, for people."""
        return [
            Column(p.key, whole_numbers(p.total[self.rows]), 0, f"games by\n{p.name}")
            for p in self.players
        ]

    def _figures_of(self, guess: int, intervals: bool) -> Mapping[str, Number | str | None]:
        openers = self.openers
        lower, upper = int(openers.lower[guess]), int(openers.upper[guess])
        if openers.status[guess] == Status.EXACT:
            return self.figures.named(upper, openers.weight_distribution[guess])
        if openers.status[guess] == Status.BOUNDED and intervals:
            return self.figures.interval(lower, upper)
        return {}

    def _statistic(self, name: str) -> Column:
        described = STATISTICS[name]
        values = self.statistics[name][self.rows].tolist()
        return Column(described.key, values, described.decimals, described.heading)
