"""Exact values of positions and of guesses, each found once however often it is asked for."""

from __future__ import annotations

import threading
from collections.abc import Callable
from fractions import Fraction
from functools import cached_property

import numpy as np

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.ending import Ending
from gpu_wordle.ranking.openers import Openers
from gpu_wordle.solver import Solver, SolverPool, open_solver
from gpu_wordle.strategies.positions import Key, is_over, key_of

Question = tuple[Position, dict[int, None]]
"""A position, and the guesses there of which the values are asked for."""

SUMS = (Aim.MEAN, Aim.MEAN_WORST, Aim.COST)
"""Objectives whose value is a sum over the answers, of guesses or of their prices."""


class Values:
    """The values of one game, on one thread at a time.

    A value is what an answer costs from a position on, on average, by the best play: guesses, or
    their prices. There is none where no strategy finds every answer in time.

    Args:
        game: what is played; UserError if its objective is none of SUMS.
        known: a ranking of its first guesses, if there is one.
    """

    def __init__(self, game: Game, known: Openers | None = None) -> None:
        if game.objective.aim not in SUMS:
            raise UserError(
                f"the value under {game.objective.name} is no sum of guesses over the answers, so "
                f"that guesses have no regret; choose {' or '.join(SUMS)}"
            )
        self.game = game
        self._known = known
        self._totals: dict[Key, int] = {}
        self._of_guess: dict[tuple[Key, int], int] = {}
        self._best: dict[Key, tuple[int, ...]] = {}
        self._lock = threading.Lock()

    @cached_property
    def _solver(self) -> Solver:
        return open_solver(self.game)

    def total(self, position: Position) -> int:
        """The least total over the answers left; INFEASIBLE if there is none."""
        with self._lock:
            key = key_of(position)
            if key not in self._totals:
                self._totals[key] = self._searched(self._solver, position)
            return self._totals[key]

    def total_of(self, position: Position, guess: int) -> int:
        """The same if that guess, legal or not, is made next."""
        with self._lock:
            key = key_of(position), guess
            if key not in self._of_guess:
                self._of_guess[key] = self._searched_of(self._solver, position, guess)
            return self._of_guess[key]

    def best(self, position: Position) -> tuple[int, ...]:
        """All guesses of the least total, candidates first; none if it is INFEASIBLE."""
        least = self.total(position)
        with self._lock:
            key = key_of(position)
            if key not in self._best:
                self._best[key] = self._all_best(position, least)
            return self._best[key]

    def mean(self, position: Position) -> Fraction | None:
        """The value of a position; None if there is none."""
        return per_answer(position, self.total(position))

    def mean_of(self, position: Position, guess: int) -> Fraction | None:
        """The value of a guess there; None if there is none."""
        return per_answer(position, self.total_of(position, guess))

    @staticmethod
    def allows(position: Position, guess: int) -> bool:
        """Whether a guess is among those that the best are chosen from."""
        return position.game.rule is Rule.NORMAL or bool(position.choices[guess])

    def price(self, position: Position) -> int:
        """What the next guess costs, whatever comes of it."""
        return self.game.prices.ahead(position.turns_made, 1)[0]

    def has(self, position: Position, guess: int | None = None) -> bool:
        """Whether the value of a position, or of a guess there, has been found."""
        key = key_of(position)
        return key in self._totals if guess is None else (key, guess) in self._of_guess

    def find(
        self,
        asked: Questions,
        pool: SolverPool,
        ending: Ending,
        advance: Callable[[int, int], None] = lambda done, total: None,
    ) -> None:
        """Find the values that are asked for, on all threads; after an early end, some of them.

        The pool is left.
        """
        tasks = list(asked.positions.values())

        def work(solver: Solver, task: Question) -> tuple[int, list[int]]:
            position, guesses = task
            found = [self._searched_of(solver, position, guess) for guess in guesses]
            return self._searched(solver, position), found

        with pool, ending.of(pool.stop):
            advance(0, len(tasks))
            results = pool.map(work, tasks)
            for done, ((position, guesses), (total, of_guesses)) in enumerate(results, start=1):
                if pool.stop.is_set():
                    return  # and what was searched last may be a bound only
                key = key_of(position)
                self._totals[key] = total
                self._of_guess |= {
                    (key, guess): value for guess, value in zip(guesses, of_guesses, strict=True)
                }
                advance(done, len(tasks))

    def _searched(self, solver: Solver, position: Position) -> int:
        if is_over(position):
            return INFEASIBLE
        known = self._ranking_of(position)
        if known is not None and known.is_solved[position.choices].all():
            return int(known.lower[position.choices].min())
        return solver.solve(position).lower

    def _searched_of(self, solver: Solver, position: Position, guess: int) -> int:
        if is_over(position):
            return INFEASIBLE
        known = self._ranking_of(position)
        if known is not None and known.is_solved[guess]:
            return int(known.lower[guess])
        return solver.solve(position, guess).lower

    def _all_best(self, position: Position, least: int) -> tuple[int, ...]:
        if least >= INFEASIBLE:
            return ()
        choices, known = position.choices, self._ranking_of(position)
        if known is not None and known.is_solved[choices].all():
            guesses = np.flatnonzero(choices & (known.lower == least))
        else:
            prospects = self._solver.prospects(position)
            open_ones = np.flatnonzero(choices & (prospects.bound <= least))
            found = (
                self._solver.solve(
                    position, guess, cutoff=least + 1, max_parts=prospects.max_parts
                ).lower
                for guess in open_ones.tolist()
            )
            guesses = open_ones[np.fromiter(found, np.int64, len(open_ones)) == least]
        is_candidate = np.isin(guesses, self.game.words.guess_of_answer[position.state])
        return tuple(guesses[np.argsort(~is_candidate, kind="stable")].tolist())

    def _ranking_of(self, position: Position) -> Openers | None:
        """The ranking, if it is of this position."""
        return self._known if position.turns_made == 0 else None


class Questions(Values):
    """Takes down which values are asked for, and knows none.

    Attributes:
        positions: each with the guesses that are asked about there, by what its value depends on.
    """

    def __init__(self, game: Game) -> None:
        super().__init__(game)
        self.positions: dict[Key, Question] = {}

    def total(self, position: Position) -> int:
        """Take a position down."""
        self.positions.setdefault(key_of(position), (position, {}))
        return INFEASIBLE

    def total_of(self, position: Position, guess: int) -> int:
        """Take a guess down."""
        self.total(position)
        self.positions[key_of(position)][1][guess] = None
        return INFEASIBLE


def per_answer(position: Position, total: int) -> Fraction | None:
    """A total as a mean over the answers left, by weight; None if there is none."""
    weight = int(position.game.objective.weights_of(position.state).sum())
    return None if total >= INFEASIBLE or weight == 0 else Fraction(total, weight)
