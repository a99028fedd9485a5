"""The owner's side: sends units to workers, collects results, and retries what failed.

A unit whose worker lacked the game is sent again with the game. A unit whose worker died or failed
is sent again until MAX_TRIES workers have failed. When no task is left and workers are idle, a late
unit goes to a second worker; the first answer counts, and results that arrive twice are compared.
"""

from __future__ import annotations

import time
from collections import deque
from collections.abc import Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Future
from concurrent.futures import wait as wait_for
from dataclasses import dataclass, replace
from itertools import count
from math import inf
from typing import Any

from gpu_wordle.cluster.cutting import Cutter
from gpu_wordle.cluster.unit import (
    Answer,
    Orbit,
    PackedGame,
    PackedPosition,
    Terms,
    Unit,
    Work,
    identity,
    program,
)
from gpu_wordle.cluster.worker import work_on
from gpu_wordle.cluster.worker_pool import WorkerPool
from gpu_wordle.errors import JobError, UserError, counted, one_line, quoted
from gpu_wordle.game.game import Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.solver import Stop
from gpu_wordle.tunables import UNITS_AHEAD


class JobFuture(Future[Answer]):
    """A standard future around a job that has only ``done()`` and ``result()``.

    Args:
        job: the job that the executor returned.
    """

    def __init__(self, job: Any) -> None:
        super().__init__()
        self._job = job

    def look(self) -> None:
        """Take the job's result or exception, if the job is done."""
        if self.done() or not self._job.done():
            return
        try:
            self.set_result(self._job.result())
        except Exception as error:  # whatever it is, the caller of result() gets it
            self.set_exception(error)

    def cancel(self) -> bool:
        """Cancel the future, and the job too if it can be cancelled."""
        cancel = getattr(self._job, "cancel", None)
        if cancel is not None and not self.done():
            cancel()
        return super().cancel()


def as_future(job: Any) -> Future[Answer]:
    """Wrap what an executor's ``submit`` returned as a standard future."""
    return job if isinstance(job, Future) else JobFuture(job)


LOOK_AGAIN_SECONDS = 0.1
"""Interval at which the owner checks for a stop while it waits for results."""

MAX_TRIES = 3
"""The job ends when a unit has failed on this many workers."""

LATE_FACTOR = 3.0
"""A unit is late after this many times its expected duration."""

LATE_SECONDS = 10.0
"""A unit is never late before this many seconds."""

_numbers = count()


@dataclass(frozen=True)
class PendingUnit:
    """A unit that is with a worker, or waits to be sent again.

    Attributes:
        tasks: its tasks.
        tries: how many workers have failed at it.
        sent: when it was sent, by time.monotonic.
        is_second: whether this is the second copy of a late unit.
        lacked: whether it came back because its worker lacked the game.
    """

    tasks: tuple[Any, ...]
    tries: int = 0
    sent: float = 0.0
    is_second: bool = False
    lacked: bool = False


