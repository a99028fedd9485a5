"""The style of pictures: colours, and axes with a title. matplotlib is loaded only to draw."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

COLOUR, MARK, OPEN = "#4a86c5", "#c96a1e", "#9a9a9a"
SERIES = (COLOUR, MARK, "#5b9c4a", "#9b6bb0", "#c0504d", "#3c9d9b", "#a08030", "#7f7f7f")
"""Colours of curves side by side."""
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
    """Hide the top and right lines of axes."""
    for axes in panels:
        axes.spines[["top", "right"]].set_visible(False)


def whole_numbers(axis: Axis) -> None:
    """Mark whole numbers only."""
    from matplotlib.ticker import MaxNLocator

    axis.set_major_locator(MaxNLocator(integer=True))


def bars_beside(
    axes: Axes,
    groups: Mapping[str, Sequence[float]],
    colours: Sequence[str],
    told: str | Callable[[float], str],
    size: float,
) -> None:
    """Bars of each group side by side at 0, 1, ..., each with the label that ``told`` makes."""
    width = 0.8 / len(groups)
    for i, (name, heights) in enumerate(groups.items()):
        places = np.arange(len(heights)) + (i - (len(groups) - 1) / 2) * width
        bars = axes.bar(places, heights, width, color=colours[i], label=name)
        if told:
            axes.bar_label(bars, fmt=told, fontsize=size, padding=1)
