"""Noise experiments as workers are sent them: what a study is made of, and runs to search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from gpu_wordle.experiments.noise.model import NoiseModel
from gpu_wordle.experiments.noise.policy import Turns
from gpu_wordle.experiments.noise.ready import make_ready
from gpu_wordle.experiments.noise.study import Departures, NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable
from gpu_wordle.game.game import Position
from gpu_wordle.solver import SolverPool

Block = tuple[int, int]
"""The first of some runs, and how many they are."""


@dataclass(frozen=True, eq=False)
class Runs:
    """Some runs as a worker has searched them.

    Attributes:
        turns: of each state that the opener leaves, its place and what NoiseStudy.search tells.
        departures: the level at which each run first leaves the optimum on any of them.
    """

    turns: list[tuple[int, Turns]]
    departures: Departures


@dataclass(frozen=True)
class Plan:
    """A study without its game, whose valued form is sent beside it.

    Attributes:
        model: what is drawn and perturbed.
        opener: the first guess.
        levels: the levels.
        max_guesses: the guess limit of the game, which values may not know.
        optimum: guesses of an optimal policy over all answers.
    """

    model: NoiseModel
    opener: int
    levels: tuple[Fraction, ...]
    max_guesses: int | None
    optimum: int

    @classmethod
    def of(cls, study: NoiseStudy, optimum: int) -> Plan:
        """The plan of a study, of which the optimum is known."""
        limit = study.game.objective.max_guesses
        return cls(study.model, study.opener, study.levels, limit, optimum)

    def search(self, pool: SolverPool, start: Position, block: Block) -> Runs:
        """Search some runs, on a worker."""
        objective = replace(start.game.objective, max_guesses=self.max_guesses)
        game = replace(start.game, objective=objective)
        make_ready(game.rule)
        study = NoiseStudy(game, self.model, self.opener, self.levels)
        return search_runs(pool, block, study, self.optimum)


def search_runs(pool: SolverPool, block: Block, study: NoiseStudy, optimum: int) -> Runs:
    """Search some runs of a study; StoppedError where the pool is stopped."""
    first, runs = block
    places = range(len(study.positions))
    table = NoiseTable.begin(study, runs)
    turns = sorted(study.search(pool, first, runs, places), key=lambda found: found[0])
    for place, found in turns:
        table.enter_turns(0, place, found)
    if study.model.departs:
        table.enter_losses(0, runs, optimum)
        for place, levels in study.follow(pool, first, table.departure, places):
            table.enter_departures(0, place, levels)
    return Runs(turns, table.departure)


def fingerprint(runs: Runs) -> object:
    """What every machine finds: all of it."""
    return [turns.tobytes() for _, turns in runs.turns], runs.departures
