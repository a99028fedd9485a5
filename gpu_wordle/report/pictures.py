"""Pictures: their style, checks of their files, and atomic writing.

Colours can be told apart by colour-blind people. matplotlib is loaded only to draw.
"""

from __future__ import annotations

import importlib.util
import io
import re
import textwrap
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, check_target, head, held

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure
    from numpy.typing import NDArray

COLOUR, MARK, OPEN = "#2f74b5", "#c8600a", "#8f8f8f"
SERIES = (COLOUR, MARK, "#009e73", "#cc79a7", "#56b4e9", "#e69f00", "#882255", "#5d3a9b")
"""Colours of curves side by side."""
MARKERS = "os^Dv*PX"
"""Marks of curves side by side, for prints without colours."""
MIDDLE = 0.46
"""Brightness above which black text has more contrast than white."""
LETTERS_PER_INCH = 13
"""Letters of a remark in an inch."""
LUMA = (0.299, 0.587, 0.114)
"""Weights of red, green and blue in the brightness of a colour."""
SIZE = (7.5, 3.8)
"""Default size of a picture in inches."""

PLOT_SUFFIXES = (".svg", ".png", ".pdf")
PICTURES = re.compile(rb"\x89PNG\r\n|%PDF-|\s*(<\?xml.*)?<(svg|!DOCTYPE svg)\b", re.DOTALL)
"""The first bytes of picture files, by suffix."""
PICTURE_HEAD_BYTES = 1024
DPI = 150


def sheet(size: tuple[float, float] = SIZE) -> Figure:
    """An empty picture; ``size`` is in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def panel(
    title: str, x: str, y: str = "", size: tuple[float, float] = SIZE, said: str = ""
) -> tuple[Figure, Axes]:
    """A picture with one pair of axes and their labels; ``said`` is a remark below the title."""
    figure = sheet(size)
    axes = figure.subplots()
    axes.set_title(title, loc="left")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    open_corner(axes)
    if said:
        _remark(figure, axes, said)
    return figure, axes


def open_corner(*panels: Axes) -> None:
    """Hide the top and right lines of axes, and mark whole values instead of offsets."""
    from matplotlib.ticker import ScalarFormatter

    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)
        for axis in (axes.xaxis, axes.yaxis):
            if isinstance(formatter := axis.get_major_formatter(), ScalarFormatter):
                formatter.set_useOffset(False)
                formatter.set_scientific(False)


def _remark(figure: Figure, axes: Axes, text: str) -> None:
    """Write a remark below the title of axes, in small letters and in as many lines as it needs."""
    lines = textwrap.wrap(text, int(LETTERS_PER_INCH * figure.get_figwidth()))
    axes.set_title(f"{axes.get_title('left')}{len(lines) * chr(10)}", loc="left")
    axes.annotate(
        "\n".join(lines), (0, 1), (0, 5), xycoords="axes fraction", textcoords="offset points",
        fontsize=8,
    )  # fmt: skip


def turn_colours(count: int) -> list[tuple[str, str]]:
    """The colours of turn 1, 2, ..., from light to dark, each with the colour of text on it."""
    from matplotlib import colormaps
    from matplotlib.colors import to_hex

    shades = colormaps["cividis"](np.linspace(0.97, 0.03, max(count, 2)))
    return [(to_hex(s), "#000000" if s[:3] @ LUMA > MIDDLE else "#ffffff") for s in shades[:count]]


def in_percent(axis: Axis) -> None:
    """Label shares as percentages, with decimals where they are needed."""
    axis.set_major_formatter(lambda share, _: f"{100 * share:.4g}%")


def whole_numbers(axis: Axis) -> None:
    """Mark whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def check_plot(path: Path) -> None:
    """Raise UserError if no plot can be drawn to ``path``: suffix, folder or matplotlib."""
    if path.suffix not in PLOT_SUFFIXES:
        raise UserError(f"{path}: a plot's file ends in {', '.join(PLOT_SUFFIXES)}")
    check_target(path, "picture", _is_picture)
    check_matplotlib()


def check_matplotlib() -> None:
    """Raise UserError if matplotlib is not installed."""
    if importlib.util.find_spec("matplotlib") is None:
        raise UserError("plots need matplotlib; pip install matplotlib, or leave out --plot")


def _is_picture(path: Path) -> bool:
    return PICTURES.match(head(path, PICTURE_HEAD_BYTES)) is not None


@contextmanager
def plain_text() -> Iterator[None]:
    """Draw texts literally: no formulas, and no warnings about missing characters."""
    from matplotlib import rc_context

    with rc_context({"text.parse_math": False}), warnings.catch_warnings():
        warnings.filterwarnings("ignore", "Glyph .* missing from", UserWarning)
        yield


def save_picture(path: Path, figure: Figure) -> None:
    """Write a figure to ``path``, which :func:`check_plot` has accepted.

    Raises JobError if the file cannot be written.
    """
    import matplotlib as mpl

    drawn = io.BytesIO()
    with mpl.rc_context({"svg.hashsalt": "gpu-wordle"}):
        metadata = {"Date": None} if path.suffix == ".svg" else None
        figure.savefig(drawn, format=path.suffix[1:], dpi=DPI, metadata=metadata)
    _replace(path, drawn)


def save_pixels(path: Path, pixels: NDArray[np.uint8], colours: Sequence[str]) -> None:
    """Write pixels to a .png file, which :func:`check_plot` has accepted.

    ``pixels`` is uint8[R, C], the number of each pixel's colour; colours are like ``#6aaa64``.
    Raises JobError if the file cannot be written.
    """
    from PIL import Image

    drawn = io.BytesIO()
    image = Image.fromarray(pixels)
    image.putpalette(bytes.fromhex("".join(colour.lstrip("#") for colour in colours)))
    image.save(drawn, format="png", optimize=True)
    _replace(path, drawn)


def _replace(path: Path, drawn: io.BytesIO) -> None:
    check_plot(path)
    with held(path, PATIENCE_SECONDS) as holding:
        holding.replace(drawn.getbuffer())
