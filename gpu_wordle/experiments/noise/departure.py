"""The level at which a run first departs from the optimum, as an exact fraction.

As a function of the level x, the perturbed total of a policy is a line: its true total plus x times
the weighted sum of its draws. All optimal policies start at one height, so one of their lines, O,
is the lowest. The minimum of all lines, E, is concave, and E = O at x = 0. So E = O up to some
level, and E < O beyond it.

Newton's method finds that level. If the best policy at x is not optimal, its line crosses O at a
lower level, where the search is repeated. Each step moves to another line, and the last level is
exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.machine.draws import ONE
from gpu_wordle.experiments.noise.model import Lanes
from gpu_wordle.experiments.noise.policy import Policies
from gpu_wordle.experiments.noise.searcher import Node, Searcher
from gpu_wordle.game.game import Position

FIRST_LOOK = Fraction(1, 500)
"""The first level at which a state is searched. It is doubled as long as the optimum is kept."""

NEARLY_NONE = 1 << 44
"""Alpha of a level so small that draws only break ties between equal totals."""


def first_departures(
    make: Callable[[Lanes], Searcher],
    position: Position,
    known: Sequence[Fraction | None],
    first_run: int,
    horizon: Fraction,
) -> list[Fraction | None]:
    """Return the levels at which runs first depart from the optimum, here or elsewhere.

    Args:
        make: makes a searcher for some lanes.
        position: where to search.
        known: for each run the level of its departure elsewhere, if any. Only lower levels are
            searched.
        first_run: number of the first run.
        horizon: the highest level to search; see NoiseModel.

    Returns for each run the lower of both levels; None if it is above the horizon.
    """
    optimum, least = _best_lines(make, position, first_run, len(known))
    result = list(known)
    looked = [level or FIRST_LOOK for level in known]
    is_open = [True] * len(known)
    while any(is_open):  # closed runs stay in the lanes, at a level where a search is quick
        ratios = [
            _ratio(level) if run_is_open else (NEARLY_NONE, 1)
            for level, run_is_open in zip(looked, is_open, strict=True)
        ]
        searcher = make(Lanes.of_ratios(ratios, first_run))
        node = searcher.root(position)
        values = searcher.best(node)[0][0].tolist()
        totals = _totals(searcher, node)
        for run, (alpha, beta) in enumerate(ratios):
            if not is_open[run]:
                continue
            if values[run] == alpha * optimum + beta * least[run]:
                is_open[run] = result[run] is None and looked[run] < horizon
                looked[run] = min(2 * looked[run], horizon)
                continue
            slope = (values[run] - alpha * totals[run]) // beta
            crossing = Fraction(ONE * (totals[run] - optimum), least[run] - slope)
            result[run] = looked[run] = crossing
    return result


def _best_lines(
    make: Callable[[Lanes], Searcher], position: Position, first_run: int, runs: int
) -> tuple[int, list[int]]:
    """Return a position's optimal total, and for each run the least slope of an optimal policy."""
    searcher = make(Lanes.of_ratios([(NEARLY_NONE, 1)] * runs, first_run))
    values = searcher.best(searcher.root(position))[0][0]
    optimum = int(values[0] + NEARLY_NONE // 2) // NEARLY_NONE
    return optimum, (values - NEARLY_NONE * optimum).tolist()


def _ratio(level: Fraction) -> tuple[int, int]:
    """Return alpha and beta of a level, for Lanes."""
    ratio = ONE / level
    return ratio.numerator, ratio.denominator


def _totals(searcher: Searcher, node: Node) -> list[int]:
    """Return the true total of each run's policy on a node."""
    turns = Policies(searcher).turns(node)[:, 0]
    after = np.arange(len(turns)) - node.made
    totals: NDArray[np.int64] = after @ turns
    return [int(total) for total in totals]
