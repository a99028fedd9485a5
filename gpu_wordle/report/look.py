"""The style of pictures: colours that colour-blind people can tell apart, and axes with a title.

matplotlib is loaded only to draw.
"""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

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


def sheet(size: tuple[float, float] = SIZE) -> Figure:
    """An empty picture; ``size`` is in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=size, layout="constrained")


def panel(title: str, x: str, y: str = "", size: tuple[float, float] = SIZE) -> tuple[Figure, Axes]:
    """A picture with one pair of axes and their labels."""
    figure = sheet(size)
    axes = figure.subplots()
    axes.set_title(title, loc="left")
    axes.set_xlabel(x)
    axes.set_ylabel(y)
    open_corner(axes)
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


def remark(figure: Figure, axes: Axes, text: str) -> None:
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


def whole_numbers(axis: Axis) -> None:
    """Mark whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))
