"""Reports in HTML: one page that needs no other file and no network.

Everything that comes from files is escaped, or stands in JSON that the page reads as text. A policy
in the head forbids every request, and every script but the page's own.
"""

from __future__ import annotations

import base64
import hashlib
import json
from collections.abc import Mapping, Sequence
from functools import cache
from html import escape
from importlib import resources
from typing import Any

from jinja2 import Environment, PackageLoader, StrictUndefined, Template, select_autoescape
from markupsafe import Markup

from gpu_wordle.errors import counted
from gpu_wordle.game.feedback import GREEN, GREY, YELLOW, Feedback, LetterFeedback, digits
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.content import (
    Block,
    Chapter,
    Facts,
    MatrixPicture,
    Picture,
    Prose,
    Report,
    Strategy,
    Table,
)
from gpu_wordle.report.table import Column
from gpu_wordle.report.written.svg import drawn_as_svg

SHOWN_ROWS = 12
"""Rows of a table that are there without scripts, and on paper."""
DIGITS = 7
"""Significant digits of the numbers in tables and downloads."""
MAX_NODES = 20_000
"""Guesses of a strategy that a page holds."""
TILES = {GREY: "b", YELLOW: "y", GREEN: "g"}

_FOLDER = "gpu_wordle.report.written"


def write(report: Report) -> bytes:
    """The page in UTF-8."""
    store = _ColumnStore()
    chapters = [
        _chapter(chapter, f"c{number}", store) for number, chapter in enumerate(report.chapters, 1)
    ]
    spelling = resources.files("gpu_wordle") / "web/static/spelling.js"  # one file for all pages
    script = _file("page.js") + spelling.read_text("utf-8").replace("export ", "")
    page = _template().render(
        report=report,
        chapters=chapters,
        provenance={**report.provenance, "this report": report.made},
        style=Markup(_file("page.css")),
        script=Markup(script),
        script_hash=base64.b64encode(hashlib.sha256(script.encode()).digest()).decode(),
        columns=Markup(store.as_json()),
    )
    return page.encode()


class _ColumnStore:
    """The data of a page: each column once, however many tables and pictures have it."""

    def __init__(self) -> None:
        self._places: dict[str, int] = {}

    def place(self, values: Sequence[Any]) -> int:
        """The number of a column."""
        text = _json([_plain(value) for value in values])
        return self._places.setdefault(text, len(self._places))

    def data(self, name: str, columns: Sequence[Column]) -> str:
        """What scripts need of columns: names, headings, decimals, and where their values are."""
        return _json(
            {
                "name": name,
                "columns": [
                    {
                        "name": column.name,
                        "title": column.title.replace("\n", " "),
                        "decimals": column.decimals,
                        "number": column.is_number,
                        "truth": any(isinstance(value, bool) for value in column.values),
                        "place": self.place(column.values),
                    }
                    for column in columns
                ],
            }
        )

    def as_json(self) -> str:
        """All columns, in the order of their numbers."""
        return f"[{','.join(self._places)}]"


def _plain(value: Any) -> Any:
    """A value as the page holds it: numbers of few digits, truth as 0 or 1."""
    if isinstance(value, bool):
        return int(value)
    if isinstance(value, float):
        short = float(f"{value:.{DIGITS}g}")
        return int(short) if short.is_integer() else short
    return value


def _json(value: Any) -> str:
    """JSON that may stand within a script element: nothing in it ends that, or begins another."""
    text = json.dumps(value, separators=(",", ":"), ensure_ascii=False, allow_nan=False)
    for character in "<>&\u2028\u2029":
        text = text.replace(character, f"\\u{ord(character):04x}")
    return text


def _chapter(chapter: Chapter, name: str, store: _ColumnStore) -> dict[str, Any]:
    """A chapter as the template has it."""
    sections = []
    for number, section in enumerate(chapter.sections, 1):
        place = f"{name}-s{number}"
        blocks = [_block(b, f"{place}-b{i}", store) for i, b in enumerate(section.blocks, 1)]
        sections.append({"id": place, "title": section.title, "blocks": blocks})
    return {"id": name, "title": chapter.title, "sections": sections}


