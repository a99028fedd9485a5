"""Reports in PDF, for paper: text and tables on A4, and behind each chapter its pictures.

Matplotlib writes it, which draws the pictures anyway. So they stay vectors, each on a page of its
own size, and no other library is needed. What paper lacks is what needs a reader's hand: sorting,
searching and zooming.
"""

from __future__ import annotations

import io
import textwrap
from collections.abc import Iterator, Mapping

from matplotlib import rc_context
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure

from gpu_wordle.errors import counted, one_line
from gpu_wordle.report.content import Block, Chapter, Facts, Picture, Prose, Report, Strategy, Table
from gpu_wordle.report.pictures import plain_text

A4_INCHES = (8.27, 11.69)
MARGIN_INCHES = 0.7
LINE_INCHES = 0.155
LINES = int((A4_INCHES[1] - 2 * MARGIN_INCHES) / LINE_INCHES)
WIDTH = 100
"""Characters of a line."""
MAX_PAPER_ROWS = 60
"""Rows of a table on paper."""
MAX_PAPER_LINES = 600
"""Lines of a strategy on paper."""

_PLAIN, _HEAD, _TITLE = 8.0, 10.5, 14.0
"""Sizes of type, in points."""

Line = tuple[str, float]
"""A line of text, and the size of its type."""


def write(report: Report) -> bytes:
    """The document."""
    data = io.BytesIO()
    with rc_context({"pdf.fonttype": 42}), plain_text():
        told = {"Creator": "gpu-wordle report", "Title": one_line(report.title)}
        with PdfPages(data, metadata=told) as pages:
            lines: list[Line] = [(each, _TITLE) for each in _wrapped(report.title, 55)]
            for chapter in report.chapters:
                _write_lines(pages, [*lines, *_chapter(chapter)])
                for picture in chapter.pictures:
                    pages.savefig(picture.draw())
                lines = []
            lines += _heading("Provenance")
            for name, facts in {**report.provenance, "this report": report.made}.items():
                lines += [("", _PLAIN), (one_line(name), _PLAIN), *_plain(_facts(facts))]
            _write_lines(pages, lines)
    return data.getvalue()


def _chapter(chapter: Chapter) -> list[Line]:
    """The text of a chapter; its pictures stand behind it."""
    lines = _heading(chapter.title)
    for section in chapter.sections:
        lines += _heading(section.title)
        for block in section.blocks:
            lines += [*_plain(_lines(block)), ("", _PLAIN)]
    return lines


def _heading(text: str) -> list[Line]:
    return [("", _PLAIN), *((each, _HEAD) for each in _wrapped(text, 70)), ("", _PLAIN)]


def _plain(lines: Iterator[str]) -> list[Line]:
    return [(line, _PLAIN) for line in lines]


def _lines(block: Block) -> Iterator[str]:
    """The lines of a block."""
    if isinstance(block, Prose):
        yield from _wrapped(block.text, WIDTH)
    elif isinstance(block, Facts):
        yield from _facts(block.facts)
    elif isinstance(block, Table):
        yield from _table(block)
    elif isinstance(block, Picture):
        yield from _wrapped(f"Figure, behind this chapter: {block.title}", WIDTH)
    elif isinstance(block, Strategy):
        text = block.tree.to_text(block.position.game.words, block.position.state).splitlines()
        for line in text[:MAX_PAPER_LINES]:
            yield from _wrapped(line, WIDTH)
        if len(text) > MAX_PAPER_LINES:
            yield f"and {len(text) - MAX_PAPER_LINES:,} lines more; the file holds them"


def _facts(facts: Mapping[str, str]) -> Iterator[str]:
    for name, fact in facts.items():
        yield from _wrapped(f"{name}: {fact}", WIDTH)


def _table(table: Table) -> Iterator[str]:
    """The first rows, and as many columns as a line holds."""
    rows = min(MAX_PAPER_ROWS, table.rows)
    used, shown = 0, []
    for column in table.columns:
        cells = [one_line(column.text(row)) for row in range(rows)]
        titles = column.title.split("\n")
        width = max(map(len, (*cells, *titles)))
        if used + width > WIDTH:
            break
        used += width + 2
        shown.append((titles, cells, width, column.is_number))
    left_out = len(table.columns) - len(shown)
    notes = [f"the first {rows:,} of {counted(table.whole, 'row')}"] if rows < table.whole else []
    notes += [f"without {counted(left_out, 'column')}"] if left_out else []
    yield from _wrapped("; ".join([table.title, *notes]), WIDTH)
    height = max((len(heads) for heads, *_ in shown), default=0)
    for i in range(height):
        heads = [[""] * (height - len(titles)) + titles for titles, *_ in shown]
        yield "  ".join(
            _set(head[i], width, number)
            for head, (*_, width, number) in zip(heads, shown, strict=True)
        )
    for row in range(rows):
        yield "  ".join(_set(cells[row], width, number) for _, cells, width, number in shown)


def _set(text: str, width: int, is_number: bool) -> str:
    return text.rjust(width) if is_number else text.ljust(width)


def _wrapped(text: str, width: int) -> list[str]:
    """Text in lines of so many characters; a word that is longer is broken."""
    return textwrap.wrap(one_line(text), width) or [""]


def _write_lines(pages: PdfPages, lines: list[Line]) -> None:
    """Set lines on as many pages as they need."""
    for start in range(0, len(lines), LINES):
        figure = Figure(figsize=A4_INCHES)
        for place, (text, size) in enumerate(lines[start : start + LINES]):
            top = 1 - (MARGIN_INCHES + place * LINE_INCHES) / A4_INCHES[1]
            weight = "normal" if size == _PLAIN else "bold"
            family = "monospace" if size == _PLAIN else "sans-serif"
            figure.text(
                MARGIN_INCHES / A4_INCHES[0], top, text, size=size, weight=weight, family=family,
                va="top",
            )  # fmt: skip
        pages.savefig(figure)  # type: ignore[no-untyped-call]
