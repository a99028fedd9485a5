"""Simulation files: every game of strategies from openers, with the figures of each row beside."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.simulations import Simulations
from gpu_wordle.game.game import Game, Position
from gpu_wordle.ranking.openers import UNKNOWN
from gpu_wordle.store.contents import Contents, Dataset, MalformedError, malformed
from gpu_wordle.store.form import GAMES, SIMULATION, column
from gpu_wordle.store.job_files import JobFile
from gpu_wordle.store.provenance import other_job
from gpu_wordle.strategies.named import RULES_VERSION
from gpu_wordle.strategies.strategy import Choice


def games_datasets(simulations: Simulations) -> dict[str, Dataset]:
    """The datasets /games/*."""
    arrays = {
        "strategies": np.array(simulations.strategies),
        "strategy": simulations.strategy,
        "opener": simulations.opener,
        "status": simulations.is_played.astype(np.int8),
        **_figures(simulations),
        "exact_total": simulations.exact_total,
        "turns": simulations.turns,
    }
    return {f"games/{name}": GAMES[name].dataset(values) for name, values in arrays.items()}


def _figures(simulations: Simulations) -> dict[str, NDArray[Any]]:
    """The columns that follow from the games, by name."""
    total = simulations.total
    return {
        "total": total,
        "mean": np.where(total == UNKNOWN, np.nan, total / simulations.game.answer_count),
        "worst": simulations.worst,
        "lost": simulations.lost,
        "distribution": simulations.distribution,
    }


def read_simulations(path: Path, contents: Contents, game: Game) -> Simulations:
    """The games of a simulation file; UserError if its figures are not those of its games."""
    columns = {name: column(contents, f"games/{name}", each) for name, each in GAMES.items()}
    simulations = Simulations(
        game,
        tuple(columns["strategies"].tolist()),
        columns["strategy"],
        columns["opener"],
        columns["status"].astype(np.bool_),
        columns["turns"],
        columns["exact_total"],
    )
    try:
        _check(simulations)
        for name, values in _figures(simulations).items():
            if not np.array_equal(values, columns[name], equal_nan=True):
                raise MalformedError(f"games/{name} is not what its games come to")
    except MalformedError as error:
        raise malformed(path, str(error)) from None
    return simulations


def _check(simulations: Simulations) -> None:
    """MalformedError unless each row is of a strategy and an opener of its own, and can be true."""
    if len(set(simulations.pairs)) < len(simulations):
        raise MalformedError("some of its rows are of the same strategy and opener")
    if simulations.turns[~simulations.is_played].any():
        raise MalformedError("it has games of rows that are not played")
    won_in_time = simulations.lost == 0
    if (simulations.exact_total > simulations.total)[won_in_time].any():
        raise MalformedError("games/exact_total is above games/total, where no answer is lost")


class SimulationFile(JobFile):
    """The file of a simulation; see experiments/simulation_job.py.

    Args:
        path: where it is, or is to be.
        position: the start of the game that is played.
        strategies: names of what plays it.
        choice: how greedy rules come to a guess.
        backend: name of what computes.
        device: what that runs on.
    """

    def __init__(
        self,
        path: Path,
        position: Position,
        strategies: tuple[str, ...],
        choice: Choice,
        backend: str,
        device: str,
    ) -> None:
        super().__init__(path, SIMULATION, position, backend, device)
        self._strategies = strategies
        self.contents.attributes |= {
            "choice": str(choice),
            "seed": choice.seed,
            "rules_version": RULES_VERSION,
        }

    def load(self) -> Simulations | None:
        """What an earlier run has played; None if there is no file.

        Raises UserError if it is damaged, contradicts itself, or is of another job.
        """
        old = self.read()
        if old is None:
            return None
        self.check_same(old, ("choice", "seed", "rules_version"))
        simulations = read_simulations(self.path, old, self.position.game)
        if simulations.strategies != self._strategies:
            named = (" ".join(names) for names in (simulations.strategies, self._strategies))
            raise other_job(self.path, "strategies", *named)
        return simulations

    def save(self, simulations: Simulations) -> None:
        """Write the file, which is held, unless there are no rows; JobError if it cannot be."""
        if not len(simulations):
            return
        self.contents.datasets |= games_datasets(simulations)
        self.write()
