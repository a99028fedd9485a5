"""The workers that have answered an owner: their units, tasks and speed."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

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
