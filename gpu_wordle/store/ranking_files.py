"""Ranking files: what is known of every opener, with the statistics beside it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.consistency import check_openers
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status
from gpu_wordle.store.contents import Contents, Dataset
from gpu_wordle.store.form import OPENERS, RANKING, STATISTICS_OF_GUESSES, column
from gpu_wordle.store.job_files import JobFile
from gpu_wordle.verify import VerificationError

_OF_STRATEGIES = ("distribution", "weight_distribution", "failures")
"""Columns that say nothing of an opener of which no strategy was extracted."""


def statistics_datasets(columns: dict[str, NDArray[Any]]) -> dict[str, Dataset]:
    """The datasets /statistics/* of the columns of statistics.columns_of."""
    return {
        f"statistics/{name}": STATISTICS_OF_GUESSES[name].dataset(values)
        for name, values in columns.items()
    }


def read_statistics(contents: Contents) -> dict[str, NDArray[Any]]:
    """The statistics of a ranking file by name, as far as it has them."""
    return {
        name: contents.values(f"statistics/{name}")
        for name in STATISTICS_OF_GUESSES
        if f"statistics/{name}" in contents.datasets
    }


def openers_datasets(openers: Openers, game: Game) -> dict[str, Dataset]:
    """The datasets /openers/*; those that say nothing that the others do not are left out."""
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
    unknown = openers.status != Status.EXACT
    result = {}
    for name, each in columns.items():
        values = getattr(openers, name)
        if name in _OF_STRATEGIES:
            values = values.copy()
            values[unknown] = UNKNOWN
        result[f"openers/{name}"] = each.dataset(values)
    return result


def read_openers(contents: Contents) -> Openers:
    """The openers of a ranking file, which may be older than some of the datasets."""
    columns = {
        name: column(contents, f"openers/{name}", each)
        for name, each in OPENERS.items()
        if f"openers/{name}" in contents.datasets
    }
    exact = columns["status"] == Status.EXACT
    columns.setdefault("weight_distribution", columns["distribution"].astype(np.int64))
    columns.setdefault("failures", np.zeros(len(exact), np.int32))
    for name in _OF_STRATEGIES:
        columns[name][~exact] = 0
    found = columns["weight_distribution"].sum(axis=1)
    columns.setdefault("solvable", np.where(exact, found, UNKNOWN))
    return Openers(**columns)


class RankingFile(JobFile):
    """The file of a ranking job; see ranking/job.py.

    Args:
        path: where it is, or is to be.
        position: what is ranked.
        columns: the statistics of the guesses, by name.
        backend: name of what computes.
        device: what that runs on.
    """

    def __init__(
        self,
        path: Path,
        position: Position,
        columns: dict[str, NDArray[Any]],
        backend: str,
        device: str,
    ) -> None:
        super().__init__(path, RANKING, position, backend, device)
        self.contents.datasets |= statistics_datasets(columns)

    def load(self) -> Openers | None:
        """What an earlier run has proved; None if there is no file.

        Raises UserError if it is damaged, contradicts itself, or is of another job.
        """
        old = self.read()
        if old is None:
            return None
        openers = read_openers(old)
        try:
            check_openers(openers, self.position.game, self.position)
        except VerificationError as error:
            raise UserError(f"{self.path}: cannot be true, {error}; --fresh replaces it") from None
        return openers

    def save(self, openers: Openers) -> None:
        """Write the file, which is held; JobError if that cannot be done."""
        self.contents.datasets |= openers_datasets(openers, self.position.game)
        self.write()
