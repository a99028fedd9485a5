"""The turns of many games in HDF5: a column for each key of their rows."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.files import PATIENCE_SECONDS, held
from gpu_wordle.game.game import Game
from gpu_wordle.store.contents import Contents, Dataset
from gpu_wordle.store.form import ANALYSIS, TURNS
from gpu_wordle.store.hdf5 import check_replaceable, load, put
from gpu_wordle.store.provenance import describe

UNKNOWN: dict[str, Any] = {"U": "", "i": -1, "f": np.nan}
"""What stands for a value that is not known, by the kind of its column."""

ALWAYS_KNOWN = {"player", "guess"}
"""Columns in which an empty text is one that was given."""


def save_analysis(path: Path, game: Game, rows: Sequence[Mapping[str, Any]]) -> None:
    """Write rows of turns, whole or not at all; UserError if there are none.

    Raises UserError too if the file holds something else, JobError if it cannot be written.
    """
    if not rows:
        raise UserError(f"{path}: not written, for no turn was analysed")
    check_replaceable(path, ANALYSIS)
    contents = describe(game, ANALYSIS, "cpu", "")
    contents.datasets |= {f"turns/{name}": _dataset(name, rows) for name in TURNS}
    with held(path, PATIENCE_SECONDS) as holding:
        put(holding, contents)


def load_analysis(path: Path) -> list[dict[str, Any]]:
    """Read the rows of turns; UserError for a file that is missing, damaged or of another kind."""
    return read_analysis(load(path, ANALYSIS))


def _dataset(name: str, rows: Sequence[Mapping[str, Any]]) -> Dataset:
    """One column."""
    column = TURNS[name]
    missing = UNKNOWN[np.dtype(column.dtype).kind]
    values = [missing if row[name] is None else row[name] for row in rows]
    return column.dataset(np.array(values, column.dtype))


def read_analysis(contents: Contents) -> list[dict[str, Any]]:
    """The rows of a file of turns; what is not known is None."""
    columns = {name: _known(name, contents.values(f"turns/{name}")) for name in TURNS}
    names = columns.keys()
    return [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]


def _known(name: str, values: NDArray[Any]) -> list[Any]:
    """One column; what is not known is None."""
    if name in ALWAYS_KNOWN:
        return values.tolist()
    missing = UNKNOWN[values.dtype.kind]
    return [None if v == missing or v != v else v for v in values.tolist()]
