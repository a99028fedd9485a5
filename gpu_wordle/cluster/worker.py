"""What a worker does with a unit, and what it keeps for the next one.

A process keeps, for each game that it has met of late, the patterns and one table of what is known
of states. Whoever works there sits at a desk: threads, and memory of their own. Where an engine
runs several units at once in a process, each has a desk, and all share the table.
"""

from __future__ import annotations

import os
import threading
import time
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from functools import cached_property
from typing import Any

from gpu_wordle.backends import Backend, Evaluator, build_patterns, choose
from gpu_wordle.cluster.unit import Answer, Terms, Unit, identity, program, worker_name
from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Game
from gpu_wordle.solver import SolverPool, TranspositionTable, default_table_bytes

MAX_PLACES = 3
"""Games that a process keeps: the game of a job, the same where answers may be lost, one more."""


class Desk:
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
    """A game in a process, with the table that its desks share."""

    def __init__(self, game: Game, terms: Terms) -> None:
        most = terms.most_table_mib
        size = default_table_bytes(game) if most is None else default_table_bytes(game, most << 20)
        self.game = game
        self._table = TranspositionTable(size)
        self._lock = threading.Lock()
        self._idle: list[Desk] = []

    @contextmanager
    def desk(self, threads: int) -> Iterator[Desk]:
        """A desk that nobody else sits at meanwhile."""
        with self._lock:
            fitting = [desk for desk in self._idle if desk.threads == threads]
            if fitting:
                self._idle.remove(fitting[0])
        desk = fitting[0] if fitting else Desk(self.game, threads, self._table)
        try:
            yield desk
        except BaseException:
            desk.clear()
            raise
        with self._lock:
            self._idle.append(desk)


_places: OrderedDict[str, Place] = OrderedDict()
_lock = threading.Lock()


def _begin_anew() -> None:
    """Forget what a process had that forked this one: its threads are not here."""
    global _lock
    _places.clear()
    _lock = threading.Lock()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_begin_anew)


def work_on(unit: Unit) -> Answer:
    """Do a unit, if this process has the game and runs the same program."""
    if unit.program != program():
        return Answer(worker_name(), program())
    place, had_game = _place(unit)
    if place is None:
        return Answer(worker_name(), program())
    with place.desk(unit.terms.threads) as desk:
        started = time.perf_counter()
        done = tuple(unit.do(desk, unit.where.within(place.game), unit.tasks, unit.known))
        seconds = time.perf_counter() - started
    return Answer(worker_name(), program(), done, seconds, had_game)


def _place(unit: Unit) -> tuple[Place | None, bool]:
    """Where the unit is done, and whether it was there before; None if the game is missing."""
    with _lock:
        place = _places.get(unit.game)
        if place is not None:
            _places.move_to_end(unit.game)
            return place, True
        if unit.sent is None:
            return None, False
        words, rule, objective = unit.sent.unpacked()
        if identity(words, rule, objective) != unit.game:
            raise JobError("the lists of a unit of work are not those of its game")
        patterns = build_patterns(words, choose("cpu", unit.terms.threads).backend)
        place = _places[unit.game] = Place(Game(words, patterns, rule, objective), unit.terms)
        while len(_places) > MAX_PLACES:
            _places.popitem(last=False)
        return place, False
