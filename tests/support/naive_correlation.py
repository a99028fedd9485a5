"""Rank correlations by their definitions, pair by pair."""

from __future__ import annotations

from itertools import combinations
from math import sqrt


def kendall(x: list[int], y: list[int]) -> float | None:
    """Return tau-b: concordant minus discordant pairs, divided by the pairs that differ."""
    signs = [
        ((x[i] > x[j]) - (x[i] < x[j]), (y[i] > y[j]) - (y[i] < y[j]))
        for i, j in combinations(range(len(x)), 2)
    ]
    differ_in_x = sum(a != 0 for a, _ in signs)
    differ_in_y = sum(b != 0 for _, b in signs)
    if differ_in_x == 0 or differ_in_y == 0:
        return None
    return sum(a * b for a, b in signs) / sqrt(differ_in_x * differ_in_y)


def spearman(x: list[int], y: list[int]) -> float | None:
    """Return Pearson's correlation of the ranks. Equal values share their mean rank."""
    mine, other = ([_rank(value, column) for value in column] for column in (x, y))
    mean_mine, mean_other = sum(mine) / len(mine), sum(other) / len(other)
    both = sum((a - mean_mine) * (b - mean_other) for a, b in zip(mine, other, strict=True))
    spread = sum((a - mean_mine) ** 2 for a in mine) * sum((b - mean_other) ** 2 for b in other)
    return None if spread == 0 else both / sqrt(spread)


def _rank(value: int, column: list[int]) -> float:
    below = sum(other < value for other in column)
    return below + (sum(other == value for other in column) + 1) / 2
