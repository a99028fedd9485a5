"""Simulated games as plain values, and as a table and lines for people."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.simulate import Simulated
from gpu_wordle.experiments.simulations import Simulations
from gpu_wordle.ranking.openers import UNKNOWN
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


def describe_simulations(simulations: Simulations, rows: Sequence[int]) -> list[dict[str, Any]]:
    """Rows as plain values; without a total where an answer is never found."""
    words, answers = simulations.game.words.guesses.words, simulations.game.answer_count
    some = simulations.take(rows)
    total, exact, worst = _known(some.total), _known(some.exact_total), _known(some.worst)
    distribution, lost = some.distribution, some.lost.tolist()
    return [
        {
            "strategy": simulations.strategies[strategy],
            "opener": words[opener],
            "total": total[row],
            "mean": None if total[row] is None else total[row] / answers,
            "distribution": np.trim_zeros(distribution[row], "b").tolist(),
            "lost": lost[row],
            "worst": worst[row],
            "exact_total": exact[row],
            "gap": None if None in (total[row], exact[row]) else total[row] - exact[row],
        }
        for row, (strategy, opener) in enumerate(some.pairs)
    ]


def _known(numbers: NDArray[Any]) -> list[Any]:
    """Numbers, with None for those that are not known."""
    return [None if number == UNKNOWN else number for number in numbers.tolist()]


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
