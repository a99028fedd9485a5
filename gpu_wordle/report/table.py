"""One table in several forms: for people, as plain values, as CSV and as JSON."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from rich.table import Table
from rich.text import Text


@dataclass(frozen=True)
class Column:
    """A named column of plain Python values; ``text`` says how a cell is shown to people."""

    name: str
    values: Sequence[Any]
    decimals: int = 0
    heading: str | None = None

    def text(self, row: int) -> str:
        """The cell as people read it."""
        value = self.values[row]
        if value is None:
            return "-"
        if isinstance(value, bool):
            return "yes" if value else ""
        if isinstance(value, int | float):
            return f"{value:,.{self.decimals}f}"
        return str(value)

    @property
    def is_number(self) -> bool:
        """Whether cells are set flush right."""
        return any(isinstance(v, int | float) and not isinstance(v, bool) for v in self.values)


def as_rich(columns: Sequence[Column], *, title: str | None = None, by: str | None = None) -> Table:
    """Table for a terminal; the column called ``by`` stands out. Names are no markup."""
    shown = None if title is None else Text(title, "table.title")
    table = Table(title=shown, title_justify="left", box=None, pad_edge=False, padding=(0, 1, 0, 0))
    for column in columns:
        table.add_column(
            column.heading or column.name.replace("_", " "),
            justify="right" if column.is_number else "left",
            style="bold green" if column.name == by else None,
            header_style="bold",
            no_wrap=True,
        )
    for row in range(len(columns[0].values)):
        table.add_row(*(Text(column.text(row)) for column in columns))
    return table


def as_html(columns: Sequence[Column], *, title: str | None = None) -> str:
    """Table for a notebook."""
    caption = f"<caption>{escape(title)}</caption>" if title else ""
    heads = (column.heading or column.name.replace("_", " ") for column in columns)
    head = "".join(f"<th>{escape(text)}</th>" for text in heads)
    rows = (
        "".join(f"<td>{escape(column.text(row))}</td>" for column in columns)
        for row in range(len(columns[0].values))
    )
    body = "".join(f"<tr>{row}</tr>" for row in rows)
    return f"<table>{caption}<thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def as_rows(columns: Sequence[Column]) -> list[dict[str, Any]]:
    """One mapping of plain values a row."""
    names = [column.name for column in columns]
    rows = zip(*(column.values for column in columns), strict=True)
    return [dict(zip(names, row, strict=True)) for row in rows]


def as_csv(columns: Sequence[Column]) -> str:
    """CSV with a header line and full precision."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([column.name for column in columns])
    writer.writerows(zip(*(column.values for column in columns), strict=True))
    return text.getvalue()


def as_json(columns: Sequence[Column]) -> str:
    """JSON list of one object a row."""
    return json.dumps(as_rows(columns), indent=1) + "\n"
