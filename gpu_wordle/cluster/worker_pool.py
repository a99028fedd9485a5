"""A pool of workers: an executor, the number of its slots, and the roster of its workers."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from dataclasses import dataclass, field
from functools import cached_property

from gpu_wordle.errors import counted


@dataclass
class Member:
    """Statistics of one worker.

    Attributes:
        name: machine and process, as in ``host:1234``.
        units: number of units done.
        tasks: number of tasks in those units.
        seconds: time that the units took.
    """

    name: str
    units: int = 0
    tasks: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Tasks per second of work; 0 before the first unit."""
        return self.tasks / self.seconds if self.seconds > 0 else 0.0


@dataclass
class Roster:
    """Statistics of all workers that have answered.

    Attributes:
        clock: the time in seconds.
        members: workers by name, in the order of their first answers.
    """

    clock: Callable[[], float] = time.monotonic
    members: dict[str, Member] = field(default_factory=dict)
    _started: float | None = None

    def note(self, worker: str, tasks: int, seconds: float) -> None:
        """Record a finished unit."""
        if self._started is None:
            self._started = self.clock()
        member = self.members.setdefault(worker, Member(worker))
        member.units += 1
        member.tasks += tasks
        member.seconds += seconds

    def __str__(self) -> str:
        """Return the workers and their joint rate so far, as in ``3 workers, 41.0/s``."""
        tasks = sum(member.tasks for member in self.members.values())
        passed = 0.0 if self._started is None else self.clock() - self._started
        rate = f", {tasks / passed:,.1f}/s" if passed > 1 else ""
        return f"{counted(len(self.members), 'worker')}{rate}"

    def lines(self) -> list[str]:
        """Return a line for each worker: its name, units and rate."""
        return [
            f"{m.name}: {counted(m.units, 'unit')}, {m.tasks:,} done in {m.seconds:,.1f} s, "
            f"{m.rate:,.1f}/s"
            for m in self.members.values()
        ]


LOOK_SECONDS = 0.5
"""Interval at which the number of workers is counted anew."""

MIN_SLOTS = 4
"""Slots assumed at least, of an executor that does not tell its number of workers."""


class WorkerPool:
    """The workers behind an executor.

    Args:
        join: returns the executor, called when the first unit is sent. Its ``submit`` returns
            futures of ``concurrent.futures``, or jobs with ``done`` and ``result``. Its
            ``num_workers``, if it has that, is the number of slots.

    Attributes:
        roster: the workers that have answered.
        known_slots: number of slots when last counted; 1 before.
    """

    def __init__(self, join: Callable[[], Executor]) -> None:
        self._join = join
        self.roster = Roster()
        self.known_slots = 1
        self._looked = float("-inf")

    @cached_property
    def executor(self) -> Executor:
        """The executor, joined on first use."""
        return self._join()

    def slots(self) -> int:
        """Return the number of units that the workers can do at once.

        The executor tells it; otherwise the workers that have answered are counted.

        Raises BrokenExecutor if the executor will never do anything again.
        """
        if time.monotonic() - self._looked >= LOOK_SECONDS:
            self.known_slots, self._looked = self._count_slots(), time.monotonic()
        return self.known_slots

    def _count_slots(self) -> int:
        for name in ("num_workers", "_max_workers"):  # of mpi4py; of the standard library
            told = getattr(self.executor, name, None)
            if isinstance(told, int) and told > 0:
                return told
        client = getattr(self.executor, "_client", None)  # of dask
        if client is not None:
            if client.status in ("closing", "closed"):  # its futures would never complete
                raise BrokenExecutor("the scheduler does not answer any more")
            if client.status == "connecting":  # the question would block until it is connected
                return self.known_slots
            try:
                return max(1, sum(client.nthreads().values()))
            except Exception:  # whatever it is; the status tells later if the scheduler is gone
                return MIN_SLOTS
        return max(MIN_SLOTS, len(self.roster.members))
