"""Closed-form lower bounds on the value of a state for the mean objective, each with its proof.

Throughout, a state has n answers, V is its least total number of guesses, and a guess splits it
into parts by pattern; ALL_GREEN, the part of the guess itself, counts as a part where it occurs.
Every function takes integers or numpy integer arrays alike.
"""

from __future__ import annotations

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

    After the guess, at most one answer of each part is found on the second turn, and every other
    needs at least three: 2 * parts + 3 * (n - parts) = 3n - parts. If the guess is a candidate,
    one of the parts is ALL_GREEN, and its answer costs one guess instead of two. The bound is
    exact when no part has more than two answers.
    """
    return 3 * n - parts - is_candidate


def part_lower_bound(k: Integers, most_parts: Integers) -> Integers:
    """V >= max(2k - 1, 3k - most_parts - 1) for a part of k answers, known by its size alone.

    ``most_parts`` is the most parts that any guess reaches on a state that contains the part. A
    guess cannot reach more on a subset, so :func:`guess_lower_bound` with ``most_parts`` holds
    for every guess, whether it is a candidate or not.
    """
    one_ply = 3 * k - most_parts - 1
    if isinstance(one_ply, np.ndarray):
        return np.maximum(2 * k - 1, one_ply)
    return max(2 * k - 1, one_ply)
