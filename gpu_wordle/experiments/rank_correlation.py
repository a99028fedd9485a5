"""Rank correlation of two columns with ties: Spearman's rho and Kendall's tau-b.

Both are exact up to the last division: they come from whole numbers. Tau is counted in
O(n log² n), so that a column of every guess takes milliseconds. SciPy has both, and nothing else
here would need it.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

Column = NDArray[Any]
"""Numbers that are compared with each other only, [N]."""


def spearman(x: Column, y: Column) -> float | None:
    """Correlation of the ranks, equal values sharing their mean; None if a column is constant."""
    ranks = [_doubled_ranks(column) for column in (x, y)]
    mine, other = (rank - rank.sum() // len(rank) for rank in ranks)  # the mean is n - 1, whole
    spread = float((mine * mine).sum()) * float((other * other).sum())
    return None if spread == 0 else float((mine * other).sum()) / spread**0.5


def kendall(x: Column, y: Column) -> float | None:
    """Tau-b (Kendall 1945); None if a column is constant.

    Pairs in the same order less pairs in opposite order, over the geometric mean of the pairs that
    differ in x and of those that differ in y.
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
    """Twice the rank of each entry from 0 on, equal ones sharing their mean: whole numbers."""
    _, dense, counts = np.unique(column, return_inverse=True, return_counts=True)
    below = np.cumsum(counts) - counts
    return np.asarray((2 * below + counts - 1)[dense], np.int64)


def _tied(dense: NDArray[np.intp]) -> int:
    """Pairs of equal entries, of a column of small whole numbers."""
    counts = np.bincount(dense)
    return int((counts * (counts - 1) // 2).sum())


def _inversions(values: NDArray[np.intp]) -> int:
    """Pairs of which the first is greater, of small whole numbers.

    Such a pair differs first in one bit from the top. So for each bit those are counted that agree
    above it, and of which the first has it and the second has not.
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
