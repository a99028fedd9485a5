"""Bertsimas and Paskov, figure 5: policies that trust noisy values of states after three guesses.

"An Exact Solution to Wordle", Operations Research, 2022, section 3.4.
"""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.model import Limit, NoiseModel
from gpu_wordle.experiments.noise.ready import make_ready
from gpu_wordle.experiments.noise.study import NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.experiments.reproduce.bench import TABLE_BYTES, Bench
from gpu_wordle.experiments.reproduce.item import Item, Reproduced, Source, figure, found, words
from gpu_wordle.solver import SolverPool, TranspositionTable

OPENER = "salet"
PERCENT = ("0.1", "0.5", "1", "2", "5", "10")
RUNS = 25
SURE = (
    "The values here are exact, but for the noise, and know the guess limit. A factor leaves an "
    "infinite value infinite, so that no certainty is lost. The last line is without the limit."
)


def noisy_values(bench: Bench) -> Reproduced:
    """What the policies of 25 runs come to at each level, and below which level noise is free."""
    levels = tuple(Fraction(percent) / 100 for percent in PERCENT)
    study = NoiseStudy(bench.original, NoiseModel(), bench.guess(OPENER), levels)
    table, optimum = _searched(study)
    dropped = NoiseModel(limit=Limit.DROPPED)
    unlimited, _ = _searched(NoiseStudy(study.game, dropped, study.opener, study.levels[-1:]))
    answers = bench.original.answer_count
    means, best = table.total / answers, optimum.total / answers
    is_optimal = np.asarray(table.total == optimum.total)
    is_uncertain = table.lost[:, -1] > 0
    safe = optimum.safe_level(study)
    if safe is None:
        raise AssertionError("noise enough costs something after SALET")
    free = (
        "Totals are whole numbers. So noise on exact values costs nothing below a level that is "
        f"proven, {float(100 * safe):.4f} % here; see the docs, on the theory of noise."
    )
    lines = [
        figure("the line of the optimum", "3.42", best),
        words(
            "does any run recover the optimum at 0.1 %?",
            "no",
            f"{_counted(is_optimal[:, 0])} do",
            free,
        ),
        words(
            "do some runs not win with certainty at about 10 %?",
            "yes",
            f"{_counted(is_uncertain)} do not",
            SURE,
        ),
        found("runs that recover the optimum at 10 %", _counted(is_optimal[:, -1])),
        found("greatest mean of a run at 10 %", f"{means[:, -1].max():.4f}"),
        found(
            "runs without the guess limit that lose an answer at 10 %",
            _counted(unlimited.lost[:, 0] > 0),
        ),
    ]
    bands = {"least": means.min(axis=0), "median": np.median(means, axis=0),
             "greatest": means.max(axis=0)}  # fmt: skip
    rows = {
        "level_percent": list(PERCENT),
        "optimal_runs": is_optimal.sum(axis=0).tolist(),
        **{name: [f"{mean:.5f}" for mean in band] for name, band in bands.items()},
    }
    drawn = {"levels": np.array(PERCENT, float), "means": means, "optimum": best}
    return Reproduced(lines, rows, drawn)


def _searched(study: NoiseStudy) -> tuple[NoiseTable, Optimum]:
    """All runs, and what they are compared with."""
    make_ready(study.game.rule)
    table = NoiseTable.begin(study, RUNS)
    with SolverPool(study.valued, 1, TranspositionTable(TABLE_BYTES)) as pool:
        optimum = Optimum(*study.optimum(pool))
        for place, turns in study.search(pool, 0, RUNS, range(len(study.positions))):
            table.enter_turns(0, place, turns)
    return table, optimum


def _counted(flags: NDArray[Any]) -> str:
    return f"{int(flags.sum())} of {len(flags)}"


ITEMS = (
    Item(Source.EXACT_SOLUTION, "figure-5", "Noise on the values of states (section 3.4)",
         noisy_values),
)  # fmt: skip
