"""A pool of workers: an executor, the number of its slots, and the roster of its workers."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from functools import cached_property

from gpu_wordle.cluster.roster import Roster

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
