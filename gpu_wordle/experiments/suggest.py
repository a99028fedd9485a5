"""The best next guesses of a position: their exact values, or intervals that tighten."""

from __future__ import annotations

import threading
from bisect import insort
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import Evaluator
from gpu_wordle.game.game import Position
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.ranking.openers import Openers
from gpu_wordle.ranking.solving import GuessOrBest, SolveReport
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool
from gpu_wordle.solver.result import Bound, SolveResult
from gpu_wordle.solver.solver import RootMoves, Solver
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.play import play
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.tunables import SUGGESTED_AT_ONCE

UPPER_RULES = ("parts", "expected-part", "max-part")
"""Rules whose play bounds a guess from above where search has not closed it.

A rule is asked only where those before it lose an answer.
"""

FIRST_BUDGET = 256
BUDGET_STEP = 4
MAX_BUDGET = 1 << 16
"""States that a promising guess may expand before others have had their turn; see :func:`search`.

The first budget, by how much it grows from pass to pass, and from where on there is none.
"""

PROMISING = 8
"""Guesses that are tried first, for each one that is asked for."""

Guesses = NDArray[np.intp]
"""Guesses by their indices, intp[n]."""


class RootBounds:
    """Bounds on the legal guesses of a position, and the ``count`` best of them.

    Where it is asked for, equal guesses go by their worst case. Then those come first that can be
    the answer, then those that are first in the list. A guess of which it is known that
    ``count`` others come before it is not searched any further, unless it is ``wanted``, or
    ``with_ties`` where it may be as good. Threads may settle guesses side by side.

    Attributes:
        position: where the game stands.
        legal: the guesses that the rule allows, ascending.
        lower: int64[G], proven lower bounds of their values.
        upper: int64[G], values of known strategies; INFEASIBLE where none is known.
        is_exact: bool[G], whether the value is known, or that there is none.
        worst: int64[G], the worst case where a strategy is known, else a lower bound; 0 where
            equal guesses do not go by it.
        strategies: strategies of guesses whose value is known, of the least worst case.
    """

    def __init__(
        self,
        position: Position,
        root_moves: RootMoves,
        count: int,
        wanted: Iterable[int] = (),
        worst: NDArray[np.integer] | None = None,
        *,
        with_ties: bool = False,
    ) -> None:
        self.position = position
        self.legal = np.flatnonzero(position.choices)
        self.lower = root_moves.bound.astype(np.int64)
        self.upper = np.full(len(self.lower), INFEASIBLE, np.int64)
        self.is_exact = np.zeros(len(self.lower), np.bool_)
        self.worst = np.array(self.lower * 0 if worst is None else worst, np.int64)
        self.strategies: dict[int, SolveResult] = {}
        self._goes_by_worst, self._with_ties = worst is not None, with_ties
        self._count = count
        self._is_wanted = np.zeros(len(self.lower), np.bool_)
        self._is_wanted[list(wanted)] = True
        self._place = np.empty(len(self.lower), np.int64)
        self._place[np.lexsort([~root_moves.is_candidate])] = np.arange(len(self.lower))
        self._best: list[tuple[int, int]] = []
        self._lock = threading.Lock()

    def still_open(self, guesses: Guesses) -> tuple[Guesses, NDArray[np.int64]]:
        """Those guesses of which more is to be found out, intp[n], and their cutoffs, int64[n].

        From its cutoff on the value of a guess is of no interest. What is stale costs time only.
        """
        cutoffs = np.full(len(guesses), INFEASIBLE + 1)
        if len(self._best) >= self._count:
            value, rank = self._best[self._count - 1]
            cutoffs[:] = value + (self._with_ties | (self._rank(guesses) < rank))
            cutoffs[self._is_wanted[guesses]] = INFEASIBLE + 1
        is_open = ~self.is_exact[guesses] & (self.lower[guesses] < cutoffs)
        return guesses[is_open], cutoffs[is_open]

    @property
    def is_full(self) -> bool:
        """Whether so many guesses as are asked for are known to win, with their values."""
        return len(self._best) == self._count and self._best[-1][0] < INFEASIBLE

    @property
    def open_count(self) -> int:
        """How many legal guesses these are."""
        return len(self.still_open(self.legal)[0])

    def settle(self, guess: int, found: Bound) -> None:
        """Take in what a search has found of a guess; nothing, if its value is known."""
        with self._lock:
            if self.is_exact[guess]:
                return
            self.lower[guess] = max(self.lower[guess], found.lower)
            if not found.is_exact:
                return
            self.is_exact[guess] = True
            self.upper[guess] = found.lower
            insort(self._best, (found.lower, int(self._rank(guess))))
            del self._best[self._count :]

    def settle_strategy(self, guess: int, found: SolveResult) -> None:
        """Take in the strategy of a guess whose value is known; nothing, if there is none."""
        if found.worst is not None:
            self.strategies[guess] = found
            if self._goes_by_worst:
                self.worst[guess] = found.worst
                self._line_up()

    @property
    def unranked(self) -> list[int]:
        """The best guesses that go by a worst case which is not known."""
        return [
            guess
            for guess in self.best()
            if self._goes_by_worst
            and self.is_exact[guess]
            and self.lower[guess] < INFEASIBLE
            and guess not in self.strategies
        ]

    def settle_known(self, openers: Openers) -> None:
        """Take in what a ranking of the position says."""
        self.lower = np.maximum(self.lower, openers.lower)
        self.is_exact = openers.is_solved.copy()
        self.upper = openers.upper.copy()
        if self._goes_by_worst:
            self.worst = np.maximum(self.worst, openers.worst)
        self._line_up()

    def _line_up(self) -> None:
        """Find the best guesses whose values are known."""
        known = self.legal[self.is_exact[self.legal]]
        best = zip(self.lower[known].tolist(), self._rank(known).tolist(), strict=True)
        self._best = sorted(best)[: self._count]

    def _rank(self, guesses: Guesses | int) -> NDArray[np.int64]:
        """Places of guesses among those of the same value."""
        worst = self.worst[guesses] * (self.lower[guesses] < INFEASIBLE)
        return np.asarray(worst * len(self._place) + self._place[guesses])

    def bound_above(self, guess: int, value: int) -> None:
        """Take in the value of a strategy that begins with a guess."""
        self.upper[guess] = min(self.upper[guess], value)

    @property
    def value(self) -> int | None:
        """The least value of all guesses; None while it is not known."""
        least = int(self.lower[self.legal].min())
        return least if (self.upper[self.legal] <= least).any() else None

    def is_optimal(self, guess: int) -> bool | None:
        """Whether no guess is better; None while that is not known."""
        value = self.value
        if value is None or value >= INFEASIBLE:
            return None if value is None else False
        if self.upper[guess] > value:
            return False if self.lower[guess] > value else None
        if self.position.game.objective.aim is not Aim.MEAN_WORST:
            return True
        rivals = self.legal[self.lower[self.legal] <= value]
        if guess in self.strategies and self.worst[guess] <= self.worst[rivals].min():
            return True
        known = [self.worst[each] for each in rivals.tolist() if each in self.strategies]
        return False if min(known, default=INFEASIBLE) < self.worst[guess] else None

    @property
    def reaching(self) -> tuple[int, ...]:
        """The guesses known to have the least value, those first that can be the answer."""
        legal, value = self.legal, self.value
        found = legal[self.upper[legal] == value] if value is not None else legal[:0]
        return tuple(found[np.argsort(self._place[found])].tolist())

    def best(self) -> list[int]:
        """The best guesses as far as they are known, the least upper bounds first."""
        legal = self.legal
        keys = (self._rank(legal), self.lower[legal], self.upper[legal])
        return legal[np.lexsort(keys)][: self._count].tolist()


