"""Finds the best next guesses of a position, with exact values or bounds that tighten."""

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
"""Greedy rules that play on after a guess to give an upper bound on its value.

A rule is tried only if the rules before it lose an answer.
"""

FIRST_BUDGET = 256
BUDGET_STEP = 4
MAX_BUDGET = 1 << 16
"""Budgets of states that a promising guess may expand in a pass of :func:`search`.

The budget of the first pass, its growth from pass to pass, and the limit at which passes end.
"""

PROMISING = 8
"""Number of guesses that are tried first, for each guess asked for."""

Guesses = NDArray[np.intp]
"""Guesses by their indices, intp[n]."""


class RootBounds:
    """Bounds on the legal guesses of a position, and the ``count`` best of them.

    Guesses are ordered by value, then by worst case if ``worst`` is given, then candidates first,
    then as in the list. A guess is searched no further once ``count`` others precede it, unless it
    is ``wanted``, or with ``with_ties`` may be as good as one of the best. Several threads may
    settle guesses at once.

    Attributes:
        position: the position.
        legal: the legal guesses, ascending.
        lower: int64[G], proven lower bounds of the values.
        upper: int64[G], values of known strategies; INFEASIBLE if none is known.
        is_exact: bool[G], whether the value is known, which may be INFEASIBLE.
        worst: int64[G], the worst case if a strategy is known, else a lower bound of it; 0 if the
            worst case does not matter.
        strategies: solve results of guesses, with strategies of the least worst case.
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
        """The guesses that need more search, intp[n], and their cutoffs, int64[n].

        Values at or above the cutoff need not be exact. Read without the lock: stale data makes a
        search longer, never wrong.
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
        """Whether ``count`` winning guesses have known values."""
        return len(self._best) == self._count and self._best[-1][0] < INFEASIBLE

    @property
    def open_count(self) -> int:
        """Number of legal guesses that need more search."""
        return len(self.still_open(self.legal)[0])

    def settle(self, guess: int, found: Bound) -> None:
        """Record the bound that a search has found for a guess, unless its value is known."""
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
        """Record the strategy of a guess whose value is known; does nothing if it may lose."""
        if found.worst is not None:
            self.strategies[guess] = found
            if self._goes_by_worst:
                self.worst[guess] = found.worst
                self._line_up()

    @property
    def unranked(self) -> list[int]:
        """The best guesses whose order depends on a worst case that is not known."""
        return [
            guess
            for guess in self.best()
            if self._goes_by_worst
            and self.is_exact[guess]
            and self.lower[guess] < INFEASIBLE
            and guess not in self.strategies
        ]

    def settle_known(self, openers: Openers) -> None:
        """Record the bounds and values of a ranking of the position."""
        self.lower = np.maximum(self.lower, openers.lower)
        self.is_exact = openers.is_solved.copy()
        self.upper = openers.upper.copy()
        if self._goes_by_worst:
            self.worst = np.maximum(self.worst, openers.worst)
        self._line_up()

    def _line_up(self) -> None:
        """Sort the guesses of known value anew, and keep the ``count`` best."""
        known = self.legal[self.is_exact[self.legal]]
        best = zip(self.lower[known].tolist(), self._rank(known).tolist(), strict=True)
        self._best = sorted(best)[: self._count]

    def _rank(self, guesses: Guesses | int) -> NDArray[np.int64]:
        """Sort keys of guesses among those of equal value."""
        worst = self.worst[guesses] * (self.lower[guesses] < INFEASIBLE)
        return np.asarray(worst * len(self._place) + self._place[guesses])

    @property
    def value(self) -> int | None:
        """The least value of all legal guesses; None if unknown."""
        least = int(self.lower[self.legal].min())
        return least if (self.upper[self.legal] <= least).any() else None

    def is_optimal(self, guess: int) -> bool | None:
        """Whether no guess is better; None if unknown."""
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
        """The guesses known to have the least value, candidates first."""
        legal, value = self.legal, self.value
        found = legal[self.upper[legal] == value] if value is not None else legal[:0]
        return tuple(found[np.argsort(self._place[found])].tolist())

    def best(self) -> list[int]:
        """The ``count`` best legal guesses so far, ordered by upper, then lower bound."""
        legal = self.legal
        keys = (self._rank(legal), self.lower[legal], self.upper[legal])
        return legal[np.lexsort(keys)][: self._count].tolist()


@dataclass(frozen=True, eq=False)
class Suggestions:
    """Suggested next guesses.

    Attributes:
        shortlist: bounds on the values of all guesses.
        lists: lists of guesses, by the name of the criterion that orders each.
        solved: replayed strategies of guesses, as far as they are known.
    """

    shortlist: RootBounds
    lists: dict[str, list[int]]
    solved: dict[GuessOrBest, SolveReport]


ProgressCallback = Callable[[RootBounds], None]


def search(
    pool: SolverPool,
    position: Position,
    count: int,
    stop_token: StopToken,
    wanted: Sequence[int] = (),
    known: Openers | None = None,
    on_progress: ProgressCallback = lambda found: None,
    worst: NDArray[np.integer] | None = None,
    *,
    with_ties: bool = False,
) -> RootBounds:
    """Find the ``count`` best guesses, and the values of all ``wanted`` ones.

    Each guess is searched only until it is proved not to be among the best. Before the best are
    known there is no cutoff, and to prove that a guess may lose can take as long as hundreds of
    others. So in the first passes each promising guess has a budget of states.

    Args:
        pool: searches on all its threads.
        position: the position.
        count: number of best guesses to find.
        stop_token: ends the search early; what was proved by then stands.
        wanted: guesses whose values are needed in any case.
        known: a ranking of the position.
        on_progress: called with the bounds as they tighten.
        worst: int64[G], lower bounds of worst cases. If given, guesses of equal value are ordered
            by worst case, which is computed for the best guesses only.
        with_ties: whether to find all guesses as good as one of the best.
    """
    root_moves = pool.root_moves(position)
    found = RootBounds(position, root_moves, count, wanted, worst, with_ties=with_ties)
    if known is not None:
        found.settle_known(known)

    def settle(solver: Solver, task: Task) -> None:
        waiting, cutoffs = found.still_open(task.guesses)
        while len(waiting) and not pool.stop.is_set():
            if found.is_full and task.budget is not None:
                return  # the last pass, without budgets, searches the rest
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
            # A worst case may have moved a guess behind others of equal value.
            tasks = _tasks(found, order, SUGGESTED_AT_ONCE)


@dataclass(frozen=True)
class Task:
    """Guesses for a thread to search, each within a budget of states; None for no budget."""

    guesses: Guesses
    budget: int | None = None


def _tasks(
    found: RootBounds, guesses: Guesses, at_once: int, budget: int | None = None
) -> Iterator[Task]:
    """Yield tasks of ``at_once`` guesses, skipping guesses that need no more search by then."""
    while len(guesses := found.still_open(guesses)[0]):
        yield Task(guesses[:at_once], budget)
        guesses = guesses[at_once:]


def bound_above(found: RootBounds, evaluator: Evaluator, guesses: Sequence[int]) -> None:
    """Play greedy rules after guesses of unknown value, and record their values as upper bounds."""
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
            value = game.prices.value_of_turns(in_time, weights, made)
            found.upper[guess] = min(found.upper[guess], value)
