"""What a verb has found as rows, for programs in Python."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, SupportsIndex

from rich.console import Console, ConsoleOptions, RenderResult

from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, held
from gpu_wordle.options.declared import checked
from gpu_wordle.options.shared import Count, FilePath
from gpu_wordle.report.formats import as_csv
from gpu_wordle.report.outcome import Outcome
from gpu_wordle.report.table import Column, as_rows

if TYPE_CHECKING:
    import pandas as pd

HEAD_ROWS = 10
"""Rows of a whole ranking or simulation that a terminal or a notebook shows."""


def write_csv(path: str | Path, columns: Sequence[Column]) -> None:
    """Write rows as CSV, whole or not at all; JobError if that cannot be done."""
    with held(Path(path), PATIENCE_SECONDS) as holding:
        holding.replace(as_csv(columns).encode())


def as_pandas(columns: Sequence[Column]) -> pd.DataFrame:
    """Rows as a table of pandas; UserError if that is not installed."""
    try:
        import pandas as pd
    except ImportError:
        raise UserError(
            "to_pandas needs pandas; pip install pandas, or use head() or to_csv()"
        ) from None
    return pd.DataFrame({column.name: list(column.values) for column in columns})


class Rows(list[dict[str, Any]]):
    """What a verb has found, as a list of rows: plain values by the keys of machine output.

    Notebooks and rich show it as a table. Copied or pickled it is a list like any other.

    Attributes:
        outcome: what is shown.
    """

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(as_rows(outcome.columns or ()))
        self.outcome = outcome

    @checked
    def head(self, rows: Count = HEAD_ROWS) -> list[dict[str, Any]]:
        """The first rows."""
        return self[:rows]

    @checked
    def to_csv(self, path: FilePath) -> None:
        """Write all rows as CSV, whole or not at all; JobError if that cannot be done."""
        write_csv(path, self.outcome.columns or ())

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a table of pandas; UserError if that is not installed."""
        return as_pandas(self.outcome.columns or ())

    def __reduce_ex__(self, protocol: SupportsIndex) -> tuple[type[list[Any]], tuple[list[Any]]]:
        return list, ([*self],)

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        yield self.outcome

    def _repr_html_(self) -> str:
        return self.outcome._repr_html_()
