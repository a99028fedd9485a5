"""Reports in HTML: one page that needs no other file and no network.

Data from files is escaped, or embedded as JSON that the page reads as text. A security policy
in the head forbids all requests and all scripts but the page's own.

Pictures are SVG in the colour of the surrounding text, for dark and light themes. Axes and texts
are drawn in a unique colour, which is replaced by ``currentColor``. Clouds of dots are drawn as
pixels, since vector dots would take megabytes.
"""

from __future__ import annotations

import base64
import hashlib
import io
import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

import numpy as np
from jinja2 import Environment, PackageLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup
from matplotlib import rc_context
from matplotlib.collections import PathCollection
from matplotlib.lines import Line2D

from gpu_wordle.errors import counted
from gpu_wordle.report.content import Picture, Report, Strategy
from gpu_wordle.report.notebook import TILE_STYLE, TREE_STYLE
from gpu_wordle.report.pictures import plain_text
from gpu_wordle.report.table import Column
from gpu_wordle.report.trees import nested

SHOWN_ROWS = 12
"""Rows of a table that are shown without scripts and in print."""
DIGITS = 7
"""Significant digits of the numbers in tables and downloads."""
MAX_NODES = 20_000
"""Most guesses of a strategy in a page."""

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


def write(report: Report) -> bytes:
    """The page of a report, encoded as UTF-8."""
    spelling = resources.files("gpu_wordle") / "web/static/spelling.js"  # one file for all pages
    script = _file("page.js") + spelling.read_text("utf-8").replace("export ", "")
    page = _template().render(
        report=report,
        store=_ColumnStore(),
        style=Markup(TILE_STYLE + TREE_STYLE + _file("page.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
    )
    return page.encode()


class _ColumnStore:
    """The data of a page; columns shared by tables and pictures are stored once."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, values: Sequence[Any]) -> int:
        """The number of a column, which is stored on first use."""
        return self._places.setdefault(_json(list(map(_plain, values))), len(self._places))

    def data(self, name: str, columns: Sequence[Column]) -> Markup:
        """The description of columns for scripts: names, headings, decimals, and number."""
        described = [
            {
                "name": column.name,
                "title": column.title.replace("\n", " "),
                "decimals": column.places,
                "number": column.is_number,
                "truth": any(isinstance(value, bool) for value in column.values),
                "place": self.place(column.values),
            }
            for column in columns
        ]
        return Markup(_json({"name": name, "columns": described}))

    def words(self, picture: Picture) -> str:
        """The numbers of the columns with the words of a matrix, as JSON."""
        return _json({name: self.place(words) for name, words in picture.words.items()})

    def as_json(self) -> Markup:
        """All columns as JSON, in the order of their numbers."""
        return Markup(f"[{','.join(self._places)}]")


def _plain(value: Any) -> Any:
    """A value as the page stores it: rounded numbers, truth values as 0 or 1."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        short = float(f"{value:.{DIGITS}g}")
        return int(short) if short.is_integer() else short
    return value


def _json(value: Any) -> str:
    """JSON that is safe within a script element: it cannot close the element or open another."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _nested(block: Strategy) -> Markup:
    """The first guesses of a tree as nested, collapsible lists."""
    return Markup(nested(block, range(min(len(block.tree), MAX_NODES))))


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("gpu_wordle.report", "written"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    shown = {"SHOWN_ROWS": SHOWN_ROWS, "MAX_NODES": MAX_NODES}
    environment.globals |= {**shown, "svg": _svg, "nested": _nested, "counted": counted}
    return environment.get_template("page.html")


@cache
def _file(name: str) -> str:
    """A file of this package."""
    return resources.files(__package__).joinpath(name).read_text("utf-8")


def _svg(picture: Picture, name: str) -> Markup:
    """The picture as an SVG element, whose ids begin with ``name``."""
    text = io.StringIO()
    with rc_context(_LOOK), plain_text():
        figure = picture.draw()
        for axes in figure.axes:
            for cloud in axes.collections:
                if isinstance(cloud, PathCollection):
                    cloud.set_rasterized(len(np.asarray(cloud.get_offsets())) > MAX_MARKS)
            for line in axes.lines:
                line.set_rasterized(_is_cloud(line))
        figure.savefig(text, format="svg", dpi=RASTER_DPI, metadata={"Date": None})
    return Markup(_embedded(text.getvalue(), name))


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
