"""What statistics, and whole games of greedy rules, say of the exact value of an opener."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.rank_correlation import kendall, spearman

BEST_FEW, BEST_MANY = 10, 100
"""Openers whose mean regret is told."""


@dataclass(frozen=True, eq=False)
class Predictor:
    """A figure of every opener.

    Attributes:
        name: what tables call it.
        values: float64[G]; nan where it is unknown.
        most_first: whether more is better.
        units: of the values.
    """

    name: str
    values: NDArray[np.float64]
    most_first: bool
    units: str


@dataclass(frozen=True)
class Prediction:
    """How well a predictor ranks the openers whose exact total is known.

    Attributes:
        predictor: what was looked at.
        openers: how many had both figures.
        kendall, spearman: rank correlation of its order, the best first, with that of the exact
            totals: 1 if both agree; None for a constant.
        favourite: index of the opener that it ranks first.
        regret: the exact total of the favourite less the optimum.
        regret_of_few, regret_of_many: the same on average over the first BEST_FEW and BEST_MANY.
    """

    predictor: Predictor
    openers: int
    kendall: float | None
    spearman: float | None
    favourite: int
    regret: int
    regret_of_few: float
    regret_of_many: float


def predict(
    predictors: Iterable[Predictor],
    exact_totals: NDArray[np.int64],
    is_known: NDArray[np.bool_],
    is_candidate: NDArray[np.bool_],
) -> list[Prediction]:
    """How well each predictor ranks openers, the best one by Kendall's tau first.

    Of openers that it ranks equally, those that can be the answer come first, then those that are
    first in the list. All arrays are [G].
    """
    optimum = int(exact_totals[is_known].min())
    found = []
    for predictor in predictors:
        has_both = np.flatnonzero(is_known & ~np.isnan(predictor.values))
        if len(has_both) == 0:
            continue
        values = predictor.values[has_both]
        cost = -values if predictor.most_first else values
        totals = exact_totals[has_both]
        order = np.lexsort([~is_candidate[has_both], cost])
        regrets = totals[order] - optimum
        found.append(
            Prediction(
                predictor,
                len(has_both),
                kendall(cost, totals),
                spearman(cost, totals),
                int(has_both[order[0]]),
                int(regrets[0]),
                float(regrets[:BEST_FEW].mean()),
                float(regrets[:BEST_MANY].mean()),
            )
        )
    return sorted(found, key=lambda each: -2 if each.kendall is None else -each.kendall)
