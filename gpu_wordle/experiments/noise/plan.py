"""The runs of a noise experiment as units of a job, searched on threads here or by workers.

A worker is sent the plan of a study, and the runs to search.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.model import NoiseModel
from gpu_wordle.experiments.noise.policy import Turns
from gpu_wordle.experiments.noise.searcher import make_ready
from gpu_wordle.experiments.noise.study import Departures, NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.game.game import Position
from gpu_wordle.ranking.job import Job, Progress
from gpu_wordle.solver import SolverPool
from gpu_wordle.strategies.positions import StoppedError
from gpu_wordle.tunables import RUNS_AT_ONCE

DRAWN_TOGETHER = 4
"""Runs whose draws come from one call of the generator. A block begins with the first of four."""

Block = tuple[int, int]
"""A block of runs: the first one, and the number of runs."""


@dataclass(frozen=True, eq=False)
class Runs:
    """The results of a block of runs.

    Attributes:
        turns: for each state after the opener, its index and the result of NoiseStudy.search.
        departures: the level at which each run first departs from the optimum on any state.
    """

    turns: list[tuple[int, Turns]]
    departures: Departures


@dataclass(frozen=True)
class Plan:
    """A study without its game, which is sent separately.

    Attributes:
        model: the noise model.
        opener: the first guess.
        levels: the levels.
        max_guesses: the guess limit of the game, which perturbed values may ignore.
        optimum: total of an optimal policy.
    """

    model: NoiseModel
    opener: int
    levels: tuple[Fraction, ...]
    max_guesses: int | None
    optimum: int

    @classmethod
    def of(cls, study: NoiseStudy, optimum: int) -> Plan:
        """The plan of a study whose optimal total is known."""
        limit = study.game.objective.max_guesses
        return cls(study.model, study.opener, study.levels, limit, optimum)

    def search(self, pool: SolverPool, start: Position, block: Block) -> Runs:
        """Search a block of runs, on a worker."""
        objective = replace(start.game.objective, max_guesses=self.max_guesses)
        game = replace(start.game, objective=objective)
        make_ready(game.rule)
        study = NoiseStudy(game, self.model, self.opener, self.levels)
        return search_runs(pool, block, study, self.optimum)


def search_runs(pool: SolverPool, block: Block, study: NoiseStudy, optimum: int) -> Runs:
    """Search a block of runs of a study. Raises StoppedError if the pool is stopped."""
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
    """Return all results, on which all workers must agree."""
    return [turns.tobytes() for _, turns in runs.turns], runs.departures


def search(job: Job[NoiseTable], make_pool: Callable[[], SolverPool]) -> None:
    """Search the unfinished runs until the job is to end. The job has begun.

    Raises UserError if the opener is no guaranteed win.
    """
    if not job.stop_token.is_due():
        with make_pool() as pool:
            job.run(_units(job.table, pool), pool.stop)


def _units(table: NoiseTable, pool: SolverPool) -> Iterator[Progress]:
    """Search what is unfinished: block by block on threads, or many blocks at once on workers."""
    with suppress(StoppedError):
        table.optimum = Optimum(*table.study.optimum(pool))
        if pool.workers:
            yield from _shared_out(table, pool, table.optimum.total)
            return
        for first, runs in _waiting(table, RUNS_AT_ONCE):
            yield from _searched(table, pool, first, runs)
            yield from _followed(table, pool, first, runs, table.optimum.total)


def _shared_out(table: NoiseTable, pool: SolverPool, optimum: int) -> Iterator[Progress]:
    """Let workers search blocks of runs. The lanes of a block share its states."""
    share = -(-len(table) // (DRAWN_TOGETHER * pool.workers))
    blocks = _waiting(table, min(DRAWN_TOGETHER * share, RUNS_AT_ONCE))
    ask, start = Plan.of(table.study, optimum).search, table.study.valued.start()
    for (first, _), found in pool.in_turn(ask, start, blocks, fingerprint):
        for place, turns in found.turns:
            table.enter_turns(first, place, turns)
        for place in range(len(found.turns)):
            table.enter_departures(first, place, found.departures)
        yield _progress(table)


def _waiting(table: NoiseTable, together: int) -> list[Block]:
    """Return the unfinished blocks: first run and number of runs."""
    blocks, end = [], 0
    for run in np.flatnonzero(~table.is_done).tolist():
        if run >= end:
            first = run // DRAWN_TOGETHER * DRAWN_TOGETHER
            end = min(first + together, len(table))
            blocks.append((first, end - first))
    return blocks


def _searched(table: NoiseTable, pool: SolverPool, first: int, runs: int) -> Iterator[Progress]:
    """Search the levels of some runs, on the states where they are not searched yet."""
    open_places = _open(table.searched[first : first + runs])
    for place, turns in table.study.search(pool, first, runs, open_places):
        table.enter_turns(first, place, turns)
        yield _progress(table)


def _followed(
    table: NoiseTable, pool: SolverPool, first: int, runs: int, optimum: int
) -> Iterator[Progress]:
    """Find where some searched runs leave the optimum, on the states where that is unknown."""
    open_places = _open(table.followed[first : first + runs])
    if open_places:
        table.enter_losses(first, runs, optimum)
    known = table.departure[first : first + runs]
    for place, levels in table.study.follow(pool, first, known, open_places):
        table.enter_departures(first, place, levels)
        known[:] = table.departure[first : first + runs]
        yield _progress(table)


def _open(done: NDArray[np.bool_]) -> list[int]:
    """Return the indices of the states on which some run is unfinished."""
    places: list[int] = np.flatnonzero(~done.all(axis=0)).tolist()
    return places


def _progress(table: NoiseTable) -> Progress:
    """Return the progress: searches of a state in a run, and departures on a state in a run."""
    steps = table.searched, table.followed
    done, total = sum(int(each.sum()) for each in steps), sum(each.size for each in steps)
    return Progress("searching", done, total, note=f"{int(table.is_done.sum()):,} runs done")
