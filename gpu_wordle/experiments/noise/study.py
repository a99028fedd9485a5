"""The experiment: an opener, its states, and for each run and level what the policy comes to."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.noise.departure import first_departures
from gpu_wordle.experiments.noise.machine.context import Shared
from gpu_wordle.experiments.noise.model import Lanes, Limit, NoiseModel
from gpu_wordle.experiments.noise.policy import Policies, Turns, turns_of_tree
from gpu_wordle.experiments.noise.searcher import Node, Searcher, StoppedError
from gpu_wordle.experiments.noise.theorem import PartBound
from gpu_wordle.game.game import Game, Position
from gpu_wordle.solver import Solver, SolverPool

Advance = Callable[[int, int], None]
"""Told how many states are searched, and of how many."""


@dataclass(frozen=True, eq=False)
class Runs:
    """What some runs came to; L levels, R runs, turns up to T.

    Attributes:
        first: number of the first run.
        distribution: int32[R, L, T], answers found on turn 1, 2, ...
        departure: for each run the level at which it first leaves the optimum; None if that is
            above the model's horizon.
    """

    first: int
    distribution: NDArray[np.int32]
    departure: tuple[Fraction | None, ...]


@dataclass(eq=False)
class NoiseStudy:
    """An opener, the levels and the model.

    Attributes:
        game: what is played, with its guess limit.
        model: what is drawn and perturbed.
        opener: the first guess.
        levels: the levels.
    """

    game: Game
    model: NoiseModel
    opener: int
    levels: tuple[Fraction, ...]
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _searchers: dict[tuple[int, int], Searcher] = field(default_factory=dict)

    @cached_property
    def valued(self) -> Game:
        """The game whose values are perturbed: the same, or the one without a guess limit."""
        if self.model.limit is Limit.KEPT:
            return self.game
        return replace(self.game, objective=replace(self.game.objective, max_guesses=None))

    @cached_property
    def positions(self) -> list[Position]:
        """The positions after the opener, those of most answers first."""
        start, patterns = self.valued.start(), self.game.patterns
        seen = np.unique(patterns.values[:, self.opener]).tolist()
        after = [start.after(self.opener, p) for p in seen if p != patterns.all_green]
        return sorted(after, key=lambda position: -len(position.state))

    @cached_property
    def _shared(self) -> Shared:
        return Shared.of(self.game)

    def optimum(self, pool: SolverPool) -> tuple[NDArray[np.int32], list[PartBound]]:
        """Turns of an optimal policy, int32[T] from turn 0 on, and what noise can cost a part.

        Raises UserError if no policy surely wins in time, and StoppedError after a stop.
        """
        most = min(self.game.patterns.pattern_count, self.game.answer_count)
        turns = self._opener_found()
        bounds = []
        for position, result in pool.map(
            lambda solver, position: solver.solve(position, tree=True), self.positions
        ):
            if result.is_infeasible:
                word = self.game.spell([self.opener])[0].upper()
                raise UserError(
                    f"{word} cannot surely win within {self.game.objective.max_guesses} guesses, "
                    "so that no value is finite; use --limit dropped, or another opener"
                )
            if result.tree is None:
                raise StoppedError
            later = np.concatenate([[0], turns_of_tree(result.tree, position)]).astype(np.int32)
            turns = _sum(turns, later)
            each = np.repeat(np.arange(len(later)), later).tolist()
            bounds.append(PartBound.of(self.model, each, most))
        if pool.stop.is_set():
            raise StoppedError
        return turns, bounds

    def search(
        self, pool: SolverPool, first: int, runs: int, advance: Advance = lambda done, total: None
    ) -> Runs:
        """Search all levels of some runs, the first of which is a multiple of four.

        Raises StoppedError where the pool is stopped.
        """
        shape = len(self.levels), runs
        turns = np.broadcast_to(self._opener_found()[:, None, None], (2, *shape)).copy()
        lanes = Lanes.of_levels(self.levels, first, runs)
        steps = len(self.positions) * (2 if self.model.departs else 1)
        done = 0
        self._searchers.clear()
        for _, found in pool.map(
            lambda solver, position: self._turns(solver, position, lanes), self.positions
        ):
            turns = _sum(turns, found)
            done += 1
            advance(done, steps)
        departure: list[Fraction | None] = [None] * runs
        for _, levels in self._departures(pool, first, departure):
            with self._lock:
                departure[:] = [_lower(a, b) for a, b in zip(departure, levels, strict=True)]
            done += 1
            advance(done, steps)
        if pool.stop.is_set():
            raise StoppedError
        distribution = np.ascontiguousarray(turns[1:].transpose(2, 1, 0), dtype=np.int32)
        return Runs(first, distribution, tuple(departure))

    def _turns(self, solver: Solver, position: Position, lanes: Lanes) -> Turns:
        """On which turns the answers of a position are found, in every lane."""
        key = id(solver), lanes.first_run
        searcher = self._searchers.get(key)
        if searcher is None:
            searcher = self._searchers[key] = self.searcher(solver, lanes)
        searcher.forget()
        return Policies(searcher, self.model.after).turns(_root(searcher, position))

    def _departures(
        self, pool: SolverPool, first: int, known: Sequence[Fraction | None]
    ) -> Iterator[tuple[Position, list[Fraction | None]]]:
        """The departures on each position, as far as they are below those that are known."""
        if not self.model.departs or pool.stop.is_set():
            return

        def work(solver: Solver, position: Position) -> list[Fraction | None]:
            with self._lock:
                levels = list(known)
            return first_departures(
                lambda lanes: self.searcher(solver, lanes),
                lambda searcher: _root(searcher, position),
                levels,
                first,
                self.model.horizon,
            )

        yield from pool.map(work, self.positions)

    def searcher(self, solver: Solver, lanes: Lanes) -> Searcher:
        """What searches in so many lanes on a thread, the one of the solver."""
        return Searcher.of(self._shared, self.game, self.model, lanes, solver)

    def _opener_found(self) -> NDArray[np.int32]:
        """Answers that the opener finds, by turn."""
        return np.array([0, self.game.words.answer_of_guess[self.opener] >= 0], np.int32)


def _root(searcher: Searcher, position: Position) -> Node:
    return searcher.root(position.state, position.revealed, position.turns_made)


def _lower(one: Fraction | None, other: Fraction | None) -> Fraction | None:
    """The lower one of two levels, either of which may be unknown."""
    return min((level for level in (one, other) if level is not None), default=None)


def _sum(one: Turns, other: Turns) -> Turns:
    """The sum of what is found by turns, whichever goes further."""
    longer, shorter = (one, other) if len(one) >= len(other) else (other, one)
    total = longer.copy()
    total[: len(shorter)] += shorter
    return total
