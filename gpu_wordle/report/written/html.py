"""Reports in HTML: one page that needs no other file and no network.

Data from files is escaped, or embedded as JSON that the page reads as text. A security policy
in the head forbids all requests and all scripts but the page's own.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup

from gpu_wordle.errors import counted
from gpu_wordle.game.feedback import GREEN, GREY, YELLOW, Feedback, LetterFeedback, digits
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.content import Picture, Report, Strategy
from gpu_wordle.report.table import Column
from gpu_wordle.report.written.svg import drawn_as_svg

SHOWN_ROWS = 12
"""Rows of a table that are shown without scripts and in print."""
DIGITS = 7
"""Significant digits of the numbers in tables and downloads."""
MAX_NODES = 20_000
"""Most guesses of a strategy in a page."""
TILES = {GREY: "b", YELLOW: "y", GREEN: "g"}


def write(report: Report) -> bytes:
    """The page of a report, encoded as UTF-8."""
    spelling = resources.files("gpu_wordle") / "web/static/spelling.js"  # one file for all pages
    script = _file("page.js") + spelling.read_text("utf-8").replace("export ", "")
    page = _template().render(
        report=report,
        store=_ColumnStore(),
        style=Markup(_file("page.css")),
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
                "decimals": column.decimals,
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


def _svg(picture: Picture, name: str) -> Markup:
    return Markup(drawn_as_svg(picture.draw, name))


def _nested(block: Strategy) -> Markup:
    """The first guesses of a tree as nested, collapsible lists."""
    tree, words = block.tree, block.position.game.words
    parents, patterns, answers = tree.parent.tolist(), tree.pattern.tolist(), block.answers()
    spelled = [words.guesses.words[guess] for guess in tree.guess[:MAX_NODES].tolist()]
    below: list[list[Markup]] = [[] for _ in spelled]
    for node in range(len(spelled) - 1, 0, -1):
        seen = _seen(spelled[parents[node]], patterns[node], words.feedback)
        item = _item(seen, spelled[node], answers[node], below[node])
        below[parents[node]].append(item)
        below[node] = []
    return _item(Markup(), spelled[0], answers[0], below[0], " open")


def _item(seen: Markup, word: str, answers: int, below: list[Markup], is_open: str = "") -> Markup:
    """The item of a guess: the feedback that leads to it, and its subtree, last child first."""
    label = Markup("{}<b>{}</b> <small>{}</small>").format(
        seen, capitals(word), counted(answers, "answer")
    )
    if not below:
        return Markup("<li><span class=leaf>{}</span></li>").format(label)
    return Markup("<li><details{}><summary>{}</summary><ul>{}</ul></details></li>").format(
        is_open, label, Markup().join(reversed(below))
    )


def _seen(word: str, pattern: int, feedback: Feedback) -> Markup:
    """A guess with its feedback, in tiles if the game has colours."""
    told = feedback.format(pattern)
    if not isinstance(feedback, LetterFeedback):
        return Markup("<code>{}</code> ").format(told)
    colours = map(TILES.get, digits(pattern, feedback.length))
    coloured = zip(colours, feedback.tiles(word), strict=True)
    tiles = Markup().join(Markup("<i class={}>{}</i>").format(*each) for each in coloured)
    return Markup('<span class=tiles title="{}">{}</span> ').format(told, tiles)


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
