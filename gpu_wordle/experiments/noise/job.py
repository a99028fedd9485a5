"""The job of an experiment: goes on from a file, searches run by run, can be ended early.

It prints nothing: progress goes to a callback, remarks to the package's log.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from typing import Protocol

import numpy as np

from gpu_wordle.experiments.noise.plan import Block, Plan, certain, search_runs
from gpu_wordle.experiments.noise.searcher import StoppedError
from gpu_wordle.experiments.noise.study import NoiseStudy, Runs
from gpu_wordle.experiments.noise.table import NoiseTable, Optimum
from gpu_wordle.ranking.checkpoints import Checkpoints, Kept, taken_over
from gpu_wordle.ranking.ending import Ending
from gpu_wordle.solver import SolverPool
from gpu_wordle.tunables import RUNS_AT_ONCE

DRAWN_TOGETHER = 4
"""Runs whose draws come of one call of the generator; a block begins with the first of them."""

_log = logging.getLogger("gpu_wordle")


@dataclass(frozen=True)
class Progress:
    """How far the job has come.

    Attributes:
        done: states searched, of all runs together.
        total: how many there are.
        runs: runs that are done.
    """

    done: int
    total: int
    runs: int


Heard = Callable[[Progress], None]


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
        ending: what may end the job early.
        heard: told how far it is.
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
        ending: Ending | None = None,
        heard: Heard = lambda progress: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.study = study
        self.table = NoiseTable.begin(study, runs)
        self.optimum: Optimum | None = None
        self.ending = ending or Ending()
        self._file = file
        self._heard = heard
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
        """Search the runs that are not done yet, until the job is to end; save."""
        if self.ending.is_due():
            return
        pool = make_pool()
        with pool, self.ending.of(pool.stop), self._checkpoints.on_failure():
            try:
                self.optimum = Optimum(*self.study.optimum(pool))
                for _, runs in self._searched(pool):
                    self.table.enter(runs)
                    self._checkpoints.attempt_if_due()
            except StoppedError:
                pass
        self._checkpoints.save()

    def _searched(self, pool: SolverPool) -> Iterator[tuple[Block, Runs]]:
        """Runs that are not done yet, some together, as they are searched."""
        start = self.study.valued.start()
        if not pool.workers:
            search = partial(search_runs, study=self.study, advance=self._tell)
            yield from pool.in_turn(search, start, self._waiting(RUNS_AT_ONCE))
            return
        share = -(-len(self.table) // (DRAWN_TOGETHER * pool.workers))  # lanes share their states
        blocks = self._waiting(min(DRAWN_TOGETHER * share, RUNS_AT_ONCE))
        for block, runs in pool.in_turn(Plan.of(self.study).search, start, blocks, certain):
            yield block, runs
            done = int(self.table.is_done.sum())
            self._heard(Progress(done, len(self.table), done))

    def _waiting(self, together: int) -> list[Block]:
        """First run and number of those that are searched together and are not done yet."""
        blocks, end = [], 0
        for run in np.flatnonzero(~self.table.is_done).tolist():
            if run >= end:
                first = run // DRAWN_TOGETHER * DRAWN_TOGETHER
                end = min(first + together, len(self.table))
                blocks.append((first, end - first))
        return blocks

    def _tell(self, done: int, total: int) -> None:
        blocks = -(-len(self.table) // RUNS_AT_ONCE)
        runs = int(self.table.is_done.sum())
        self._heard(Progress(runs // RUNS_AT_ONCE * total + done, blocks * total, runs))

    def _write(self) -> None:
        if self._file is not None and self.optimum is not None and np.any(self.table.is_done):
            self._file.save(self.table, self.optimum)
