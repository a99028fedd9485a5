"""The exact search frontier by frontier: many openers in flight, their states evaluated in batches.

The search is the one of search.py, told as a coroutine a state: where that would count or search, a
coroutine yields a request and is resumed with the answer. So cutoffs are as sequential as ever
within a state, and thousands of states are at it at the same time; scheduler.py gathers what they
ask for into batches for a frontier, a GPU for one, while CPU threads search the small parts.

What is found goes to the transposition table, without a guess limit. An opener is closed by an
ordinary solver, which finds all that it needs there and knows about limits and trees.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import Frontier
from gpu_wordle.bounds import guess_lower_bound
from gpu_wordle.frontier import GuessList
from gpu_wordle.game import Game, Rule
from gpu_wordle.objective import INFEASIBLE
from gpu_wordle.solver.core import States, Stop
from gpu_wordle.solver.parallel import SolverPool
from gpu_wordle.solver.scheduler import (
    Bound,
    BoundedPair,
    Collapse,
    Enter,
    Leave,
    Recall,
    Scheduler,
    Settle,
)
from gpu_wordle.solver.table import TranspositionTable
from gpu_wordle.states import StateBatch

SMALL_MOST = 64
"""Answers of a state up to which CPU threads search it."""

NARROWEST, WIDEST = 2, 128
"""Guesses of a state that are bounded together: few at first, since most states fall soon."""

Value = tuple[int, int]
"""A total and the height of a tree that reaches it; with height 0, a lower bound."""

Search = Generator[Any, Any, Value]
"""A coroutine of the search: it yields requests, and its result is a value."""


@dataclass(frozen=True)
class Limits:
    """What can be tuned; the results do not depend on it.

    Attributes:
        small: answers of a state up to which CPU threads search it.
        ahead: guesses of the root that are in work at the same time.
    """

    small: int = SMALL_MOST
    ahead: int = 512


class BatchedPool(SolverPool):
    """A pool whose guesses are evaluated by a frontier before a solver closes them.

    For the normal rule, the plain mean and games whose patterns fit in a byte; otherwise it is a
    SolverPool.
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
        super().__init__(game, threads, table, stop=stop)
        self._frontier = frontier
        self._limits = limits or Limits()

    def prepared(
        self, guesses: Iterable[int], state: States | None, cutoff: Callable[[], int]
    ) -> Iterator[int]:
        """The guesses as they are evaluated; see SolverPool."""
        is_plain = self.game.rule is Rule.NORMAL and self.game.objective.is_mean
        if self.is_wide or not is_plain:
            yield from guesses
            return
        for guess, _ in self.evaluate(guesses, state, cutoff):
            yield guess

    def evaluate(
        self,
        guesses: Iterable[int],
        state: States | None = None,
        cutoff: Callable[[], int] = lambda: INFEASIBLE,
    ) -> Iterator[tuple[int, Value]]:
        """``(guess, value)`` without a guess limit as each is found, in any order.

        Fail-soft: a value below the ``cutoff`` of the time when its guess was begun is exact and
        has a height; otherwise it is a lower bound of that cutoff or more. Ends early when the pool
        is asked to stop.
        """
        scheduler = Scheduler(self._frontier, self, self.table)
        batch = StateBatch.from_sets(
            [(self.game.root() if state is None else state).tolist()], self.game.answer_count
        )
        (root,) = self._frontier.collapse(batch, [self._frontier.whole()], np.zeros(1, np.int32))
        jobs = ((g, self._opener(root, g, cutoff())) for g in guesses)
        yield from scheduler.run(jobs, self._limits.ahead)

    def _opener(self, root: GuessList, guess: int, cutoff: int) -> Search:
        """Value of one guess on the root."""
        (pair,) = yield Bound(root, np.array([guess], np.int32), cutoff)
        if pair.total >= cutoff:
            return pair.total, 0
        return (yield from self._pair(root, pair, cutoff))

    def _state(self, state: StateBatch, above: GuessList, cutoff: int) -> Search:
        """Value of a state, ``above`` being the guesses of a state that contains it."""
        while not (yield Enter(state)):  # it is in work elsewhere: see what has become known
            value: Value = yield Recall(state)
            if value[1] > 0 or value[0] >= cutoff:
                return value
        value = yield from self._entered(state, above, cutoff)
        yield Leave(state)
        return value

    def _entered(self, state: StateBatch, above: GuessList, cutoff: int) -> Search:
        """The same for a state that no other coroutine is searching."""
        n = int(state.sizes[0])
        guesses: GuessList = yield Collapse(state, above)
        bounds, order = lined_up(n, guesses)
        least = int(bounds.min(initial=INFEASIBLE))
        best, best_height = cutoff, 0
        floor = least if least >= cutoff else INFEASIBLE
        begin, width = 0, NARROWEST
        while begin < len(order) and best > least:
            chosen = order[begin : begin + width]
            begin += width
            width = min(2 * width, WIDEST)
            is_hopeless = bounds[chosen] >= best
            floor = min(floor, int(bounds[chosen[is_hopeless]].min(initial=INFEASIBLE)))
            chosen = chosen[~is_hopeless]
            if len(chosen) == 0:
                continue
            pairs: list[BoundedPair] = yield Bound(guesses, guesses.guess[chosen], best)
            for pair in pairs:
                total, height = pair.total, 0
                if total < best:
                    total, height = yield from self._pair(guesses, pair, best)
                if total < best:
                    best, best_height = total, height
                else:
                    floor = min(floor, total)
        value = (best, best_height) if best < cutoff else (floor, 0)
        yield Recall(state, value)
        return value

    def _pair(self, guesses: GuessList, pair: BoundedPair, cutoff: int) -> Search:
        """Value of a guess on a state, the smallest parts first."""
        lower, height = pair.lower, pair.height
        sizes = pair.children.sizes
        missing = cutoff - pair.total
        is_open = height == 0
        order = np.argsort(sizes, kind="stable")
        small = order[(is_open & (sizes <= self._limits.small))[order]]
        if len(small) > 0:
            settled = Settle(pair.children.take(small), lower[small], height[small], missing)
            before = int(lower[small].sum())
            lower[small], height[small] = yield settled
            missing -= int(lower[small].sum()) - before
        for c in order[(is_open & (sizes > self._limits.small))[order]]:
            if missing <= 0:
                break
            child = pair.children.chunk(c, c + 1)
            goal = int(lower[c]) + missing
            value, height[c] = yield from self._state(child, guesses, goal)
            missing -= max(value - int(lower[c]), 0)
            lower[c] = max(value, int(lower[c]))
        if missing <= 0:
            return cutoff - missing, 0
        return cutoff - missing, 1 + int(height.max(initial=0))


def lined_up(n: int, guesses: GuessList) -> tuple[NDArray[np.int64], NDArray[np.intp]]:
    """One-ply bounds of the guesses on a state of n answers, and the order of ordering.py."""
    bounds = guess_lower_bound(
        np.full(len(guesses), n), guesses.parts.astype(np.int64), guesses.is_candidate.astype(int)
    )
    promise = n * bounds + 2 * guesses.sum_squares.astype(np.int64)
    return bounds, np.lexsort((guesses.guess, ~guesses.is_candidate, promise))
