"""The job of finding the best pairs: goes on from a file, keeps checkpoints, can be ended early.

It prints nothing: progress goes to a callback, remarks to the package's log.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from gpu_wordle.backends.protocol import JointCounter
from gpu_wordle.errors import counted
from gpu_wordle.experiments.pairs.survey import Survey
from gpu_wordle.experiments.pairs.totals import Totals
from gpu_wordle.ranking.checkpoints import Checkpoints, Kept, taken_over
from gpu_wordle.ranking.job import LOOK_SECONDS
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool, Stop

COUNTING, SOLVING = "counting", "solving"
"""The phases of the job: all pairs first, then the best of them."""

_log = logging.getLogger("gpu_wordle")


@dataclass(frozen=True)
class Progress:
    """How far the job has come.

    Attributes:
        phase: COUNTING first guesses, or SOLVING pairs.
        done: what of that is done.
        total: what there is; of a proof the pairs that its first bound has not refuted yet.
        best: the best pair so far and its total, if one is exact.
    """

    phase: str
    done: int
    total: int
    best: tuple[int, int, int] | None = None


Listener = Callable[[Progress], None]


class PairFile(Kept[tuple[Survey, Totals]], Protocol):
    """Where a job keeps what it has found."""

    def save(self, survey: Survey, totals: Totals) -> None:
        """Keep what has been found; JobError if that cannot be written."""
        ...


class PairsJob:
    """All pairs and their file: resume, count and solve with checkpoints, save.

    Args:
        survey: what is to be counted.
        file: where to keep it; nowhere if not given.
        stop_token: what may end the job early.
        on_progress: told how far it is.
        clock: seconds, from any time on.
    """

    def __init__(
        self,
        survey: Survey,
        file: PairFile | None = None,
        stop_token: StopToken | None = None,
        on_progress: Listener = lambda progress: None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.survey = survey
        self.totals = Totals.of_survey(survey)
        self.stop_token = stop_token or StopToken()
        self._file = file
        self._on_progress = on_progress
        self._clock = clock
        self._checkpoints = Checkpoints(self._write, clock)

    def begin(self, *, fresh: bool = False) -> None:
        """Take over what the file holds, unless ``fresh``.

        Raises UserError if the file is of another job, or not one of ours.
        """
        known = taken_over(self._file, fresh=fresh)
        if known is not None:
            self.survey, self.totals = known
            pairs = counted(self.survey.pair_count, "pair")
            exact = int(self.totals.is_exact.sum())
            _log.info("going on from %s, %s counted, %s exact", self._file, pairs, f"{exact:,}")

    def count(
        self,
        make_counter: Callable[[], JointCounter],
        shared: Callable[[Survey, Stop], Iterator[int]] | None = None,
    ) -> None:
        """Count the pairs that are not counted yet, as many as can be until the job is to end.

        ``shared``, if it is given, has others count them, as ``Survey.run`` would.
        """
        survey = self.survey
        if survey.is_complete or self.stop_token.is_due():
            return
        stop = Stop()
        counting = survey.run(make_counter()) if shared is None else shared(survey, stop)
        with self.stop_token.of(stop), self._checkpoints.on_failure():
            self._on_progress(Progress(COUNTING, survey.counted, survey.rows))
            for done in counting:
                self._on_progress(Progress(COUNTING, done, survey.rows))
                if stop.is_set():
                    break
                self._checkpoints.attempt_if_due()
        self._checkpoints.attempt()  # there may be room again when pairs are solved

    def solve(self, count: int, make_pool: Callable[[], SolverPool], *, prove: bool) -> None:
        """Find exact totals of ``count`` pairs, the most promising or, with proof, the best."""
        totals = self.totals
        if self.stop_token.is_due() or not self.survey.is_complete:
            return
        if prove and totals.is_proven(count):
            return
        pool, done, looked = make_pool(), 0, self._clock() - LOOK_SECONDS
        with pool, self.stop_token.of(pool.stop), self._checkpoints.on_failure():
            for _ in totals.solve(count, pool, prove=prove):
                done += 1
                if self._clock() - looked >= LOOK_SECONDS:
                    looked = self._clock()
                    left = totals.open_count(count) if prove else count - done
                    self._on_progress(Progress(SOLVING, done, done + left, totals.best))
                self._checkpoints.attempt_if_due()

    def save(self) -> None:
        """Write the file, if there is to be one and something was counted.

        Raises UnsavedError if that cannot be done.
        """
        self._checkpoints.finish()

    def _write(self) -> None:
        if self.totals.pairs is not self.survey.kept:
            self.totals = Totals.of_survey(self.survey, self.totals)
        if self._file is not None and len(self.survey.kept):
            self._file.save(self.survey, self.totals)
