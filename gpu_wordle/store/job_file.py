"""The file of a job: held while it runs, resumed from, and refused if it is of another job.

The first kind is that of rankings: the results of every opener, with the statistics beside them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.files import Holding, held, is_vacant
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status, check_openers
from gpu_wordle.store.contents import (
    Contents,
    Dataset,
    MalformedError,
    datasets_of,
    malformed,
    read_columns,
)
from gpu_wordle.store.form import OPENERS, RANKING, STATISTICS_OF_GUESSES
from gpu_wordle.store.hdf5 import check_replaceable, check_suffix, load, put
from gpu_wordle.store.provenance import IDENTITY, check_same, check_same_state, describe
from gpu_wordle.verify import VerificationError

Table = TypeVar("Table")
Arrays = Mapping[str, NDArray[Any]]


class JobFile(Generic[Table]):
    """The file of a job: held while it runs, resumed from, and refused if it is of another job.

    Args:
        path: the path of the file, which may not exist yet.
        filetype: the kind of file that such jobs write.
        position: the position that the job is about.
        backend: the name of the backend.
        device: the device that the backend uses.
        told: attributes by which jobs of this kind differ.

    Attributes:
        contents: the contents to be written.
    """

    def __init__(
        self,
        path: Path,
        filetype: str,
        position: Position,
        backend: str,
        device: str,
        told: Mapping[str, str | int],
    ) -> None:
        check_suffix(path, filetype)
        self._path = path
        self._position = position
        self._filetype = filetype
        self._told = told
        self.contents = describe(position.game, filetype, backend, device)
        self.contents.attributes |= {"state": position.history, **told}
        self._holding: Holding | None = None

    def __str__(self) -> str:
        return str(self._path)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes off the file; JobError if one holds it, or it cannot be written."""
        with held(self._path) as self._holding:
            try:
                yield
            finally:
                self._holding = None

    def check_replaceable(self) -> None:
        """Raise UserError if there is a file that is not one of ours, or of another kind."""
        check_replaceable(self._path, self._filetype)

    def load(self) -> Table | None:
        """Return the results of an earlier run of the job; None if there is no file.

        Raises UserError if it is damaged, contradicts itself, or is of another job.
        """
        if is_vacant(self._path):
            return None
        old = load(self._path, self._filetype)
        check_same(self._path, old, self.contents, (*IDENTITY, *self._told))
        check_same_state(self._path, old, self._position)
        self.contents.attributes["created"] = old.attributes["created"]
        try:
            return self._read(old)
        except MalformedError as error:
            raise malformed(self._path, str(error)) from None
        except VerificationError as error:
            raise UserError(f"{self._path}: cannot be true, {error}; --fresh replaces it") from None

    def save(self, table: Table) -> None:
        """Write the held file, unless the table is empty; JobError if it cannot be written."""
        assert self._holding is not None, "a file is held before it is written"
        if self._fill(table):
            put(self._holding, self.contents)

    def _read(self, contents: Contents) -> Table:
        """Return the table of this job's file.

        Raises MalformedError or VerificationError for a bad one.
        """
        raise NotImplementedError

    def _fill(self, table: Table) -> bool:
        """Put a table into the contents to be written; False if it is empty."""
        raise NotImplementedError


_OF_STRATEGIES = ("distribution", "weight_distribution", "failures")
"""Columns that are empty for an opener without an extracted strategy."""


class RankingFile(JobFile[Openers]):
    """The file of a ranking or of a proof in rounds; see JobFile.

    ``columns`` are the statistics of the guesses, by name.
    """

    def __init__(
        self, path: Path, position: Position, columns: Arrays, backend: str, device: str
    ) -> None:
        super().__init__(path, RANKING, position, backend, device, {})
        self.contents.datasets |= statistics_datasets(columns)

    def _read(self, contents: Contents) -> Openers:
        openers = read_openers(contents)
        check_openers(openers, self._position.game, self._position)
        return openers

    def _fill(self, table: Openers) -> bool:
        self.contents.datasets |= openers_datasets(table, self._position.game)
        return True


def statistics_datasets(columns: Arrays) -> dict[str, Dataset]:
    """Return the datasets /statistics/* of the columns of statistics.columns_of."""
    return {
        f"statistics/{name}": STATISTICS_OF_GUESSES[name].dataset(values)
        for name, values in columns.items()
    }


def read_statistics(contents: Contents) -> dict[str, NDArray[Any]]:
    """Return the statistics of a ranking file by name. Absent ones are left out."""
    return {
        name: contents.values(f"statistics/{name}")
        for name in STATISTICS_OF_GUESSES
        if f"statistics/{name}" in contents.datasets
    }


def openers_datasets(openers: Openers, game: Game) -> dict[str, Dataset]:
    """Return the datasets /openers/*. Those that repeat others are left out."""
    columns = dict(OPENERS)
    if not game.objective.is_mean:
        legend = game.prices.legend
        lower = f"proven lower bound of {legend}; {INFEASIBLE}: no strategy"
        upper = f"value of a known strategy: {legend}; {INFEASIBLE}: none known"
        columns["lower"] = replace(columns["lower"], units="value", description=lower)
        columns["upper"] = replace(columns["upper"], units="value", description=upper)
    if game.objective.weights is None:
        del columns["weight_distribution"]
        columns["solvable"] = replace(columns["solvable"], units="answers")
    if not game.objective.allows_failure:
        del columns["failures"]
    if (openers.solvable[openers.status == Status.INFEASIBLE] == UNKNOWN).all():
        del columns["solvable"]
    told = replace(openers, **{name: getattr(openers, name).copy() for name in _OF_STRATEGIES})
    for name in _OF_STRATEGIES:
        getattr(told, name)[openers.status != Status.EXACT] = UNKNOWN
    return datasets_of("openers", columns, told)


def read_openers(contents: Contents) -> Openers:
    """Return the openers of a ranking file. Older files lack some datasets."""
    columns = read_columns(contents, "openers", OPENERS)
    exact = columns["status"] == Status.EXACT
    columns.setdefault("weight_distribution", columns["distribution"].astype(np.int64))
    columns.setdefault("failures", np.zeros(len(exact), np.int32))
    for name in _OF_STRATEGIES:
        columns[name][~exact] = 0
    found = columns["weight_distribution"].sum(axis=1)
    columns.setdefault("solvable", np.where(exact, found, UNKNOWN))
    return Openers(**columns)