def _block(block: Block, name: str, store: _ColumnStore) -> Mapping[str, Any]:
    """A block as the template has it; ``kind`` says which macro writes it."""
    if isinstance(block, Prose):
        return {"kind": "prose", "text": block.text}
    if isinstance(block, Facts):
        return {"kind": "facts", "facts": block.facts}
    if isinstance(block, Table):
        return _table(block, name, store)
    if isinstance(block, Picture):
        view = {
            "kind": "picture",
            "id": name,
            "title": block.title,
            "svg": Markup(drawn_as_svg(block.draw, name)),
            "data": Markup(store.data(block.name, block.columns)),
        }
        if isinstance(block, MatrixPicture):
            words = {"guesses": store.place(block.guesses), "answers": store.place(block.answers)}
            view |= {"words": _json(words)}  # an attribute, which the template escapes
        return view
    return _strategy(block, name)


def _table(table: Table, name: str, store: _ColumnStore) -> Mapping[str, Any]:
    shown = min(SHOWN_ROWS, table.rows)
    cells = [[column.text(row) for column in table.columns] for row in range(shown)]
    return {
        "kind": "table",
        "id": name,
        "title": table.title,
        "columns": table.columns,
        "cells": cells,
        "count": counted(table.whole, "row"),
        "held": table.rows,
        "is_cut": table.rows < table.whole,
        "has_more": table.rows > shown,
        "data": Markup(store.data(table.name, table.columns)),
    }


def _strategy(block: Strategy, name: str) -> Mapping[str, Any]:
    """A tree as nested lists that open and close."""
    tree, words = block.tree, block.position.game.words
    nodes = len(tree)
    below: list[list[str]] = [[] for _ in range(nodes)]
    answers = _answers(block)
    parents, guesses, patterns = tree.parent.tolist(), tree.guess.tolist(), tree.pattern.tolist()
    spelled = words.guesses.words
    for node in range(nodes - 1, -1, -1):
        seen = (
            _seen(spelled[guesses[parents[node]]], patterns[node], words.feedback) if node else ""
        )
        left = counted(answers[node], "answer")
        word = escape(capitals(spelled[guesses[node]]))
        label = f"{seen}<b>{word}</b> <small>{left}</small>"
        inner = "".join(reversed(below[node]))
        below[node].clear()
        if inner:
            opened = " open" if node == 0 else ""
            item = f"<li><details{opened}><summary>{label}</summary><ul>{inner}</ul></details></li>"
        else:
            item = f"<li><span class=leaf>{label}</span></li>"
        if node and node < MAX_NODES:
            below[parents[node]].append(item)
        elif node == 0:
            return {
                "kind": "strategy",
                "id": name,
                "tree": Markup(item),
                "held": min(nodes, MAX_NODES),
                "is_cut": nodes > MAX_NODES,
                "count": counted(nodes, "guess", "guesses"),
            }
    raise AssertionError("a tree has a root")


def _answers(block: Strategy) -> list[int]:
    """How many answers reach each node."""
    tree = block.tree
    counts = [0] * len(tree)
    for node, _ in tree.ends(block.position.game.words, block.position.state):
        counts[node] += 1
    for node in range(len(tree) - 1, 0, -1):
        counts[int(tree.parent[node])] += counts[node]
    return counts


def _seen(word: str, pattern: int, feedback: Feedback) -> str:
    """A guess with its feedback, in tiles if it has some."""
    told = escape(feedback.format(pattern))
    if not isinstance(feedback, LetterFeedback):
        return f"<code>{told}</code> "
    tiles = "".join(
        f"<i class={TILES[digit]}>{escape(letter)}</i>"
        for letter, digit in zip(capitals(word), digits(pattern, len(word)), strict=True)
    )
    return f'<span class=tiles title="{told}">{tiles}</span> '


@cache
def _template() -> Template:
    environment = Environment(
        loader=PackageLoader("gpu_wordle.report", "written"),
        autoescape=select_autoescape(default=True),
        undefined=StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    return environment.get_template("page.html")


@cache
def _file(name: str) -> str:
    """A file of this package."""
    return resources.files(_FOLDER).joinpath(name).read_text("utf-8")
