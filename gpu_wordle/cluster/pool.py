"""A SolverPool whose guesses are solved by workers.

Small work stays in this process: root moves, strategies of a few guesses, values after one opener.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from gpu_wordle.cluster.dispatch import Dispatch
from gpu_wordle.cluster.slot import Slot
from gpu_wordle.cluster.unit import Orbit, Terms, Work
from gpu_wordle.cluster.worker_pool import WorkerPool
from gpu_wordle.game.game import Game, Position
from gpu_wordle.solver import SolveResult, SolverPool, TranspositionTable, default_table_bytes
from gpu_wordle.solver.orbits import GuessOrbits
from gpu_wordle.solver.pool import (
    Ask,
    AskAll,
    Check,
    Checked,
    CheckedGroup,
    Done,
    Fingerprint,
    Known,
    Task,
)
from gpu_wordle.tunables import NEWS_SECONDS, SOLVE_TABLE_MIB, UNIT_SECONDS

GROWTH = 50.0
"""Exponent of an opener's weight, per guess by which its bound on the mean exceeds the least.

Fitted to the seconds of all openers in ``results/openers-original-normal.h5``. A rough value will
do, since units are cut by the durations that are measured.
"""

MAX_EXPONENT = 5.0
"""Largest exponent of a weight."""


class RemotePool(SolverPool):
    """A SolverPool whose work is done by the workers of a pool.

    Args:
        game: the game.
        worker_pool: the workers.
        terms: threads and memory of each worker.
    """

    def __init__(self, game: Game, worker_pool: WorkerPool, terms: Terms) -> None:
        table = TranspositionTable(default_table_bytes(game, SOLVE_TABLE_MIB << 20))
        super().__init__(game, terms.threads, table)
        self._worker_pool = worker_pool
        self._terms = terms

    @property
    def workers(self) -> int:
        """Number of units that the workers can do at once, as last counted."""
        return self._worker_pool.known_slots

    def checked_groups(
        self,
        position: Position,
        guesses: Sequence[int],
        check: Check[Checked],
        fingerprint: Fingerprint[tuple[SolveResult, Checked]] = lambda found: None,
    ) -> Iterator[CheckedGroup[Checked]]:
        """Solve guesses and check their strategies on the workers; yields groups as in SolverPool.

        Strategies are not sent back. A task is an orbit of guesses: one worker searches the first
        guess of the orbit, and checks the strategies of all.
        """
        if not guesses:
            return
        kinds = GuessOrbits.of(position, guesses)
        tasks = [Orbit(tuple(kinds.members(first))) for first in kinds.firsts]
        bound = self.root_moves(position).bound[kinds.firsts]
        least = float(bound.min())
        scale = GROWTH / max(1, int(self.game.objective.weights_of(position.state).sum()))
        exponents = [min(scale * (float(b) - least), MAX_EXPONENT) for b in bound]
        weights = dict(zip(tasks, map(math.exp, exponents), strict=True))
        do, sure = partial(_check, check=check), partial(_fingerprint_of, fingerprint)
        work = Work(do, sure, UNIT_SECONDS, weight=weights.__getitem__)
        for group in self._shared_out(work, position, tasks, sum(weights.values())):
            solved = [guess for kind, _ in group for guess in kind.guesses]
            found = [each for _, of_kind in group for each in of_kind]
            yield solved, [result for result, _ in found], [checked for _, checked in found]

    def each(
        self,
        ask: Ask[Task, Known, Done],
        position: Position,
        tasks: Iterable[Task],
        known: Callable[[], Known],
        on_progress: Callable[[Done], object] = lambda done: None,
        fingerprint: Fingerprint[Done] = lambda done: None,
    ) -> Iterator[tuple[Task, Done]]:
        """Ask about each task; yields tasks with results as in SolverPool, as they come back.

        A unit uses what was known when it was sent.
        """
        work = Work(partial(_ask, ask=ask), fingerprint, NEWS_SECONDS, known)
        for group in self._shared_out(work, position, tasks):
            for task, done in group:
                on_progress(done)
                yield task, done

    def in_turn(
        self,
        ask: AskAll[Task, Done],
        position: Position,
        tasks: Sequence[Task],
        fingerprint: Fingerprint[Done] = lambda done: None,
    ) -> Iterator[tuple[Task, Done]]:
        """Ask about the tasks as SolverPool does, but several at once, on different workers."""
        work = Work(partial(_ask_all, ask=ask), fingerprint, UNIT_SECONDS)
        for group in self._shared_out(work, position, tasks, len(tasks)):
            yield from group

    def _shared_out(
        self, work: Work, position: Position, tasks: Iterable[Any], whole: float = math.inf
    ) -> Iterator[list[tuple[Any, Any]]]:
        return Dispatch(self._worker_pool, work, position, self._terms, self.stop).results(
            tasks, whole
        )


@dataclass(frozen=True)
class RemotePools:
    """Makes RemotePools for jobs; the Pools of the API.

    Attributes:
        worker_pool: the workers. Threads and table size of a pool are those of each worker.
    """

    worker_pool: WorkerPool

    def pool(self, game: Game, threads: int | None, table_mib: int | None) -> SolverPool:
        """Return a pool of remote solvers. Threads and table size (MiB) are per worker."""
        return RemotePool(game, self.worker_pool, terms(threads, table_mib))


def terms(threads: int | None, table_mib: int | None) -> Terms:
    """Return the terms of each worker: one thread unless given, and the table's size in MiB."""
    return Terms(threads or 1, table_mib)


def _check(
    slot: Slot, position: Position, orbits: Sequence[Orbit], known: None, *, check: Check[Any]
) -> Iterator[tuple[Orbit, list[tuple[SolveResult, Any]]]]:
    """Solve orbits of guesses on a worker and check their strategies.

    Strategies are not sent back.
    """
    orbit_of = {orbit.guesses[0]: orbit for orbit in orbits}
    guesses = [guess for orbit in orbits for guess in orbit.guesses]
    found: dict[int, tuple[SolveResult, Any]] = {}
    for group in slot.pool.checked_groups(position, guesses, check):
        for guess, result, checked in zip(*group, strict=True):
            found[guess] = result._replace(tree=None), checked
        for guess in group[0]:
            if guess in orbit_of:
                yield orbit_of[guess], [found[each] for each in orbit_of[guess].guesses]


def _fingerprint_of(
    fingerprint: Fingerprint[tuple[SolveResult, Any]], found: Sequence[tuple[SolveResult, Any]]
) -> object | None:
    """Return the fingerprint of an orbit's results, or None if some result has none."""
    facts = [fingerprint(each) for each in found]
    if None in facts:
        return None
    return facts[0] if len(facts) == 1 else tuple(facts)


def _ask(
    slot: Slot, position: Position, tasks: Sequence[Any], known: Any, *, ask: Ask[Any, Any, Any]
) -> Iterator[tuple[Any, Any]]:
    """Ask the slot's solvers about the tasks, one solver a task."""
    return slot.pool.each(ask, position, tasks, lambda: known)


def _ask_all(
    slot: Slot, position: Position, tasks: Sequence[Any], known: None, *, ask: AskAll[Any, Any]
) -> Iterator[tuple[Any, Any]]:
    """Ask all of the slot's solvers together about one task after the other."""
    return slot.pool.in_turn(ask, position, tasks)
