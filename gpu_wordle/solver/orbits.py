"""Guesses of a position that its symmetries map to each other; one of each orbit is searched."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from gpu_wordle.game.game import Position
from gpu_wordle.game.symmetry import Permutation, Symmetry
from gpu_wordle.solver.result import SearchStats, SolveResult
from gpu_wordle.states.tree import DecisionTree


@dataclass(frozen=True, eq=False)
class GuessOrbits:
    """Some guesses of a position by their kind: guesses that symmetries map to each other.

    Attributes:
        firsts: the guess that stands for each kind, the first of it.
        others: for the first guess of a kind the other guesses of it, in their order; only for
            kinds of several guesses.
        symmetry: what maps them to each other; None where each is of a kind of its own.
    """

    firsts: list[int]
    others: dict[int, list[int]]
    symmetry: Symmetry | None

    @classmethod
    def of(cls, position: Position, guesses: Sequence[int]) -> GuessOrbits:
        """The kinds of some distinct guesses, in the order of their first ones."""
        symmetry = position.symmetry
        if symmetry is None or symmetry.is_trivial:
            return cls(list(guesses), {}, None)
        firsts: dict[int, int] = {}
        others: dict[int, list[int]] = {}
        orbits = symmetry.orbits[np.asarray(guesses, np.intp)].tolist()
        for guess, orbit in zip(guesses, orbits, strict=True):
            first = firsts.setdefault(orbit, guess)
            if guess != first:
                others.setdefault(first, []).append(guess)
        return cls(list(firsts.values()), others, symmetry)

    def members(self, first: int) -> list[int]:
        """The guesses of a kind."""
        return [first, *self.others.get(first, ())]

    def spread(
        self, firsts: Sequence[int], results: Sequence[SolveResult]
    ) -> tuple[list[int], Sequence[SolveResult]]:
        """Results of all guesses of some kinds, from the results of their first guesses ``firsts``.

        The strategy of a guess is that of the first one under other names.
        """
        if self.symmetry is None:
            return list(firsts[: len(results)]), results
        guesses, spread = [], []
        for first, result in zip(firsts, results, strict=False):
            guesses.append(first)
            spread.append(result)
            if first not in self.others:
                continue
            routes = self.symmetry.routes(first)
            for guess in self.others[first]:
                tree = result.tree and renamed(result.tree, routes.element(guess))
                guesses.append(guess)
                spread.append(result._replace(tree=tree, stats=SearchStats()))
        return guesses, spread


def renamed(tree: DecisionTree, symmetry: Permutation) -> DecisionTree:
    """A strategy with each guess replaced by the one that a symmetry puts in its place."""
    return DecisionTree(symmetry[tree.guess], tree.parent, tree.pattern)
