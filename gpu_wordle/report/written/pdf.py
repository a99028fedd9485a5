"""Reports in PDF, for paper: text, tables and pictures one below another on A4.

Matplotlib writes the file, since it draws the pictures anyway. They stay vectors, and no other
library is needed. Paper lacks the interactive parts: sorting, searching and zooming.
"""

from __future__ import annotations

import io
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import zip_longest
from typing import Any

from matplotlib import rc_context
from matplotlib.backends.backend_pdf import PdfPages
from matplotlib.figure import Figure
from matplotlib.font_manager import FontProperties, findfont, get_font
from matplotlib.lines import Line2D
from matplotlib.transforms import Bbox

from gpu_wordle.errors import counted, one_line
from gpu_wordle.report.content import Block, Chapter, Picture, Report, Strategy, Table
from gpu_wordle.report.pictures import plain_text

POINTS = 72.0
"""Points of an inch; all lengths here are in points."""
WIDTH, HEIGHT, MARGIN = 595.0, 842.0, 54.0
"""A4 and its margins."""
ROOM = WIDTH - 2 * MARGIN
"""Width of the text."""
LEADING = 1.35
"""Height of a line over the size of its letters."""
GAP = 8.0
"""Distance of columns, and of a block from the next."""
NAMES = 120.0
"""Width of the names of facts."""
CAPTION = 30.0
"""Room for the caption of a picture that fills a page."""
FINE = 16
"""Letters are measured in this size over their own, since widths are rounded to whole pixels."""
MAX_PAPER_ROWS = 60
"""Most rows of a table on paper."""
MAX_PAPER_LINES = 600
"""Most lines of a strategy on paper."""
MAX_CELL = 44
"""Most letters of a cell; the rest is cut."""
FEW_LINES = 6
"""Lines that fit below a heading, or it goes to the next page."""

TITLE, CHAPTER, SECTION, PLAIN, SMALL = 17.0, 14.0, 11.0, 9.0, 7.5
"""Sizes of letters."""
INK, QUIET, LINE = "#111111", "#5b656d", "#b8bfc4"
SANS, MONO = "sans-serif", "monospace"


def write(report: Report) -> bytes:
    """The report as a PDF document."""
    data = io.BytesIO()
    with rc_context({"pdf.fonttype": 42}), plain_text():
        told = {"Creator": "gpu-wordle report", "Title": one_line(report.title)}
        with PdfPages(data, metadata=told) as pages:
            paper = _Paper(pages)
            paper.heading(report.title, TITLE)
            for chapter in report.chapters:
                _write_chapter(paper, chapter)
            paper.heading("Provenance", CHAPTER)
            for name, facts in report.sources.items():
                paper.heading(name, SECTION)
                paper.facts(facts)
            paper.turn()
    return data.getvalue()


def _write_chapter(paper: _Paper, chapter: Chapter) -> None:
    paper.heading(chapter.title, CHAPTER)
    for section in chapter.sections:
        paper.heading(section.title, SECTION)
        for block in section.blocks:
            _write_block(paper, block)


def _write_block(paper: _Paper, block: Block) -> None:
    if isinstance(block, str):
        paper.prose(block)
    elif isinstance(block, Mapping):
        paper.facts(block)
    elif isinstance(block, Table):
        paper.table(block)
    elif isinstance(block, Picture):
        paper.picture(block)
    else:
        paper.strategy(block)


class _Page(Figure):
    """A page, on which whole pictures can be placed."""

    def __init__(self) -> None:
        super().__init__(figsize=(WIDTH / POINTS, HEIGHT / POINTS))
        self.pictures: list[Figure] = []

    def draw(self, renderer: Any) -> None:
        """Draw the page and its pictures."""
        super().draw(renderer)
        for picture in self.pictures:
            picture.draw(renderer)

    def place(self, picture: Figure, left: float, bottom: float) -> None:
        """Put a picture that is laid out on the page."""
        width, height = picture.get_size_inches()
        box = Bbox.from_bounds(left / POINTS, bottom / POINTS, width, height)
        picture.bbox_inches.set(box)  # every position in it is relative to this box
        self.pictures.append(picture)


