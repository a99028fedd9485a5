"""Strategies that look ahead: the optimum, one step over a base rule, and a beam of guesses."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, Position
from gpu_wordle.solver.open import open_solver
from gpu_wordle.solver.solver import Solver
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.strategies.play import MAX_TURNS, NEVER, expand, play
from gpu_wordle.strategies.positions import Key, Positions, is_over, key_of
from gpu_wordle.strategies.strategy import Greedy

PAIR_COST = 3
"""Guesses for two answers that are left: one is found at once, the other with the next guess."""


class Optimal:
    """The optimum, by exact search; of equal guesses the solver's.

    Where no strategy surely wins in time, and past the guess limit, it plays the first answer left.
    What was found for a state holds for the states that its strategy leads to, so they are not
    searched again.
    """

    name = "optimal"
    recalls_turns = False

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[Key, int] = {}

    @cached_property
    def _solver(self) -> Solver:
        return open_solver(self._game)

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """See Strategy."""
        guesses = [self._best(positions.chunk(b, b + 1)) for b in range(len(positions))]
        return np.array(guesses, np.int32)

    def _best(self, positions: Positions) -> int:
        state, revealed = positions.states.state(0), positions.revealed[0]
        made = positions.turns_made
        position = Position.of_answers(self._game, state, made, revealed=revealed)
        key = key_of(position)
        if key not in self._known:
            tree = None if is_over(position) else self._solver.solve(position, tree=True).tree
            if tree is None:  # what cannot surely be won is played on: the first answer left
                return int(positions.first_guesses[0])
            self._remember(tree, position)
        return self._known[key]

    def _remember(self, tree: DecisionTree, start: Position) -> None:
        """Keep the guess of every state that the strategy leads to."""
        reached = [start]
        for node, (parent, pattern) in enumerate(zip(tree.parent, tree.pattern, strict=True)):
            if node:
                reached.append(reached[parent].after(int(tree.guess[parent]), int(pattern)))
            self._known[key_of(reached[node])] = int(tree.guess[node])


@dataclass(frozen=True)
class Rollout:
    """Of the best guesses by a base rule, the one after which that rule needs fewest guesses.

    One step of look-ahead over the base rule (Bertsekas, "Rollout algorithms", 1997); answers that
    the rule never finds count as many turns as are played at most.
    """

    base: Greedy
    width: int

    recalls_turns = False

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"rollout:{self.base.name}:{self.width}"

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """See Strategy."""
        result = positions.first_guesses
        for b in np.flatnonzero(positions.states.sizes > 2).tolist():
            one = positions.chunk(b, b + 1)
            guesses = self.base.ranked(one, self.width)[0]
            guesses = guesses[guesses >= 0]
            played = play(self.base, one.take(np.zeros(len(guesses), np.int64)), guesses)
            turns = np.where(played.turns == NEVER, MAX_TURNS, played.turns).astype(np.int64)
            totals = turns.reshape(len(guesses), -1).sum(axis=1)
            result[b] = guesses[totals.argmin()]
        return result


@dataclass(frozen=True)
class Beam:
    """Exact search that looks only at the best guesses by a base rule in every state.

    The total that it finds is that of a strategy, and so an upper bound on the optimum.
    """

    base: Greedy
    width: int

    recalls_turns = False

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"beam:{self.base.name}:{self.width}"

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """See Strategy."""
        return self._search(positions)[1]

    def _search(self, positions: Positions) -> tuple[NDArray[np.int64], NDArray[np.int32]]:
        """The least total of each state, and the guess that reaches it, [B] each."""
        sizes = positions.states.sizes
        total = np.where(sizes == 1, 1, PAIR_COST).astype(np.int64)
        guess = positions.first_guesses
        is_open = np.flatnonzero(sizes > 2)
        if len(is_open) == 0:
            return total, guess
        if positions.turns_made >= MAX_TURNS:
            total[is_open] = MAX_TURNS * sizes[is_open]
            return total, guess
        some = positions.take(is_open)
        ranked = self.base.ranked(some, self.width)
        row, column = np.nonzero(ranked >= 0)
        tried = ranked[row, column]
        split, following, child = expand(some.take(row), tried, is_merged=True)
        below, _ = self._search(following)
        values = some.states.sizes[row] + np.bincount(
            split.parent, weights=below[child], minlength=len(row)
        ).astype(np.int64)
        order = np.lexsort([np.arange(len(row)), values, row])
        first = order[np.searchsorted(row[order], np.arange(len(some)))]
        total[is_open], guess[is_open] = values[first], tried[first]
        return total, guess
