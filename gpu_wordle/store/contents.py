"""The contents of a file: root attributes and described arrays; declarations of columns."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping
from dataclasses import KW_ONLY, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from gpu_wordle.errors import UserError

SCHEMA_VERSION = 2
READABLE_SCHEMAS = (1, 2)

MAX_BYTES = 2**29
"""Largest size of a file that is read, and of all its datasets together once unpacked."""

_TIMES = {"created", "updated"}


class MalformedError(Exception):
    """A file is not as this program writes it. The text says what is wrong."""


def malformed(path: Path, reason: str) -> UserError:
    """Return the error about a file that is signed, but not as this program writes it."""
    return UserError(f"{path}: malformed ({reason}), though its hash is right; choose another file")


@dataclass(frozen=True)
class Dimension:
    """What a dimension of arrays counts. Files hold a dimension scale for it.

    Its indices are named by the values of the dataset ``names``, or numbered from ``first`` on.
    """

    description: str
    names: str = ""
    first: int = 0


DIMENSIONS = {
    "guess": Dimension("guesses", names="words/guesses"),
    "answer": Dimension("answers", names="words/answers"),
    "turn": Dimension("turn on which an answer is found", first=1),
    "node": Dimension("node of the strategy, in preorder"),
    "played": Dimension("turn of a game that was played"),
    "strategy": Dimension("strategies", names="games/strategies"),
    "row": Dimension("row of games: a strategy and an opener"),
    "pair": Dimension("pair of guesses, best first by its key"),
    "measured": Dimension("joint parts, or tenths of bits of entropy"),
    "possible": Dimension("number of an answer that is possible at the start"),
    "run": Dimension("number of a run of a noise experiment"),
    "level": Dimension("levels of noise, the lowest first", names="noise/level"),
    "state": Dimension("state that an opener leaves, the one of most answers first"),
    "player": Dimension("players of a league", names="league/players"),
    "secret": Dimension("number of a secret of a league, in the order of play"),
    "stratum": Dimension("stratum of secrets, those that are found first before others"),
    "move": Dimension("turn of a game of a league", first=1),
    "optimal_turn": Dimension("turn on which optimal play finds an answer", first=1),
}


@dataclass(frozen=True)
class Dataset:
    """An array with its units and one line of description. Words are arrays of str.

    Attributes:
        values: the array.
        units: the units of the values.
        description: one line.
        dimensions: names of :data:`DIMENSIONS`, one for each axis, or none.
        unknown: the number that means an unknown value, if there is one.
        codes: names of the numbers, if the values are codes.
    """

    values: NDArray[Any]
    units: str
    description: str
    dimensions: tuple[str, ...] = ()
    unknown: int | None = None
    codes: Mapping[str, int] = field(default_factory=dict)


@dataclass
class Contents:
    """Everything in a file: root attributes, and datasets by path without the leading slash."""

    attributes: dict[str, str | int]
    datasets: dict[str, Dataset] = field(default_factory=dict)

    def values(self, path: str) -> NDArray[Any]:
        """Return the array at ``path``."""
        return self.datasets[path].values


@dataclass(frozen=True)
class Column:
    """The declaration of a dataset in files. Fields not listed here are those of Dataset.

    Attributes:
        dtype: the type of the array in memory; files may hold any type of number that fits into it.
        is_required: whether every file of the kind has it.
        least: the least number, or the fewest characters of a text. No number is infinite.
        most: the greatest number, or the most characters. The name of a dimension stands for its
            size, or for the last index if the column holds indices; ``weight`` for the weight of
            all answers.
        may_be_nan: whether NaN has a meaning, which the description says.
        form: an expression that a text must match as a whole, if its length is not all.
        take: returns the values from a table of results; if not given, they are the attribute of
            the column's name.
        follows: whether the values follow from other columns, for which files are then checked.
    """

    dtype: DTypeLike
    units: str
    description: str
    dimensions: tuple[str, ...]
    unknown: int | None = None
    codes: Mapping[str, int] = field(default_factory=dict)
    is_required: bool = True
    _: KW_ONLY
    least: float = 0
    most: float | str
    may_be_nan: bool = False
    form: str = ""
    take: Callable[[Any], Any] | None = None
    follows: bool = False

    def dataset(self, values: NDArray[Any]) -> Dataset:
        """Return the dataset that holds ``values``."""
        return Dataset(
            values, self.units, self.description, self.dimensions, self.unknown, self.codes
        )

    def of(self, table: object, name: str) -> NDArray[Any] | None:
        """Return the values from a table of results; None if they are optional and it has none."""
        values = getattr(table, name) if self.take is None else self.take(table)
        is_absent = values is None and not self.is_required
        return None if is_absent else np.asarray(values, self.dtype)


Columns = Mapping[str, Column]
"""The columns of a group of datasets, by name."""


def datasets_of(group: str, columns: Columns, table: object) -> dict[str, Dataset]:
    """Return the datasets of a group, from a table of results."""
    return {
        f"{group}/{name}": column.dataset(values)
        for name, column in columns.items()
        if (values := column.of(table, name)) is not None
    }


def read_columns(contents: Contents, group: str, columns: Columns) -> dict[str, NDArray[Any]]:
    """Return the columns of a group by name, each of its own type. Absent ones are left out."""
    return {
        name: contents.values(f"{group}/{name}").astype(column.dtype)
        for name, column in columns.items()
        if f"{group}/{name}" in contents.datasets
    }


def check_figures(
    group: str, columns: Columns, held: Mapping[str, NDArray[Any]], table: object, source: str
) -> None:
    """Raise MalformedError unless the columns that follow from others agree with ``source``."""
    followed = {name: column for name, column in columns.items() if column.follows}
    found = datasets_of(group, followed, table)
    for name, column in followed.items():
        values = found[f"{group}/{name}"].values
        if not np.array_equal(values, held[name], equal_nan=column.may_be_nan):
            raise MalformedError(f"{group}/{name} is not what {source} come to")


def digest(contents: Contents) -> str:
    """Return a SHA-256 over datasets and attributes without timestamps: equal for equal results."""
    result = hashlib.sha256()
    for name, value in sorted(contents.attributes.items()):
        if name not in _TIMES:
            result.update(f"{name}={value}\n".encode())
    for path, dataset in sorted(contents.datasets.items()):
        values = encoded(dataset.values)
        head = f"{path} {values.dtype.str} {values.shape} {dataset.units} {dataset.description}\n"
        result.update(head.encode())
        result.update(np.ascontiguousarray(values).tobytes())
    return result.hexdigest()


def encoded(values: NDArray[Any]) -> NDArray[Any]:
    """Return words as fixed-width UTF-8, and everything else as it is."""
    return np.char.encode(values, "utf-8") if values.dtype.kind == "U" else values
