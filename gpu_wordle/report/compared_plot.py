"""Pictures of comparisons: shares of like games, and what predicts the exact value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import PercentFormatter
from numpy.typing import NDArray

from gpu_wordle.experiments.compare import Compared
from gpu_wordle.experiments.predict import Prediction
from gpu_wordle.report.compared import agreements

COLOUR, QUIET, MARK = "#4a86c5", "#9a9a9a", "#c96a1e"
ACROSS = 4
"""Panels side by side."""
MAX_DOTS = 13_000
"""Openers up to which each is a dot; of more, so many are drawn at random."""


def draw_compared(compared: Compared) -> Figure:
    """A bar for each way in which games fell out, the most frequent first."""
    return draw_agreements(agreements(compared), compared.games)


def draw_agreements(found: Mapping[str, int], games: int) -> Figure:
    """The same of numbers of games by how they fell out, out of ``games``."""
    names = list(found)
    shares = np.array(list(found.values())) / games
    with rc_context({"font.size": 10}):
        figure = Figure(figsize=(8.5, 1.1 + 0.38 * len(names)), layout="constrained")
        axes = figure.subplots()
        bars = axes.barh(names, shares, color=COLOUR)
        axes.bar_label(bars, [f"{share:.1%}" for share in shares], padding=3)
        axes.invert_yaxis()
        axes.set_xlim(0, shares.max() * 1.15)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, 0))
        axes.set_xlabel(f"share of {games:,} pairs of start and target")
        axes.set_title("Who plays the same game ( = ), and who another one ( / )", loc="left")
        axes.spines[["top", "right"]].set_visible(False)
    return figure


def draw_correlations(
    names: Sequence[str], kendall: Sequence[float | None], spearman: Sequence[float | None]
) -> Figure:
    """Two bars for each predictor: how well it ranks the openers, by tau and by rho."""
    with rc_context({"font.size": 10}):
        figure = Figure(figsize=(7.5, 1.4 + 0.42 * len(names)), layout="constrained")
        axes = figure.subplots()
        for i, (label, values) in enumerate((("Kendall's τ", kendall), ("Spearman's ρ", spearman))):
            places = np.arange(len(names)) + (i - 0.5) * 0.4
            known = [value or 0.0 for value in values]
            axes.barh(places, known, 0.38, color=(COLOUR, QUIET)[i], label=label)
        axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
        axes.invert_yaxis()
        axes.set_xlabel("rank correlation with the exact totals; 1: the same order")
        axes.set_title("What predicts the exact total of an opener", loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        figure.legend(frameon=False, loc="outside right upper")
    return figure


def draw_predictions(
    predictions: Sequence[Prediction],
    exact_totals: NDArray[np.int64],
    is_known: NDArray[np.bool_],
    across: int = ACROSS,
) -> Figure:
    """Small multiples: each predictor against the exact total, an opener a dot."""
    rows = ceil(len(predictions) / across)
    known = np.flatnonzero(is_known)
    if len(known) > MAX_DOTS:
        known = np.random.default_rng(0).choice(known, MAX_DOTS, replace=False)
    with rc_context({"font.size": 9}):
        figure = Figure(figsize=(2.7 * across, 2.6 * rows + 0.5), layout="constrained")
        panels = figure.subplots(rows, across, sharey=True, squeeze=False).ravel()
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
        for axes in panels[::across]:
            axes.set_ylabel("exact total, guesses")
        title = "What predicts the exact total of an opener; better to the right,"
        rest = "the favourite of each marked"
        joined = " " if across == ACROSS else "\n"
        figure.suptitle(f"{title}{joined}{rest}", x=0.01, ha="left", fontsize=11)
    return figure
