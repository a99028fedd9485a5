"""Rank correlation of two columns with ties: Spearman's rho and Kendall's tau-b.

Both are computed in integers up to the last division. Tau takes O(n log² n) steps, milliseconds
for a column of all guesses. SciPy has both, but nothing else here would need it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Column = NDArray[Any]
"""Numbers of which only the order matters, [N]."""


def spearman(x: Column, y: Column) -> float | None:
    """Spearman's rho: correlation of the mean ranks; None if a column is constant."""
    ranks = [_doubled_ranks(column) for column in (x, y)]
    # twice the mean rank: n - 1, a whole number
    mine, other = (rank - rank.sum() // len(rank) for rank in ranks)
    spread = float((mine * mine).sum()) * float((other * other).sum())
    return None if spread == 0 else float((mine * other).sum()) / spread**0.5


def kendall(x: Column, y: Column) -> float | None:
    """Kendall's tau-b (1945); None if a column is constant.

    Concordant minus discordant pairs, divided by the geometric mean of the number of pairs that
    differ in x and the number that differ in y.
    """
    pairs = len(x) * (len(x) - 1) // 2
    dense_x, dense_y = (np.unique(column, return_inverse=True)[1] for column in (x, y))
    differ_in_x, differ_in_y = (pairs - _tied(dense) for dense in (dense_x, dense_y))
    if differ_in_x == 0 or differ_in_y == 0:
        return None
    tied_in_both = _tied(np.unique(dense_x * len(x) + dense_y, return_inverse=True)[1])
    opposite = _inversions(dense_y[np.lexsort([dense_y, dense_x])])
    same = differ_in_x + differ_in_y - pairs + tied_in_both - opposite
    return (same - opposite) / (differ_in_x * differ_in_y) ** 0.5


def _doubled_ranks(column: Column) -> NDArray[np.int64]:
    """Twice the mean rank of each entry, counted from 0: always an integer."""
    _, dense, counts = np.unique(column, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    return np.asarray((2 * below + counts - 1)[dense], np.int64)


def _tied(dense: NDArray[np.intp]) -> int:
    """Number of pairs of equal entries, for a column of small integers."""
    counts = np.bincount(dense)
    return int((counts * (counts - 1) // 2).sum())


def _inversions(values: NDArray[np.intp]) -> int:
    """Number of inversions: pairs whose first entry is greater, for small integers.

    Every inversion has a highest bit in which its entries differ. So for each bit, count the pairs
    that agree above it and where only the first entry has it set.
    """
    result = 0
    for bit in range(int(values.max(initial=0)).bit_length()):
        above = values >> (bit + 1)
        order = np.argsort(above, kind="stable")
        is_set = (values[order] >> bit) & 1
        group_begins = np.searchsorted(above[order], above[order])
        set_before = np.cumsum(is_set) - is_set
        in_group = set_before - set_before[group_begins]
        result += int(in_group[is_set == 0].sum())
    return result
