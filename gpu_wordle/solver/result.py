"""What a solve returns: an interval of values, perhaps a tree, and how much work it was."""

from __future__ import annotations

from typing import NamedTuple

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.states.tree import DecisionTree


class Bound(NamedTuple):
    """A lower bound of a value, and whether it is the value."""

    lower: int
    is_exact: bool


class SearchStats(NamedTuple):
    """Work of a search.

    Attributes:
        expanded: states whose guesses were tried one by one.
        generated: guesses tried.
        table_hits: parts of which the transposition table knew something.
        pruned: guesses refuted.
        seconds: CPU seconds of the thread.
    """

    expanded: int = 0
    generated: int = 0
    table_hits: int = 0
    pruned: int = 0
    seconds: float = 0.0


class SolveResult(NamedTuple):
    """What is known of the value of a state, or of a guess on it.

    The value lies in ``[lower, upper]``. With a cutoff, ``lower`` may stop anywhere from the
    cutoff on; a search that ran out of its budget returns what it had proved.

    Attributes:
        lower: proven lower bound, INFEASIBLE if no strategy stays within the guess limit.
        upper: total of a strategy that stays within it, INFEASIBLE if none is known.
        tree: a strategy of total ``upper``, if asked for and the value is exact.
        worst: guesses that the tree needs at worst, least among strategies of that total unless
            any of them was asked for; None without a tree.
        stats: the work.
    """

    lower: int
    upper: int
    tree: DecisionTree | None
    worst: int | None
    stats: SearchStats

    @property
    def is_exact(self) -> bool:
        """Whether the value is known: a total, or that there is none."""
        return self.lower == self.upper

    @property
    def bound(self) -> Bound:
        """What is known from below."""
        return Bound(self.lower, self.is_exact)

    @property
    def is_infeasible(self) -> bool:
        """Whether it is proven that no strategy stays within the guess limit."""
        return self.lower >= INFEASIBLE
