"""The job of an experiment: goes on from a file, searches state by state, can be ended early.

It prints nothing: progress goes to a callback, remarks to the package's log.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.plan import Block, Plan, fingerprint
from gpu_wordle.experiments.noise.searcher import StoppedError
from gpu_wordle.experiments.noise.study import NoiseStudy
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.ranking.checkpoints import Checkpoints, Kept, taken_over
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool
from gpu_wordle.tunables import RUNS_AT_ONCE

DRAWN_TOGETHER = 4
"""Runs whose draws come of one call of the generator; a block begins with the first of them."""

_log = logging.getLogger("gpu_wordle")


@dataclass(frozen=True)
class Progress:
    """How far the job has come.

    Attributes:
        done: how often a state was searched in a run, or a run followed on a state.
        total: how often that is to be done.
        runs: runs that are done.
    """

    done: int
    total: int
    runs: int


Listener = Callable[[Progress], None]


class NoiseFile(Kept[NoiseTable], Protocol):
    """Where a job keeps its runs."""

    def save(self, table: NoiseTable, optimum: Optimum) -> None:
        """Keep what has been searched; JobError if that cannot be written."""
        ...


class NoiseJob:
    """Runs of an experiment, and a file.

    Args:
        study: the experiment.
        runs: how many runs are asked for.
        file: where to keep them; nowhere if not given.
        stop_token: what may end the job early.
        on_progress: told how far it is.
        clock: seconds, from any time on.

    Attributes:
        table: what is searched.
        optimum: what it is compared with; None before :meth:`run`, and after an end before it.
    """

    def __init__(
        self,
        study: NoiseStudy,
        runs: int,
        file: NoiseFile | None = None,
        stop_token: StopToken | None = None,
        on_progress: Listener = lambda progress: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.study = study
        self.table = NoiseTable.begin(study, runs)
        self.optimum: Optimum | None = None
        self.stop_token = stop_token or StopToken()
        self._file = file
        self._on_progress = on_progress
        self._checkpoints = Checkpoints(self._write, clock)

    def begin(self, *, fresh: bool = False) -> None:
        """Take over the runs that the file holds, unless ``fresh``.

        Runs that it has beyond those asked for are kept. Raises UserError if the file is of another
        job, or not one of ours.
        """
        known = taken_over(self._file, fresh=fresh)
        if known is not None:
            self.table = known.resized(max(len(known), len(self.table)))
            _log.info("going on from %s, %s", self._file, known)

    def run(self, make_pool: Callable[[], SolverPool]) -> None:
        """Search the runs that are not done yet, until the job is to end; save.

        Raises UnsavedError if the file cannot be written in the end.
        """
        if self.stop_token.is_due():
            return
        pool = make_pool()
        with pool, self.stop_token.of(pool.stop), self._checkpoints.on_failure():
            try:
                self.optimum = Optimum(*self.study.optimum(pool))
                self._work(pool, self.optimum.total)
            except StoppedError:
                pass
        self._checkpoints.finish()

    def _work(self, pool: SolverPool, optimum: int) -> None:
        """Search what is not done yet: block by block on threads, blocks side by side elsewhere."""
        if not pool.workers:
            for first, runs in self._waiting(RUNS_AT_ONCE):
                self._search(pool, first, runs)
                self._follow(pool, first, runs, optimum)
            return
        share = -(-len(self.table) // (DRAWN_TOGETHER * pool.workers))  # lanes share their states
        blocks = self._waiting(min(DRAWN_TOGETHER * share, RUNS_AT_ONCE))
        ask, start = Plan.of(self.study, optimum).search, self.study.valued.start()
        for (first, _), found in pool.in_turn(ask, start, blocks, fingerprint):
            for place, turns in found.turns:
                self.table.enter_turns(first, place, turns)
            for place in range(len(found.turns)):
                self.table.enter_departures(first, place, found.departures)
            self._tell()

    def _waiting(self, together: int) -> list[Block]:
        """First run and number of those that are searched together and are not done yet."""
        blocks, end = [], 0
        for run in np.flatnonzero(~self.table.is_done).tolist():
            if run >= end:
                first = run // DRAWN_TOGETHER * DRAWN_TOGETHER
                end = min(first + together, len(self.table))
                blocks.append((first, end - first))
        return blocks

    def _search(self, pool: SolverPool, first: int, runs: int) -> None:
        """Search the levels of some runs, on the states on which that is not done."""
        open_places = _open(self.table.searched[first : first + runs])
        for place, turns in self.study.search(pool, first, runs, open_places):
            self.table.enter_turns(first, place, turns)
            self._tell()

    def _follow(self, pool: SolverPool, first: int, runs: int, optimum: int) -> None:
        """Follow some runs, which are searched, to where they leave the optimum, likewise."""
        open_places = _open(self.table.followed[first : first + runs])
        if open_places:
            self.table.enter_losses(first, runs, optimum)
        known = self.table.departure[first : first + runs]
        for place, levels in self.study.follow(pool, first, known, open_places):
            self.table.enter_departures(first, place, levels)
            known[:] = self.table.departure[first : first + runs]
            self._tell()

    def _tell(self) -> None:
        """Save, if it is time to, and tell how far the job is."""
        self._checkpoints.attempt_if_due()
        steps = (self.table.searched, self.table.followed)
        done, total = sum(int(each.sum()) for each in steps), sum(each.size for each in steps)
        self._on_progress(Progress(done, total, int(self.table.is_done.sum())))

    def _write(self) -> None:
        if self._file is not None and self.optimum is not None and self.table.is_begun:
            self._file.save(self.table, self.optimum)


def _open(done: NDArray[np.bool_]) -> list[int]:
    """Places of the states on which something is left to be done in any run."""
    places: list[int] = np.flatnonzero(~done.all(axis=0)).tolist()
    return places
