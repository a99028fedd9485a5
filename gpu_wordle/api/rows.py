"""Rows of plain values as users take them away: into CSV files, and into pandas."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, held
from gpu_wordle.report.formats import as_csv
from gpu_wordle.report.table import Column

if TYPE_CHECKING:
    import pandas as pd

SHOWN = 10
"""Rows that a terminal or a notebook shows."""


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
