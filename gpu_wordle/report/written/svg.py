"""Pictures in pages: SVG in the colour of the surrounding text, for dark and light themes.

Axes and texts are drawn in a unique colour, which is replaced by ``currentColor``.
Clouds of dots are drawn as pixels, since vector dots would take megabytes.
"""

from __future__ import annotations

import io
import re
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from matplotlib import rc_context
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D

from gpu_wordle.report.pictures import plain_text

if TYPE_CHECKING:
    from matplotlib.figure import Figure

INK = "#010203"
"""The placeholder for the colour of the text."""
RASTER_DPI = 100
"""Resolution of the parts that are drawn as pixels."""
LARGEST = 1.1
"""Greatest scale of a picture."""
MAX_MARKS = 400
"""Most dots that are drawn as vectors."""

_LOOK: dict[Any, Any] = {
    **dict.fromkeys(("text.color", "axes.labelcolor", "axes.edgecolor"), INK),
    **dict.fromkeys(("xtick.color", "ytick.color"), INK),
    **dict.fromkeys(("figure.facecolor", "axes.facecolor", "savefig.facecolor"), "none"),
    "legend.facecolor": "none",
    "svg.fonttype": "none",
    "svg.hashsalt": "gpu-wordle",
}


def drawn_as_svg(draw: Callable[[], Figure], name: str) -> str:
    """The picture as an SVG element, whose ids begin with ``name``."""
    text = io.StringIO()
    with rc_context(_LOOK), plain_text():
        figure = draw()
        for axes in figure.axes:
            for cloud in axes.collections:
                if isinstance(cloud, PathCollection):
                    cloud.set_rasterized(len(np.asarray(cloud.get_offsets())) > MAX_MARKS)
            for line in axes.lines:
                line.set_rasterized(_is_cloud(line))
        figure.savefig(text, format="svg", dpi=RASTER_DPI, metadata={"Date": None})
    return _embedded(text.getvalue(), name)


def _sized(found: re.Match[str]) -> str:
    """The SVG with a width that follows the page within limits."""
    width = float(found[1])
    return f'style="max-width: {width * LARGEST:.0f}pt; min-width: min(30rem, {width:.0f}pt)"'


def _is_cloud(line: Line2D) -> bool:
    """Whether a line consists of many marks."""
    marker = line.get_marker()
    return marker not in (None, "None", "", " ") and len(np.asarray(line.get_xdata())) > MAX_MARKS


def _embedded(svg: str, name: str) -> str:
    """An SVG file as an element of a page: without its header, and with unique ids."""
    svg = svg[svg.index("<svg") :]
    svg = re.sub(r'width="([\d.]+)pt" height="[\d.]+pt"', _sized, svg, count=1)
    svg = re.sub(r"<metadata>.*?</metadata>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'\bid="([^"]+)"', rf'id="{name}-\1"', svg)
    svg = re.sub(r'href="#([^"]+)"', rf'href="#{name}-\1"', svg)
    svg = re.sub(r"url\(#([^)]+)\)", rf"url(#{name}-\1)", svg)
    return svg.replace(INK, "currentColor").strip()
