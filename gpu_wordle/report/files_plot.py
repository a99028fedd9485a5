"""Pictures of the contents of files: openers, games, pairs and players."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.report.look import COLOUR, MARK, OPEN, SERIES, panel, whole_numbers

if TYPE_CHECKING:
    from matplotlib.figure import Figure

TURNS = ("#6aaa64", "#9fc27a", "#c9b458", "#d9923b", "#c0603a", "#96466b", "#6f4f8f", "#5d6b8a")
"""Colours of turn 1, 2, ...; later turns share the last one."""
BINS = 60
FEW_DOTS = 300
"""Most dots that are drawn large."""
RUG = 0.03
"""Height of the marks below a curve, as a fraction of the axis."""
TOLD_SHARE = 0.06
"""Least share of a bar that shows its number."""

Numbers = NDArray[np.float64]


def draw_ranks(
    lower: Numbers, upper: Numbers, is_candidate: NDArray[np.bool_], label: str
) -> Figure:
    """Values by rank, best first; an opener with bounds is drawn as a line between them.

    Arrays are [N] in the order of the ranks; ``upper`` is infinite if unknown.
    """
    rank, is_exact = np.arange(1, len(lower) + 1), lower == upper
    figure, axes = panel("All openers, the best first", "rank of the opener", label)
    if is_exact.any():
        axes.plot(rank[is_exact], lower[is_exact], color=COLOUR, lw=1.8, label="exact")
    if not is_exact.all():
        top = np.where(np.isinf(upper), np.nanmax(np.where(np.isinf(upper), lower, upper)), upper)
        axes.vlines(rank[~is_exact], lower[~is_exact], top[~is_exact], color=OPEN, lw=0.8,
                    label="between its bounds")  # fmt: skip
    if is_candidate.any():
        axes.plot(rank[is_candidate], np.full(is_candidate.sum(), RUG), "|", color=MARK, ms=9,
                  mew=0.4, alpha=0.35, transform=axes.get_xaxis_transform(),
                  label="can be the answer")  # fmt: skip
    axes.legend(frameon=False, loc="upper left")
    return figure


def draw_values(values: Numbers, is_candidate: NDArray[np.bool_], label: str) -> Figure:
    """The distribution of exact values, of openers that can be the answer and of the others."""
    groups = [
        ("other guesses", COLOUR, values[~is_candidate]),
        ("can be the answer", MARK, values[is_candidate]),
    ]
    names, colours, shown = zip(*(each for each in groups if len(each[2])), strict=True)
    figure, axes = panel("How the exact values of openers are spread", label, "openers")
    axes.hist(shown, _bins(values), stacked=True, color=colours, label=names)
    whole_numbers(axes.yaxis)
    axes.legend(frameon=False)
    return figure


def draw_worst(counts: Mapping[int, int]) -> Figure:
    """The number of openers with each worst case."""
    title, label = "The worst case of the best strategies", "turn on which the strategy finds"
    figure, axes = panel(title, f"{label} the last answer", "openers", (7.5, 2.8))
    bars = axes.bar(list(map(str, counts)), list(counts.values()), color=COLOUR, width=0.6)
    axes.bar_label(bars, fmt="{:,.0f}", padding=2)
    axes.margins(y=0.15)
    return figure


def draw_games(names: Sequence[str], counts: Sequence[Sequence[int]], title: str) -> Figure:
    """Shares of the answers found on turn 1, 2, ..., a bar for each name."""
    turns = max(map(len, counts))
    table = np.array([[*found, *[0] * (turns - len(found))] for found in counts])
    shares = table / table.sum(axis=1, keepdims=True)
    starts = shares.cumsum(axis=1) - shares
    figure, axes = panel(title, "share of the answers", size=(7.5, 1.5 + 0.34 * len(names)))
    for turn in range(turns):
        colour = TURNS[min(turn, len(TURNS) - 1)]
        bars = axes.barh(range(len(names)), shares[:, turn], 0.8, starts[:, turn],
                         color=colour, label=str(turn + 1))  # fmt: skip
        is_told = shares[:, turn] >= TOLD_SHARE
        told = [f"{n:,}" if t else "" for n, t in zip(table[:, turn], is_told, strict=True)]
        axes.bar_label(bars, told, label_type="center", color="#111111", fontsize=8)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    axes.xaxis.set_major_formatter("{x:.0%}")
    axes.set_xlim(0, 1)
    figure.legend(title="turn", frameon=False, loc="outside right upper")
    return figure


def draw_two(x: Numbers, y: Numbers, labels: tuple[str, str], title: str) -> Figure:
    """Each opener as a dot, by its values in two rankings; on the line they are equal."""
    figure, axes = panel(title, *labels, (6.2, 5.2))
    size, alpha = (2, 0.3) if len(x) > FEW_DOTS else (18, 0.8)
    axes.scatter(x, y, s=size, color=COLOUR, alpha=alpha, linewidths=0)
    ends = [min(x.min(), y.min()), max(x.max(), y.max())]
    axes.plot(ends, ends, color=MARK, lw=1)
    return figure


def draw_spread(values: Numbers, labels: tuple[str, str], title: str) -> Figure:
    """A histogram with zero marked; ``labels`` name the values and their number."""
    figure, axes = panel(title, *labels)
    axes.hist(values, _bins(values), color=COLOUR)
    if values.min() <= 0 <= values.max():
        axes.axvline(0, color=MARK, lw=1)
    whole_numbers(axes.yaxis)
    return figure


def draw_survey(measured: NDArray[np.number], counts: NDArray[np.int64], label: str) -> Figure:
    """The number of pairs of each measure, on a logarithmic scale that shows the best ones."""
    figure, axes = panel("All pairs of guesses", label, "pairs, logarithmic")
    axes.vlines(measured, 0.5, counts, color=COLOUR, lw=1)
    axes.set_yscale("log")
    axes.set_ylim(bottom=0.5)
    axes.yaxis.set_major_formatter("{x:,.0f}")
    return figure


def draw_pairs(lower: Numbers, upper: Numbers) -> Figure:
    """Exact totals and lower bounds by rank; ``upper`` is infinite if unknown."""
    rank, is_exact = np.arange(1, len(lower) + 1), lower == upper
    figure, axes = panel("The best pairs", "rank of the pair", "total, guesses")
    if not is_exact.all():
        axes.plot(rank[~is_exact], lower[~is_exact], ".", ms=2, color=OPEN, label="at least")
    if is_exact.any():
        axes.plot(rank[is_exact], lower[is_exact], ".", ms=3, color=COLOUR, label="exact")
    axes.legend(frameon=False)
    return figure


def draw_regret(by_player: Mapping[str, Mapping[int, float]]) -> Figure:
    """Mean regret of each player by turn."""
    label = "regret of a turn on average, guesses"
    figure, axes = panel("Where guesses are lost", "turn", label)
    for i, (name, means) in enumerate(by_player.items()):
        colour = SERIES[i % len(SERIES)]
        axes.plot(list(means), list(means.values()), "o-", ms=4, color=colour, label=name)
    whole_numbers(axes.xaxis)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return figure


def _bins(values: Numbers) -> int:
    """Edges of a histogram: one bar per distinct value, up to a limit."""
    return int(np.clip(len(np.unique(values)), 1, BINS))
