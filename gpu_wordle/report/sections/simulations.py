"""Simulations: the results of strategies from each opener, and their gap to the optimum."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from gpu_wordle.experiments.rank_correlation import kendall, spearman
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.content import DRAWN_ROWS, Block, Figures, Section, Table
from gpu_wordle.report.plots import draw_games, draw_spread, draw_two
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.simulations import describe_simulations, simulated_table
from gpu_wordle.report.table import Column, as_rows, columns_of
from gpu_wordle.store import read_simulations

FIGURES = Figures(
    {
        "games": "Answers found on each turn by the best rows",
        "gaps": "Guesses that strategies take more than the optimum",
        "totals": "Totals of strategies against the exact totals of their openers",
    }
)
CSV_KEYS = ("strategy", "opener", "total", "exact_total")
"""The keys of rows of simulated games that are compared with the optimum."""
MAX_TOTAL = 1 << 53
"""Totals from there on are no totals of games, and pictures cannot show them."""
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
    return sections + beside_sections({each.name: each for each in columns_of(described)})


def facts_of(columns: Mapping[str, Column]) -> dict[str, str]:
    """The facts about simulated games in the columns of rows."""
    rows = as_rows([columns[key] for key in CSV_KEYS])
    facts = {
        "strategies": ", ".join(dict.fromkeys(str(row["strategy"]) for row in rows)),
        "openers": f"{len({row['opener'] for row in rows}):,}",
        "rows": f"{len(rows):,}",
        "rows that find every answer": f"{sum(row['total'] is not None for row in rows):,}",
    }
    if "lost" in columns:
        surely = sum(lost == 0 for lost in columns["lost"].values)
        facts["rows that lose no answer"] = f"{surely:,}"
    known = [row for row in rows if row["total"] is not None]
    if known:
        best = min(known, key=lambda row: row["total"])
        name = f"{best['strategy']} after {capitals(best['opener'] or '-')}"
        facts["least total"] = f"{best['total']:,} guesses, {name}"
    return facts


def beside_sections(columns: Mapping[str, Column]) -> list[Section]:
    """Gaps to the optimum and rank correlations of each strategy, and pictures of all rows.

    There are none if no exact total is known.
    """
    rows = [
        row
        for row in as_rows([columns[key] for key in CSV_KEYS])
        if all(row[k] is not None and 0 <= row[k] < MAX_TOTAL for k in ("total", "exact_total"))
    ]
    if not rows:
        return []
    strategies, openers = ([str(row[key]) for row in rows] for key in ("strategy", "opener"))
    total, exact = (np.array([row[key] for row in rows]) for key in ("total", "exact_total"))
    data = [
        Column("strategy", strategies),
        Column("opener", openers),
        Column("total", total.tolist()),
        Column("exact_total", exact.tolist()),
    ]
    told = []
    for name in dict.fromkeys(strategies):
        mine = np.array([each == name for each in strategies])
        gap = (total - exact)[mine]
        told.append(
            {
                "strategy": name,
                "openers": len(gap),
                "least gap": gap.min().item(),
                "mean gap": float(gap.mean()),
                "greatest gap": gap.max().item(),
                "kendall": kendall(total[mine], exact[mine]) if len(gap) > 1 else None,
                "spearman": spearman(total[mine], exact[mine]) if len(gap) > 1 else None,
            }
        )
    shown = [Column(c.name, c.values, DECIMALS.get(c.name, 0)) for c in columns_of(told)]
    title = "Guesses above the exact totals, and rank correlation with them"
    gaps = ("guesses more than the optimum, over all answers", "rows")
    totals = ("exact total, guesses", "total of the strategy, guesses")
    x, y = exact.astype(np.float64), total.astype(np.float64)
    line = "On the line, a strategy plays optimally"
    blocks: list[Block] = [
        Table.of("gaps-by-strategy", title, shown),
        FIGURES.picture(
            "gaps",
            lambda: draw_spread(y - x, gaps, "How far strategies are from the optimum"),
            data,
        ),
        FIGURES.picture("totals", lambda: draw_two(x, y, totals, line), data),
    ]
    return [Section("Beside the optimum", blocks)]
