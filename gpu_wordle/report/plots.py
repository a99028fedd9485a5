"""Pictures of one guess, of a game, and of the results in files."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import ceil
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.feedback import Feedback, LetterFeedback, digits
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.pictures import (
    COLOUR,
    MARK,
    MARKERS,
    OPEN,
    SERIES,
    in_percent,
    open_corner,
    panel,
    sheet,
    turn_colours,
    whole_numbers,
)
from gpu_wordle.report.tiles import TILE_COLOURS, TILE_INKS, pattern_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

PLACE_INCHES = 0.4
"""Preferred width of a bar and its tiles."""
PLOT_INCHES = (7.0, 10.0)
"""Least and greatest width of the picture."""
BARS_INCHES = 3.8
TILE_INCHES = (0.14, 0.3)
"""Least and greatest height of a tile; tall enough tiles show their letters."""
MAX_TILED = 250
"""Most bars with tiles; with more, tiles would be too small."""
MAX_NAMED = 40
"""Most bars labelled with their feedback, in games without tiles."""
FILLED = 0.86
"""Width of a bar or tile as a fraction of its slot."""

Numbers = NDArray[np.float64]


def draw_spectrum(
    word: str, feedback: Feedback, patterns: list[int], sizes: NDArray[np.int64], caption: str
) -> Figure:
    """Bars of the patterns, tallest first, and the cumulative share of answers."""
    width = float(np.clip(PLACE_INCHES * len(patterns), *PLOT_INCHES))
    tile = float(np.clip(width / len(patterns), *TILE_INCHES))
    heights = [BARS_INCHES]
    if isinstance(feedback, LetterFeedback):
        heights.append(tile * feedback.length)
    figure = sheet((width, sum(heights) + 0.9))
    panels = figure.subplots(len(heights), 1, sharex=True, height_ratios=heights, squeeze=False)
    bars, below = panels[0, 0], panels[-1, 0]
    if isinstance(feedback, LetterFeedback):
        bars.tick_params(bottom=False, labelbottom=False)
        has_letters = tile == max(TILE_INCHES)
        _draw_tiles(below, feedback.tiles(word), patterns[:MAX_TILED], has_letters=has_letters)
    else:
        names = [feedback.format(pattern) for pattern in patterns[:MAX_NAMED]]
        below.set_xticks(range(len(names)), names, rotation=90, fontsize=8)
    below.set_xlabel(f"{len(patterns):,} patterns, the largest group first")
    _draw_bars(bars, sizes, [pattern_colour(p, feedback) for p in patterns])
    _draw_shares(bars.twinx(), sizes)
    figure.suptitle(f"{capitals(word)}   {caption}", x=0.01, ha="left", fontsize=11)
    return figure


def _draw_bars(axes: Axes, sizes: NDArray[np.int64], colours: list[str]) -> None:
    """Draw a bar for each part."""
    axes.bar(np.arange(len(sizes)), sizes, width=FILLED, color=colours)
    axes.set_xlim(-0.5, len(sizes) - 0.5)
    axes.set_ylabel("answers in the group")
    whole_numbers(axes.yaxis)
    open_corner(axes)


def _draw_shares(axes: Axes, sizes: NDArray[np.int64]) -> None:
    """Draw the cumulative share of answers."""
    shares, edges = sizes.cumsum() / sizes.sum(), np.arange(len(sizes) + 1) - 0.5
    axes.stairs(shares, edges, baseline=None, color=COLOUR, linewidth=1.6)
    axes.set_ylim(0, 1.03)
    in_percent(axes.yaxis)
    axes.set_ylabel("share of answers up to here", color=COLOUR)
    axes.tick_params(axis="y", colors=COLOUR)
    axes.spines[["top", "left", "right"]].set_visible(False)


def _draw_tiles(
    axes: Axes, letters: Sequence[str], patterns: list[int], *, has_letters: bool
) -> None:
    """Draw the tiles of the patterns: a column for each, a row for each letter."""
    seen = [digits(pattern, len(letters)) for pattern in patterns]
    colours = np.array(seen)
    for digit, colour in TILE_COLOURS.items():
        places, rows = np.nonzero(colours == digit)
        axes.bar(places, FILLED, FILLED, rows - FILLED / 2, color=colour)
    if has_letters:
        for row, letter in enumerate(letters):
            for place in range(len(patterns)):
                text = axes.text(place, row, letter, ha="center", va="center_baseline")
                text.set(color=TILE_INKS[seen[place][row]], weight="bold", fontsize=9)
        axes.set_yticks([])
    else:
        axes.set_yticks(range(len(letters)), letters)
    axes.set_ylim(len(letters) - 0.5, -0.5)
    axes.tick_params(length=0, labelbottom=False)
    axes.spines[:].set_visible(False)


CONTRAST = 1.6
COLOUR_STEP = 16
"""Colours of a matrix are rounded to multiples of this, to keep its file small."""


def draw_letters(counts: NDArray[np.int64], letters: Sequence[str], title: str) -> Figure:
    """A heat map of how often each letter occurs in each place.

    ``counts`` is int64[letters, places].
    """
    rows, places = counts.shape
    size = (1.1 + 0.7 * places, 1.1 + 0.25 * rows)
    figure, axes = panel(title, "place in the word", size=size)
    axes.spines[:].set_visible(True)
    shown = axes.imshow(counts, cmap="YlGnBu", aspect="auto")
    for row, by_place in enumerate(counts):
        for place, count in enumerate(by_place):
            dark = count > counts.max() / 2
            axes.text(
                place, row, str(count), ha="center", va="center", fontsize=7.5,
                color="white" if dark else "#222222",
            )  # fmt: skip
    axes.set_yticks(range(rows), letters)
    axes.set_xticks(range(places), [str(i + 1) for i in range(places)])
    axes.tick_params(length=0)
    figure.colorbar(shown, ax=axes, label="answers with the letter there", pad=0.02)
    return figure


def draw_heat(names: Sequence[str], values: Numbers, title: str) -> Figure:
    """A heat map of a square table of numbers up to 1, [N, N]; nan is left blank."""
    side = 2.2 + 0.46 * len(names)
    figure, axes = panel(title, "", size=(side + 1.6, side))
    shown = axes.imshow(values, cmap="cividis", vmax=1)
    middle = (np.nanmin(values) + 1) / 2
    for row, column in np.argwhere(~np.isnan(values)):
        value = values[row, column]
        axes.text(
            column, row, f"{value:.2f}", ha="center", va="center", fontsize=7.5,
            color="black" if value > middle else "white",
        )  # fmt: skip
    axes.set_xticks(range(len(names)), names, rotation=60, ha="right", rotation_mode="anchor")
    axes.set_yticks(range(len(names)), names)
    axes.tick_params(length=0)
    figure.colorbar(shown, ax=axes, pad=0.02, shrink=0.8)
    return figure


def draw_matrix(
    pixels: NDArray[np.uint8], shape: tuple[int, int], size: tuple[float, float], title: str
) -> Figure:
    """A picture of a pattern matrix of ``shape``, answers by guesses; ``size`` is in inches."""
    figure, axes = panel(title, "guess, alphabetically", "answer, alphabetically", size)
    axes.spines[:].set_visible(True)
    extent = (0, shape[1], shape[0], 0)
    axes.imshow(pixels, interpolation="none", extent=extent, aspect="auto")
    return figure


def matrix_pixels(
    patterns: NDArray[np.integer], block: int, feedback: Feedback
) -> NDArray[np.uint8]:
    """The pixels of a pattern matrix, ``block`` squared patterns each, [R, C, 3].

    Rows and columns at the end that do not fill a block are left out.
    """
    named = [pattern_colour(code, feedback) for code in range(feedback.pattern_count)]
    colours = np.array([[int(c[i : i + 2], 16) for i in (1, 3, 5)] for c in named], np.uint8)
    rows, columns = (length // block for length in patterns.shape)
    means = np.empty((rows, columns, 3))
    for row in range(rows):
        strip = colours[patterns[row * block : (row + 1) * block, : columns * block]]
        means[row] = strip.reshape(block, columns, block, 3).mean(axis=(0, 2))
    # The mean over a block fades colours, so contrast is added.
    stronger = means + CONTRAST * (means - means.mean(axis=(0, 1)))
    rounded = np.rint(stronger / COLOUR_STEP) * COLOUR_STEP
    return rounded.clip(0, 255).astype(np.uint8)


def full_matrix(
    patterns: NDArray[np.integer], feedback: Feedback
) -> tuple[NDArray[np.uint8], list[str]]:
    """A pattern matrix with a pixel for each pattern: the number of its colour, and the colours."""
    named = [pattern_colour(code, feedback) for code in range(feedback.pattern_count)]
    colours = sorted(set(named))
    number = np.array([colours.index(colour) for colour in named], np.uint8)
    return number[patterns], colours


BINS = 60
"""Most bars of a histogram."""
FEW_DOTS = 300
"""Most dots that are drawn large."""
RUG = 0.03
"""Height of the marks below a curve, as a fraction of the axis."""
TOLD_SHARE = 0.06
"""Least share of a bar that shows its number."""


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
    axes.hist(shown, bin_edges(values), stacked=True, color=colours, label=names)
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
    for turn, (colour, ink) in enumerate(turn_colours(turns)):
        bars = axes.barh(range(len(names)), shares[:, turn], 0.8, starts[:, turn],
                         color=colour, label=str(turn + 1))  # fmt: skip
        is_told = shares[:, turn] >= TOLD_SHARE
        told = [f"{n:,}" if t else "" for n, t in zip(table[:, turn], is_told, strict=True)]
        axes.bar_label(bars, told, label_type="center", color=ink, fontsize=8)
    axes.set_yticks(range(len(names)), names)
    axes.invert_yaxis()
    in_percent(axes.xaxis)
    axes.set_xlim(0, 1)
    figure.legend(title="turn", frameon=False, loc="outside right upper")
    return figure


def draw_two(x: Numbers, y: Numbers, labels: tuple[str, str], title: str, said: str = "") -> Figure:
    """Each opener as a dot, by its values in two rankings, and the line on which they are equal.

    ``said`` is a remark below the title.
    """
    figure, axes = panel(title, *labels, (6.2, 5.2), said)
    size, alpha = (2, 0.3) if len(x) > FEW_DOTS else (18, 0.8)
    axes.scatter(x, y, s=size, color=COLOUR, alpha=alpha, linewidths=0)
    ends = [min(x.min(), y.min()), max(x.max(), y.max())]
    axes.plot(ends, ends, color=MARK, lw=1, label="equal")
    axes.legend(frameon=False, loc="upper left")
    return figure


def draw_spread(
    values: Numbers, labels: tuple[str, str], title: str, unit: float | None = None, said: str = ""
) -> Figure:
    """A histogram with zero marked; ``labels`` name the values and their number.

    ``unit`` is the distance of possible values, if there is one other than 1. ``said`` is a remark
    below the title.
    """
    figure, axes = panel(title, *labels, said=said)
    axes.hist(values, bin_edges(values, unit), color=COLOUR)
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
        colour, mark = SERIES[i % len(SERIES)], MARKERS[i % len(MARKERS)]
        axes.plot(list(means), list(means.values()), f"{mark}-", ms=5, color=colour, label=name)
    whole_numbers(axes.xaxis)
    axes.set_ylim(bottom=0)
    axes.legend(frameon=False)
    return figure


def bin_edges(values: Numbers, unit: float | None = None) -> list[float]:
    """Edges of at most ``BINS`` bins, each of which holds equally many possible values.

    ``unit`` is the distance of possible values; None for 1 or, where values are not whole, for any.
    With other edges, some bins would hold one possible value more than others, and the histogram
    would have dips that the data have not.
    """
    if unit is None and np.array_equal(values, np.rint(values)):
        unit = 1.0
    if unit is None:
        count = int(np.clip(len(np.unique(values)), 1, BINS))
        found: list[float] = np.histogram_bin_edges(values, count).tolist()
        return found
    whole = np.unique(np.rint(values / unit).astype(np.int64))
    step = max(int(np.gcd.reduce(np.diff(whole))), 1)
    possible = int(whole[-1] - whole[0]) // step + 1
    each = ceil(possible / BINS)
    edges = whole[0] + step * (each * np.arange(ceil(possible / each) + 1) - 0.5)
    return [unit * float(edge) for edge in edges]
