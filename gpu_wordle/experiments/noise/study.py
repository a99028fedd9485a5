"""The noise experiment: for an opener, the policy of each run and level, and its turns."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.noise.departure import first_departures
from gpu_wordle.experiments.noise.machine.context import Shared, make_context
from gpu_wordle.experiments.noise.model import LEVEL_UNITS, Lanes, Limit, NoiseModel
from gpu_wordle.experiments.noise.policy import Policies, Turns, turns_of_answers
from gpu_wordle.experiments.noise.searcher import Searcher
from gpu_wordle.experiments.noise.theorem import PartBound
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.solver import Solver, SolverPool
from gpu_wordle.strategies.positions import StoppedError

Departures = list[Fraction | None]
"""For each run the level at which it first leaves the optimum; None if that is unknown."""


@dataclass(eq=False)
class NoiseStudy:
    """An opener, the levels and the model.

    Attributes:
        game: the game, with its guess limit.
        model: the noise model.
        opener: the first guess.
        levels: the levels.
    """

    game: Game
    model: NoiseModel
    opener: int
    levels: tuple[Fraction, ...]
    _searchers: dict[int, Searcher] = field(default_factory=dict)

    @property
    def level_units(self) -> NDArray[np.int64]:
        """The levels in millionths, int64[L]."""
        return np.array([int(level * LEVEL_UNITS) for level in self.levels], np.int64)

    @cached_property
    def valued(self) -> Game:
        """The game whose values are perturbed: with the guess limit, or without it."""
        if self.model.limit is Limit.KEPT:
            return self.game
        return replace(self.game, objective=replace(self.game.objective, max_guesses=None))

    @cached_property
    def positions(self) -> list[Position]:
        """Return the positions after the opener, the largest first."""
        start, patterns = self.valued.start(), self.game.patterns
        seen = np.unique(patterns.values[:, self.opener]).tolist()
        after = [start.after(self.opener, p) for p in seen if p != patterns.all_green]
        return sorted(after, key=lambda position: -len(position.state))

    @cached_property
    def _shared(self) -> Shared:
        return Shared.of(self.game)

    def optimum(self, pool: SolverPool) -> tuple[NDArray[np.int32], list[PartBound]]:
        """Turns of an optimal policy, int32[T] from turn 0 on, and the noise bound of each state.

        Raises UserError if no policy is a guaranteed win, and StoppedError after a stop.
        """
        most = min(self.game.patterns.pattern_count, self.game.answer_count)
        turns = [np.repeat([0, 1], self.opener_found)]
        bounds: dict[int, PartBound] = {}
        for place, result in pool.map(
            lambda solver, place: solver.solve(self.positions[place], tree=True),
            range(len(self.positions)),
        ):
            if result.is_infeasible:
                word = capitals(self.game.spell([self.opener])[0])
                limit = self.game.objective.max_guesses
                raise UserError(
                    f"{word} is no guaranteed win within {limit} guesses, so it has no value; use "
                    "--limit dropped, or another opener"
                )
            if result.tree is None:
                raise StoppedError
            later = 1 + turns_of_answers(result.tree, self.positions[place])
            turns.append(later)
            bounds[place] = PartBound.of(self.model, later.tolist(), most)
        if pool.stop.is_set():
            raise StoppedError
        found = np.bincount(np.concatenate(turns), minlength=2).astype(np.int32)
        return found, [bounds[place] for place in range(len(bounds))]

    def search(
        self, pool: SolverPool, first: int, runs: int, places: Sequence[int]
    ) -> Iterator[tuple[int, Turns]]:
        """Search all levels of some runs in the positions with the given indices.

        ``first``, the first run, is a multiple of four. Yields, as positions are done, the index
        and the number of answers found on each turn, int32[T, L, R]. Raises StoppedError if the
        pool is stopped.
        """
        lanes = Lanes.of_levels(self.levels, first, runs)
        self._searchers.clear()
        yield from pool.map(
            lambda solver, place: self._turns(solver, self.positions[place], lanes), places
        )
        if pool.stop.is_set():
            raise StoppedError

    def follow(
        self, pool: SolverPool, first: int, known: Departures, places: Sequence[int]
    ) -> Iterator[tuple[int, Departures]]:
        """Find the departures of some runs from the optimum, in the positions of given indices.

        Yields, as positions are done, the index and the departures. Only levels below those in
        ``known``, which may be updated meanwhile, are searched. Raises StoppedError if the pool is
        stopped.
        """

        def work(solver: Solver, place: int) -> Departures:
            make, position = partial(self.searcher, solver), self.positions[place]
            return first_departures(make, position, list(known), first, self.model.horizon)

        yield from pool.map(work, places)
        if pool.stop.is_set():
            raise StoppedError

    def _turns(self, solver: Solver, position: Position, lanes: Lanes) -> Turns:
        """Number of answers of a position found on each turn, in every lane, int32[T, L, R]."""
        searcher = self._searchers.get(id(solver))
        if searcher is None:
            searcher = self._searchers[id(solver)] = self.searcher(solver, lanes)
        searcher.forget()
        return Policies(searcher).turns(searcher.root(position))

    def searcher(self, solver: Solver, lanes: Lanes) -> Searcher:
        """A searcher for some lanes, on the thread of the solver."""
        context = make_context(self._shared, self.game, self.model, lanes, solver)
        return Searcher(self.game, self.model, context, solver)

    @property
    def opener_found(self) -> NDArray[np.int32]:
        """Number of answers that the opener finds on turn 0 and 1, int32[2]."""
        return np.array([0, self.game.words.answer_of_guess[self.opener] >= 0], np.int32)
