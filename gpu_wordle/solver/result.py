"""The result of a solve: an interval of values, perhaps a tree, and how much work it was."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, overload

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.states.tree import DecisionTree, Forest


class Bound(NamedTuple):
    """A lower bound of a value; ``is_exact`` if it is the value."""

    lower: int
    is_exact: bool


class SearchStats(NamedTuple):
    """Work of a search.

    Attributes:
        expanded: states whose guesses were tried one by one.
        generated: guesses tried.
        table_hits: parts that had an entry in the transposition table.
        pruned: guesses refuted.
        seconds: CPU seconds of the thread.
    """

    expanded: int = 0
    generated: int = 0
    table_hits: int = 0
    pruned: int = 0
    seconds: float = 0.0


class SolveResult(NamedTuple):
    """The interval that holds the value of a state, or of a guess on it, with its strategy.

    The value lies in ``[lower, upper]``. With a cutoff, ``lower`` may stop anywhere from the cutoff
    on; a search that ran out of its budget returns what it had proved.

    Attributes:
        lower: proven lower bound, INFEASIBLE if no strategy stays within the guess limit.
        upper: total of a strategy that stays within it, INFEASIBLE if none is known.
        tree: a strategy of total ``upper``, if asked for and the value is exact.
        worst: guesses that the tree needs at worst, least among strategies of that total unless any
            of them was asked for; None without a tree.
        stats: the work.
    """

    lower: int
    upper: int
    tree: DecisionTree | None
    worst: int | None
    stats: SearchStats

    @property
    def is_exact(self) -> bool:
        """True if the value is known: a total, or that there is none."""
        return self.lower == self.upper

    @property
    def bound(self) -> Bound:
        """The lower bound, and whether it is the value."""
        return Bound(self.lower, self.is_exact)

    @property
    def is_infeasible(self) -> bool:
        """True if it is proved that no strategy stays within the guess limit."""
        return self.lower >= INFEASIBLE


@dataclass(frozen=True, eq=False)
class Results(Sequence[SolveResult]):
    """Results of K guesses, side by side; each SolveResult is made when asked for.

    Attributes:
        lower: int64[K].
        upper: int64[K].
        trees: None where there is no tree.
        worst: int64[K], 0 where it is not known.
        work: int64[K, 4], what SearchStats counts.
        seconds: float64[K].
    """

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    trees: Forest
    worst: NDArray[np.int64]
    work: NDArray[np.int64]
    seconds: NDArray[np.float64]

    @classmethod
    def of(cls, results: Sequence[SolveResult]) -> Results:
        """Some results side by side."""
        if isinstance(results, Results):
            return results
        stats = [each.stats for each in results]
        return cls(
            np.array([each.lower for each in results], np.int64),
            np.array([each.upper for each in results], np.int64),
            Forest.of([each.tree for each in results]),
            np.array([each.worst or 0 for each in results], np.int64),
            np.array([each[:-1] for each in stats], np.int64).reshape(len(stats), 4),
            np.array([each.seconds for each in stats], np.float64),
        )

    @property
    def is_exact(self) -> NDArray[np.bool_]:
        """Whether each value is known, bool[K]; see SolveResult."""
        return self.lower == self.upper

    @property
    def is_infeasible(self) -> NDArray[np.bool_]:
        """Whether each guess is proved infeasible, bool[K]; see SolveResult."""
        return self.lower >= INFEASIBLE

    def __len__(self) -> int:
        return len(self.lower)

    @overload
    def __getitem__(self, place: int) -> SolveResult: ...
    @overload
    def __getitem__(self, place: slice) -> Sequence[SolveResult]: ...
    def __getitem__(self, place: int | slice) -> SolveResult | Sequence[SolveResult]:
        if isinstance(place, slice):
            return [self[k] for k in range(*place.indices(len(self)))]
        return SolveResult(
            int(self.lower[place]),
            int(self.upper[place]),
            self.trees[place],
            int(self.worst[place]) or None,
            SearchStats._make([*self.work[place].tolist(), float(self.seconds[place])]),
        )
