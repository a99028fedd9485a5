"""Measures how well statistics and greedy rules predict the exact values of openers."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.rank_correlation import kendall, spearman

BEST_FEW, BEST_MANY = 10, 100
"""Numbers of top openers for which the mean regret is reported."""


@dataclass(frozen=True, eq=False)
class Predictor:
    """A statistic of every opener that may predict its exact value.

    Attributes:
        name: its name in tables.
        values: float64[G]; nan if unknown.
        most_first: whether higher is better.
        units: units of the values.
    """

    name: str
    values: NDArray[np.float64]
    most_first: bool
    units: str


@dataclass(frozen=True)
class Prediction:
    """How well a predictor ranks the openers whose exact total is known.

    Attributes:
        predictor: the predictor.
        openers: number of openers with both predictor and exact total.
        kendall, spearman: rank correlation with the exact totals, 1 for equal order; None if a
            column is constant.
        favourite: index of the opener that it ranks first.
        regret: exact total of the favourite minus the optimum.
        regret_of_few, regret_of_many: mean regret of the BEST_FEW and BEST_MANY openers it ranks
            first.
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
    """Evaluate predictors of openers; the highest Kendall's tau comes first.

    A predictor's ties put candidates first, then follow the list. All arrays are [G].
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
