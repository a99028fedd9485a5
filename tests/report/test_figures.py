"""Figures: what values and intervals of values stand for, as people read them."""

from fractions import Fraction

import numpy as np
import pytest

from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.report.figures import Figures

ANSWERS = 10
HALVES = Weights((1,) * 9 + (11,), Fraction(1, 2))


def figures(name, limit=6, weights=None, made=0):
    objective = Objective.parse(name, limit, weights)
    weight = ANSWERS if weights is None else weights.total
    return Figures(objective, objective.prices(ANSWERS), weight, made)


def value(seen, turns, weights=None):
    return seen.prices.value_of_turns(np.array(turns), weights, seen.made)


TURNS = [1, 2, 2, 3, 3, 3, 3, 3, 4, 4]  # 28 guesses


@pytest.mark.parametrize(
    ("name", "turns", "named", "sentence"),
    [
        ("mean", TURNS, {"total": 28, "mean": 2.8}, "total 28, mean 2.80000"),
        (
            "worst", TURNS, {"worst": 4, "total": 28, "mean": 2.8},
            "worst case 4, total 28, mean 2.80000",
        ),
        (
            "within:3", TURNS, {"within": 8, "total": 28, "mean": 2.8},
            "within 3 guesses 8, total 28, mean 2.80000",
        ),
        (
            "fewest-failures", [*TURNS[:8], 0, 0], {"failures": 2, "total": 20, "mean": 2.5},
            "failures 2, total 20, mean 2.50000",
        ),
        (
            "cost:1,2,3,4,5,20", TURNS,
            {"cost": 28, "mean_cost": 2.8, "total": None, "mean": None},
            "cost 28, mean cost 2.80000",
        ),
    ],
)  # fmt: skip
def test_values_have_names(name, turns, named, sentence):
    seen = figures(name)
    assert seen.named(value(seen, turns)) == named
    assert tuple(named) == seen.names
    assert seen.sentence(value(seen, turns)) == sentence


def test_weights_are_shown_as_they_were_given():
    seen = figures("within:2", weights=HALVES)
    named = seen.named(value(seen, TURNS, HALVES.values))
    total = (sum(TURNS[:9]) + 11 * 4) / 2
    assert named == {"within": 1.5, "total": total, "mean": total / 10}
    nothing = Figures(seen.objective, seen.prices, 0, 0)
    assert nothing.named(0) == {"within": 0, "total": 0, "mean": None}


def test_intervals_stop_at_the_first_figure_that_is_open():
    seen = figures("within:3")
    late = value(seen, TURNS)
    better, worse = value(seen, [3] * 10), value(seen, [*TURNS[:-1], 5])
    assert seen.interval(late, worse) == {"within": "8", "total": "[28, 29]", "mean": None}
    assert seen.interval(better, late) == {"within": "[8, 10]", "total": None, "mean": None}
    assert seen.interval(better, INFEASIBLE) == {"within": "[?, 10]", "total": None, "mean": None}
    assert figures("mean").interval(7468, INFEASIBLE) == {"total": "[7,468, ?]", "mean": None}


def test_figures_count_from_the_position():
    seen = figures("fewest-failures", made=2)
    assert seen.named(value(seen, [1, 2, 0]))["failures"] == 1
    assert seen.short(value(seen, [1, 2, 0])) == "1/3"
