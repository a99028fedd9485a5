"""Noise experiments as workers are sent them: what a study is made of, and runs to search."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

from gpu_wordle.experiments.noise.model import NoiseModel
from gpu_wordle.experiments.noise.policy import Turns
from gpu_wordle.experiments.noise.ready import make_ready
from gpu_wordle.experiments.noise.study import Departures, NoiseStudy
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
    """

    model: NoiseModel
    opener: int
    levels: tuple[Fraction, ...]
    max_guesses: int | None

    @classmethod
    def of(cls, study: NoiseStudy) -> Plan:
        """The plan of a study."""
        limit = study.game.objective.max_guesses
        return cls(study.model, study.opener, study.levels, limit)

    def search(self, pool: SolverPool, start: Position, block: Block) -> Runs:
        """Search some runs, on a worker."""
        objective = replace(start.game.objective, max_guesses=self.max_guesses)
        game = replace(start.game, objective=objective)
        make_ready(game.rule)
        return search_runs(pool, block, NoiseStudy(game, self.model, self.opener, self.levels))


def search_runs(pool: SolverPool, block: Block, study: NoiseStudy) -> Runs:
    """Search some runs of a study; StoppedError where the pool is stopped."""
    first, runs = block
    places = range(len(study.positions))
    turns = sorted(study.search(pool, first, runs, places), key=lambda found: found[0])
    departures: Departures = [None] * runs
    for _, levels in study.follow(pool, first, departures, places if study.model.departs else ()):
        departures[:] = map(lower_level, departures, levels)
    return Runs(turns, departures)


def lower_level(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    """The lower of two levels, of which there may be none."""
    return min((level for level in (one, other) if level is not None), default=None)


def certain(runs: Runs) -> object:
    """What every machine finds: all of it."""
    return [turns.tobytes() for _, turns in runs.turns], runs.departures
