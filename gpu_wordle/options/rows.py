"""What a verb has found as rows, for programs in Python."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, overload

from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, held
from gpu_wordle.options.declared import checked
from gpu_wordle.options.shared import Count, FilePath
from gpu_wordle.report.formats import as_csv
from gpu_wordle.report.outcome import Outcome
from gpu_wordle.report.table import as_rows

if TYPE_CHECKING:
    import pandas as pd

SHOWN_ROWS = 10
"""Rows of a whole ranking or simulation that a terminal or a notebook shows."""


@dataclass(frozen=True, eq=False, kw_only=True)
class Rows(Outcome, Sequence[dict[str, Any]]):
    """What a verb has found, as rows: a sequence of dictionaries, by the keys of machine output."""

    @cached_property
    def rows(self) -> list[dict[str, Any]]:
        """All rows as plain values."""
        return as_rows(self.columns or ())

    @checked
    def head(self, rows: Count = SHOWN_ROWS) -> list[dict[str, Any]]:
        """The first rows."""
        return self.rows[:rows]

    @checked
    def to_csv(self, path: FilePath) -> None:
        """Write all rows as CSV, whole or not at all; JobError if that cannot be done."""
        with held(Path(path), PATIENCE_SECONDS) as holding:
            holding.replace(as_csv(self.columns or ()).encode())

    def to_pandas(self) -> pd.DataFrame:
        """All rows as a table of pandas; UserError if that is not installed."""
        try:
            import pandas as pd
        except ImportError:
            raise UserError(
                "to_pandas needs pandas; pip install pandas, or use head() or to_csv()"
            ) from None
        return pd.DataFrame({each.name: list(each.values) for each in self.columns or ()})

    @overload
    def __getitem__(self, row: int) -> dict[str, Any]: ...

    @overload
    def __getitem__(self, row: slice) -> list[dict[str, Any]]: ...

    def __getitem__(self, row: int | slice) -> dict[str, Any] | list[dict[str, Any]]:
        return self.rows[row]

    def __len__(self) -> int:
        return len(self.rows)
