"""The picture of a noise experiment: means by level, and where runs leave the optimum."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.model import Per
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.look import open_corner, sheet

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PER = {
    Per.VALUE: "of the value",
    Per.ANSWER: "of a guess for each answer",
    Per.STATE: "of a guess for each state",
}
COLOUR, MARK = "#3a6ea5", "#b8520b"


def draw_band(
    axes: Axes, levels: NDArray[np.float64], means: NDArray[np.float64], best: float
) -> None:
    """Median, least and greatest of the means of runs, [R, L], and the optimum as a line."""
    axes.fill_between(
        levels, means.min(axis=0), means.max(axis=0), color=COLOUR, alpha=0.25, linewidth=0,
        label="least to greatest",
    )  # fmt: skip
    axes.plot(levels, np.median(means, axis=0), "o-", ms=4, color=COLOUR, label="median")
    axes.axhline(best, color=MARK, linewidth=1, label=f"optimum {best:.4f}")


def draw_noise(table: NoiseTable, optimum: Optimum) -> Figure:
    """Median, least and greatest mean of the runs, and below the share that left the optimum."""
    study, done = table.study, table.is_done
    answers = study.game.answer_count
    levels = np.array([float(100 * level) for level in study.levels])
    means = table.total[done] / answers
    lost = (table.lost[done] > 0).any(axis=0)
    figure = sheet((7.5, 6.4))
    upper, lower = figure.subplots(2, 1, sharex=True, height_ratios=(3, 1.3))
    open_corner(upper, lower)
    draw_band(upper, levels, means, optimum.total / answers)
    if lost.any():
        upper.plot(
            levels[lost], means.max(axis=0)[lost], "x", color="black",
            label="some run loses an answer",
        )  # fmt: skip
    word = capitals(study.game.spell([study.opener])[0])
    after = f"{word}: values noisy after guess {study.model.depth}"
    upper.set_title(f"{after}, {int(done.sum()):,} runs", loc="left")
    upper.set_ylabel("guesses of an answer, mean")
    upper.legend(frameon=False, loc="upper left")
    departure = [table.departure[run] for run in np.flatnonzero(done).tolist()]
    left = sorted(float(100 * level) for level in departure if level is not None)
    share = np.arange(len(left) + 1) / max(len(departure), 1)
    ends = [min([*left, levels.min()]), *left, max([*left, levels.max()])]
    lower.step(ends, [*share, share[-1]], where="post", color=COLOUR)
    safe = optimum.safe_level(study)
    if safe:
        lower.axvline(float(100 * safe), color=MARK, linewidth=1, linestyle="--")
        lower.annotate("theorem: no loss below", (float(100 * safe), 0.5), rotation=90,
                       ha="right", va="center", fontsize=8, color=MARK)  # fmt: skip
    lower.set_ylim(0, 1.02)
    lower.set_ylabel("runs that have\nleft the optimum")
    lower.set_xlabel(f"noise, percent {PER[study.model.per]}")
    if levels.min() > 0 and levels.max() / levels.min() > 20:
        lower.set_xscale("log")
        lower.xaxis.set_major_formatter("{x:g}")
    return figure
