"""Strategies that search: the optimum, and one step of look-ahead over a base rule."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, Position
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.solver import Solver, open_solver
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.strategies.play import MAX_TURNS, NEVER, play
from gpu_wordle.strategies.positions import Key, Positions, is_over, key_of
from gpu_wordle.strategies.strategy import Greedy


class Optimal:
    """Optimal play by exact search. Ties are broken as in the solver.

    Without a guaranteed win, or past the guess limit, it plays the first answer left. The optimal
    tree of a state also gives the guesses of all states below it. They are kept.
    """

    name = "optimal"
    recalls_turns = False

    def __init__(self, game: Game) -> None:
        self._game = game
        self._known: dict[Key, int] = {}
        self._solver: Solver | None = None
        self._stop: Stop | None = None

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
        solver = self._solver_of(positions.stop)
        guesses = [self._best(solver, positions.chunk(b, b + 1)) for b in range(len(positions))]
        return np.array(guesses, np.int32)

    def _solver_of(self, stop: Stop | None) -> Solver:
        """Return a solver that obeys ``stop``, with the transposition table of the previous one."""
        if self._solver is None or self._stop is not stop:
            table = None if self._solver is None else self._solver.table
            self._solver, self._stop = open_solver(self._game, table, stop=stop), stop
        return self._solver

    def _best(self, solver: Solver, positions: Positions) -> int:
        state, revealed = positions.states.state(0), positions.revealed[0]
        made = positions.turns_made
        position = Position.of_answers(self._game, state, made, revealed=revealed)
        key = key_of(position)
        if key not in self._known:
            tree = None if is_over(position) else solver.solve(position, tree=True).tree
            positions.raise_if_stopped()  # a stopped search has proved nothing
            if tree is None:  # no guaranteed win: play the first answer left
                return int(positions.first_guesses[0])
            self._remember(tree, position)
        return self._known[key]

    def _remember(self, tree: DecisionTree, start: Position) -> None:
        """Keep the guess of every position in an optimal tree."""
        reached = [start]
        for node, (parent, pattern) in enumerate(zip(tree.parent, tree.pattern, strict=True)):
            if node:
                reached.append(reached[parent].after(int(tree.guess[parent]), int(pattern)))
            self._known[key_of(reached[node])] = int(tree.guess[node])


@dataclass(frozen=True)
class Rollout:
    """One step of look-ahead: tries the best guesses of a base rule, and plays on by that rule.

    It chooses the guess with the least total (Bertsekas, "Rollout algorithms", 1997). An answer
    that the rule never finds counts as MAX_TURNS guesses.

    Attributes:
        base: ranks guesses, and plays on after each.
        width: number of guesses to try.
    """

    base: Greedy
    width: int

    recalls_turns = False

    @property
    def name(self) -> str:
        """Its name in tables and files."""
        return f"rollout:{self.base.name}:{self.width}"

    def choose(self, positions: Positions) -> NDArray[np.int32]:
        """Implements ``Strategy.choose``."""
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
