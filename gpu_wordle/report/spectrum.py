"""The spectrum of a guess: how many answers stand behind each pattern, in tile colours."""

from __future__ import annotations

import importlib.util
import io
import re
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.text import Text

from gpu_wordle.errors import UserError, counted
from gpu_wordle.files import PATIENCE_SECONDS, check_folder, held, refuse_link
from gpu_wordle.game.feedback import GREEN, GREY, YELLOW, Feedback, LetterFeedback, digits

PLOT_SUFFIXES = (".svg", ".png", ".pdf")
PICTURES = re.compile(rb"\x89PNG\r\n|%PDF-|\s*(<\?xml.*)?<(svg|!DOCTYPE svg)\b", re.DOTALL)
"""How pictures of these kinds begin."""
PICTURE_HEAD_BYTES = 1024
TILE_COLOURS = {GREY: "#787c7e", YELLOW: "#c9b458", GREEN: "#6aaa64"}


def pattern_colour(pattern: int, feedback: Feedback) -> str:
    """One colour for a whole pattern: the mean of its tiles' colours, if it has tiles."""
    if not isinstance(feedback, LetterFeedback):
        return TILE_COLOURS[GREEN if pattern == feedback.solved else GREY]
    tiles = [TILE_COLOURS[d] for d in digits(pattern, feedback.length)]
    channels = [[int(tile[i : i + 2], 16) for tile in tiles] for i in (1, 3, 5)]
    return "#" + "".join(f"{sum(channel) // feedback.length:02x}" for channel in channels)


def bar_chart(
    word: str, feedback: Feedback, counts: NDArray[np.int64], *, top: int | None, width: int = 48
) -> Text:
    """Bars of the ``top`` largest parts, or all, each behind its tiles; a line sums up the rest."""
    order = [int(p) for p in np.argsort(-counts, kind="stable") if counts[p]]
    text = Text()
    for p in order[:top]:
        if isinstance(feedback, LetterFeedback):
            for letter, digit in zip(word.upper(), digits(p, feedback.length), strict=True):
                text.append(f" {letter} ", f"bold white on {TILE_COLOURS[digit]}")
        bar = "█" * max(1, round(width * int(counts[p]) / int(counts.max())))
        text.append(f" {feedback.format(p)} ")
        text.append(bar, pattern_colour(p, feedback))
        text.append(f" {counts[p]:,}\n")
    rest = order[len(order) if top is None else top :]
    if rest:
        sizes = [int(counts[p]) for p in rest]
        text.append(
            f"and {counted(len(rest), 'more pattern')}, {min(sizes)} to {max(sizes)} answers each, "
            f"{sum(sizes):,} in all\n"
        )
    return text


def check_plot(path: Path) -> None:
    """UserError if a plot cannot be drawn to ``path``: suffix, folder, or no matplotlib."""
    if path.suffix not in PLOT_SUFFIXES:
        raise UserError(f"{path}: a plot's file ends in {', '.join(PLOT_SUFFIXES)}")
    check_folder(path)
    refuse_link(path)
    check_picture(path)
    if importlib.util.find_spec("matplotlib") is None:
        raise UserError("plots need matplotlib; pip install matplotlib, or leave out --plot")


def check_picture(path: Path) -> None:
    """UserError if ``path`` holds anything but a picture, which is not to be replaced."""
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            head = file.read(PICTURE_HEAD_BYTES) if path.is_file() else b"?"
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if head and not PICTURES.match(head):
        raise UserError(f"{path}: holds no picture, so it is not replaced; choose another file")


def plot_spectrum(
    path: Path, word: str, feedback: Feedback, counts: NDArray[np.int64], caption: str
) -> None:
    """Draw all patterns, the fullest first, to ``path``, which :func:`check_plot` has passed.

    Raises JobError if the file cannot be written.
    """
    import matplotlib as mpl
    from matplotlib.figure import Figure

    order = np.argsort(-counts, kind="stable")
    with mpl.rc_context({"svg.hashsalt": "gpu-wordle", "font.size": 10}):
        figure = Figure(figsize=(9, 4), layout="constrained")
        axes = figure.add_subplot()
        colours = [pattern_colour(int(p), feedback) for p in order]
        axes.bar(np.arange(len(order)), counts[order], width=1.0, color=colours)
        axes.set_yscale("symlog", linthresh=10)
        axes.set_ylim(bottom=0)
        ticks = [t for t in (0, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000) if t <= counts.max()]
        axes.set_yticks(ticks, [f"{t:,}" for t in ticks])
        axes.minorticks_off()
        axes.margins(x=0.005)
        axes.set_xlabel(f"the {len(order):,} patterns, the fullest first")
        axes.set_ylabel("answers behind the pattern")
        axes.set_title(f"{word.upper()}   {caption}", loc="left")
        axes.spines[["top", "right"]].set_visible(False)
        metadata = {"Date": None} if path.suffix == ".svg" else None
        drawn = io.BytesIO()
        figure.savefig(drawn, format=path.suffix[1:], dpi=150, metadata=metadata)
    check_plot(path)
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(drawn.getbuffer())
