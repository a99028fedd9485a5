"""What a part costs at least, or exactly, by the parts that guesses make of it.

The functions take the workspace of either search.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit

from gpu_wordle.objective import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.table import COUNTED, limited_key, record
from gpu_wordle.solver.tariff import (
    MAY_LOSE,
    NO_THIRD,
    SHIFT,
    WEIGHTED,
    charge,
    charge_late,
    least_charge,
    most_refuted,
    weigh,
)
from gpu_wordle.solver.workspace import (
    AT,
    HEIGHT,
    KEY_0,
    KEY_1,
    LOWER,
    MARKS,
    MINE,
    OPEN,
    SIZE,
)


@njit
def key_with_limit(w, key_0, left):
    """First key word of a state with ``left`` guesses left, under the limit of the game."""
    if left >= NO_LIMIT:
        return key_0
    return limited_key(key_0, left + w.terms[SHIFT] * NO_LIMIT)


@njit
def keep(w, p, left, lower, upper, height, marks):
    """Set the bound of part ``p`` and enter it in the table."""
    part = w.parts
    if left < NO_LIMIT and lower > weigh(w, part[p, AT], part[p, SIZE]) * w.dearest[left]:
        lower = np.int64(INFEASIBLE)
    if lower >= INFEASIBLE:
        lower = np.int64(INFEASIBLE)
        upper = np.int64(INFEASIBLE)
        height = np.int64(0)
    part[p, LOWER] = max(part[p, LOWER], lower)
    part[p, MARKS] = marks
    if lower == upper:
        part[p, OPEN] = 0
        part[p, HEIGHT] = height
    record(
        w.table, key_with_limit(w, np.uint64(part[p, KEY_0]), left), np.uint64(part[p, KEY_1]),
        part[p, SIZE], part[p, LOWER], upper, height, marks,
    )  # fmt: skip


@njit
def rate_by_candidates(w, p, left, mine, splits, only):
    """Raise the bound of part ``p`` by its own answers as guesses, of which one makes most parts.

    The heaviest answer, if it splits the part completely, costs least of all. Of answers of one
    weight, one that leaves a single pair comes next, but for a complete split by a guess that is no
    candidate, where that is cheaper.

    Args:
        w: workspace.
        p: the part.
        left: guesses left for it.
        mine: the most parts that any of its answers makes.
        splits: whether one as heavy as any splits it completely.
        only: whether no other guesses are legal.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    weight = weigh(w, at, k)
    part[p, MINE] = mine
    own = least_charge(w, at, k, left) + charge_late(w, at + k, k - mine, left)
    others = charge(w, left, weight, weight)
    if splits:
        keep(w, p, left, own, own, 2, COUNTED)
    elif mine == k - 1 and w.terms[WEIGHTED] == 0 and own <= others:
        keep(w, p, left, own, own, min(3, left), COUNTED)
    elif only:
        keep(w, p, left, own, INFEASIBLE, 0, COUNTED)
    elif part[p, LOWER] < min(own, others):
        keep(w, p, left, min(own, others), INFEASIBLE, 0, 0)


@njit
def floor_of_count(w, p, left, need):
    """The parts that a guess has to make for it to cost less than ``need``, less one.

    So much is enough to know of the most parts; see :func:`rate_by_count`.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    mine = part[p, MINE]
    weight = weigh(w, at, k)
    base = least_charge(w, at, k, left) if mine == 0 else charge(w, left, weight, weight)
    floor = most_refuted(w, at, k, left, need - base)
    return min(max(floor, mine, 1), k - 1)


@njit
def rate_by_count(w, p, left, most, floor):
    """Raise the bound of part ``p`` by the most parts that any guess makes of it.

    ``most`` is not less than ``floor``; if it is equal, there may be fewer. The more parts a guess
    makes, the fewer answers pay for a third guess; see tariff.py. The bound is exact if no part of
    the guess is larger than two, which is sure if only one pair is left together, and if there is
    no third guess.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    mine = part[p, MINE]
    weight = weigh(w, at, k)
    own = least_charge(w, at, k, left)
    late = charge_late(w, at + k, k - most, left)
    is_known = most > floor
    if mine == 0:  # it is not known what its own answers make of it
        keep(w, p, left, own + late, INFEASIBLE, 0, COUNTED if is_known else 0)
        return
    own += charge_late(w, at + k, k - mine, left)
    others = charge(w, left, weight, weight) + late
    least = min(own, others)
    is_even = w.terms[WEIGHTED] == 0
    if is_known and others <= own and (most == k or (most == k - 1 and is_even)):
        keep(w, p, left, others, others, min(2 + k - most, left), COUNTED)
    elif left == NO_THIRD and is_even and (is_known or own <= others or w.terms[MAY_LOSE] == 0):
        keep(w, p, left, least, least, 2, COUNTED)
    else:
        keep(w, p, left, least, INFEASIBLE, 0, COUNTED if is_known or floor == mine else 0)
