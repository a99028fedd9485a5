"""Tables for terminals of any width, for notebooks, and as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.keys import KEYS, Bar, Key
from gpu_wordle.report.notebook import bar, count_bars, loss_bar, tiles

NOTEBOOK_WIDTH = 120
"""Width of a line in a notebook, in characters."""
WRAPPED_WIDTH = 16
"""Least width of a column whose cells wrap, in characters."""

MAX_COLUMN_DECIMALS = 4
"""Most decimals of a column for which none are declared."""

_UNDECLARED = Key("a column of a table alone")


@dataclass(frozen=True)
class Column:
    """A named column of plain Python values; ``text`` formats a cell for people.

    Decimals and heading default to those of the key of that name. Without declared decimals, as few
    are shown as all values need, at most ``MAX_COLUMN_DECIMALS``. Cells of a column that ``wraps``
    take several lines if they need to.
    """

    name: str
    values: Sequence[Any]
    decimals: int | None = None
    heading: str | None = None
    wraps: bool = False

    @property
    def _key(self) -> Key:
        return KEYS.get(self.name, _UNDECLARED)

    @cached_property
    def places(self) -> int:
        """The number of decimals in the texts of its numbers."""
        if self.decimals is not None:
            return self.decimals
        if self._key.decimals:
            return self._key.decimals
        decimals = [v for v in self.values if isinstance(v, float)]
        enough = (n for n in range(MAX_COLUMN_DECIMALS) if all(round(v, n) == v for v in decimals))
        return next(enough, MAX_COLUMN_DECIMALS)

    def text(self, row: int) -> str:
        """A cell as text for people."""
        value = self.values[row]
        if value is None:
            return "-"
        if isinstance(value, bool):
            return "yes" if value else ""
        if isinstance(value, int | float):
            return f"{value:,.{self.places}f}"
        if isinstance(value, list):
            return " ".join(map(str, value))
        return str(value)

    @property
    def texts(self) -> list[str]:
        """All cells as text for people."""
        return [self.text(row) for row in range(len(self.values))]

    def first(self, rows: int) -> Column:
        """The first rows of the column."""
        return replace(self, values=self.values[:rows])

    @property
    def title(self) -> str:
        """The heading of the column."""
        return self.heading or self._key.heading or self.name.replace("_", " ")

    @property
    def is_number(self) -> bool:
        """Whether the column holds numbers, which are aligned right."""
        return any(isinstance(v, int | float) and not isinstance(v, bool) for v in self.values)

    @property
    def bars(self) -> list[str]:
        """The bar beside each value, as HTML; empty where there is none."""
        kind = self._key.bar
        if kind is Bar.COUNTS:
            return [count_bars(counts) if counts else "" for counts in self.values]
        known = [value if isinstance(value, int | float) else None for value in self.values]
        numbers = [value for value in known if value is not None]
        least = min(numbers, default=0) if kind is Bar.LOSS else 0
        most = 1 if kind is Bar.SHARE else max(numbers, default=0)
        if kind is None or most <= least:
            return [""] * len(known)
        over = replace(self, values=[0 if value is None else value - least for value in known])
        shares = [max(0, value / (most - least)) for value in over.values]
        if kind is Bar.LOSS:
            return [loss_bar(share, over.text(row)) for row, share in enumerate(shares)]
        return [bar(share) for share in shares]

    @property
    def width(self) -> int:
        """Width of the widest cell or of the heading, in characters."""
        widest = max(map(cell_len, (*self.title.splitlines(), *self.texts)))
        return min(widest, WRAPPED_WIDTH) if self.wraps else widest


@dataclass(frozen=True)
class FittedTable:
    """A table that shows the most important columns for which the console has room.

    Attributes:
        columns: all columns, in order.
        importance: names of columns, most important first. A column that is not named is never
            shown. Without any names, all columns are shown, in order.
        title: its title.
        by: name of the highlighted column.
    """

    columns: Sequence[Column]
    importance: Sequence[str] = ()
    title: str | None = None
    by: str | None = None

    def fitting(self, width: int) -> list[Column]:
        """The most important columns that fit the width, at least one, in order."""
        found = {column.name: column for column in self.columns}
        shown: set[str] = set()
        left = width + 1  # columns are separated by a blank; the first one has none
        for name in dict.fromkeys(self.importance or found):
            if name in found:
                left -= found[name].width + 1
                if left < 0 and shown:
                    break
                shown.add(name)
        return [column for column in self.columns if column.name in shown]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield as_rich(self.fitting(options.max_width), title=self.title, by=self.by)

    def as_html(self) -> str:
        """The table for a notebook."""
        return as_html(self.fitting(NOTEBOOK_WIDTH), title=self.title)


def as_rich(columns: Sequence[Column], *, title: str | None = None, by: str | None = None) -> Table:
    """A table for a terminal; the column ``by`` is highlighted."""
    table = Table(
        title=None if title is None else Text(title),
        title_justify="left",
        box=None,
        pad_edge=False,
        padding=(0, 1, 0, 0),
    )
    for column in columns:
        table.add_column(
            Text(column.title),
            justify="right" if column.is_number else "left",
            style="bold green" if column.name == by else None,
            header_style="bold",
            no_wrap=not column.wraps,
        )
    for cells in zip(*(column.texts for column in columns), strict=True):
        table.add_row(*map(Text, cells))
    return table


def as_html(columns: Sequence[Column], *, title: str | None = None) -> str:
    """A table for a notebook."""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = "".join(f"<th scope=col>{escape(column.title)}</th>" for column in columns)
    guesses = next((column.values for column in columns if column.name == "guess"), None)
    cells = [_cells(column, guesses) for column in columns]
    rows = ("".join(f"<td>{cell}</td>" for cell in row) for row in zip(*cells, strict=True))
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cells(column: Column, guesses: Sequence[str] | None) -> list[str]:
    """The cells of a column as HTML: the feedback to guesses in tiles, and numbers with bars."""
    if column.name == "pattern" and guesses is not None:
        turns = zip(guesses, column.values, strict=True)
        return ["-" if told is None else tiles(capitals(word), told) for word, told in turns]
    return [escape(text) + drawn for text, drawn in zip(column.texts, column.bars, strict=True)]


def as_rows(columns: Sequence[Column]) -> list[dict[str, Any]]:
    """The rows as dictionaries of plain values."""
    names = [column.name for column in columns]
    rows = zip(*(column.values for column in columns), strict=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


def columns_of(rows: Sequence[Mapping[str, Any]], keys: Iterable[str] | type = ()) -> list[Column]:
    """The columns of rows with equal keys; without rows, the columns of ``keys``."""
    names = rows[0] if rows else keys.__annotations__ if isinstance(keys, type) else keys
    return [Column(name, [row[name] for row in rows]) for name in names]
