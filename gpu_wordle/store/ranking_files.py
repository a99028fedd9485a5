"""Ranking files: what is known of every opener, with the statistics beside it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status
from gpu_wordle.ranking.statistics import STATISTICS
from gpu_wordle.store.hdf5 import Contents, Dataset, check_replaceable, load, save
from gpu_wordle.store.provenance import check_same_game, describe

FILETYPE = "gpu-wordle ranking"

_OPENERS = {
    "lower": ("guesses", f"proven lower bound of the total; {INFEASIBLE}: no strategy"),
    "upper": ("guesses", f"total of a known strategy; {INFEASIBLE}: none known"),
    "status": ("code", ", ".join(f"{status.value}: {status.name.lower()}" for status in Status)),
    "worst": ("guesses", "turn on which the last answer is found; 0: no strategy extracted"),
    "distribution": ("answers", "answers found on turn 1, 2, ... by the strategy"),
    "weight_distribution": ("weight", "weight of the answers found on turn 1, 2, ..."),
    "failures": ("answers", "answers that the strategy does not find"),
    "solvable": ("weight", f"most that any strategy finds in time; {UNKNOWN}: unknown"),
    "height": ("guesses", "guesses on the longest path of the strategy"),
    "expanded": ("states", "states expanded by the search; depends on what was solved before"),
    "seconds": ("s", "CPU time of the search"),
}


def statistics_datasets(columns: dict[str, NDArray[Any]]) -> dict[str, Dataset]:
    """The datasets /statistics/* of the columns of statistics.columns_of."""
    return {
        f"statistics/{name}": Dataset(values, STATISTICS[name].units, STATISTICS[name].description)
        for name, values in columns.items()
    }


def openers_datasets(openers: Openers, game: Game) -> dict[str, Dataset]:
    """The datasets /openers/*; those that say nothing that the others do not are left out."""
    units = dict(_OPENERS)
    if not game.objective.is_mean:
        legend = game.prices.legend
        units["lower"] = ("value", f"proven lower bound of {legend}; {INFEASIBLE}: no strategy")
        units["upper"] = ("value", f"value of a known strategy: {legend}; {INFEASIBLE}: none known")
    if game.objective.weights is None:
        del units["weight_distribution"]
        units["solvable"] = ("answers", units["solvable"][1])
    if not game.objective.allows_failure:
        del units["failures"]
    if (openers.solvable[openers.status == Status.INFEASIBLE] == UNKNOWN).all():
        del units["solvable"]
    return {
        f"openers/{name}": Dataset(getattr(openers, name), unit, description)
        for name, (unit, description) in units.items()
    }


def read_openers(contents: Contents) -> Openers:
    """The openers of a ranking file, which may be older than some of the datasets."""
    columns = {
        name: contents.values(f"openers/{name}").copy()
        for name in _OPENERS
        if f"openers/{name}" in contents.datasets
    }
    columns.setdefault("weight_distribution", columns["distribution"].astype(np.int64))
    columns.setdefault("failures", np.zeros(len(columns["lower"]), np.int32))
    exact = columns["status"] == Status.EXACT
    found = columns["weight_distribution"].sum(axis=1)
    columns.setdefault("solvable", np.where(exact, found, UNKNOWN))
    return Openers(**columns)


class RankingFile:
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
        self._path = path
        self._game = position.game
        self._contents = describe(position.game, FILETYPE, backend, device)
        self._contents.attributes["state"] = position.history
        self._contents.datasets |= statistics_datasets(columns)

    def __str__(self) -> str:
        return str(self._path)

    def load(self) -> Openers | None:
        """What an earlier run has proved; None if there is no file.

        Raises UserError if it is damaged, or of another job.
        """
        if not self._path.exists():
            return None
        old = load(self._path, FILETYPE)
        check_same_game(self._path, old, self._contents, also=("state",))
        self._contents.attributes["created"] = old.attributes["created"]
        return read_openers(old)

    def check_replaceable(self) -> None:
        """UserError if there is a file that is not one of ours."""
        check_replaceable(self._path)

    def save(self, openers: Openers) -> None:
        """Write the file; JobError if that cannot be done."""
        self._contents.datasets |= openers_datasets(openers, self._game)
        save(self._path, self._contents)
