"""Solvers lent to tasks, and a limit on the workspaces of the solvers of all games.

A workspace is the largest part of a solver, hundreds of MiB for long lists. If the solvers of
several games share a WorkspaceLimit, memory does not grow with the number of games.
"""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from weakref import WeakKeyDictionary

from gpu_wordle.game.game import Game
from gpu_wordle.solver.memory.move_cache import MoveCache
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable
from gpu_wordle.solver.solver import Solver, open_solver


class WorkspaceLimit:
    """The most solvers that have a workspace: ``most``, or those at work if they are more.

    The solvers that worked last keep their workspace, with the lists of guesses in it. Those that
    have idled longest give theirs up. Threads share the limit.
    """

    def __init__(self, most: int | None = None) -> None:
        self._most = most
        self._at_work = 0
        self._idle: WeakKeyDictionary[Solver, None] = WeakKeyDictionary()  # idle longest first
        self._lock = threading.Lock()

    @contextmanager
    def at_work(self, solver: Solver) -> Iterator[None]:
        """Count a solver as at work for the block; it works for no other."""
        with self._lock:
            self._idle.pop(solver, None)
            self._at_work += 1
            self._make_room()
        try:
            yield
        finally:
            with self._lock:
                self._at_work -= 1
                self._idle[solver] = None
                self._make_room()

    def _make_room(self) -> None:
        while self._most is not None and self._idle and self._held > self._most:
            longest = next(iter(self._idle))
            del self._idle[longest]
            longest.engine.rest()

    @property
    def _held(self) -> int:
        """Solvers that have a workspace, or are about to."""
        return self._at_work + len(self._idle)


class Solvers:
    """Solvers of one game around one table, each lent to one task at a time, and made when needed.

    Pools may share them, side by side and one after the other: then nothing is made anew.

    Args:
        game: whose positions they solve.
        table: bounds and values of its states; one of their own if not given.
        move_cache: shortlists that others enter for them, if anybody does.
        limit: how many may have a workspace, together with those of other games; all if not given.

    Attributes:
        game: whose positions they solve.
        first: the solver that the others are clones of.
    """

    def __init__(
        self,
        game: Game,
        table: TranspositionTable | None = None,
        move_cache: MoveCache | None = None,
        *,
        limit: WorkspaceLimit | None = None,
    ) -> None:
        self.game = game
        self.first = open_solver(game, table, move_cache=move_cache)
        self._idle = [self.first]
        self._limit = limit or WorkspaceLimit()
        self._lock = threading.Lock()

    @contextmanager
    def lent(self, stop: Stop) -> Iterator[Solver]:
        """A solver for the block alone, whose searches ``stop`` ends."""
        with self._lock:
            solver = self._idle.pop() if self._idle else None
        solver = solver or self.first.clone()
        try:
            with self._limit.at_work(solver):
                if solver.engine.stop is not stop:
                    solver.engine.set_stop(stop)
                yield solver
        finally:
            with self._lock:
                self._idle.append(solver)
