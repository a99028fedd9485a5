"""The picture of a spectrum: a bar for each pattern with its tiles, and cumulative shares."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from gpu_wordle.game.feedback import Feedback, LetterFeedback, digits
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.look import open_corner, sheet, whole_numbers
from gpu_wordle.report.tiles import TILE_COLOURS, pattern_colour

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

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
CURVE = "#3a6ea5"


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
        _draw_tiles(below, word, patterns[:MAX_TILED], has_letters=tile == max(TILE_INCHES))
    else:
        names = [feedback.format(pattern) for pattern in patterns[:MAX_NAMED]]
        below.set_xticks(range(len(names)), names, rotation=90, fontsize=8)
    below.set_xlabel(f"the {len(patterns):,} patterns that occur, the largest part first")
    _draw_bars(bars, sizes, [pattern_colour(p, feedback) for p in patterns])
    _draw_shares(bars.twinx(), sizes)
    figure.suptitle(f"{capitals(word)}   {caption}", x=0.01, ha="left", fontsize=11)
    return figure


def _draw_bars(axes: Axes, sizes: NDArray[np.int64], colours: list[str]) -> None:
    """Draw a bar for each part."""
    axes.bar(np.arange(len(sizes)), sizes, width=FILLED, color=colours)
    axes.set_xlim(-0.5, len(sizes) - 0.5)
    axes.set_ylabel("answers behind the pattern")
    whole_numbers(axes.yaxis)
    open_corner(axes)


def _draw_shares(axes: Axes, sizes: NDArray[np.int64]) -> None:
    """Draw the cumulative share of answers."""
    shares, edges = sizes.cumsum() / sizes.sum(), np.arange(len(sizes) + 1) - 0.5
    axes.stairs(shares, edges, baseline=None, color=CURVE, linewidth=1.6)
    axes.set_ylim(0, 1.03)
    axes.yaxis.set_major_formatter("{x:.0%}")
    axes.set_ylabel("answers up to here", color=CURVE)
    axes.tick_params(axis="y", colors=CURVE)
    axes.spines[["top", "left", "right"]].set_visible(False)


def _draw_tiles(axes: Axes, word: str, patterns: list[int], *, has_letters: bool) -> None:
    """Draw the tiles of the patterns: a column for each, a row for each letter."""
    colours = np.array([digits(pattern, len(word)) for pattern in patterns])
    for digit, colour in TILE_COLOURS.items():
        places, rows = np.nonzero(colours == digit)
        axes.bar(places, FILLED, FILLED, rows - FILLED / 2, color=colour)
    if has_letters:
        for row, letter in enumerate(capitals(word)):
            for place in range(len(patterns)):
                text = axes.text(place, row, letter, ha="center", va="center_baseline")
                text.set(color="white", weight="bold", fontsize=9)
        axes.set_yticks([])
    else:
        axes.set_yticks(range(len(word)), capitals(word))
    axes.set_ylim(len(word) - 0.5, -0.5)
    axes.tick_params(length=0, labelbottom=False)
    axes.spines[:].set_visible(False)
