"""Closed-form lower bounds on the value of a state, each with its proof.

A state has n answers, and V is its least total number of guesses, unless defined otherwise. A guess
splits the state into parts by pattern; ALL_GREEN, the part of the guess itself, counts as a part
if it occurs. Functions take integers or numpy integer arrays, as annotated.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

Integers = TypeVar("Integers", int, NDArray[np.int64])


def state_lower_bound(n: Integers) -> Integers:
    """V >= 2n - 1.

    Only one answer can be found on the first guess; each other needs at least two.
    """
    return 2 * n - 1


def guess_lower_bound(n: Integers, parts: Integers, is_candidate: Integers) -> Integers:
    """V >= 3n - parts - [candidate] for strategies whose first guess makes ``parts`` parts.

    After the guess, at most one answer of each part is found on the second turn. Every other needs
    at least three: 2 * parts + 3 * (n - parts) = 3n - parts. If the guess is a candidate,
    one of the parts is ALL_GREEN, and its answer costs one guess instead of two. The bound is
    exact when no part has more than two answers.
    """
    return 3 * n - parts - is_candidate


def priced_guess_bound(
    weight: int, now: Integers, soon: Integers, prices: Sequence[int]
) -> Integers:
    """V >= W p1 + (W - now) (p2 - p1) + (W - soon) (p3 - p2), if turns have prices.

    V is the least sum, over the answers, of weight times price of the turn that finds the answer. W
    is the weight of all answers. The prices of the next three turns are p1 <= p2 <= p3; beyond the
    limit they are the price of a failure. ``now`` is an upper bound on the weight found by the
    first guess: its own weight if it is a candidate. ``soon`` is an upper bound on the weight found
    by the second turn: at most one answer of each part, so at most the heaviest of each.

    Every answer costs p1. Answers not found at once, of weight at least W - now, cost p2 - p1 more.
    Answers not found by the second turn, of weight at least W - soon, cost p3 - p2 more. With unit
    weights and prices 1, 2, 3 this is :func:`guess_lower_bound`.
    """
    first, second, third = prices
    return weight * first + (weight - now) * (second - first) + (weight - soon) * (third - second)


def guess_depth_bound(n: int, parts: Integers, is_candidate: Integers) -> Integers:
    """The worst case is at least 1 + [n > candidate] + [n > parts] guesses.

    If the guess is not the only answer, some answer needs a second guess. If parts are fewer than
    answers, some part has two, of which a second guess finds only one.
    """
    return 1 + (n > is_candidate) + (n > parts)


def part_lower_bound(k: Integers, most_parts: Integers) -> Integers:
    """V >= max(2k - 1, 3k - most_parts - 1) for a part of k answers, by its size only.

    ``most_parts`` is the largest number of parts that any guess makes of a state that contains the
    part. A guess makes no more parts of a subset, so :func:`guess_lower_bound` with ``most_parts``
    holds for every guess, candidate or not.
    """
    one_ply = 3 * k - most_parts - 1
    if isinstance(one_ply, np.ndarray):
        return np.maximum(2 * k - 1, one_ply)
    return max(2 * k - 1, one_ply)


def least_excess(n: int, parts: int, squares: int, most_parts: int) -> int:
    """E >= the least E with E^2 + M E + M (n - parts) >= B, where M = most_parts - 1.

    A guess splits n answers into ``parts`` parts; ``squares`` is the sum of the squares of their
    sizes, and B = squares - 2n + parts. A part of k answers is larger than ``most_parts``, which is
    at least 2, by max(0, k - most_parts); E is the sum of that. By :func:`part_lower_bound` the
    guess costs E more than :func:`guess_lower_bound` says.

    Let x = k - 1, so that the sum of x is n - parts and that of x^2 is B. Let e = max(0, x - M).
    Then x^2 = min(x, M)^2 + e^2 + 2 M e <= M min(x, M) + e^2 + 2 M e. The sum of min(x, M) is
    n - parts - E, and that of e^2 is at most E^2. So B <= M (n - parts - E) + E^2 + 2 M E.
    """
    most = most_parts - 1
    missing = squares - 2 * n + parts - most * (n - parts)
    if missing <= 0:
        return 0
    # The root may be rounded, so the search starts below it and goes on in integers.
    excess = max(0, int((math.sqrt(most * most + 4.0 * missing) - most) / 2) - 1)
    while excess * (excess + most) < missing:
        excess += 1
    return excess


def fixed_lower_bound(n: int, parts: Integers, turns: int, turns_saved: Integers) -> Integers:
    """V >= (turns + 2) n - parts - turns_saved for strategies whose first guesses are fixed.

    The ``turns`` fixed guesses make ``parts`` joint parts. Each of the k answers of a part costs
    the fixed turns. The part then costs at least 2k - 1 more by :func:`state_lower_bound`, which
    makes (turns + 2) k - 1 together. A fixed guess that is an answer is a part of its own, which
    costs turns + 1 in that sum. But it is found on its own turn t, which saves turns + 1 - t;
    ``turns_saved`` is the sum of these savings.
    """
    return (turns + 2) * n - parts - turns_saved
