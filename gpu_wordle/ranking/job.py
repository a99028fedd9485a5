"""The job of ranking: goes on from a file, solves, keeps checkpoints, and can be ended early.

It prints nothing: progress goes to a callback, remarks to the package's log.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.game.game import Game
from gpu_wordle.ranking.checkpoints import Checkpoints, Kept, taken_over
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool, by_letters
from gpu_wordle.states.partition import PartitionStats
from gpu_wordle.tunables import SAME_PROMISE

LOOK_SECONDS = 0.5
"""Between two looks for the best openers."""
BEST = 5
"""Openers that progress names."""

SOLVING, INFEASIBLE = "solving", "infeasible"
"""The phases of the job: values first; then what can be solved of what cannot surely be won."""

_log = logging.getLogger("gpu_wordle")


class RankingFile(Kept[Openers], Protocol):
    """Where a job keeps what it has proved."""

    def save(self, openers: Openers) -> None:
        """Keep what has been proved; JobError if that cannot be written."""
        ...


class Progress(NamedTuple):
    """How far a ranking has come.

    Attributes:
        phase: SOLVING, or INFEASIBLE while finding what infeasible openers can solve.
        done: openers of the phase that are done.
        total: openers of the phase.
        best: the best openers so far, with their values; while INFEASIBLE the one that solves most,
            with the weight that it solves.
    """

    phase: str
    done: int
    total: int
    best: tuple[tuple[int, int], ...] = ()


def ignore_progress(progress: Progress) -> None:
    """Nobody asked how far the job has come."""


def promising_first(
    ranking: Ranking, statistics: PartitionStats, count: int | None
) -> NDArray[np.intp]:
    """The ``count`` most promising guesses, or all, in the order in which to solve them.

    Of guesses that promise about the same, those with the same letters go one after another.
    """
    wanted = ranking.game.guess_count if count is None else count
    chosen = ranking.most_promising(statistics, wanted)
    return in_chunks(ranking.game, chosen)


def in_chunks(game: Game, guesses: NDArray[np.intp]) -> NDArray[np.intp]:
    """Guesses, the promising ones first, with neighbours of about the same promise by letters."""
    chunks = (
        guesses[start : start + SAME_PROMISE] for start in range(0, len(guesses), SAME_PROMISE)
    )
    ordered = [guess for chunk in chunks for guess in by_letters(game, chunk.tolist())]
    return np.array(ordered, np.intp)


class RankingJob:
    """A ranking and its file: resume, solve with checkpoints, save.

    Args:
        ranking: what is to be solved.
        file: where to keep it; nowhere if not given.
        stop_token: what may end the job early.
        progress: called whenever an opener is done.
        clock: seconds, from any time on.
    """

    def __init__(
        self,
        ranking: Ranking,
        file: RankingFile | None = None,
        stop_token: StopToken | None = None,
        progress: Callable[[Progress], None] = ignore_progress,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.ranking = ranking
        self.stop_token = stop_token or StopToken()
        self._file = file
        self._progress = progress
        self._clock = clock
        self._checkpoints = Checkpoints(self._write, clock)

    def begin(self, *, fresh: bool = False) -> None:
        """Take over what the file has proved, unless ``fresh``, and see that it can be written.

        Raises UserError if the file is of another job, or not one of ours; JobError if it cannot
        be written.
        """
        known = taken_over(self._file, fresh=fresh)
        if known is not None:
            self.ranking.openers = known
            solved = int(known.is_solved.sum())
            told = counted(solved, "guess", "guesses")
            _log.info("going on from %s, %s solved", self._file, told)
        self._checkpoints.save()

    def run(
        self,
        todo: NDArray[np.intp],
        make_pool: Callable[[], SolverPool],
        make_lossy_pool: Callable[[int], SolverPool | None],
    ) -> None:
        """Solve ``todo``, then what the infeasible ones of it can solve, and save.

        Pools are made when they are needed, one after the other. ``make_lossy_pool`` is told of how
        many guesses it is needed for; without a pool, what they can solve stays unknown.
        Raises UnsavedError if the file cannot be written in the end.
        """
        self.solve(todo, make_pool)
        self.solve_infeasible(todo, make_lossy_pool)
        self._checkpoints.finish()

    def solve(self, todo: NDArray[np.intp], make_pool: Callable[[], SolverPool]) -> None:
        """Solve ``todo``, or as many of it as can be until the job is to end."""
        done = int(self.ranking.openers.is_solved[todo].sum())
        if done < len(todo) and not self.stop_token.is_due():
            pool = make_pool()
            work = self.ranking.solve(todo, pool)
            self._work(work, pool, Progress(SOLVING, done, len(todo)), self._best)

    def solve_infeasible(
        self, todo: NDArray[np.intp], make_pool: Callable[[int], SolverPool | None]
    ) -> None:
        """Find what the infeasible ones of ``todo`` can solve, until the job is to end."""
        lacking = int(self.ranking.lacks_solvable[todo].sum())
        if lacking == 0 or self.stop_token.is_due():
            return
        self._checkpoints.attempt()  # nobody listens for Ctrl-C while another pool is made
        pool = make_pool(lacking)
        if pool is not None:
            work = self.ranking.solve_infeasible(todo, pool)
            self._work(work, pool, Progress(INFEASIBLE, 0, lacking), self._most_solvable)

    def _work(
        self,
        work: Iterator[Sequence[int]],
        pool: SolverPool,
        begun: Progress,
        look: Callable[[], tuple[tuple[int, int], ...]],
    ) -> None:
        """Do what the pool was made for, with checkpoints and progress, and leave the pool."""
        done, best, looked = begun.done, begun.best, self._clock() - LOOK_SECONDS
        with pool, self.stop_token.of(pool.stop), self._checkpoints.on_failure():
            self._progress(begun)
            for group in work:
                if self._clock() - looked >= LOOK_SECONDS:
                    looked, best = self._clock(), look()
                for _ in group:
                    if not pool.stop.is_set():  # else the search of this one was cut short
                        done += 1
                    self._progress(Progress(begun.phase, done, begun.total, best))
                    self._checkpoints.attempt_if_due()

    def _write(self) -> None:
        if self._file is not None:
            self._file.save(self.ranking.openers)

    def _best(self) -> tuple[tuple[int, int], ...]:
        openers = self.ranking.openers
        best = openers.order()[:BEST].tolist()
        return tuple((g, int(openers.upper[g])) for g in best if openers.status[g] == Status.EXACT)

    def _most_solvable(self) -> tuple[tuple[int, int], ...]:
        openers = self.ranking.openers
        solvable = np.where(openers.status == Status.INFEASIBLE, openers.solvable, UNKNOWN)
        guess = int(solvable.argmax())
        return ((guess, int(solvable[guess])),) if solvable[guess] != UNKNOWN else ()
