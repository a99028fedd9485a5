"""The level at which a run first leaves the optimum, as an exact fraction.

As a function of the level x a policy's perturbed total is a line: its true total, plus x times what
its draws add up to. All optimal policies begin at the same height, so that one line O is least
among them. The least of all lines, E, is concave, and E = O at x = 0. So E = O up to some level,
and E < O from there on.

Newton's method finds it: where a policy found at x is not optimal, its line crosses O at a lower
level, and there one looks again. Each step ends on another line, and the last level is exact.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.machine.draws import ONE
from gpu_wordle.experiments.noise.model import After, Lanes
from gpu_wordle.experiments.noise.policy import Policies
from gpu_wordle.experiments.noise.searcher import Node, Searcher

FIRST_LOOK = Fraction(1, 500)
"""Where the first state is looked at; then at twice the level, and so on."""

NEARLY_NONE = 1 << 44
"""Alpha of a level so small that the draws only decide between equal totals."""


def first_departures(
    make: Callable[[Lanes], Searcher],
    root: Callable[[Searcher], Node],
    known: Sequence[Fraction | None],
    first_run: int,
    horizon: Fraction,
) -> list[Fraction | None]:
    """The levels at which runs first leave the optimum on one state, or leave it elsewhere.

    Args:
        make: makes what searches in so many lanes.
        root: the state.
        known: for each run the level at which it leaves the optimum on another state, if any. Only
            lower levels are of interest.
        first_run: number of the first run.
        horizon: the highest level that is looked at; see NoiseModel.

    Returns for each run the lower one of both levels; None if it is above the horizon.
    """
    optimum, least = _best_lines(make, root, first_run, len(known))
    result = list(known)
    looked = [level or FIRST_LOOK for level in known]
    is_open = [True] * len(known)
    while any(is_open):  # what is closed is looked at where a search is quick
        ratios = [
            _ratio(level) if run_is_open else (NEARLY_NONE, 1)
            for level, run_is_open in zip(looked, is_open, strict=True)
        ]
        searcher = make(Lanes.of_ratios(ratios, first_run))
        node = root(searcher)
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
    make: Callable[[Lanes], Searcher], root: Callable[[Searcher], Node], first_run: int, runs: int
) -> tuple[int, list[int]]:
    """The optimum of a state, and for each run the least slope of an optimal policy."""
    searcher = make(Lanes.of_ratios([(NEARLY_NONE, 1)] * runs, first_run))
    values = searcher.best(root(searcher))[0][0]
    optimum = int(values[0] + NEARLY_NONE // 2) // NEARLY_NONE
    return optimum, (values - NEARLY_NONE * optimum).tolist()


def _ratio(level: Fraction) -> tuple[int, int]:
    """Alpha and beta of a level; see Lanes."""
    ratio = ONE / level
    return ratio.numerator, ratio.denominator


def _totals(searcher: Searcher, node: Node) -> list[int]:
    """The true total of the policy of each run on a node."""
    turns = Policies(searcher, After.OPTIMAL).turns(node)[:, 0]
    after = np.arange(len(turns)) - node.made
    totals: NDArray[np.int64] = after @ turns
    return [int(total) for total in totals]
