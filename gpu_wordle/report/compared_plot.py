"""Pictures of comparisons: shares of like games, and what predicts the exact value."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from gpu_wordle.experiments.compare import Compared
from gpu_wordle.experiments.predict import Prediction
from gpu_wordle.report.compared import agreements

COLOUR, QUIET, MARK = "#3a6ea5", "#9a9a9a", "#b8520b"
ACROSS = 4
"""Panels side by side."""
MAX_DOTS = 13_000
"""Openers up to which each is a dot; of more, so many are drawn at random."""


def draw_compared(compared: Compared) -> Figure:
    """A bar for each way in which games fell out, the most frequent first."""
    found = agreements(compared)
    names = list(found)
    shares = np.array(list(found.values())) / compared.games
    with rc_context({"font.size": 10}):
        figure = Figure(figsize=(8.5, 1.1 + 0.38 * len(names)), layout="constrained")
        axes = figure.subplots()
        bars = axes.barh(names, shares, color=COLOUR)
        axes.bar_label(bars, [f"{share:.1%}" for share in shares], padding=3)
        axes.invert_yaxis()
        axes.set_xlim(0, shares.max() * 1.15)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, 0))
        axes.set_xlabel(f"share of {compared.games:,} pairs of start and target")
        axes.set_title("Who plays the same game ( = ), and who another one ( / )", loc="left")
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def draw_predictions(
    predictions: Sequence[Prediction], exact_totals: NDArray[np.int64], is_known: NDArray[np.bool_]
) -> Figure:
    """Small multiples: each predictor against the exact total, an opener a dot."""
    rows = ceil(len(predictions) / ACROSS)
    known = np.flatnonzero(is_known)
    if len(known) > MAX_DOTS:
        known = np.random.default_rng(0).choice(known, MAX_DOTS, replace=False)
    with rc_context({"font.size": 9}):
        figure = Figure(figsize=(2.7 * ACROSS, 2.6 * rows + 0.5), layout="constrained")
        panels = figure.subplots(rows, ACROSS, sharey=True, squeeze=False).ravel()
        for axes, each in zip(panels, predictions, strict=False):
            values = each.predictor.values
            axes.scatter(
                values[known], exact_totals[known], s=1.5, color=COLOUR, alpha=0.25, linewidths=0
            )
            axes.plot(values[each.favourite], exact_totals[each.favourite], "o", color=MARK, ms=4)
            if not each.predictor.most_first:
                axes.invert_xaxis()
            tau = "-" if each.kendall is None else f"{each.kendall:.3f}"
            axes.set_title(f"{each.predictor.name.replace('_', ' ')}   τ {tau}", fontsize=9)
            axes.set_xlabel(each.predictor.units, fontsize=8)
            axes.spines[["top", "right"]].set_visible(False)
        for axes in panels[len(predictions) :]:
            axes.set_visible(False)
        for axes in panels[::ACROSS]:
            axes.set_ylabel("exact total, guesses")
        figure.suptitle(
            "What predicts the exact total of an opener; better to the right, "
            "the favourite of each marked",
            x=0.01, ha="left", fontsize=11,
        )  # fmt: skip
    return figure
