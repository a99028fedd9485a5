"""How many tasks make a unit: as many as take so long, and fewer towards the end.

What a task takes is not known before; what tasks took so far, by their weights, is. Near the end
each unit is a part of what a worker's share of the rest comes to, so that all end together.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

from gpu_wordle.tunables import UNITS_LEFT

Task = TypeVar("Task")

MAX_TASKS = 4096
"""In a unit, however little they take: what one worker has found is news to the others."""

MAX_GROWTH = 8
"""Times the tasks of the largest unit that is back: the first tasks say little of the others."""

REMEMBERED = 0.9
"""Of what units took before, when another is back."""


class Cutter(Generic[Task]):
    """Cuts tasks into units, in their order.

    Args:
        tasks: the tasks, which are taken when they are sent.
        weight: of a task: what it takes, in any unit of time.
        whole: the weight of all tasks; infinite if it is not known.
        seconds: what a unit should take.
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
        """The tasks of the next unit, where so many work; none when all are sent."""
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
        """Seconds that tasks will take; 0 while nothing is known."""
        return sum(map(self._weight, tasks)) / self._rate if self._rate else 0.0

    def learn(self, tasks: tuple[Task, ...], seconds: float) -> None:
        """Take note of what a unit took."""
        self._largest = max(self._largest, len(tasks))
        self._known_weight = REMEMBERED * self._known_weight + sum(map(self._weight, tasks))
        self._known_seconds = REMEMBERED * self._known_seconds + seconds

    @property
    def _rate(self) -> float:
        """Weight that is done in a second."""
        return self._known_weight / max(self._known_seconds, 1e-9)
