"""Cheat sheets in HTML: pages of A4 that print as they are shown, without scripts."""

from __future__ import annotations

from collections.abc import Sequence
from html import escape

from gpu_wordle.game.feedback import GREEN, GREY, Feedback, LetterFeedback, digits
from gpu_wordle.report.cheat_sheet import (
    LINE,
    MARGIN,
    NOTE,
    PAGE,
    TITLE,
    CheatSheet,
    Column,
    Entry,
    seen_tiles,
)

STYLE = """
@page { size: A4; margin: 0; }
* { box-sizing: border-box; margin: 0; padding: 0; }
html { background: #fff; color: #111; color-scheme: light; }
body { -webkit-print-color-adjust: exact; print-color-adjust: exact; }
section { position: relative; overflow: hidden; break-after: page; margin: 0 auto; }
section:last-of-type { break-after: auto; }
h1, p { font-family: system-ui, "Segoe UI", "DejaVu Sans", sans-serif; white-space: pre; }
ul { position: absolute; list-style: none; }
li { font-family: "DejaVu Sans Mono", Menlo, Consolas, monospace; white-space: pre; }
li.t2 { font-weight: bold; background: #e4e7ea; }
li.again { color: #666; }
b, i { font-weight: bold; font-style: normal; }
b { background: #2c6e35; color: #fff; }
i { background: #f3d66b; }
@media screen { html { background: #ccc; } section { background: #fff; margin: 1em auto; } }
"""


def write(sheet: CheatSheet) -> bytes:
    """The page of a cheat sheet, encoded as UTF-8."""
    pages = "\n".join(_page(sheet, columns) for columns in sheet.pages)
    measures = (
        f"section {{ width: {PAGE[0]}pt; height: {PAGE[1] - 0.5}pt; padding: {MARGIN}pt; }} "
        f"h1 {{ font-size: {TITLE}pt; line-height: {LINE}; }} "
        f"p {{ font-size: {NOTE}pt; line-height: {LINE}; }} "
        f"li {{ font-size: {sheet.size}pt; line-height: {LINE}; }}"
    )
    return (
        '<!DOCTYPE html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        '<meta name="generator" content="gpu-wordle sheet">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta http-equiv="Content-Security-Policy" '
        "content=\"default-src 'none'; style-src 'unsafe-inline'\">\n"
        f"<title>{escape(sheet.title)}</title>\n<style>{STYLE}{measures}\n</style>\n</head>\n"
        f"<body>\n{pages}\n</body>\n</html>\n"
    ).encode()


def _page(sheet: CheatSheet, columns: Sequence[Column]) -> str:
    notes = "".join(f"<p>{escape(note)}</p>\n" for note in sheet.notes)
    width = (sheet.letters - 1.5) / sheet.letters * sheet.pitch
    lists = "\n".join(
        f'<ul style="left: {MARGIN + place * sheet.pitch:.2f}pt; top: {sheet.top:.2f}pt; '
        f'width: {width:.2f}pt">\n{_items(sheet, column)}</ul>'
        for place, column in enumerate(columns)
    )
    return f"<section>\n<h1>{escape(sheet.title)}</h1>\n{notes}{lists}\n</section>"


def _items(sheet: CheatSheet, column: Column) -> str:
    return "".join(f"{_item(entry, sheet.feedback)}\n" for entry in column)


def _item(entry: Entry, feedback: Feedback) -> str:
    indent, more = " " * (entry.turn - 2), "+" * entry.leads_on
    kind = f"t{entry.turn}{' again' * entry.again}"
    told = f"{indent}{_seen(entry, feedback)} {escape(entry.guess)}{more}"
    return f'<li class="{kind}">{told}</li>'


def _seen(entry: Entry, feedback: Feedback) -> str:
    """The feedback as tiles, or as text."""
    if not isinstance(feedback, LetterFeedback):
        return escape(feedback.format(entry.pattern))
    tiles, seen = [], seen_tiles(entry, feedback)
    for letter, digit in zip(seen, digits(entry.pattern, feedback.length), strict=True):
        tag = "b" if digit == GREEN else "i"
        tiles.append(letter if digit == GREY else f"<{tag}>{escape(letter)}</{tag}>")
    return "".join(tiles)
