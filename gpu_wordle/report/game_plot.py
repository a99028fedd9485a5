"""Pictures of a game: letters by place, and its pattern matrix."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.feedback import Feedback
from gpu_wordle.report.look import panel
from gpu_wordle.report.tiles import pattern_colour

if TYPE_CHECKING:
    from matplotlib.figure import Figure

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
