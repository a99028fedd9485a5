"""Gathers the requests of many coroutines into batches, and keeps device and CPU threads busy.

The coroutines are those of batched.py. What they ask of the table is answered at once; small states
go to the CPU threads; lists and bounds wait until no coroutine can go on without them, and are then
made for all that wait, in one batch. Memory for the lists is rationed: those for which there is
none wait for others to be given up.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Generator, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import Frontier
from gpu_wordle.bounds import part_lower_bound
from gpu_wordle.frontier import Children, GuessList
from gpu_wordle.solver.core import Solver
from gpu_wordle.solver.parallel import SolverPool
from gpu_wordle.solver.table import TranspositionTable
from gpu_wordle.states import StateBatch

STAGES = (16, 64, 1 << 16)
"""Sizes of parts up to which their bounds are counted one after another: where the small parts have
refuted a guess, the large ones need no count."""

NO_STATES, NO_BOUNDS = StateBatch.join([]), np.empty(0, np.int64)
"""What is handed on of the children of a refuted guess: most guesses are, so it is made once."""


@dataclass(frozen=True, eq=False)
class Enter:
    """Begin with a state. The answer is True; or, once another coroutine has left it, False."""

    state: StateBatch


@dataclass(frozen=True, eq=False)
class Leave:
    """Be done with a state, and give up its list."""

    state: StateBatch


@dataclass(frozen=True, eq=False)
class Recall:
    """What the table knows of a state: a total and a height, 0 for a bound; or enter it there."""

    state: StateBatch
    value: tuple[int, int] | None = None


@dataclass(frozen=True, eq=False)
class Collapse:
    """The guesses that matter in a state, of those of a state ``above`` it."""

    state: StateBatch
    above: GuessList


@dataclass(frozen=True, eq=False)
class Bound:
    """Bounds of guesses, by their numbers, on the state of a list; raised up to the cutoff."""

    guesses: GuessList
    chosen: NDArray[np.int32]
    cutoff: int


@dataclass(frozen=True, eq=False)
class BoundedPair:
    """The answer to Bound, for each guess.

    Attributes:
        total: lower bound of the guess.
        children: the states that it leaves behind, if ``total`` is below the cutoff.
        lower: int64[C], lower bounds of the children.
        height: int64[C], height of a tree where the bound is exact, else 0.
    """

    total: int
    children: StateBatch
    lower: NDArray[np.int64]
    height: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Settle:
    """Search small states in turn, until their bounds have risen by ``missing``: Solver.settle.

    The answer is the pair of ``lower`` and ``height`` that it leads to.
    """

    states: StateBatch
    lower: NDArray[np.int64]
    height: NDArray[np.int64]
    missing: int


@dataclass(eq=False)
class _Task:
    """A coroutine and the job that it is for."""

    job: int
    coroutine: Generator[Any, Any, tuple[int, int]]


@dataclass(eq=False)
class _Queues:
    """Tasks that can go on, with what they are told; and those that wait, with their requests."""

    ready: deque[tuple[_Task, Any]] = field(default_factory=deque)
    collapse: deque[tuple[_Task, Collapse]] = field(default_factory=deque)
    bound: list[tuple[_Task, Bound]] = field(default_factory=list)
    settle: dict[Future[Any], _Task] = field(default_factory=dict)


class Scheduler:
    """Runs coroutines over a frontier, the threads of a pool and a table."""

    def __init__(self, frontier: Frontier, pool: SolverPool, table: TranspositionTable) -> None:
        from gpu_wordle.solver import bulk

        self._bulk = bulk
        self._frontier = frontier
        self._pool = pool
        self._entries = table.entries
        self._queues = _Queues()
        self._waiting: dict[bytes, list[_Task]] = {}  # for states in work, by their keys
        self._held_bytes: dict[bytes, int] = {}  # by the lists of those states
        self._all_bytes = 0  # their sum

    def run(
        self, jobs: Iterator[tuple[int, Generator[Any, Any, tuple[int, int]]]], ahead: int
    ) -> Iterator[tuple[int, tuple[int, int]]]:
        """``(job, value)`` of all jobs as they are done, ``ahead`` of them at a time.

        Ends early when the pool is asked to stop.
        """
        queues = self._queues
        running = 0
        is_last = False
        while not (self._pool.stop.is_set() or (is_last and running == 0)):
            while not is_last and running < ahead and (running == 0 or self._has_memory()):
                job = next(jobs, None)
                if job is None:
                    is_last = True
                else:
                    queues.ready.append((_Task(*job), None))
                    running += 1
            while queues.ready:
                task, told = queues.ready.popleft()
                try:
                    request = task.coroutine.send(told)
                except StopIteration as end:
                    running -= 1
                    yield task.job, end.value
                else:
                    self._take(task, request)
            is_idle = not self._evaluate() and not queues.ready
            self._collect_settled(None if is_idle else 0)

    def _take(self, task: _Task, request: Any) -> None:
        """Answer a request, or queue it."""
        queues = self._queues
        match request:
            case Enter(state):
                key = state.keys.tobytes()
                if key in self._waiting:
                    self._waiting[key].append(task)
                else:
                    self._waiting[key] = []
                    queues.ready.append((task, True))
            case Leave(state):
                key = state.keys.tobytes()
                self._all_bytes -= self._held_bytes.pop(key, 0)
                queues.ready.extend((other, False) for other in self._waiting.pop(key))
                queues.ready.append((task, None))
            case Recall(state, value):
                queues.ready.append((task, self._recall(state, value)))
            case Settle(states, lower, height, missing):

                def settle(solver: Solver, _: None) -> tuple[Any, Any] | None:
                    done = solver.settle(states, lower, height, missing)
                    return (lower, height) if done else None

                queues.settle[self._pool.submit(settle, None)] = task
            case Collapse():
                queues.collapse.append((task, request))
            case Bound():
                queues.bound.append((task, request))

    def _recall(self, state: StateBatch, value: tuple[int, int] | None) -> tuple[int, int]:
        lower, height = np.zeros(1, np.int64), np.zeros(1, np.int64)
        if value is None:
            counted = np.zeros(1, np.bool_)
            self._bulk.recall_all(self._entries, state.keys, state.sizes, lower, height, counted)
        else:
            lower[0], height[0] = value
            self._bulk.record_all(self._entries, state.keys, state.sizes, lower, height)
        return int(lower[0]), int(height[0])

    def _has_memory(self) -> bool:
        return self._all_bytes < self._frontier.memory_bytes

    def _hold(self, state: StateBatch, guesses: int) -> None:
        """Note the memory of a state's list of so many guesses."""
        key = state.keys.tobytes()
        size = self._frontier.list_bytes(int(state.sizes[0]), guesses)
        self._all_bytes += size - self._held_bytes.get(key, 0)
        self._held_bytes[key] = size

    def _evaluate(self) -> bool:
        """One batch of lists and one of bounds, if there are requests; False if there are none."""
        queues = self._queues
        batch: list[tuple[_Task, Collapse]] = []
        while queues.collapse and (self._has_memory() or not (batch or self._is_busy())):
            # Short of memory, the latest: it is the deepest, and done with first.
            is_short = not self._has_memory()
            task, request = queues.collapse.pop() if is_short else queues.collapse.popleft()
            self._hold(request.state, len(request.above))
            batch.append((task, request))
        if batch:
            self._collapse(batch)
        bounds, queues.bound = queues.bound, []
        if bounds:
            self._bound(bounds)
        return bool(batch or bounds)

    def _is_busy(self) -> bool:
        """Whether something goes on that will give up memory without any more of it."""
        return bool(self._queues.bound or self._queues.settle or self._queues.ready)

    def _collect_settled(self, timeout: float | None) -> None:
        """Resume the coroutines whose states are settled; without a timeout, wait for the first."""
        settling = self._queues.settle
        for future in wait(settling, timeout, return_when=FIRST_COMPLETED).done:
            task, told = settling.pop(future), future.result()
            if told is not None:  # else a stop was asked for
                self._queues.ready.append((task, told))

    def _collapse(self, batch: list[tuple[_Task, Collapse]]) -> None:
        above, list_of = _distinct([request.above for _, request in batch])
        states = StateBatch.join([request.state for _, request in batch])
        lists = self._frontier.collapse(states, above, list_of)
        for (task, request), guesses in zip(batch, lists, strict=True):
            self._hold(request.state, len(guesses))
            self._queues.ready.append((task, guesses))

    def _bound(self, batch: list[tuple[_Task, Bound]]) -> None:
        lists, list_of = _distinct([request.guesses for _, request in batch])
        widths = [len(request.chosen) for _, request in batch]
        state_of = np.repeat(list_of, widths).astype(np.int32)
        guess_of = np.concatenate([request.chosen for _, request in batch]).astype(np.int32)
        cutoff = np.repeat([request.cutoff for _, request in batch], widths)
        parents = StateBatch.join([guesses.state for guesses in lists])
        children = self._frontier.split(parents, state_of, guess_of)
        bounds = _Bounds(self._entries, self._bulk, children, lists, state_of, parents.sizes)
        for most in STAGES:
            bounds.count(self._frontier, most, cutoff)
        totals = bounds.totals()
        begin = 0
        for (task, request), width in zip(batch, widths, strict=True):
            pairs = [
                bounds.pair(p, int(totals[p]), is_open=totals[p] < request.cutoff)
                for p in range(begin, begin + width)
            ]
            self._queues.ready.append((task, pairs))
            begin += width


