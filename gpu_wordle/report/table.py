"""One table in several forms: for terminals of any width, for notebooks, and as plain values."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from html import escape
from typing import Any

from rich.cells import cell_len
from rich.console import Console, ConsoleOptions, RenderResult
from rich.table import Table
from rich.text import Text

from gpu_wordle.report.keys import KEYS, Key

NOTEBOOK_WIDTH = 120
"""Characters that a line in a notebook may be wide."""
WRAPPED_WIDTH = 16
"""Characters that a column has at least whose cells take several lines."""

_UNDECLARED = Key("a column of a table alone")


@dataclass(frozen=True)
class Column:
    """A named column of plain Python values; ``text`` says how a cell is shown to people.

    What is not said of decimals and heading is what the key of that name says. Cells of a column
    that ``wraps`` take several lines where there is no room for them.
    """

    name: str
    values: Sequence[Any]
    decimals: int | None = None
    heading: str | None = None
    wraps: bool = False

    @property
    def _key(self) -> Key:
        return KEYS.get(self.name, _UNDECLARED)

    def text(self, row: int) -> str:
        """The cell as people read it."""
        value = self.values[row]
        if value is None:
            return "-"
        if isinstance(value, bool):
            return "yes" if value else ""
        if isinstance(value, int | float):
            decimals = self._key.decimals if self.decimals is None else self.decimals
            return f"{value:,.{decimals}f}"
        if isinstance(value, list):
            return " ".join(map(str, value))
        return str(value)

    def first(self, rows: int) -> Column:
        """The first rows of the column."""
        return replace(self, values=self.values[:rows])

    @property
    def title(self) -> str:
        """What stands above the column."""
        return self.heading or self._key.heading or self.name.replace("_", " ")

    @property
    def is_number(self) -> bool:
        """Whether cells are set flush right."""
        return any(isinstance(v, int | float) and not isinstance(v, bool) for v in self.values)

    @property
    def width(self) -> int:
        """Characters that the widest cell needs, or the heading."""
        cells = (self.text(row) for row in range(len(self.values)))
        widest = max(map(cell_len, (*self.title.splitlines(), *cells)))
        return min(widest, WRAPPED_WIDTH) if self.wraps else widest


@dataclass(frozen=True)
class FittedTable:
    """A table that shows on each console the columns for which it is wide enough.

    Attributes:
        columns: all columns, in their order.
        importance: names of columns, those first that are to be seen on any console. A column that
            is not named is never shown. If none is named, all are, in their order.
        title: what stands above the table.
        by: name of the column that stands out.
    """

    columns: Sequence[Column]
    importance: Sequence[str] = ()
    title: str | None = None
    by: str | None = None

    def fitting(self, width: int) -> list[Column]:
        """The most important columns, as many as have room, in their order; at least one."""
        found = {column.name: column for column in self.columns}
        shown: set[str] = set()
        left = width + 1  # for there is a blank between columns, and none before the first
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
    """Table for a terminal; the column called ``by`` stands out."""
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
    for row in range(_height(columns)):
        table.add_row(*(Text(column.text(row)) for column in columns))
    return table


def as_html(columns: Sequence[Column], *, title: str | None = None) -> str:
    """Table for a notebook."""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    head = "".join(f"<th>{escape(column.title)}</th>" for column in columns)
    rows = (
        "".join(f"<td>{escape(column.text(row))}</td>" for column in columns)
        for row in range(_height(columns))
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _height(columns: Sequence[Column]) -> int:
    """How many rows there are."""
    return len(columns[0].values) if columns else 0


def as_rows(columns: Sequence[Column]) -> list[dict[str, Any]]:
    """One mapping of plain values a row."""
    names = [column.name for column in columns]
    rows = zip(*(column.values for column in columns), strict=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


def columns_of(rows: Sequence[Mapping[str, Any]], keys: Iterable[str] | type = ()) -> list[Column]:
    """The columns of rows that have the same keys; ``keys``, or their type, if there is no row."""
    names = rows[0] if rows else keys.__annotations__ if isinstance(keys, type) else keys
    return [Column(name, [row[name] for row in rows]) for name in names]