class Dispatch:
    """Shares tasks of one kind, about one position, among workers.

    Args:
        worker_pool: the workers.
        work: the kind of work.
        position: the position that the tasks are about.
        terms: threads and memory of each worker.
        stop: ends the work early when set.
    """

    def __init__(
        self,
        worker_pool: WorkerPool,
        work: Work,
        position: Position,
        terms: Terms,
        stop: Stop,
    ) -> None:
        game = position.game
        self._worker_pool = worker_pool
        self._work = work
        self._words = game.words.guesses.words
        self._where = PackedPosition.of(position)
        self._cutter: Cutter[Any]
        self._terms = terms
        self._stop = stop
        self._game = identity(game.words, game.rule, game.objective)
        self._sent = PackedGame.of(game)
        self._is_lacking = True  # whether workers may lack the game
        self._is_cut = False  # whether all tasks are in units
        self._again: deque[PendingUnit] = deque()
        self._out: dict[Future[Answer], PendingUnit] = {}
        self._open: set[Any] = set()
        self._settled: dict[Any, tuple[object, str]] = {}

    def results(self, tasks: Iterable[Any], whole: float = inf) -> Iterator[list[tuple[Any, Any]]]:
        """Yield tasks with their results, each once, as units come back; ends early after a stop.

        Tasks must be hashable and picklable, and are drawn only when they are sent. ``whole`` is
        the weight of all tasks, if known.

        Raises JobError if workers contradict each other, run another program, or are all gone.
        """
        self._cutter = Cutter(iter(tasks), self._work.weight, whole, self._work.seconds)
        try:
            while not self._stop.is_set():
                self._hand_out()
                for future in self._out:
                    if isinstance(future, JobFuture):
                        future.look()
                if self._is_cut and not self._open:
                    return
                back, _ = wait_for(self._out, LOOK_AGAIN_SECONDS, FIRST_COMPLETED)
                for future in [each for each in self._out if each in back]:  # as they were sent
                    yield self._take_back(future, self._out.pop(future))
        finally:
            for future in self._out:
                future.cancel()

    def _hand_out(self) -> None:
        """Send units until every worker has UNITS_AHEAD of them."""
        try:
            slots = self._worker_pool.slots()
        except BrokenExecutor as error:
            raise self._gone(error) from None
        while len(self._out) < UNITS_AHEAD * slots:
            if self._again:
                self._send(self._again.popleft())
                continue
            tasks = () if self._is_cut else self._cutter.next(slots)
            if not tasks:
                self._is_cut = True
                break
            self._open.update(tasks)
            self._send(PendingUnit(tasks))
        if self._is_cut and not self._again and len(self._out) < slots:
            self._hurry()

    def _hurry(self) -> None:
        """Send one late unit to a second worker."""
        seconds = [pending.tasks for pending in self._out.values() if pending.is_second]
        for pending in list(self._out.values()):
            patience = max(LATE_SECONDS, LATE_FACTOR * self._cutter.expected(pending.tasks))
            is_late = self._is_open(pending.tasks) and time.monotonic() - pending.sent > patience
            if is_late and pending.tasks not in seconds:
                self._send(PendingUnit(pending.tasks, pending.tries, is_second=True))
                return

    def _send(self, pending: PendingUnit) -> None:
        unit = Unit(
            next(_numbers),
            program(),
            self._game,
            self._sent if self._is_lacking or pending.lacked else None,
            self._terms,
            self._work.do,
            self._where,
            pending.tasks,
            self._work.known(),
        )
        try:
            future = as_future(self._worker_pool.executor.submit(work_on, unit))
        except Exception as error:  # whatever the executor raised, it accepts no more units
            raise self._gone(error) from error
        self._out[future] = replace(pending, sent=time.monotonic())

    def _take_back(self, future: Future[Answer], pending: PendingUnit) -> list[tuple[Any, Any]]:
        """Return the new results of a unit.

        Sends the unit again if some of its tasks are not done.
        """
        error = CancelledError() if future.cancelled() else future.exception()
        if isinstance(error, UserError):
            raise error
        if isinstance(error, BrokenExecutor):
            raise self._gone(error) from None
        if error is not None:  # such as Ctrl-C, which workers may receive before their owner
            self._try_again(pending, error)
            return []
        answer = future.result()
        if answer.program != program():
            raise JobError(
                f"worker {answer.worker} runs {answer.program}, this job {program()}; "
                "install the same program there, and start the workers again"
            )
        self._is_lacking = not answer.had_game
        if answer.done is None:
            self._again.append(replace(pending, lacked=True))
            return []
        self._cutter.learn(pending.tasks, answer.seconds)
        self._worker_pool.roster.note(answer.worker, len(pending.tasks), answer.seconds)
        fresh = [each for each in answer.done if self._is_news(*each, answer.worker)]
        missing = tuple(task for task in pending.tasks if task in self._open)
        if missing:
            self._try_again(PendingUnit(missing, pending.tries), JobError("tasks left undone"))
        return fresh

    def _is_news(self, task: Any, result: Any, worker: str) -> bool:
        """True for the first result of a task; JobError if a later one contradicts the first."""
        fingerprint = self._work.fingerprint(result)
        if task not in self._settled:
            if task not in self._open:
                return False  # the task was never sent
            self._open.remove(task)
            self._settled[task] = fingerprint, worker
            return True
        known, earlier = self._settled[task]
        if None not in (known, fingerprint) and known != fingerprint:
            raise JobError(
                f"two workers contradict each other about {self._told(task)}: {earlier} found "
                f"{quoted(known)}, {worker} found {quoted(fingerprint)}; one of the machines is "
                "faulty, and gpu-wordle verify finds out whether what was done is right"
            )
        return False

    def _told(self, task: Any) -> str:
        """Return a task as errors show it. Integers and orbits are spelled as guesses."""
        if not isinstance(task, int | Orbit):
            return str(task)
        guesses = task.guesses if isinstance(task, Orbit) else (task,)
        return ", ".join(capitals(self._words[guess]) for guess in guesses)

    def _is_open(self, tasks: tuple[Any, ...]) -> bool:
        """True if any of these tasks still lacks a result."""
        return not self._open.isdisjoint(tasks)

    def _try_again(self, pending: PendingUnit, error: BaseException) -> None:
        """Queue a unit again after its worker failed. Raises JobError after MAX_TRIES failures."""
        if not self._is_open(pending.tasks):
            return
        if pending.tries + 1 >= MAX_TRIES:
            if isinstance(error, CancelledError):  # dask cancels units when its scheduler is gone
                raise self._gone(error)
            said = one_line(f"{type(error).__name__} {error}".strip())
            raise JobError(
                f"a unit of {counted(len(pending.tasks), 'task')} failed on {MAX_TRIES} workers "
                f"({said}); what was done is kept"
            ) from error
        self._again.append(PendingUnit(pending.tasks, pending.tries + 1))

    def _gone(self, error: BaseException) -> JobError:
        """The error for a job without workers; forgets the units sent, which nobody can cancel."""
        self._out.clear()
        return JobError(
            f"the workers are gone ({one_line(str(error)) or type(error).__name__}); what was done "
            "is kept; start workers, and the same command goes on"
        )
