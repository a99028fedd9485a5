"""Solver: exact values and trees of the positions of one game, on one thread."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypedDict, Unpack

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine_engine import MachineEngine
from gpu_wordle.solver.memory.arenas import (
    BUDGET,
    EXPANDED,
    GENERATED,
    NO_BUDGET,
    PRUNED,
    STOPPED,
    TABLE_HITS,
)
from gpu_wordle.solver.memory.move_cache import MoveCache
from gpu_wordle.solver.memory.search_matrix import TooManyPartsError
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable, default_table_bytes
from gpu_wordle.solver.python_engine import PythonEngine
from gpu_wordle.solver.query import SearchQuery, Value, line_up
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.solver.result import Bound, SearchStats, SolveResult
from gpu_wordle.solver.symmetric import SymmetricEngine
from gpu_wordle.solver.wide import WideEngine
from gpu_wordle.states.tree import DecisionTree


@dataclass(frozen=True, eq=False)
class RootMoves:
    """One look at all guesses on a state.

    Attributes:
        bound: int64[G], one-ply lower bound.
        is_candidate: bool[G], whether the guess may be the answer.
        order: int64[G], the guesses in the order in which a search tries them.
        max_parts: the most parts that any guess makes of the state.
    """

    bound: NDArray[np.int64]
    is_candidate: NDArray[np.bool_]
    order: NDArray[np.int64]
    max_parts: int


class SolveOptions(TypedDict, total=False):
    """What is asked of each of several guesses; see :meth:`Solver.solve`."""

    cutoff: int | None
    budget: int | None
    tree: bool
    least_worst: bool


class Solver:
    """Solves positions of one game, one at a time; each thread needs its own.

    Made by ``open_solver``. Every query raises UserError if its position is of another game, or
    if no guess is left there.
    """

    def __init__(self, engine: MachineEngine | PythonEngine) -> None:
        self.engine = engine

    @property
    def game(self) -> Game:
        """The game whose positions are solved."""
        return self.engine.game

    @property
    def table(self) -> TranspositionTable:
        """Bounds and values of the states of the game."""
        return self.engine.table

    @property
    def is_wide(self) -> bool:
        """True if guesses make more parts than machine code tells apart; see wide.py."""
        return isinstance(self.engine, WideEngine)

    @property
    def machine(self) -> MachineEngine:
        """The engine that searches all states by machine code; ValueError if the game is wide."""
        if isinstance(self.engine, MachineEngine):
            return self.engine
        if isinstance(self.engine, SymmetricEngine):
            return self.engine.machine
        raise ValueError("guesses make more parts than machine code tells apart")

    def solve(
        self,
        position: Position,
        guess: int | None = None,
        *,
        cutoff: int | None = None,
        budget: int | None = None,
        tree: bool = False,
        least_worst: bool = True,
        max_parts: int = PATTERNS,
    ) -> SolveResult:
        """Value of a position, or of one guess there.

        If the value is below the cutoff, the result is exact; otherwise its lower bound is at least
        the cutoff. If the budget runs out or a stop is asked for, the result is what was proved by
        then.

        Args:
            position: where the game stands.
            guess: the next guess; the best legal one if not given, which under CANDIDATES is an
                answer of the state, on the first turn too. A given guess need not be legal.
            cutoff: values at or above it need not be exact; none if not given.
            budget: most states to expand; no end if not given.
            tree: whether to make a strategy, if the value is exact and feasible.
            least_worst: whether that strategy has the least worst case of those that reach the
                value, which takes more search.
            max_parts: with a guess, a bound on the parts that any guess makes of the state.
        """
        limit = INFEASIBLE if cutoff is None else min(cutoff, INFEASIBLE)
        query, search = self._question(position, guess, limit, max_parts), self.engine.search
        if self.game.objective.aim is Aim.WORST:
            # No strategy needs more turns than a first guess and one for each answer.
            query = query.within(min(query.guesses_left, len(position.state) + 1))
            search = self._least_worst_first
        counters = self.engine.counters
        counters[:] = 0
        counters[BUDGET] = NO_BUDGET if budget is None else budget
        started = time.thread_time()

        total, height = search(query)
        strategy = worst = None
        upper = total if height > 0 or total >= INFEASIBLE else INFEASIBLE
        if counters[STOPPED]:
            upper = INFEASIBLE
        elif tree and height > 0:
            strategy = self._grown(query, total, height, least_worst=least_worst)
            worst = None if strategy is None else strategy.height
        stats = SearchStats(
            int(counters[EXPANDED]),
            int(counters[GENERATED]),
            int(counters[TABLE_HITS]),
            int(counters[PRUNED]),
            time.thread_time() - started,
        )
        return SolveResult(total, upper, strategy, worst, stats)

    def solve_many(
        self, position: Position, guesses: Sequence[int], **asked: Unpack[SolveOptions]
    ) -> Sequence[SolveResult]:
        """Results of :meth:`solve` for each guess, in their order.

        After a stop, guesses that were not begun are left out. CPU seconds of guesses that were
        searched in one call are shared out evenly.
        """
        is_usual = {name: v for name, v in asked.items() if v is not None} == {"tree": True}
        together: Sequence[SolveResult] = ()
        if is_usual and len(guesses) > 1 and self._solves_together:
            together = self.machine.openers(self._question(position), guesses)
        if len(together) == len(guesses):
            return together
        results = list(together)
        for guess in guesses[len(results) :]:
            result = self.solve(position, guess, **asked)
            results.append(result)
            if self.engine.stop.is_set():
                break
        return results

    def solve_in_turn(
        self,
        position: Position,
        guesses: NDArray[np.intp],
        cutoffs: NDArray[np.int64],
        max_parts: int,
    ) -> list[Bound]:
        """Bounds of :meth:`solve` for guesses in turn, up to the first that is below its cutoff.

        An INFEASIBLE guess is below no cutoff. After a stop there are fewer bounds: the guess that
        was in work is left out. ``guesses``, intp[n], come with their cutoffs, int64[n];
        ``max_parts`` is as in :meth:`solve`.
        """
        cutoffs = np.minimum(cutoffs, INFEASIBLE)
        engine, query = self.engine, self._question(position, max_parts=max_parts)
        is_usual = self.game.objective.aim is not Aim.WORST and query.guesses_left > 0
        if is_usual and isinstance(engine, MachineEngine):
            values = engine.search_in_turn(query, guesses, cutoffs)
            return [Bound(total, height > 0 or total >= INFEASIBLE) for total, height in values]
        found: list[Bound] = []
        for guess, cutoff in zip(guesses.tolist(), cutoffs.tolist(), strict=True):
            result = self.solve(position, guess, cutoff=cutoff, max_parts=max_parts)
            if self.engine.counters[STOPPED]:
                break
            found.append(result.bound)
            if result.lower < cutoff:
                break
        return found

    def bound(
        self, position: Position, guess: int, cutoff: int, max_parts: int = PATTERNS
    ) -> tuple[int, int]:
        """Lower bounds on a guess without search: by sizes alone, then by one-ply bounds as well.

        The second is raised until it reaches the cutoff. ``max_parts`` bounds the parts that any
        guess makes of the state.
        """
        query = self._question(position, None, cutoff, max_parts)
        if self.game.objective.aim is Aim.WORST:  # nothing quick is known of the worst case
            return self.game.prices.scale, self.game.prices.scale
        return self.engine.bound(query, guess)

    def root_moves(self, position: Position) -> RootMoves:
        """One-ply bounds of all guesses, legal or not, and the order in which they are tried."""
        query = self._question(position)
        state, costs = query.state, self.engine.costs
        parts, squares = self.engine.measure(state)
        is_candidate, order = line_up(self.game, state, parts, squares)
        bound = costs.guess_bounds(
            state, parts, self.game.words.answer_of_guess, query.guesses_left
        )
        if self.game.objective.aim is Aim.WORST:
            bound = np.minimum(bound + self.game.prices.scale, INFEASIBLE)
        return RootMoves(bound, is_candidate, order, int(parts.max()))

    def clone(self) -> Solver:
        """Another solver of the game, for another thread, that shares table and stop."""
        return Solver(self.engine.clone())

    def forget(self) -> None:
        """Empty the table, and drop everything else that was learned about the game."""
        self.engine.forget()

    def _question(
        self,
        position: Position,
        guess: int | None = None,
        cutoff: int = INFEASIBLE,
        max_parts: int = PATTERNS,
    ) -> SearchQuery:
        """The query for a position of this game; raises UserError for one of another game."""
        is_own = position.game is self.game  # as it is for each of thousands of guesses
        difference = None if is_own else self.game.difference(position.game)
        if difference is not None:
            raise UserError(
                f"the position is of another game than the solver: it has {difference}; "
                "open a solver of its own game"
            )
        return SearchQuery(
            position.state,
            position.revealed,
            position.guesses_left,
            guess,
            cutoff,
            max_parts,
            position.symmetry,
        )

    @property
    def _solves_together(self) -> bool:
        """True if one call finds values and strategies of many guesses."""
        is_plain = self.game.objective.aim is not Aim.WORST and self.engine.costs.is_plain
        return is_plain and isinstance(self.engine, MachineEngine)

    def _least_worst_first(self, query: SearchQuery) -> Value:
        """Least worst case, then least mean, as one value with its height; limits rise from one."""
        scale = self.game.prices.scale
        for turns in range(1, query.guesses_left + 1):
            base = scale * turns
            if base >= query.cutoff:
                return base, 0
            asked = query.within(turns).below(query.cutoff - base)
            total, height = self.engine.search(asked)
            if total < INFEASIBLE or self.engine.counters[STOPPED]:
                return min(base + total, base + scale - 1), height
        return INFEASIBLE, 0

    def _grown(
        self, query: SearchQuery, total: int, height: int, *, least_worst: bool
    ) -> DecisionTree | None:
        """A strategy of the value ``total``, of the least worst case if asked; None if stopped.

        The limit is lowered until the value would rise. It stays if answers are lost at that value,
        since they may be lost only after the last turn of the game.
        """
        if self.game.objective.aim is Aim.WORST:
            return self.engine.tree(query.within(height))
        costs, guesses_left = self.engine.costs, query.guesses_left
        by_turn = not costs.is_linear(guesses_left) or self.game.objective.allows_failure
        limit = height
        query = query.below(total + 1)
        try:
            while (
                least_worst and limit > 1 and not costs.is_lossy(query.state, total, guesses_left)
            ):
                if by_turn:
                    # Costs are held by the guesses left: with a lower limit the first turns have
                    # fewer left.
                    costs.lower_limit(self.game, guesses_left - limit + 1)
                found, lower = self.engine.search(query.within(limit - 1))
                if found != total or lower == 0:
                    break
                limit = min(lower, limit - 1)
            if by_turn:
                costs.lower_limit(self.game, guesses_left - limit)
            return self.engine.tree(query.within(limit))
        finally:
            costs.lower_limit(self.game, 0)


def open_solver(
    game: Game,
    table: TranspositionTable | None = None,
    *,
    stop: Stop | None = None,
    move_cache: MoveCache | None = None,
) -> Solver:
    """A solver of any game, on the engine that fits: machine code where that is enough.

    It is a WideEngine where patterns do not fit in a byte, and a SymmetricEngine for a game whose
    symmetries are known.

    ``table`` and ``stop`` are made for the solver unless it is to share those of another one.
    ``move_cache`` is given if others enter shortlists for it.
    """
    make_ready(game.rule)
    table = table or TranspositionTable(default_table_bytes(game))
    stop = stop or Stop()
    try:
        machine = MachineEngine(game, table, stop, move_cache=move_cache)
    except TooManyPartsError:
        return Solver(WideEngine(game, table, stop))
    return Solver(machine if game.symmetry.is_trivial else SymmetricEngine(machine))