class _Bounds:
    """What is known of the children of many pairs."""

    def __init__(
        self,
        entries: NDArray[np.uint64],
        bulk: Any,
        children: Children,
        lists: list[GuessList],
        state_of: NDArray[np.int32],
        parent_sizes: NDArray[np.int64],
    ) -> None:
        self._entries = entries
        self._bulk = bulk
        self._children = children
        self._lists = lists
        self._own = parent_sizes[state_of]  # what a pair costs before its children do
        count = len(children.states)
        self._sizes = children.states.sizes
        self.lower, self.height = np.empty(count, np.int64), np.empty(count, np.int64)
        self._is_counted = np.empty(count, np.bool_)
        bulk.recall_all(
            entries, children.states.keys, self._sizes, self.lower, self.height, self._is_counted
        )
        self._parent = np.empty(count, np.int32)  # a state that contains the child, of several
        self._parent[children.child] = np.repeat(state_of, np.diff(children.indptr))
        most = np.array([guesses.parts.max(initial=0) for guesses in lists], np.int64)
        by_size = part_lower_bound(self._sizes, most[self._parent])
        np.maximum(self.lower, by_size, out=self.lower, where=self.height == 0)

    def totals(self) -> NDArray[np.int64]:
        """Lower bound of each pair, [P]."""
        sums = np.concatenate([[0], np.cumsum(self.lower[self._children.child])])
        return self._own + sums[self._children.indptr[1:]] - sums[self._children.indptr[:-1]]

    def count(self, frontier: Frontier, most_answers: int, cutoff: NDArray[np.int64]) -> None:
        """Raise the bounds of children of so many answers by the parts that any guess makes.

        Children of pairs that are refuted already are left out.
        """
        children = self._children
        is_wanted = np.zeros(len(self._sizes), np.bool_)
        is_open = np.repeat(self.totals() < cutoff, np.diff(children.indptr))
        is_wanted[children.child[is_open]] = True
        is_wanted &= ~self._is_counted & (self.height == 0) & (self._sizes <= most_answers)
        chosen = np.flatnonzero(is_wanted)
        if len(chosen) == 0:
            return
        states = children.states.take(chosen)
        sizes, known = self._sizes[chosen], self.lower[chosen]
        enough = 3 * sizes - 1 - known  # with so many parts the bound would be no better
        parts = frontier.most_parts(states, self._lists, self._parent[chosen], enough)
        self.lower[chosen] = np.maximum(known, part_lower_bound(sizes, parts))
        self._is_counted[chosen] = True
        self._bulk.record_all(
            self._entries, states.keys, sizes, self.lower[chosen], self.height[chosen]
        )

    def pair(self, p: int, total: int, *, is_open: bool) -> BoundedPair:
        """What is known of one pair; without its children if it is refuted."""
        if not is_open:
            return BoundedPair(total, NO_STATES, NO_BOUNDS, NO_BOUNDS)
        chosen = self._children.of_pair(p)
        states = self._children.states.take(chosen)
        return BoundedPair(total, states, self.lower[chosen], self.height[chosen])


def _distinct(lists: list[GuessList]) -> tuple[list[GuessList], NDArray[np.int32]]:
    """Each list once, and the place of every one among them."""
    place: dict[int, int] = {}
    places = [place.setdefault(id(guesses), len(place)) for guesses in lists]
    once = {place[id(guesses)]: guesses for guesses in lists}
    return [once[i] for i in range(len(once))], np.array(places, np.int32)
