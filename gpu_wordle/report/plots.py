"""Pictures of a spectrum, of letters by place, and of a pattern matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.feedback import Feedback, LetterFeedback, digits
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.look import open_corner, panel, sheet, whole_numbers
from gpu_wordle.report.tiles import TILE_COLOURS, pattern_colour

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
