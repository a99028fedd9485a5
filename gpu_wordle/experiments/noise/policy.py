"""Plays the policies of a searcher: the turn on which each answer is found, lane by lane."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.model import After
from gpu_wordle.experiments.noise.searcher import Node, Searcher
from gpu_wordle.game.game import Position
from gpu_wordle.states.tree import DecisionTree
from gpu_wordle.strategies.positions import StoppedError

Turns = NDArray[np.int32]
"""Answers found on turn 0, 1, 2, ... (the first axis). The other axes are the lanes."""
_Found = defaultdict[int, NDArray[np.int32]]
"""The number of answers found, lane by lane, for each turn."""


@dataclass(eq=False)
class Policies:
    """The policies of all lanes, played against every answer.

    Attributes:
        searcher: finds the policies.
    """

    searcher: Searcher
    _leaves: dict[Any, NDArray[np.int32]] = field(default_factory=dict)

    def turns(self, node: Node) -> Turns:
        """Return how many answers of a node are found on each turn, int32[T, L, R].

        Raises StoppedError if the search is stopped.
        """
        shape = self.searcher.context.alpha.shape
        found: _Found = defaultdict(lambda: np.zeros(shape, np.int32))
        self._add(node, np.ones(shape, np.bool_), found)
        return np.stack([found[turn] for turn in range(max(found) + 1)])

    def _add(self, node: Node, lanes: NDArray[np.bool_], found: _Found) -> None:
        """Add the answers of a node in some lanes."""
        model = self.searcher.model
        is_leaf = node.made >= model.depth
        if is_leaf and (model.after is After.OPTIMAL or len(node.answers) == 1):
            for later, answers in enumerate(self._optimal(node).tolist()):
                found[node.made + later][lanes] += answers
            return
        chosen = self.searcher.chosen(node, plays_on=is_leaf)
        for guess in np.unique(chosen[lanes]).tolist():
            these = lanes & (chosen == guess)
            if self.searcher.is_found_by(node, guess):
                found[node.made + 1][these] += 1
            for after in self.searcher.after(node, guess):
                self._add(after, these, found)

    def _optimal(self, node: Node) -> NDArray[np.int32]:
        """Return the answers of a leaf found on guess 1, 2, ... by optimal play, int32[T]."""
        n = len(node.answers)
        if n <= 2:
            return np.array([0, *[1] * n], np.int32)
        known = self._leaves.get(node.key)
        if known is None:
            known = self._leaves[node.key] = self._solved(node)
        return known

    def _solved(self, node: Node) -> NDArray[np.int32]:
        """Return the answers of a leaf found on turn 1, 2, ... by the exact search, int32[T]."""
        solver = self.searcher.solver
        position = Position.of_answers(solver.game, node.answers, node.made, revealed=node.revealed)
        tree = solver.solve(position, tree=True).tree
        if tree is None:
            raise StoppedError
        return np.bincount(turns_of_answers(tree, position)).astype(np.int32)


def turns_of_answers(tree: DecisionTree, position: Position) -> NDArray[np.intp]:
    """Return the guess of a strategy that finds each answer of a position, counted from 1."""
    patterns = position.game.patterns
    branches = zip(tree.parent.tolist(), tree.pattern.tolist(), strict=True)
    below = {branch: node for node, branch in enumerate(branches)}
    turns = []
    for answer in position.state.tolist():
        node, turn = 0, 1
        while (seen := int(patterns.values[answer, tree.guess[node]])) != patterns.all_green:
            node, turn = below[node, seen], turn + 1
        turns.append(turn)
    return np.array(turns, np.intp)
