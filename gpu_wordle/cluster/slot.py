"""Where units are done: a game in a process, its table, and slots around it.

Units are done in slots: threads, and memory of their own. Where an engine runs several
units at once in a process, each has a slot, and all share the table.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from gpu_wordle.backends import Backend, Evaluator, choose
from gpu_wordle.backends.cpu.threads import available_cores, free_bytes
from gpu_wordle.game.game import Game
from gpu_wordle.solver import SolverPool, TranspositionTable, default_table_bytes


class Slot:
    """Where one unit is done at a time: solvers around the table of the place.

    Attributes:
        game: what is played.
        threads: threads of a unit.
    """

    def __init__(self, game: Game, threads: int, table: TranspositionTable) -> None:
        self.game = game
        self.threads = threads
        self._table = table
        self._kept: dict[Hashable, Any] = {}

    @cached_property
    def pool(self) -> SolverPool:
        """Solvers of the game."""
        return SolverPool(self.game, self.threads, self._table)

    @cached_property
    def backend(self) -> Backend:
        """What counts; workers have a CPU, whatever else."""
        return choose("cpu", self.threads).backend

    @cached_property
    def evaluator(self) -> Evaluator:
        """The game on the backend."""
        return self.backend.open(self.game)

    def kept(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """What was made before under that name, or is made now."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def clear(self) -> None:
        """End what may still run after a failure."""
        if "pool" in self.__dict__:
            self.pool.__exit__()


class Place:
    """A game in a process, with the table that its slots share.

    Args:
        game: what is played.
        most_table_mib: MiB of the table at most; what suits the game if not given. All processes
            that may be on this machine together take half of the free memory at most.
        threads: threads of a unit.
    """

    def __init__(self, game: Game, most_table_mib: int | None, threads: int) -> None:
        most = most_table_mib
        size = default_table_bytes(game) if most is None else default_table_bytes(game, most << 20)
        processes = max(1, available_cores() // threads)
        size = min(size, free_bytes() // (2 * processes))
        self.game = game
        self._table = TranspositionTable(size)
        self._lock = threading.Lock()
        self._idle: list[Slot] = []

    @contextmanager
    def slot(self, threads: int) -> Iterator[Slot]:
        """A slot that nobody else uses meanwhile."""
        with self._lock:
            fitting = [slot for slot in self._idle if slot.threads == threads]
            if fitting:
                self._idle.remove(fitting[0])
        slot = fitting[0] if fitting else Slot(self.game, threads, self._table)
        try:
            yield slot
        except BaseException:
            slot.clear()
            raise
        with self._lock:
            self._idle.append(slot)
