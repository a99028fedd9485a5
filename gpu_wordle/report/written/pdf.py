"""Reports in PDF, for paper: text and tables on A4, with the pictures after each chapter.

Matplotlib writes the file, since it draws the pictures anyway. They stay vectors, each on a page of
its own size, and no other library is needed. Paper lacks the interactive parts: sorting, searching
and zooming.
"""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import replace

from matplotlib import rc_context
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from rich.console import Console
from rich.table import Table as RichTable

from gpu_wordle.errors import counted, one_line
from gpu_wordle.report.content import Block, Chapter, Picture, Report, Table
from gpu_wordle.report.pictures import plain_text
from gpu_wordle.report.table import FittedTable, as_rich

A4_INCHES = (8.27, 11.69)
MARGIN_INCHES = 0.7
LINE_INCHES = 0.155
LINES = int((A4_INCHES[1] - 2 * MARGIN_INCHES) / LINE_INCHES)
MAX_PAPER_ROWS = 60
"""Most rows of a table on paper."""
MAX_PAPER_LINES = 600
"""Most lines of a strategy on paper."""

_PLAIN, _HEAD, _TITLE = 8.0, 10.5, 14.0
"""Font sizes in points."""
WIDTHS = {_PLAIN: 100, _HEAD: 70, _TITLE: 55}
"""Most characters of a line."""

Line = tuple[str, float]
"""A line of text and its font size."""


def write(report: Report) -> bytes:
    """The report as a PDF document."""
    data = io.BytesIO()
    with rc_context({"pdf.fonttype": 42}), plain_text():
        told = {"Creator": "gpu-wordle report", "Title": one_line(report.title)}
        with PdfPages(data, metadata=told) as pages:
            lines = _set(report.title, size=_TITLE)
            for chapter in report.chapters:
                _write_lines(pages, [*lines, *_chapter(chapter)])
                for picture in chapter.pictures:
                    pages.savefig(picture.draw())
                lines = []
            lines += _heading("Provenance")
            for name, facts in report.sources.items():
                lines += _set("", name, *_facts(facts))
            _write_lines(pages, lines)
    return data.getvalue()


def _chapter(chapter: Chapter) -> list[Line]:
    """The lines of a chapter; its pictures follow it."""
    lines = _heading(chapter.title)
    for section in chapter.sections:
        lines += _heading(section.title)
        for block in section.blocks:
            lines += _set(*_block(block), "")
    return lines


def _heading(text: str) -> list[Line]:
    return [*_set(""), *_set(text, size=_HEAD), *_set("")]


def _block(block: Block) -> list[str | RichTable]:
    """The lines of a block."""
    if isinstance(block, str):
        return [block]
    if isinstance(block, Mapping):
        return [*_facts(block)]
    if isinstance(block, Table):
        return _table(block)
    if isinstance(block, Picture):
        return [f"Figure, after this chapter:  {block.title}"]
    return [*block.lines(MAX_PAPER_LINES)]


def _facts(facts: Mapping[str, str]) -> list[str]:
    return [f"{name}: {fact}" for name, fact in facts.items()]


def _table(table: Table) -> list[str | RichTable]:
    """The lines of a table: its first rows, and the columns that fit."""
    rows = min(MAX_PAPER_ROWS, table.rows)
    shown = [replace(column, values=column.values[:rows]) for column in table.columns]
    fitting = FittedTable(shown, [column.name for column in shown]).fitting(WIDTHS[_PLAIN])
    left_out = len(shown) - len(fitting)
    notes = [*table.cut(rows), *([f"without {counted(left_out, 'column')}"] if left_out else [])]
    return ["; ".join([table.title, *notes]), as_rich(fitting)]


def _set(*parts: str | RichTable, size: float = _PLAIN) -> list[Line]:
    """Render text and tables as lines that fit the font size."""
    page = io.StringIO()
    console = Console(
        file=page, width=WIDTHS[size], color_system=None, markup=False, emoji=False, highlight=False
    )
    for part in parts:
        console.print(one_line(part) if isinstance(part, str) else part)
    return [(line.rstrip(), size) for line in page.getvalue().splitlines()]


def _write_lines(pages: PdfPages, lines: list[Line]) -> None:
    """Write lines to as many pages as they need."""
    for start in range(0, len(lines), LINES):
        figure = Figure(figsize=A4_INCHES)
        for place, (text, size) in enumerate(lines[start : start + LINES]):
            left, top = MARGIN_INCHES / A4_INCHES[0], MARGIN_INCHES + place * LINE_INCHES
            said = figure.text(left, 1 - top / A4_INCHES[1], text, size=size, va="top")
            if size == _PLAIN:
                said.set_fontfamily("monospace")
            else:
                said.set_fontweight("bold")
        pages.savefig(figure)  # type: ignore[no-untyped-call]
