"""Pictures of pairs of guesses: what all of them tell, and the totals of the best."""

from __future__ import annotations

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from numpy.typing import NDArray

from gpu_wordle.report.ranking_plot import COLOUR, LOOK, OPEN, SIZE


def draw_survey(measured: NDArray[np.number], counts: NDArray[np.int64], label: str) -> Figure:
    """How many pairs there are of each measure; on a logarithmic scale, to see the best ones."""
    with rc_context(LOOK):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots()
        axes.vlines(measured, 0.5, counts, color=COLOUR, lw=1)
        axes.set_yscale("log")
        axes.set_ylim(bottom=0.5)
        axes.yaxis.set_major_formatter("{x:,.0f}")
        axes.set_xlabel(label)
        axes.set_ylabel("pairs, logarithmic")
        axes.set_title("All pairs of guesses", loc="left")
    return figure


def draw_pairs(lower: NDArray[np.float64], upper: NDArray[np.float64]) -> Figure:
    """Exact totals and lower bounds by rank; ``upper`` is infinite where nothing is known."""
    rank, is_exact = np.arange(1, len(lower) + 1), lower == upper
    with rc_context(LOOK):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots()
        if not is_exact.all():
            axes.plot(rank[~is_exact], lower[~is_exact], ".", ms=2, color=OPEN, label="at least")
        if is_exact.any():
            axes.plot(rank[is_exact], lower[is_exact], ".", ms=3, color=COLOUR, label="exact")
        axes.set_xlabel("rank of the pair")
        axes.set_ylabel("total, guesses")
        axes.set_title("The best pairs", loc="left")
        axes.legend(frameon=False)
    return figure
