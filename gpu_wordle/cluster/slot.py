"""Where units are done: hosted games, their transposition tables, and the slots that share them.

A slot has solver threads and memory of its own. Where an executor runs several units at once in one
process, each unit has a slot, and all slots share the table.
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
    """Solvers for one unit at a time. The transposition table is shared with other slots.

    Attributes:
        game: the game.
        threads: number of threads of a unit.
    """

    def __init__(self, game: Game, threads: int, table: TranspositionTable) -> None:
        self.game = game
        self.threads = threads
        self._table = table
        self._kept: dict[Hashable, Any] = {}

    @cached_property
    def pool(self) -> SolverPool:
        """The solvers, made on first use."""
        return SolverPool(self.game, self.threads, self._table)

    @cached_property
    def backend(self) -> Backend:
        """The CPU backend, which every worker has."""
        return choose("cpu", self.threads).backend

    @cached_property
    def evaluator(self) -> Evaluator:
        """The game on the backend."""
        return self.backend.open(self.game)

    def kept(self, name: Hashable, make: Callable[[], Any]) -> Any:
        """Return the object kept under ``name``; ``make`` makes it on first use."""
        if name not in self._kept:
            self._kept[name] = make()
        return self._kept[name]

    def clear(self) -> None:
        """End threads that may still run after a failure."""
        if "pool" in self.__dict__:
            self.pool.__exit__()


class HostedGame:
    """A game in a process, with the transposition table that its slots share.

    Args:
        game: the game.
        max_table_mib: largest size of the table, in MiB; None for a size that suits the game. It
            is cut so that one process per ``threads`` cores takes half of the free memory together.
        threads: number of threads of a unit.
    """

    def __init__(self, game: Game, max_table_mib: int | None, threads: int) -> None:
        most = max_table_mib
        size = default_table_bytes(game) if most is None else default_table_bytes(game, most << 20)
        processes = max(1, available_cores() // threads)
        size = min(size, free_bytes() // (2 * processes))
        self.game = game
        self._table = TranspositionTable(size)
        self._lock = threading.Lock()
        self._idle: list[Slot] = []

    @contextmanager
    def slot(self, threads: int) -> Iterator[Slot]:
        """Context manager: a slot with ``threads`` threads for exclusive use."""
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