@dataclass(frozen=True, eq=False)
class Suggestions:
    """The next guesses to look at.

    Attributes:
        shortlist: what is known of their values.
        lists: guesses by the name of what each list is ordered by.
        solved: their strategies, replayed, as far as they are known.
    """

    shortlist: RootBounds
    lists: dict[str, list[int]]
    solved: dict[GuessOrBest, SolveReport]


Listener = Callable[[RootBounds], None]


def search(
    pool: SolverPool,
    position: Position,
    count: int,
    stop_token: StopToken,
    wanted: Sequence[int] = (),
    known: Openers | None = None,
    on_progress: Listener = lambda found: None,
    worst: NDArray[np.integer] | None = None,
    *,
    with_ties: bool = False,
) -> RootBounds:
    """Find the ``count`` best guesses, and the values of those that are wanted besides.

    Each guess is searched only as far as it takes to tell that it is none of the best. Until the
    best are known nothing tells that, and to see that a guess may lose can take as long as hundreds
    of others do. So at first a guess waits once it has spent a budget.

    After an early end, what was proved by then stands. ``known`` is a ranking of the position, and
    ``on_progress`` is told of what is found as it grows. With ``worst``, int64[G], equal guesses go
    by their worst cases, of which these are lower bounds: only those of the best guesses are found.
    ``with_ties`` all guesses are found that are as good as one of the best.
    """
    root_moves = pool.root_moves(position)
    found = RootBounds(position, root_moves, count, wanted, worst, with_ties=with_ties)
    if known is not None:
        found.settle_known(known)

    def settle(solver: Solver, task: Task) -> None:
        waiting, cutoffs = found.still_open(task.guesses)
        while len(waiting) and not pool.stop.is_set():
            if found.is_full and task.budget is not None:
                return  # a pass without budgets takes up what is left
            if found.is_full:
                results = solver.solve_in_turn(position, waiting, cutoffs, root_moves.max_parts)
            else:
                results = [
                    solver.solve(
                        position,
                        int(waiting[0]),
                        cutoff=int(cutoffs[0]),
                        budget=task.budget,
                        max_parts=root_moves.max_parts,
                    ).bound
                ]
            for guess, result in zip(waiting.tolist(), results, strict=False):
                found.settle(guess, result)
            waiting, cutoffs = found.still_open(waiting[len(results) :])

    is_legal = np.zeros(len(root_moves.order), np.bool_)
    is_legal[found.legal] = True
    promising = root_moves.order[is_legal[root_moves.order]].tolist()
    order = np.array(list(dict.fromkeys([*wanted, *promising])), np.intp)
    first, others = np.split(order, [PROMISING * (count + len(wanted))])

    def at_once() -> int:
        left = len(found.still_open(first)[0])
        return max(1, min(pool.at_once(len(position.state), left), -(-left // pool.threads)))

    budget = FIRST_BUDGET
    with stop_token.of(pool.stop):
        while budget < MAX_BUDGET and not (found.is_full or pool.stop.is_set()):
            for _ in pool.map(settle, _tasks(found, first, at_once(), budget)):
                on_progress(found)
            budget *= BUDGET_STEP
        last = _tasks(found, first, at_once() if found.is_full else 1)
        tasks: Iterator[Task] = chain(last, _tasks(found, others, SUGGESTED_AT_ONCE))
        while True:
            for _ in pool.map(settle, tasks):
                on_progress(found)
            if pool.stop.is_set() or not (asked := found.unranked):
                return found
            for guess, result in pool.solve_guesses(position, asked, tree=True):
                found.settle_strategy(guess, result)
            tasks = _tasks(found, order, SUGGESTED_AT_ONCE)  # equal ones may come before some now


@dataclass(frozen=True)
class Task:
    """Guesses for a thread to search, each within a budget of states, if there is one."""

    guesses: Guesses
    budget: int | None = None


def _tasks(
    found: RootBounds, guesses: Guesses, at_once: int, budget: int | None = None
) -> Iterator[Task]:
    """Guesses, so many at a time; without those of which nothing is open when their turn comes."""
    while len(guesses := found.still_open(guesses)[0]):
        yield Task(guesses[:at_once], budget)
        guesses = guesses[at_once:]


def bound_above(found: RootBounds, evaluator: Evaluator, guesses: Sequence[int]) -> None:
    """Play greedy rules after guesses whose values are open, to bound them from above."""
    position = found.position
    game, made = position.game, position.turns_made
    weights = game.objective.weights_of(position.state)
    left = position.guesses_left
    for rule in UPPER_RULES:
        some = [g for g in guesses if not found.is_exact[g] and found.upper[g] >= INFEASIBLE]
        if not some:
            return
        start = Positions.of(position, evaluator).take(np.zeros(len(some), np.int64))
        played = play(make_strategy(rule, game), start, np.array(some, np.int32))
        for guess, turns in zip(some, played.turns.reshape(len(some), -1), strict=True):
            in_time: NDArray[np.int64] = turns.astype(np.int64)
            if left < NO_LIMIT:
                in_time[in_time > left] = 0
            found.bound_above(guess, game.prices.value_of_turns(in_time, weights, made))