class _Paper:
    """Pages that are filled from top to bottom; ``left`` is the height that is left."""

    def __init__(self, pages: PdfPages) -> None:
        self._pages = pages
        self._page, self._left, self._number = _Page(), HEIGHT - 2 * MARGIN, 1
        self._pictures = 0

    def turn(self) -> None:
        """Write the page and begin the next one."""
        self._write(WIDTH / 2, MARGIN / 2, str(self._number), SMALL, ha="center", color=QUIET)
        self._pages.savefig(self._page)  # type: ignore[no-untyped-call]
        self._page, self._left, self._number = _Page(), HEIGHT - 2 * MARGIN, self._number + 1

    def heading(self, text: str, size: float) -> None:
        """A heading, which stays with what follows it."""
        lines = wrapped(text, ROOM, size, weight="bold")
        self._skip(size)
        self._need(len(lines) * size * LEADING + FEW_LINES * PLAIN * LEADING)
        for line in lines:
            self._line(line, size, weight="bold")
        self._skip(GAP / 2)

    def prose(self, text: str) -> None:
        """A paragraph."""
        for line in wrapped(text, ROOM, PLAIN):
            self._line(line, PLAIN)
        self._skip(GAP)

    def facts(self, facts: Mapping[str, str]) -> None:
        """Names and facts in two columns."""
        for name, fact in facts.items():
            columns = wrapped(name, NAMES - GAP, PLAIN), wrapped(fact, ROOM - NAMES, PLAIN)
            for left, right in zip_longest(*columns, fillvalue=""):
                self._need(PLAIN * LEADING)
                self._write(MARGIN, self._top(PLAIN), left, PLAIN, color=QUIET)
                self._line(right, PLAIN, MARGIN + NAMES)
        self._skip(GAP)

    def table(self, table: Table) -> None:
        """The first rows of a table, in the columns that fit."""
        rows = min(MAX_PAPER_ROWS, table.rows)
        columns = [column.first(rows) for column in table.columns]
        cells = [[_cut(text) for text in column.texts] for column in columns]
        heads = [[_cut(line) for line in column.title.splitlines()] for column in columns]
        widths = [
            max((width_of(text, SMALL) for text in (*head, *texts)), default=0.0)
            for head, texts in zip(heads, cells, strict=True)
        ]
        fitting = fitting_count(widths)
        left_out = len(columns) - fitting
        notes = table.cut(rows)
        notes += [f"without {counted(left_out, 'column')}"] if left_out else []
        tall = max(map(len, heads[:fitting]), default=1)
        self._need((tall + FEW_LINES) * SMALL * LEADING)
        for line in wrapped("; ".join([table.title, *notes]), ROOM, PLAIN, weight="bold"):
            self._line(line, PLAIN, weight="bold")
        places, at = [], MARGIN
        for column, width in zip(columns[:fitting], widths, strict=False):
            places.append((at + width, "right") if column.is_number else (at, "left"))
            at += width + GAP

        def head() -> None:
            for row in range(tall):
                texts = [[*[""] * (tall - len(each)), *each][row] for each in heads[:fitting]]
                self._row(texts, places, QUIET)
            self._rule(at - GAP)

        head()
        for row in range(rows):
            if self._left < SMALL * LEADING:
                self.turn()
                head()
            self._row([each[row] for each in cells[:fitting]], places, INK)
        self._skip(GAP)

    def picture(self, block: Picture) -> None:
        """A picture with its number and caption."""
        picture = block.draw()
        width, height = (POINTS * each for each in picture.get_size_inches())
        scale = min(1.0, ROOM / width, (HEIGHT - 2 * MARGIN - CAPTION) / height)
        picture.set_size_inches(scale * width / POINTS, scale * height / POINTS)
        picture.set_dpi(POINTS)  # that of the page when it is written
        picture.draw_without_rendering()  # lays it out
        picture.set_layout_engine("none")
        self._pictures += 1
        caption = wrapped(f"Figure {self._pictures}: {block.title}.", ROOM, SMALL)
        self._need(scale * height + len(caption) * SMALL * LEADING)
        self._left -= scale * height
        self._page.place(picture, MARGIN, MARGIN + self._left)
        for line in caption:
            self._line(line, SMALL, color=QUIET)
        self._skip(GAP)

    def strategy(self, block: Strategy) -> None:
        """A strategy, whose words stand below each other."""
        for line in block.lines(MAX_PAPER_LINES):
            self._line(one_line(line), SMALL, family=MONO)
        self._skip(GAP)

    def _need(self, height: float) -> None:
        """Turn the page if it has less room than that."""
        if self._left < min(height, HEIGHT - 2 * MARGIN):
            self.turn()

    def _skip(self, height: float) -> None:
        """Leave room, except at the top of a page."""
        if self._left < HEIGHT - 2 * MARGIN:
            self._left = max(self._left - height, 0.0)

    def _top(self, size: float) -> float:
        """The height at which the letters of the next line stand."""
        return MARGIN + self._left - size

    def _line(self, text: str, size: float, left: float = MARGIN, **style: Any) -> None:
        """Write a line below the others."""
        self._need(size * LEADING)
        self._write(left, self._top(size), text, size, **style)
        self._left -= size * LEADING

    def _row(self, texts: Sequence[str], places: Iterable[tuple[float, str]], ink: str) -> None:
        """Write a row of a table."""
        for text, (at, side) in zip(texts, places, strict=True):
            self._write(at, self._top(SMALL), text, SMALL, ha=side, color=ink)
        self._left -= SMALL * LEADING

    def _rule(self, right: float) -> None:
        """Draw a line below the head of a table."""
        at = (MARGIN + self._left) / HEIGHT
        ends = MARGIN / WIDTH, right / WIDTH
        self._page.add_artist(Line2D(ends, (at, at), color=LINE, linewidth=0.6))
        self._left -= 2.0

    def _write(self, left: float, base: float, text: str, size: float, **style: Any) -> None:
        if text:
            kept = {"color": INK, "family": SANS, "va": "baseline"} | style
            self._page.text(left / WIDTH, base / HEIGHT, text, size=size, **kept)


