"""Cut tasks into units: large enough for a wanted duration, and smaller towards the end.

The duration of a task is estimated from its weight and from the seconds per weight so far. Near the
end a unit is only a fraction of a worker's share of the rest, so that all workers end together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from gpu_wordle.tunables import UNITS_LEFT

Task = TypeVar("Task")

MAX_TASKS = 4096
"""Most tasks in a unit, however short: workers learn of each other's results between units."""

MAX_GROWTH = 8
"""A unit has at most this many times the tasks of the largest unit that is done.

The first tasks say little about how long the others take.
"""

REMEMBERED = 0.9
"""Factor by which earlier durations lose weight with each unit that comes back."""


class Cutter(Generic[Task]):
    """Cuts a sequence of tasks into units, in order.

    Args:
        tasks: the tasks, drawn only when they are sent.
        weight: the expected duration of a task, in any unit.
        whole: the weight of all tasks; infinite if unknown.
        seconds: the wanted duration of a unit.
    """

    def __init__(
        self,
        tasks: Iterator[Task],
        weight: Callable[[Task], float],
        whole: float,
        seconds: float,
    ) -> None:
        self._tasks = tasks
        self._weight = weight
        self._left = whole
        self._seconds = seconds
        self._known_weight = self._known_seconds = 0.0
        self._largest = 0

    def next(self, workers: int) -> tuple[Task, ...]:
        """Return the tasks of the next unit for ``workers`` workers; empty when all are sent."""
        most = min(MAX_TASKS, MAX_GROWTH * self._largest or 1)
        goal = min(self._seconds * self._rate, self._left / (UNITS_LEFT * workers))
        taken: list[Task] = []
        weight = 0.0
        while len(taken) < most and (not taken or weight < goal):
            task = next(self._tasks, None)
            if task is None:
                break
            taken.append(task)
            weight += self._weight(task)
        self._left = max(self._left - weight, 0.0)
        return tuple(taken)

    def expected(self, tasks: tuple[Task, ...]) -> float:
        """Return the expected seconds of some tasks; 0 before the first unit is done."""
        return sum(map(self._weight, tasks)) / self._rate if self._rate else 0.0

    def learn(self, tasks: tuple[Task, ...], seconds: float) -> None:
        """Record how many seconds a unit took."""
        self._largest = max(self._largest, len(tasks))
        self._known_weight = REMEMBERED * self._known_weight + sum(map(self._weight, tasks))
        self._known_seconds = REMEMBERED * self._known_seconds + seconds

    @property
    def _rate(self) -> float:
        """Weight done per second."""
        return self._known_weight / max(self._known_seconds, 1e-9)
