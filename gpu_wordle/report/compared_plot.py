"""Pictures of comparisons: shares of equal games, and predictors of the exact value."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.compare import Compared
from gpu_wordle.experiments.predict import Prediction
from gpu_wordle.report.compared import agreements
from gpu_wordle.report.look import COLOUR, MARK, OPEN, open_corner, panel, sheet

if TYPE_CHECKING:
    from matplotlib.figure import Figure

ACROSS = 4
"""Panels side by side."""
MAX_DOTS = 13_000
"""Most openers drawn as dots; of more, a random sample of this size is drawn."""


def draw_compared(compared: Compared) -> Figure:
    """A bar for each agreement between strategies, most frequent first."""
    return draw_agreements(agreements(compared), compared.games)


def draw_agreements(found: Mapping[str, int], games: int) -> Figure:
    """A bar for each agreement between strategies, as a share of all ``games``."""
    shares = np.array(list(found.values())) / games
    title = "Strategies that play the same game ( = ) or different ones ( / )"
    label = f"share of {games:,} pairs of start and target"
    figure, axes = panel(title, label, size=(8.5, 1.1 + 0.38 * len(found)))
    axes.bar_label(axes.barh(list(found), shares, color=COLOUR), fmt="{:.1%}", padding=3)
    axes.invert_yaxis()
    axes.set_xlim(0, shares.max() * 1.15)
    axes.xaxis.set_major_formatter("{x:.0%}")
    return figure


def draw_correlations(
    names: Sequence[str], kendall: Sequence[float | None], spearman: Sequence[float | None]
) -> Figure:
    """Two bars for each predictor: how well it ranks the openers, by tau and by rho."""
    label = "rank correlation with the exact totals; 1: the same order"
    size = (7.5, 1.4 + 0.42 * len(names))
    figure, axes = panel("What predicts the exact total of an opener", label, size=size)
    bars = (("Kendall's τ", kendall, COLOUR, -0.2), ("Spearman's ρ", spearman, OPEN, 0.2))
    for name, values, colour, shift in bars:
        known = [value or 0.0 for value in values]
        axes.barh(np.arange(len(names)) + shift, known, 0.38, color=colour, label=name)
    axes.set_yticks(range(len(names)), [name.replace("_", " ") for name in names])
    axes.invert_yaxis()
    figure.legend(frameon=False, loc="outside right upper")
    return figure


def draw_predictions(
    predictions: Sequence[Prediction],
    exact_totals: NDArray[np.int64],
    is_known: NDArray[np.bool_],
    across: int = ACROSS,
) -> Figure:
    """A panel for each predictor: its value against the exact total, one dot per opener."""
    from matplotlib import rc_context

    rows = ceil(len(predictions) / across)
    known = np.flatnonzero(is_known)
    if len(known) > MAX_DOTS:
        known = np.random.default_rng(0).choice(known, MAX_DOTS, replace=False)
    with rc_context({"font.size": 9}):
        figure = sheet((2.7 * across, 2.6 * rows + 0.5))
        panels = figure.subplots(rows, across, sharey=True, squeeze=False).ravel()
        for axes, each in zip(panels, predictions, strict=False):
            values, best = each.predictor.values, each.favourite
            axes.scatter(
                values[known], exact_totals[known], s=1.5, color=COLOUR, alpha=0.25, linewidths=0
            )
            axes.plot(values[best], exact_totals[best], "o", color=MARK, ms=4)
            if not each.predictor.most_first:
                axes.invert_xaxis()
            tau = "-" if each.kendall is None else f"{each.kendall:.3f}"
            axes.set_title(f"{each.predictor.name.replace('_', ' ')}   τ {tau}", fontsize=9)
            axes.set_xlabel(each.predictor.units, fontsize=8)
        open_corner(*panels)
        for axes in panels[len(predictions) :]:
            axes.set_visible(False)
        for axes in panels[::across]:
            axes.set_ylabel("exact total, guesses")
        told = "What predicts the exact total of an opener; better to the right,"
        joined = " " if across == ACROSS else "\n"
        title = f"{told}{joined}the favourite of each marked"
        figure.suptitle(title, x=0.01, ha="left", fontsize=11)
    return figure
