"""Guesses of one state in work together, and bounds of the states that they lead to."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.protocol import Children
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.memory.table import TranspositionTable


class OpenerBatch:
    """P guesses of a state of ``answers`` answers, and their S children, which they share.

    The lower bound of a guess is the number of answers plus the bounds of its children. A guess is
    finished when its bound reaches the cutoff, or when all its children are exact.

    Attributes:
        states: the children.
        sizes: int64[S], answers of each.
        lower: int64[S], lower bound of each.
        height: int64[S], height of a tree where that is exact, else 0.
    """

    def __init__(self, answers: int, children: Children, table: TranspositionTable) -> None:
        self._answers = answers
        self._children = children
        self._parent = np.repeat(np.arange(len(children.indptr) - 1), np.diff(children.indptr))
        self._entries = table.entries
        self.states = children.states
        self.sizes = self.states.sizes
        self.lower, self.height = np.zeros_like(self.sizes), np.zeros_like(self.sizes)
        self.recall()

    def recall(self) -> None:
        """Raise bounds of the children to those of the table."""
        from gpu_wordle.solver.batched import many_states

        lower, height = np.empty_like(self.lower), np.empty_like(self.height)
        many_states.recall_all(self._entries, self.states.keys, self.sizes, lower, height)
        self.learn(np.arange(len(lower)), lower, height)

    def record(self, chosen: NDArray[np.intp]) -> None:
        """Enter bounds of some children in the table; they must be one-ply bounds at least."""
        from gpu_wordle.solver.batched import many_states

        many_states.record_all(
            self._entries, self.states.keys[chosen], self.sizes[chosen],
            self.lower[chosen], self.height[chosen],
        )  # fmt: skip

    def learn(
        self, chosen: NDArray[np.intp], lower: NDArray[np.int64], height: NDArray[np.int64]
    ) -> None:
        """Raise bounds of some children; height 0 marks a bound, any other an exact value."""
        # A value replaces any bound, and a bound a lower bound only.
        is_better = (height > 0) | ((lower > self.lower[chosen]) & (self.height[chosen] == 0))
        better = chosen[is_better]
        self.lower[better], self.height[better] = lower[is_better], height[is_better]

    def totals(self) -> NDArray[np.int64]:
        """Lower bound of each guess, [P]."""
        # Every answer pays for the guess; its children pay for the rest.
        sums = np.concatenate([[0], np.cumsum(self.lower[self._children.child])])
        indptr = self._children.indptr
        return self._answers + sums[indptr[1:]] - sums[indptr[:-1]]

    def goals(self, cutoff: int) -> NDArray[np.int64]:
        """The bound that each child must reach to refute every guess that leads to it, [S].

        A guess is refuted when its bound reaches the cutoff. The goal is INFEASIBLE at most. It is
        0 for exact children, and where every guess that leads there is refuted.
        """
        missing = (cutoff - self.totals())[self._parent]  # 0 or less if refuted
        goals = np.zeros(len(self.sizes), np.int64)
        is_open = missing > 0
        child = self._children.child[is_open]
        # A child of several guesses has to refute the one that lacks most.
        np.maximum.at(goals, child, self.lower[child] + missing[is_open])
        return np.where(self.height > 0, 0, np.minimum(goals, INFEASIBLE))
