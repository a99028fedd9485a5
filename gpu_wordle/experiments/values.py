"""Exact values of positions and guesses, each computed only once."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property, partial
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.guess_values import UNKNOWN, values_of_all
from gpu_wordle.experiments.suggest import search
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Openers
from gpu_wordle.ranking.solving import Advance
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import Solver, SolverPool, open_solver
from gpu_wordle.strategies.positions import Key, is_over, key_of

Asked = tuple[Position, dict[int, None]]
"""A position, and the guesses there whose values are needed."""

Found = TypeVar("Found")

SUMS = (Aim.MEAN, Aim.MEAN_WORST, Aim.COST)
"""Objectives whose value is a sum of guesses, or of their prices, over the answers."""

SUMS_TO_CHOOSE = "mean or mean,worst, or cost:PRICE,PRICE,..."
"""Their names as a caller writes them."""


MAX_LEFT_FOR_ONLY = 3
"""With more guesses left, nearly every guess is a guaranteed win; the only one is not sought."""

MIN_SHARED = 100
"""All threads search a position together if it has at least this many answers."""


class Values:
    """A cache of the exact values of one game.

    The value of a position is the expected number of further guesses, or their expected price,
    under optimal play. It does not exist if no strategy is a guaranteed win. Once the pool is
    stopped nothing more is searched, and unknown values stay unknown.

    Args:
        game: the game. Raises UserError if its objective is none of SUMS.
        known: a ranking of its openers, all of them solved, if there is one.
        pool: searches each position on all its threads; None for one thread.

    Attributes:
        without_limit: the values of the game without a guess limit, for guesses that are no
            guaranteed win; None leaves those without a value.
    """

    def __init__(
        self, game: Game, known: Openers | None = None, pool: SolverPool | None = None
    ) -> None:
        if game.objective.aim not in SUMS:
            raise UserError(
                f"the value under {game.objective.name} is no sum of guesses over the answers, so "
                f"that guesses have no regret; choose {SUMS_TO_CHOOSE}"
            )
        self.game = game
        self.without_limit: Values | None = None
        self._known = known
        self._pool = pool
        self._totals: dict[Key, int] = {}
        self._of_guess: dict[tuple[Key, int], int] = {}
        self._best: dict[Key, tuple[int, ...]] = {}
        self._only: dict[Key, int | None] = {}
        self._bounds: dict[tuple[Key, int | None], tuple[int, int]] = {}
        self._lock = threading.Lock()

    @cached_property
    def _solver(self) -> Solver:
        return open_solver(self.game)

    def total(self, position: Position) -> int:
        """Least total over the answers left; INFEASIBLE without a guaranteed win, or if unknown."""
        with self._lock:
            key = key_of(position)
            if key not in self._totals:
                self._find(position)
            return self._totals.get(key, INFEASIBLE)

    def total_of(self, position: Position, guess: int) -> int:
        """Least total after a guess, legal or not; INFEASIBLE if it may lose, or if unknown."""
        with self._lock:
            key = key_of(position), guess
            if key not in self._of_guess:
                found = self._recorded(position, guess)
                if found is None:
                    found = self._run(partial(self._searched, guess=guess), position)
                    if self._is_stopped:
                        self._bounds[key] = found, INFEASIBLE
                        return INFEASIBLE
                self._of_guess[key] = found
            return self._of_guess[key]

    def totals(self, position: Position) -> NDArray[np.int64]:
        """Least totals after every legal guess, int64[G], on one thread; UNKNOWN for the others."""
        known = self._ranking_of(position)
        if known is not None:
            return np.where(position.choices, known.lower, UNKNOWN)
        with self._lock:
            return self._run(values_of_all, position)

    def is_ranked(self, position: Position) -> bool:
        """Whether a ranking holds the totals after every guess."""
        return self._ranking_of(position) is not None

    def best(self, position: Position) -> tuple[int, ...]:
        """All guesses with the least total, candidates first; empty if INFEASIBLE or unknown."""
        least = self.total(position)
        with self._lock:
            key = key_of(position)
            if key not in self._best:
                found = self._all_best(position, least)
                if found is None:
                    return ()
                self._best[key] = found
            return self._best[key]

    def only_win(self, position: Position) -> int | None:
        """The only guess that is a guaranteed win; None if there are others or none, or if unknown.

        It is sought if at most MAX_LEFT_FOR_ONLY guesses are left.
        """
        best = self.best(position)
        if len(best) != 1 or position.guesses_left > MAX_LEFT_FOR_ONLY:
            return None
        with self._lock:
            key = key_of(position)
            if key not in self._only:
                has_others = self._run(partial(_has_other_win, best=best[0]), position)
                if self._is_stopped:
                    return None
                self._only[key] = None if has_others else best[0]
            return self._only[key]

    def bounds(self, position: Position, guess: int | None = None) -> tuple[int, int]:
        """Bounds on the total of a position, or of a guess there, without any search."""
        key = key_of(position)
        found = self._totals.get(key) if guess is None else self._of_guess.get((key, guess))
        if found is None:
            found = self._recorded(position, guess)
        return self._bounds.get((key, guess), (0, INFEASIBLE)) if found is None else (found, found)

    def mean(self, position: Position) -> Fraction | None:
        """The value of a position; None without a guaranteed win, or if unknown."""
        return per_answer(position, self.total(position))

    def mean_of(self, position: Position, guess: int) -> Fraction | None:
        """The value of a guess in a position; None if it may lose, or if unknown."""
        return per_answer(position, self.total_of(position, guess))

    @staticmethod
    def allows(position: Position, guess: int) -> bool:
        """Whether a guess is legal in a position."""
        return position.game.rule is Rule.NORMAL or bool(position.choices[guess])

    def price(self, position: Position) -> int:
        """The price of the next guess."""
        return self.game.prices.ahead(position.turns_made, 1)[0]

    def has(self, position: Position, guess: int | None = None) -> bool:
        """Whether the value of a position, or of a guess there, has been found."""
        key = key_of(position)
        return key in self._totals if guess is None else (key, guess) in self._of_guess

    def forget(self) -> None:
        """Forget all values, to free their memory."""
        with self._lock:
            for kept in (self._totals, self._of_guess, self._best, self._only, self._bounds):
                kept.clear()
        if self.without_limit is not None:
            self.without_limit.forget()

    def find(
        self,
        asked: Questions,
        pool: SolverPool,
        stop_token: StopToken,
        advance: Advance = lambda done, total: None,
    ) -> None:
        """Compute the values that were asked for and are unknown, on all threads; close the pool.

        After an early stop only some of them are known.
        """
        tasks = [
            (position, dict.fromkeys(guess for guess in guesses if not self.has(position, guess)))
            for position, guesses in asked.positions.values()
        ]
        tasks = [(place, guesses) for place, guesses in tasks if guesses or not self.has(place)]

        def work(solver: Solver, task: Asked) -> tuple[int, list[int]]:
            position, guesses = task
            found = [self._searched(solver, position, guess) for guess in guesses]
            known = self._totals.get(key_of(position))
            return self._searched(solver, position) if known is None else known, found

        with pool, stop_token.of(pool.stop):
            advance(0, len(tasks))
            results = pool.map(work, tasks)
            for done, ((position, guesses), (total, of_guesses)) in enumerate(results, start=1):
                if pool.stop.is_set():
                    return  # after a stop, the result may be only a bound
                key = key_of(position)
                self._totals[key] = total
                self._of_guess |= {
                    (key, guess): value for guess, value in zip(guesses, of_guesses, strict=True)
                }
                advance(done, len(tasks))

    @property
    def can_do_without_limit(self) -> bool:
        """Whether the game has a limit that it can do without; prices of turns need theirs."""
        objective = self.game.objective
        return objective.max_guesses is not None and objective.aim is not Aim.COST

    @property
    def _is_stopped(self) -> bool:
        """Whether a stop may have ended a search early."""
        return self._pool is not None and self._pool.stop.is_set()

    def _find(self, position: Position) -> None:
        """Search a position, on all threads together if it has many answers."""
        key, found = key_of(position), self._recorded(position)
        if found is None:
            if self._pool is None or len(position.state) < MIN_SHARED:
                found = self._run(self._searched, position)
                bounds, best = (found, INFEASIBLE), None
            else:
                seen = search(self._pool, position, 1, StopToken(), with_ties=True)
                found, best = INFEASIBLE if seen.value is None else seen.value, seen.reaching
                bounds = int(seen.lower[seen.legal].min()), int(seen.upper[seen.legal].min())
            if self._is_stopped:
                self._bounds[key, None] = bounds
                return
            if best is not None and found < INFEASIBLE:
                self._best[key] = best
        self._totals[key] = found

    def _run(self, work: Callable[[Solver, Position], Found], position: Position) -> Found:
        """Run work on a solver of the pool, or on the only one."""
        if self._pool is None:
            return work(self._solver, position)
        return self._pool.submit(work, position).result()

    def _recorded(self, position: Position, guess: int | None = None) -> int | None:
        """A total that needs no search: from the ranking, or when no guess is left; else None."""
        if is_over(position):
            return INFEASIBLE
        known = self._ranking_of(position)
        if known is None:
            return None
        return int(known.lower[position.choices if guess is None else guess].min())

    def _searched(self, solver: Solver, position: Position, guess: int | None = None) -> int:
        """The least total of a position, or of a guess there, by search if need be."""
        found = self._recorded(position, guess)
        return solver.solve(position, guess).lower if found is None else found

    def _all_best(self, position: Position, least: int) -> tuple[int, ...] | None:
        """All guesses with the least total, candidates first; None if the search was stopped."""
        if least >= INFEASIBLE:
            return () if key_of(position) in self._totals else None
        known = self._ranking_of(position)
        if known is not None:
            guesses = np.flatnonzero(position.choices & (known.lower == least))
        else:
            guesses = self._reaching(position, least)
            if self._is_stopped:
                return None
        is_candidate = np.isin(guesses, self.game.words.guess_of_answer[position.state])
        return tuple(guesses[np.argsort(~is_candidate, kind="stable")].tolist())

    def _reaching(self, position: Position, least: int) -> NDArray[np.intp]:
        """The legal guesses whose total is ``least``, ascending."""

        def search(solver: Solver, guess: int) -> int:
            parts = root_moves.max_parts
            return solver.solve(position, guess, cutoff=least + 1, max_parts=parts).lower

        solver = self._solver if self._pool is None else self._pool
        root_moves = solver.root_moves(position)
        open_ones = np.flatnonzero(position.choices & (root_moves.bound <= least)).tolist()
        if self._pool is None:
            reaching = [guess for guess in open_ones if search(self._solver, guess) == least]
        else:
            found = self._pool.map(search, open_ones)
            reaching = sorted(guess for guess, value in found if value == least)
        return np.array(reaching, np.intp)

    def _ranking_of(self, position: Position) -> Openers | None:
        """The ranking, if the position is the start; else None."""
        return self._known if position.is_start else None


class Questions(Values):
    """Records which values are needed, instead of computing them.

    Attributes:
        positions: positions with the guesses needed there, by key.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.positions: dict[Key, Asked] = {}

    def total(self, position: Position) -> int:
        """Record a position."""
        self.positions.setdefault(key_of(position), (position, {}))
        return INFEASIBLE

    def total_of(self, position: Position, guess: int) -> int:
        """Record a guess in a position."""
        self.total(position)
        self.positions[key_of(position)][1][guess] = None
        return INFEASIBLE


def _has_other_win(solver: Solver, position: Position, best: int) -> bool:
    """Whether a legal guess but ``best`` is a guaranteed win; True if a stop leaves it open."""
    root_moves = solver.root_moves(position)
    may_win = position.choices & (root_moves.bound < INFEASIBLE)
    may_win[best] = False
    others = (guess for guess in root_moves.order.tolist() if may_win[guess])
    return any(solver.solve(position, guess).lower < INFEASIBLE for guess in others)


def per_answer(position: Position, total: int) -> Fraction | None:
    """A total as a weighted mean over the answers left; None if it is INFEASIBLE."""
    weight = int(position.game.objective.weights_of(position.state).sum())
    return None if total >= INFEASIBLE or weight == 0 else Fraction(total, weight)
