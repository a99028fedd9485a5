"""Simulated games as plain values, and as a table and lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.report.table import Column, FittedTable
from gpu_wordle.strategies.play import NEVER

KEYS = (
    *("strategy", "opener", "total", "mean", "distribution", "lost", "worst"),
    *("exact_total", "gap"),
)
IMPORTANCE = (
    *("strategy", "opener", "mean", "total", "lost", "worst", "gap", "exact_total"),
    "distribution",
)
DECIMALS = {"mean": 3}
HEADINGS = {"distribution": "found on\nturn 1 2 ..."}


def describe_simulated(simulated: Simulated, exact_total: int | None) -> dict[str, Any]:
    """One row; without a total where an answer is never found."""
    total = simulated.total
    gap = None if total is None or exact_total is None else total - exact_total
    return {
        "strategy": simulated.strategy,
        "opener": simulated.game.words.guesses.words[simulated.opener],
        "total": total,
        "mean": None if total is None else total / len(simulated.turns),
        "distribution": simulated.distribution,
        "lost": int(simulated.lost.sum()),
        "worst": simulated.worst,
        "exact_total": exact_total,
        "gap": gap,
    }


def simulated_table(rows: Sequence[dict[str, Any]]) -> FittedTable:
    """The rows for people."""
    columns = [
        Column(key, [row[key] for row in rows], DECIMALS.get(key, 0), HEADINGS.get(key))
        for key in KEYS
    ]
    return FittedTable(columns, IMPORTANCE)


def hardest_games(simulated: Simulated, count: int) -> list[str]:
    """The longest games, a line each."""
    words = simulated.game.words
    lines = []
    for answer in simulated.hardest(count):
        made = " ".join(simulated.game.spell(simulated.guesses(answer))).upper()
        on = int(simulated.turns[answer])
        end = "never found" if on == NEVER else f"turn {on}"
        lines.append(f"{words.answers.words[answer].upper()} ({end}): {made}")
    return lines
