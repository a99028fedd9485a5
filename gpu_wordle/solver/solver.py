"""Solver: exact values and trees of one game, on one thread.

The search modules are imported when the first solver is made, since that loads machine code or,
on a machine's first use, compiles it.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Game
from gpu_wordle.game.legality import Revealed
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.memory.arenas import (
    BUDGET,
    EXPANDED,
    GENERATED,
    NO_BUDGET,
    NODES,
    OVERFLOW,
    PRUNED,
    STOPPED,
    TABLE_HITS,
)
from gpu_wordle.solver.memory.search_matrix import SearchMatrix
from gpu_wordle.solver.memory.stage_costs import StageCosts
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable
from gpu_wordle.solver.memory.workspace import Thread
from gpu_wordle.solver.result import SearchStats, SolveResult
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.tree import DecisionTree

States = NDArray[np.uint16]
ANY_GUESS = -1
NO_PARENT = -1


@dataclass(frozen=True, eq=False)
class Prospects:
    """What one look at a state says of each guess.

    Attributes:
        bound: int64[G], one-ply lower bound.
        is_candidate: bool[G], whether the guess may be the answer.
        order: int64[G], the guesses in the order in which a search tries them.
        most: the most parts that any guess makes of the state.
    """

    bound: NDArray[np.int64]
    is_candidate: NDArray[np.bool_]
    order: NDArray[np.int64]
    most: int


class Solver:
    """Solves states and guesses of one game, one at a time; each thread needs its own.

    ``matrix``, ``table`` and ``stop`` are made for the solver unless it is to share those of
    another one.
    """

    def __init__(
        self,
        game: Game,
        table: TranspositionTable | None = None,
        *,
        matrix: SearchMatrix | None = None,
        stop: Stop | None = None,
    ) -> None:
        self.game = game
        self.matrix = matrix or SearchMatrix.of(game)
        self.table = table or TranspositionTable()
        self.stop = stop or Stop()
        self._costs = StageCosts.of(game)
        self._entry, self._thread = _engine(game, self.matrix, self._costs, self.table, self.stop)
        self._address = self._thread.borrowed.ctypes.data
        self._entry.save(self._thread.workspace, self._address)

    def solve(
        self,
        state: States | None = None,
        guess: int | None = None,
        *,
        cutoff: int | None = None,
        guesses_left: int | None = None,
        budget: int | None = None,
        tree: bool = False,
        least_worst: bool = True,
        most: int = PATTERNS,
        revealed: Revealed | None = None,
    ) -> SolveResult:
        """Value of a state, or of one guess on it.

        If the value is below the cutoff, the result is exact; otherwise its lower bound is at
        least the cutoff. If the budget runs out or a stop is asked for, the result is what was
        proved by then.

        Args:
            state: the answers still possible; all of them if not given.
            guess: the first guess; the best legal one if not given, which under CANDIDATES is an
                answer of the state, on the first turn too. A given guess need not be legal.
            cutoff: from where on the exact value is of no interest; none if not given.
            guesses_left: guesses left in this state; the game's limit if not given.
            budget: most states to expand; no end if not given.
            tree: whether to make a strategy, if the value is exact and feasible.
            least_worst: whether that strategy has the least worst case of those that reach the
                value, which takes more search.
            most: with a guess, a bound on the parts that any guess makes of the state.
            revealed: under a constrained rule, what the feedback so far has revealed (see
                legality.py); nothing if not given.
        """
        state = self.game.root() if state is None else state
        if len(state) == 0:
            raise ValueError("a state has at least one answer")
        left = self.game.objective.guesses_left if guesses_left is None else guesses_left
        limit = INFEASIBLE if cutoff is None else min(cutoff, INFEASIBLE)
        if self.game.objective.aim is Aim.WORST:
            left = min(left, len(state) + 1)
        counters = self._thread.workspace.counters
        counters[:] = 0
        counters[BUDGET] = NO_BUDGET if budget is None else budget
        started = time.thread_time()

        value = self._least_worst_first if self.game.objective.aim is Aim.WORST else self._value
        total, height = value(state, guess, revealed, limit, left, most)
        strategy = worst = None
        upper = total if height > 0 or total >= INFEASIBLE else INFEASIBLE
        if counters[STOPPED]:
            upper = INFEASIBLE
        elif tree and height > 0:
            strategy = self._grown(
                state, guess, revealed, total, height, left, least_worst=least_worst
            )
            worst = None if strategy is None else strategy.height
        stats = SearchStats(
            int(counters[EXPANDED]),
            int(counters[GENERATED]),
            int(counters[TABLE_HITS]),
            int(counters[PRUNED]),
            time.thread_time() - started,
        )
        return SolveResult(total, upper, strategy, worst, stats)

    @property
    def workspace(self) -> Any:
        """The memory of this solver's thread, which tests read and lower limits in."""
        return self._thread.workspace

    def forget(self) -> None:
        """Empty the table, and drop what this solver keeps of the game's own matrix."""
        self.table.clear()
        self._thread.forget()

    def bound(
        self,
        guess: int,
        cutoff: int,
        most: int = PATTERNS,
        state: States | None = None,
        *,
        guesses_left: int | None = None,
        revealed: Revealed | None = None,
    ) -> tuple[int, int]:
        """Lower bounds on a guess without search: by sizes alone, then by one-ply bounds as well.

        The second is raised to the cutoff and not much beyond. ``most`` bounds the parts that any
        guess makes of the state.
        """
        state = self.game.root() if state is None else state
        if self.game.objective.aim is Aim.WORST:  # nothing quick is known of the worst case
            return self.game.prices.scale, self.game.prices.scale
        left = self.game.objective.guesses_left if guesses_left is None else guesses_left
        if self._costs.is_linear(left) and not self.game.rule.is_constrained:
            left = NO_LIMIT  # the limit is of little use, and what was learned without it is
        return self._bound(state, guess, revealed, cutoff, left, most)

    def attempt(
        self,
        states: StateBatch,
        tries: NDArray[np.int64],
        guesses: NDArray[np.int32],
        bounds: NDArray[np.int64],
        most: NDArray[np.int64],
        best: NDArray[np.int64],
        height: NDArray[np.int64],
    ) -> None:
        """Try guesses on states in turn, without a guess limit; see bulk.attempt.

        State b tries ``guesses[tries[b]:tries[b + 1]]``, of which lower bounds are known; ``best``
        and ``height`` are changed in place. A stop leaves what was found by then.
        """
        from gpu_wordle.solver.batched import many_states as bulk

        w = self._thread.workspace
        w.counters[:] = 0
        w.counters[BUDGET] = NO_BUDGET
        root, tops = self._thread.enter(self.matrix, states.state(0))
        matrix = self.matrix.cells
        bulk.attempt(
            self._address, root, tops, matrix.ctypes.data, matrix.shape[1],
            states.indptr, states.answers,
            tries, self.matrix.place[guesses].astype(np.int64), bounds, most, best, height,
        )  # fmt: skip
        self._check_depth()

    def prospects(
        self, state: States | None = None, *, guesses_left: int | None = None
    ) -> Prospects:
        """One-ply bounds of all guesses, legal or not, and the order in which they are tried."""
        state = self.game.root() if state is None else state
        left = self.game.objective.guesses_left if guesses_left is None else guesses_left
        parts, is_candidate, order = self._ordered(state)
        bound = self._costs.guess_bounds(state, parts, self.game.words.answer_of_guess, left)
        if self.game.objective.aim is Aim.WORST:
            bound = np.minimum(bound + self.game.prices.scale, INFEASIBLE)
        return Prospects(bound, is_candidate, order, int(parts.max()))

    def twin(self) -> Solver:
        """Another solver of the game, for another thread, that shares matrix, table and stop."""
        return Solver(self.game, self.table, matrix=self.matrix, stop=self.stop)

    def _ordered(
        self, state: States
    ) -> tuple[NDArray[np.int64], NDArray[np.bool_], NDArray[np.intp]]:
        """Parts that each guess makes of a state, whether it is a candidate, and the order."""
        n = len(state)
        parts, squares = self._measure(state)
        is_candidate = np.zeros(self.matrix.guesses, dtype=np.bool_)
        is_candidate[self.matrix.own_guess[state]] = True
        by_parts = 3 * n - parts - is_candidate  # see ordering.py
        return parts, is_candidate, np.lexsort((~is_candidate, n * by_parts + 2 * squares))

    def _measure(self, state: States) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Parts that each guess makes of a state, and the sums of their squares, int64[G]."""
        entered, _ = self._thread.enter(self.matrix, state, None)
        w = self._thread.workspace
        self._entry.measure(self._address, entered)
        parts = w.column_parts[self.matrix.place].astype(np.int64)
        pairs = w.column_pairs[self.matrix.place].astype(np.int64)
        return parts, len(state) + 2 * pairs

    def _bound(
        self,
        state: States,
        guess: int,
        revealed: Revealed | None,
        cutoff: int,
        left: int,
        most: int,
    ) -> tuple[int, int]:
        """What :meth:`bound` promises, under a limit."""
        entered, tops = self._thread.enter(self.matrix, state, revealed)
        place = int(self.matrix.place[guess])
        by_sizes, total = self._entry.bound_guess(
            self._address, entered, tops, cutoff, left, place, most
        )
        return int(by_sizes), int(total)

    def _value(
        self,
        state: States,
        guess: int | None,
        revealed: Revealed | None,
        cutoff: int,
        left: int,
        most: int = PATTERNS,
    ) -> tuple[int, int]:
        """Value and height of a tree that reaches it; height 0 with a bound."""
        # What is learned without a limit serves all limits; constrained rules need its help.
        if self._costs.is_linear(left) and not self.game.rule.is_constrained:
            total, height = self._search(state, guess, revealed, cutoff, NO_LIMIT, most)
            if height <= left:
                return total, height
        return self._search(state, guess, revealed, cutoff, left, most)

    def _least_worst_first(
        self,
        state: States,
        guess: int | None,
        revealed: Revealed | None,
        cutoff: int,
        left: int,
        most: int = PATTERNS,
    ) -> tuple[int, int]:
        """The same of the least worst case, then the mean: limits from the lowest up."""
        for turns in range(1, left + 1):
            base = self.game.prices.scale * turns
            if base >= cutoff:
                return base, 0
            total, height = self._search(state, guess, revealed, cutoff - base, turns, most)
            if total < INFEASIBLE or self._thread.workspace.counters[STOPPED]:
                return min(base + total, base + self.game.prices.scale - 1), height
        return INFEASIBLE, 0

    def _search(
        self,
        state: States,
        guess: int | None,
        revealed: Revealed | None,
        cutoff: int,
        left: int,
        most: int = PATTERNS,
    ) -> tuple[int, int]:
        """Value and height under a limit, in which NO_LIMIT is not tried first."""
        counters = self._thread.workspace.counters
        entered, tops = self._thread.enter(self.matrix, state, revealed)
        if left >= len(state) + 1 and self._costs.is_linear(left):
            left = NO_LIMIT
        if guess is None:
            total, height = self._entry.value(self._address, entered, tops, cutoff, left)
        elif left < 1:
            return INFEASIBLE, 0
        else:
            place = int(self.matrix.place[guess])
            total, height = self._entry.search(
                self._address, entered, tops, cutoff, left, place, most
            )
            if counters[STOPPED]:
                _, total = self._entry.bound_guess(
                    self._address, entered, tops, INFEASIBLE, left, place, most
                )
        self._check_depth()
        return int(total), int(height)

    def _check_depth(self) -> None:
        if self._thread.workspace.counters[OVERFLOW]:
            raise JobError(
                "the search went too deep for its memory: the guesses of this game tell its "
                "answers apart too slowly"
            )

    def _grown(
        self,
        state: States,
        guess: int | None,
        revealed: Revealed | None,
        total: int,
        height: int,
        left: int,
        *,
        least_worst: bool,
    ) -> DecisionTree | None:
        """A strategy of the value ``total``, of the least worst case if asked; None if stopped.

        For that the limit is lowered until the value would rise; at once, if the value is that of
        losing answers, for they may be lost after the last turn of the game only.
        """
        if self.game.objective.aim is Aim.WORST:
            return self._tree(state, guess, revealed, height)
        by_turn = not self._costs.is_linear(left) or self.game.objective.allows_failure
        limit = height
        try:
            while least_worst and limit > 1 and not self._costs.is_lossy(state, total, left):
                if by_turn:
                    self._costs.lower_limit(self.game, left - limit + 1)
                found, lower = self._search(state, guess, revealed, total + 1, limit - 1)
                if found != total or lower == 0:
                    break
                limit = min(lower, limit - 1)
            if by_turn:
                self._costs.lower_limit(self.game, left - limit)
            return self._tree(state, guess, revealed, limit)
        finally:
            self._costs.lower_limit(self.game, 0)

    def _tree(
        self, state: States, guess: int | None, revealed: Revealed | None, left: int
    ) -> DecisionTree | None:
        """The first optimal strategy under ``left`` guesses; None if the search was stopped."""
        w = self._thread.workspace
        entered, tops = self._thread.enter(self.matrix, state, revealed)
        w.counters[NODES] = 0
        nodes = np.empty((2 * len(state) + 1, 3), dtype=np.int32)
        forced = ANY_GUESS if guess is None else int(self.matrix.place[guess])
        if not self._entry.grow(
            self._address, entered, tops, left, forced, NO_PARENT, int(state[0]), nodes
        ):
            if not w.counters[STOPPED]:
                raise JobError("no strategy reaches the value that was proved; please report this")
            return None
        nodes = nodes[: w.counters[NODES]]
        guesses, parents, answers = (nodes[:, i].copy() for i in range(3))
        patterns = self.game.patterns.values[answers, guesses[parents]].astype(np.uint16)
        patterns[0] = 0
        return DecisionTree(guesses, parents, patterns)


def _engine(
    game: Game, matrix: SearchMatrix, costs: StageCosts, table: TranspositionTable, stop: Stop
) -> tuple[Any, Any]:
    """The machine code of the search, and a thread's memory, as the rule of the game demands."""
    if game.rule.is_constrained:
        from gpu_wordle.solver.constrained.machine_code import MACHINE_CODE as CONSTRAINED
        from gpu_wordle.solver.constrained.workspace import Thread as ConstrainedThread

        thread = ConstrainedThread.of_game(game, matrix, costs, table.entries, stop.flag)
        return CONSTRAINED, thread
    from gpu_wordle.solver.unconstrained.machine_code import MACHINE_CODE

    return MACHINE_CODE, Thread.of(matrix, costs, table.entries, stop.flag)
