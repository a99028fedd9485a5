"""The exact search frontier by frontier: many openers in flight, their states evaluated in batches.

A search spends nearly all of its time on the states one guess deep: it measures every guess on
them, and refutes all guesses but a few by bounds. So a frontier, such as a GPU, does that for the
states of many openers at once. CPU threads search what survives.

Threads of their own drive the frontier. So the device has work while the caller looks at a result,
and neither waits for those that search.

Values and bounds go to the transposition table, without a guess limit. An ordinary solver closes
each opener: it finds all large states there, searches the small ones, and knows about limits and
trees. For these it needs the guesses that reach the value of a large state. The few that the
frontier has not refuted are handed to it as shortlists.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import Future
from dataclasses import dataclass
from itertools import islice, pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.protocol import Frontier
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.solver.batched.driver import Driver, Job, Shared, interleave
from gpu_wordle.solver.batched.opener_batch import OpenerBatch
from gpu_wordle.solver.batched.state_searches import StateSearches
from gpu_wordle.solver.lending import Solvers
from gpu_wordle.solver.memory.move_cache import MoveCache
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable
from gpu_wordle.solver.pool import SolverPool
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.tunables import (
    GROUP_OPENERS,
    GROUPS_IN_FLIGHT,
    MAX_LEFT_TO_CPU,
    OPENERS_TOGETHER,
    TASKS_AHEAD,
    TASKS_PER_THREAD,
)

WAVES = (128, 256, 1 << 16)
"""Answers up to which states are evaluated one after another. Where small states have refuted an
opener, its large ones need not be evaluated."""


@dataclass(frozen=True)
class Limits:
    """Sizes that can be tuned; the results do not depend on them.

    Attributes:
        small: answers of a state up to which it is left to the CPU, two or more.
        group: openers that are in work together.
        in_flight: groups in work at a time, shared among the threads that drive the frontier.
    """

    small: int = MAX_LEFT_TO_CPU
    group: int = GROUP_OPENERS
    in_flight: int = GROUPS_IN_FLIGHT


class BatchedPool(SolverPool):
    """A pool whose guesses are evaluated by a frontier before a solver closes them.

    For the normal rule, the plain mean and games whose patterns fit in a byte; otherwise it is a
    SolverPool.

    Attributes:
        move_cache: the guesses that may reach the values of large states; see move_cache.py.
    """

    def __init__(
        self,
        game: Game,
        frontier: Frontier,
        threads: int | None = None,
        table: TranspositionTable | None = None,
        *,
        stop: Stop | None = None,
        limits: Limits | None = None,
    ) -> None:
        self.move_cache = MoveCache()
        solvers = Solvers(game, table, self.move_cache)
        super().__init__(game, threads, stop=stop, solvers=solvers)
        self._frontier = frontier
        self._limits = limits or Limits()
        drivers = frontier.drivers
        self._groups_in_flight = drivers * max(1, self._limits.in_flight // drivers)
        self._tasks_ahead += self._limits.group  # so that none waits for the next group
        self._drivers: list[Driver[list[int]]] = []

    def prepared(
        self, position: Position, guesses: Iterable[int], cutoff: Callable[[], int]
    ) -> Iterator[int]:
        """Yield the guesses, once the large states that they lead to are in the table.

        They come in any order, and end early when the pool is asked to stop.
        """
        is_plain = self.game.rule is Rule.NORMAL and self.game.objective.is_mean
        if self.is_wide or not is_plain:
            yield from guesses
            return
        root = StateBatch.from_sets([position.state.tolist()], self.game.answer_count)
        waiting = iter(guesses)
        groups = iter(lambda: list(islice(waiting, self._limits.group)), [])
        jobs = Shared(self._evaluate(root, group, cutoff) for group in groups)
        each = self._groups_in_flight // self._frontier.drivers
        sources = [interleave(jobs, each, self.stop) for _ in range(self._frontier.drivers)]
        driver = Driver(sources, self._groups_in_flight)
        self._drivers.append(driver)
        for group in driver:
            yield from group

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        for driver in self._drivers:
            driver.close()

    def at_once(self, answers: int, guesses: int) -> int:
        """Guesses for a thread at a time: enough to pay for a call, and some for every thread."""
        return max(1, min(OPENERS_TOGETHER, guesses // (TASKS_AHEAD * self.threads)))

    def _evaluate(
        self, root: StateBatch, guesses: list[int], cutoff: Callable[[], int]
    ) -> Job[list[int]]:
        """Evaluate the large children of some guesses, as far as the cutoff demands."""
        column = np.array(guesses, np.int32)
        children = self._frontier.split(root, np.zeros(len(column), np.int32), column)
        group = OpenerBatch(int(root.sizes[0]), children, self.table)
        unknown = np.flatnonzero(group.height == 0)
        known = group.lower[unknown]
        bounds = self._frontier.bound_states(group.states.take(unknown), known)
        group.learn(unknown, bounds, np.zeros_like(bounds))
        is_large = group.sizes > self._limits.small
        for least, most in pairwise((0, *WAVES)):
            group.recall()  # groups beside this one have states in common with it
            goals = group.goals(cutoff())
            is_in_wave = (least < group.sizes) & (group.sizes <= most)
            # A state has a goal above its bound only while a guess that leads to it is open.
            wave = np.flatnonzero(is_large & is_in_wave & (goals > group.lower))
            for chosen in self._by_memory(wave, group.sizes):
                attempts = yield from self._try(group.states.take(chosen), goals[chosen])
                group.learn(chosen, attempts.best, attempts.height)
                group.record(chosen)
                attempts.record(self.move_cache, self._solvers.first.machine.matrix.place)
        return guesses

    def _by_memory(
        self, chosen: NDArray[np.intp], sizes: NDArray[np.int64]
    ) -> Iterator[NDArray[np.intp]]:
        """Cut states into batches whose lists do not take more than a group's share of memory."""
        most_bytes = self._frontier.memory_bytes // self._groups_in_flight
        begin = used = 0
        for at, size in enumerate(self._frontier.list_bytes(sizes[chosen]).tolist()):
            if begin < at and used + size > most_bytes:
                yield chosen[begin:at]
                begin, used = at, 0
            used += size
        if begin < len(chosen):
            yield chosen[begin:]

    def _try(self, states: StateBatch, cutoffs: NDArray[np.int64]) -> Job[StateSearches]:
        """Find the values of some states as far as they are below the cutoffs."""
        lists = self._frontier.collapse(states)
        # The promising guess of each state is searched first: its value refutes most of the others.
        attempts = StateSearches(lists, cutoffs)
        yield self._search(attempts)
        low, high = attempts.windows()
        attempts.expect(self._frontier.refute(lists, attempts.cutoffs, low))
        yield self._search(attempts)
        survivors = self._frontier.refute(lists, attempts.cutoffs, high)
        del lists  # while threads search, another group needs the memory
        attempts.expect(survivors)
        yield self._search(attempts)
        return attempts

    def _search(self, attempts: StateSearches) -> list[Future[Any]]:
        """Have threads search the guesses that are to be searched next."""
        waiting = attempts.waiting()
        pieces = min(len(waiting), TASKS_PER_THREAD * self.threads)
        return [
            self.submit(
                lambda solver, states: attempts.search(solver.machine.attempt, states), states
            )
            for states in (np.array_split(waiting, pieces) if pieces else [])
        ]
