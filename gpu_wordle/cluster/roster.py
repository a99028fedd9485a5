"""Who has worked for an owner, how much and how fast."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, field

from gpu_wordle.errors import counted


@dataclass
class Member:
    """A worker as its owner knows it.

    Attributes:
        name: machine and process.
        units: units that it has done.
        tasks: tasks of those.
        seconds: what they took.
    """

    name: str
    units: int = 0
    tasks: int = 0
    seconds: float = 0.0

    @property
    def rate(self) -> float:
        """Tasks in a second of its work."""
        return self.tasks / self.seconds if self.seconds > 0 else 0.0


@dataclass
class Roster:
    """All workers that have answered.

    Attributes:
        members: by their names, in the order in which they first answered.
    """

    clock: Callable[[], float] = time.monotonic
    members: dict[str, Member] = field(default_factory=dict)
    _started: float | None = None

    def note(self, worker: str, tasks: int, seconds: float) -> None:
        """Take note of a unit."""
        if self._started is None:
            self._started = self.clock()
        member = self.members.setdefault(worker, Member(worker))
        member.units += 1
        member.tasks += tasks
        member.seconds += seconds

    def __str__(self) -> str:
        """As in ``3 workers, 41.0/s``: of all together since the first answer."""
        tasks = sum(member.tasks for member in self.members.values())
        passed = 0.0 if self._started is None else self.clock() - self._started
        rate = f", {tasks / passed:,.1f}/s" if passed > 1 else ""
        return f"{counted(len(self.members), 'worker')}{rate}"

    def lines(self) -> list[str]:
        """A line for each worker: its name, units and rate."""
        return [
            f"{m.name}: {counted(m.units, 'unit')}, {m.tasks:,} done in {m.seconds:,.1f} s, "
            f"{m.rate:,.1f}/s"
            for m in self.members.values()
        ]