def fitting_count(widths: Sequence[float]) -> int:
    """How many columns of these widths fit side by side, at least one."""
    right, count = -GAP, 0
    for width in widths:
        right += width + GAP
        if right > ROOM and count:
            break
        count += 1
    return count


def _cut(text: str) -> str:
    """A cell, cut if it is long."""
    text = one_line(text)
    return text if len(text) <= MAX_CELL else f"{text[: MAX_CELL - 1]}…"


def wrapped(text: str, room: float, size: float, weight: str = "normal") -> list[str]:
    """Text in lines of at most ``room``; a word that is too long is broken."""
    lines, line = [], ""
    for word in one_line(text).split():
        longer = f"{line} {word}" if line else word
        if width_of(longer, size, weight) <= room:
            line = longer
            continue
        if line:
            lines.append(line)
        while width_of(word, size, weight) > room:
            kept = next(n for n in range(len(word) - 1, 0, -1)
                        if n == 1 or width_of(word[:n], size, weight) <= room)  # fmt: skip
            lines.append(word[:kept])
            word = word[kept:]
        line = word
    return [*lines, line]


def width_of(text: str, size: float, weight: str = "normal") -> float:
    """The width of a text."""
    font = _font(weight)
    font.set_size(FINE * size, POINTS)
    font.set_text(text)
    return float(font.get_width_height()[0]) / 64 / FINE


@cache
def _font(weight: str) -> Any:
    return get_font(findfont(FontProperties(family=SANS, weight=weight)))
