"""Simulations: the results of strategies from each opener, and their gap to the optimum."""

from __future__ import annotations

import numpy as np

from gpu_wordle.experiments.rank_correlation import kendall, spearman
from gpu_wordle.experiments.simulations import Simulations
from gpu_wordle.game.spelling import capitals
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.report.content import DRAWN_ROWS, Block, Figures, Section, Table
from gpu_wordle.report.plots import draw_games, draw_spread, draw_two
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.simulations import describe_simulations, simulated_table
from gpu_wordle.report.table import Column, columns_of
from gpu_wordle.store import read_simulations

FIGURES = Figures(
    {
        "games": "Answers found on each turn by the best rows",
        "gaps": "Guesses that strategies take more than the optimum",
        "totals": "Totals of strategies against the exact totals of their openers",
    }
)
DECIMALS = {"mean gap": 2, "kendall": 4, "spearman": 4}


def simulation_sections(source: Source) -> list[Section]:
    """The sections on simulated games."""
    games = read_simulations(source.path, source.contents, source.game).summed()
    rows = games.best_first(range(len(games)))
    facts = {
        **source.asked,
        "strategies": ", ".join(games.strategies),
        "guesses are chosen": str(source.contents.attributes["choice"]),
        "rows": str(games),
    }
    if not rows:
        return [Section("Overview", [facts])]
    described = describe_simulations(games, rows)
    names = [f"{capitals(row['opener'])} {row['strategy']}" for row in described[:DRAWN_ROWS]]
    counts = [row["distribution"] for row in described[:DRAWN_ROWS]]
    best = FIGURES.picture(
        "games",
        lambda: draw_games(names, counts, "Games of the best rows"),
        [Column("row", names), Column("distribution", counts)],
    )
    every, title = simulated_table(described).columns, "Every row, the least total first"
    sections = [
        Section("Overview", [facts, best]),
        Section("Strategies and openers", [Table.of("simulations", title, every)]),
    ]
    is_known = (games.exact_total != UNKNOWN) & (games.total != UNKNOWN)
    known = [row for row in rows if is_known[row]]
    return [*sections, Section("Beside the optimum", _beside(games, known))] if known else sections


def _beside(games: Simulations, rows: list[int]) -> list[Block]:
    """Gaps to the optimum and rank correlations of each strategy, and a picture of all rows."""
    words = games.game.words.guesses.words
    exact, total = games.exact_total[rows], games.total[rows]
    data = [
        Column("strategy", [games.strategies[s] for s in games.strategy[rows]]),
        Column("opener", [words[g] for g in games.opener[rows]]),
        Column("total", total.tolist()),
        Column("exact_total", exact.tolist()),
    ]
    told = []
    for number, name in enumerate(games.strategies):
        mine = games.strategy[rows] == number
        if mine.any():
            gap = (total - exact)[mine]
            told.append(
                {
                    "strategy": name,
                    "openers": len(gap),
                    "least gap": int(gap.min()),
                    "mean gap": float(gap.mean()),
                    "greatest gap": int(gap.max()),
                    "kendall": kendall(total[mine], exact[mine]) if len(gap) > 1 else None,
                    "spearman": spearman(total[mine], exact[mine]) if len(gap) > 1 else None,
                }
            )
    columns = [Column(c.name, c.values, DECIMALS.get(c.name, 0)) for c in columns_of(told)]
    title = "Guesses above the exact totals, and rank correlation with them"
    gaps = ("guesses more than the optimum, over all answers", "rows")
    totals = ("exact total, guesses", "total of the strategy, guesses")
    x, y = exact.astype(np.float64), total.astype(np.float64)
    line = "On the line, a strategy plays optimally"
    return [
        Table.of("gaps-by-strategy", title, columns),
        FIGURES.picture(
            "gaps",
            lambda: draw_spread(y - x, gaps, "How far strategies are from the optimum"),
            data,
        ),
        FIGURES.picture("totals", lambda: draw_two(x, y, totals, line), data),
    ]
