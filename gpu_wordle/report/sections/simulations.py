"""Simulations: what strategies come to from each opener, and how far that is from the optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpu_wordle.experiments.rank_correlation import kendall, spearman
from gpu_wordle.experiments.simulations import Simulations
from gpu_wordle.game.spelling import capitals
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.report.content import Block, Facts, Picture, Section, Table
from gpu_wordle.report.sections.source import Kind, Source
from gpu_wordle.report.simulations import describe_simulations, simulated_table
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.store import read_simulations
from gpu_wordle.store.form import SIMULATION

if TYPE_CHECKING:
    from matplotlib.figure import Figure

DRAWN_ROWS = 12
"""Rows whose games are drawn."""

FIGURES = {
    "games": "Answers found on each turn by the best rows",
    "gaps": "Guesses that strategies take more than the optimum",
    "totals": "Totals of strategies against the exact totals of their openers",
}


def simulation_sections(source: Source) -> list[Section]:
    """What a report says of simulated games."""
    games = read_simulations(source.path, source.contents, source.game)
    rows = games.best_first(range(len(games)))
    facts = {
        **source.asked,
        "strategies": ", ".join(games.strategies),
        "guesses are chosen": str(source.contents.attributes["choice"]),
        "rows": str(games),
    }
    overview: list[Block] = [Facts(facts)]
    if not rows:
        return [Section("Overview", overview)]
    columns = simulated_table(describe_simulations(games, rows)).columns
    overview.append(_games(games, rows[:DRAWN_ROWS]))
    sections = [
        Section("Overview", overview),
        Section(
            "Strategies and openers",
            [Table.of("simulations", "Every row, the least total first", columns)],
        ),
    ]
    known = [row for row in rows if UNKNOWN not in (games.exact_total[row], games.total[row])]
    if known:
        blocks: list[Block] = [_correlations(games, known), _gaps(games, known)]
        sections.append(Section("Beside the optimum", [*blocks, _totals(games, known)]))
    return sections


def _games(games: Simulations, rows: list[int]) -> Picture:
    """How soon the best rows find the answers."""
    described = describe_simulations(games, rows)
    names = [f"{capitals(row['opener'])} {row['strategy']}" for row in described]
    counts = [row["distribution"] for row in described]

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_games

        return draw_games(names, counts, "Games of the best rows")

    columns = [Column("row", names), Column("distribution", counts)]
    return SIMULATIONS.picture("games", draw, columns)


def _correlations(games: Simulations, rows: list[int]) -> Table:
    """For each strategy, the gaps and how well its totals rank the openers."""
    told = []
    for number, name in enumerate(games.strategies):
        mine = [row for row in rows if games.strategy[row] == number]
        if mine:
            total, exact = games.total[mine], games.exact_total[mine]
            gap = total - exact
            told.append(
                {
                    "strategy": name,
                    "openers": len(mine),
                    "least gap": int(gap.min()),
                    "mean gap": float(gap.mean()),
                    "greatest gap": int(gap.max()),
                    "kendall": kendall(total, exact) if len(mine) > 1 else None,
                    "spearman": spearman(total, exact) if len(mine) > 1 else None,
                }
            )
    decimals = {"mean gap": 2, "kendall": 4, "spearman": 4}
    columns = [Column(c.name, c.values, decimals.get(c.name, 0)) for c in columns_of(told)]
    title = "Guesses above the exact totals, and rank correlation with them"
    return Table.of("gaps-by-strategy", title, columns)


def _data(games: Simulations, rows: list[int]) -> list[Column]:
    words = games.game.words.guesses.words
    return [
        Column("strategy", [games.strategies[s] for s in games.strategy[rows]]),
        Column("opener", [words[g] for g in games.opener[rows]]),
        Column("total", games.total[rows].tolist()),
        Column("exact_total", games.exact_total[rows].tolist()),
    ]


def _gaps(games: Simulations, rows: list[int]) -> Picture:
    gaps = (games.total - games.exact_total)[rows].astype(np.float64)

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_spread

        labels = ("guesses more than the optimum, over all answers", "rows")
        return draw_spread(gaps, labels, "How far strategies are from the optimum")

    return SIMULATIONS.picture("gaps", draw, _data(games, rows))


def _totals(games: Simulations, rows: list[int]) -> Picture:
    exact, total = (each[rows].astype(np.float64) for each in (games.exact_total, games.total))

    def draw() -> Figure:
        from gpu_wordle.report.files_plot import draw_two

        labels = ("exact total, guesses", "total of the strategy, guesses")
        return draw_two(exact, total, labels, "On the line, a strategy plays as well as can be")

    return SIMULATIONS.picture("totals", draw, _data(games, rows))


SIMULATIONS = Kind(SIMULATION, FIGURES, simulation_sections)
