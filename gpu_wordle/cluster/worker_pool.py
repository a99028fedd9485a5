"""A pool of workers: an executor, how much it does at once, and who has worked."""

from __future__ import annotations

import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor
from functools import cached_property

from gpu_wordle.cluster.roster import Roster

LOOK_SECONDS = 0.5
"""Between two looks at how many workers there are."""

MIN_SLOTS = 4
"""Units that are done at once, as far as is known of an executor that does not say."""


class WorkerPool:
    """The workers behind an executor.

    Args:
        join: gives the executor, when the first work is handed to it: whatever has ``submit`` and
            gives futures of ``concurrent.futures``, or jobs with ``done`` and ``result``. If it has
            ``num_workers``, so many units are done at once.

    Attributes:
        roster: who has worked.
        known_slots: units that workers did at once when that was last looked at; 1 before.
    """

    def __init__(self, join: Callable[[], Executor]) -> None:
        self._join = join
        self.roster = Roster()
        self.known_slots = 1
        self._looked = float("-inf")

    @cached_property
    def executor(self) -> Executor:
        """What hands work to the workers."""
        return self._join()

    def slots(self) -> int:
        """Units that workers do at once: as the executor says, or as many as have answered.

        Raises BrokenExecutor if nothing handed to the executor will ever be done.
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
            if client.status in ("closing", "closed"):  # its futures wait for ever then
                raise BrokenExecutor("the scheduler does not answer any more")
            if client.status == "connecting":  # to ask would wait until there is a scheduler
                return self.known_slots
            try:
                return max(1, sum(client.nthreads().values()))
            except Exception:  # whatever it is: a later status tells whether all is over
                return MIN_SLOTS
        return max(MIN_SLOTS, len(self.roster.members))
