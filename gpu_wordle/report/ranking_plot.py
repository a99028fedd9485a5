"""Pictures of rankings: the curve of openers, how values and games are spread, two side by side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib import rc_context
from matplotlib.figure import Figure
from matplotlib.ticker import MaxNLocator, PercentFormatter
from numpy.typing import NDArray

COLOUR, MARK, OPEN = "#4a86c5", "#c96a1e", "#9a9a9a"
TURNS = ("#6aaa64", "#9fc27a", "#c9b458", "#d9923b", "#c0603a", "#96466b", "#6f4f8f", "#5d6b8a")
"""Colours of turn 1, 2, ...; turns beyond share the last."""
SERIES = ("#4a86c5", "#c96a1e", "#5b9c4a", "#9b6bb0", "#c0504d", "#3c9d9b", "#a08030", "#7f7f7f")
"""Colours of curves side by side."""
BINS = 60
FEW_DOTS = 300
"""Dots up to which each is drawn large."""
RUG = 0.03
"""Height of the marks below a curve, as a share of the axis."""
TOLD_SHARE = 0.06
"""Share of a bar from which on its number stands in it."""
SIZE = (7.5, 3.8)
LOOK: dict[Any, Any] = {"font.size": 10, "axes.spines.top": False, "axes.spines.right": False}

Numbers = NDArray[np.float64]


def draw_ranks(
    lower: Numbers, upper: Numbers, is_candidate: NDArray[np.bool_], label: str
) -> Figure:
    """Values by rank, the best first; an opener that is not exact is a line between its bounds.

    Arrays are [N] in the order of the ranks; ``upper`` is infinite where nothing is known.
    """
    rank = np.arange(1, len(lower) + 1)
    is_exact = lower == upper
    with rc_context(LOOK):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots()
        if is_exact.any():
            axes.plot(rank[is_exact], lower[is_exact], color=COLOUR, lw=1.8, label="exact")
        if not is_exact.all():
            top = np.where(
                np.isinf(upper), np.nanmax(np.where(np.isinf(upper), lower, upper)), upper
            )
            axes.vlines(rank[~is_exact], lower[~is_exact], top[~is_exact], color=OPEN, lw=0.8,
                        label="between its bounds")  # fmt: skip
        if is_candidate.any():
            axes.plot(rank[is_candidate], np.full(is_candidate.sum(), RUG), "|", color=MARK, ms=9,
                      mew=0.4, alpha=0.35, transform=axes.get_xaxis_transform(),
                      label="can be the answer")  # fmt: skip
        axes.set_xlabel("rank of the opener")
        axes.set_ylabel(label)
        axes.set_title("All openers, the best first", loc="left")
        axes.legend(frameon=False, loc="upper left")
    return figure


def draw_values(values: Numbers, is_candidate: NDArray[np.bool_], label: str) -> Figure:
    """How exact values are spread: openers that can be the answer, and those that cannot."""
    groups = {"other guesses": values[~is_candidate], "can be the answer": values[is_candidate]}
    shown = {name: group for name, group in groups.items() if len(group)}
    with rc_context(LOOK):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots()
        colours = [COLOUR if name.startswith("other") else MARK for name in shown]
        axes.hist(list(shown.values()), _bins(values), stacked=True, color=colours,
                  label=list(shown))  # fmt: skip
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(label)
        axes.set_ylabel("openers")
        axes.set_title("How the exact values of openers are spread", loc="left")
        axes.legend(frameon=False)
    return figure


def draw_worst(counts: Mapping[int, int]) -> Figure:
    """How many openers find the last answer on which turn."""
    with rc_context(LOOK):
        figure = Figure(figsize=(7.5, 2.8), layout="constrained")
        axes = figure.subplots()
        bars = axes.bar(list(map(str, counts)), list(counts.values()), color=COLOUR, width=0.6)
        axes.bar_label(bars, [f"{count:,}" for count in counts.values()], padding=2)
        axes.margins(y=0.15)
        axes.set_xlabel("turn on which the strategy finds the last answer")
        axes.set_ylabel("openers")
        axes.set_title("The worst case of the best strategies", loc="left")
    return figure


def draw_games(names: Sequence[str], counts: Sequence[Sequence[int]], title: str) -> Figure:
    """Answers found on turn 1, 2, ..., a bar of each name, as shares of its games."""
    turns = max(map(len, counts))
    table = np.zeros((len(names), turns))
    for row, found in enumerate(counts):
        table[row, : len(found)] = found
    shares = table / table.sum(axis=1, keepdims=True)
    starts = shares.cumsum(axis=1) - shares
    with rc_context(LOOK):
        figure = Figure(figsize=(7.5, 1.5 + 0.34 * len(names)), layout="constrained")
        axes = figure.subplots()
        for turn in range(turns):
            colour = TURNS[min(turn, len(TURNS) - 1)]
            bars = axes.barh(range(len(names)), shares[:, turn], 0.8, starts[:, turn],
                             color=colour, label=str(turn + 1))  # fmt: skip
            told = [
                f"{int(n):,}" if share >= TOLD_SHARE else ""
                for n, share in zip(table[:, turn], shares[:, turn], strict=True)
            ]
            axes.bar_label(bars, told, label_type="center", color="#111111", fontsize=8)
        axes.set_yticks(range(len(names)), names)
        axes.invert_yaxis()
        axes.xaxis.set_major_formatter(PercentFormatter(1.0, 0))
        axes.set_xlim(0, 1)
        axes.set_xlabel("share of the answers")
        axes.set_title(title, loc="left")
        figure.legend(title="turn", frameon=False, loc="outside right upper")
    return figure


def draw_two(x: Numbers, y: Numbers, labels: tuple[str, str], title: str) -> Figure:
    """Each opener by what two rankings say of it; on the line, they say the same."""
    with rc_context(LOOK):
        figure = Figure(figsize=(6.2, 5.2), layout="constrained")
        axes = figure.subplots()
        size, alpha = (2, 0.3) if len(x) > FEW_DOTS else (18, 0.8)
        axes.scatter(x, y, s=size, color=COLOUR, alpha=alpha, linewidths=0)
        ends = [min(x.min(), y.min()), max(x.max(), y.max())]
        axes.plot(ends, ends, color=MARK, lw=1)
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.set_title(title, loc="left")
    return figure


def draw_spread(values: Numbers, labels: tuple[str, str], title: str) -> Figure:
    """A histogram, with the place of zero marked; ``labels`` are of values and of their number."""
    with rc_context(LOOK):
        figure = Figure(figsize=SIZE, layout="constrained")
        axes = figure.subplots()
        axes.hist(values, _bins(values), color=COLOUR)
        if values.min() <= 0 <= values.max():
            axes.axvline(0, color=MARK, lw=1)
        axes.yaxis.set_major_locator(MaxNLocator(integer=True))
        axes.set_xlabel(labels[0])
        axes.set_ylabel(labels[1])
        axes.set_title(title, loc="left")
    return figure


def _bins(values: Numbers) -> int:
    """Bars of a histogram: as many as there are values to tell apart, up to a limit."""
    return int(np.clip(len(np.unique(values)), 1, BINS))
