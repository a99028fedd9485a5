"""Objectives: their names, what they charge, and what their values stand for."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_wordle.errors import UserError
from gpu_wordle.game.objective import MAX_GUESS_LIMIT, Aim, Objective, Prices
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.game.weights import Weights

NAMES = ["mean", "mean,worst", "worst", "within:2", "fewest-failures", "cost:1,2,2,4,4,9"]


def naive_value(objective, turns, weights, made, everything):
    """The contract in plain Python; ``turns`` are counted from the state, 0 is lost.

    ``everything`` is the weight of all answers of the game, or their number if that is more.
    """
    limit = objective.max_guesses or 250
    scale = everything * limit + 1
    if objective.name == "fewest-failures":
        total = sum(w * t for w, t in zip(weights, turns, strict=True) if t)
        lost = sum(w for w, t in zip(weights, turns, strict=True) if not t)
        return lost * (scale - made) + total
    if 0 in turns:
        return INFEASIBLE
    if objective.name.startswith("cost:"):
        cost = [0, *map(int, objective.name[5:].split(","))]
        return sum(w * (cost[made + t] - cost[made]) for w, t in zip(weights, turns, strict=True))
    total = sum(w * t for w, t in zip(weights, turns, strict=True))
    if objective.name == "worst":
        return scale * max(turns) + total
    if objective.name.startswith("within:"):
        deadline = int(objective.name[7:])
        late = sum(w for w, t in zip(weights, turns, strict=True) if made + t > deadline)
        return scale * late + total
    return total


@st.composite
def outcomes(draw, names=tuple(NAMES), lossy=True):
    """Objective, weights of a state's answers, turns on which they are found, guesses made."""
    name = draw(st.sampled_from(names))
    made = draw(st.integers(0, 1))
    count = draw(st.integers(1, 12))
    weights = draw(st.lists(st.integers(0, 50), min_size=count, max_size=count))
    others = draw(st.lists(st.integers(0, 50), max_size=4))
    if not any(weights + others):
        others.append(1)
    first = 0 if lossy and name == "fewest-failures" else 1
    turn = st.integers(first, 6 - made)
    turns = draw(st.lists(turn, min_size=count, max_size=count))
    objective = Objective.parse(name, 6, Weights((*weights, *others)))
    return objective, np.array(weights), np.array(turns), made


@given(outcomes())
def test_values_are_those_of_the_contract(outcome):
    objective, weights, turns, made = outcome
    count = len(objective.weights.of_answer)
    everything = max(objective.weights.total, count)
    prices = objective.prices(count)
    value = prices.value_of_turns(turns, weights, made)
    assert value == naive_value(objective, turns.tolist(), weights.tolist(), made, everything)
    assert value < INFEASIBLE


@given(outcomes())
def test_values_say_what_they_are_made_of(outcome):
    objective, weights, turns, made = outcome
    prices = objective.prices(len(objective.weights.of_answer))
    score = prices.score(prices.value_of_turns(turns, weights, made), int(weights.sum()), made)
    if objective.aim is not Aim.COST:
        assert score.total == (weights * turns).sum()
    assert score.worst == (turns.max() if objective.aim is Aim.WORST else None)
    late = weights[made + turns > 2].sum() if objective.aim is Aim.WITHIN else None
    assert score.late == late
    lost = weights[turns == 0].sum() if objective.aim is Aim.FEWEST_FAILURES else None
    assert score.lost == lost


@given(outcomes(names=("worst", "within:2", "fewest-failures")), st.data())
def test_the_first_aim_comes_first(outcome, data):
    """A strategy that is better in the first aim has a lower value, whatever the second says."""
    objective, weights, turns, made = outcome
    prices = objective.prices(len(objective.weights.of_answer))
    least = 0 if objective.allows_failure else 1
    other = np.array([data.draw(st.integers(least, 6 - made)) for _ in turns])

    def aims(turns):
        first = {
            Aim.WORST: turns.max(),
            Aim.WITHIN: weights[made + turns > 2].sum(),
            Aim.FEWEST_FAILURES: weights[turns == 0].sum(),
        }[objective.aim]
        return int(first), int((weights * turns).sum())

    one, two = (prices.value_of_turns(t, weights, made) for t in (turns, other))
    assert (one < two) == (aims(turns) < aims(other))
    assert (one == two) == (aims(turns) == aims(other))


@pytest.mark.parametrize("name", [n for n in NAMES if n != "fewest-failures"])
def test_what_must_not_be_lost_makes_a_strategy_infeasible(name):
    prices = Objective.parse(name, 6).prices(3)
    assert prices.value_of_turns(np.array([1, 0, 2])) == INFEASIBLE


@given(outcomes(lossy=False))
def test_a_strategy_in_parts_costs_what_it_costs_as_a_whole(outcome):
    """Later turns are charged on top of the first: what a search adds up, turn by turn."""
    objective, weights, turns, made = outcome
    prices = objective.prices(len(objective.weights.of_answer))
    if objective.aim is Aim.WORST:
        return
    later = turns > 1
    first = prices.of_turn(made + 1) - prices.of_turn(made)
    rest = prices.value_of_turns(turns[later] - 1, weights[later], made + 1) if later.any() else 0
    assert prices.value_of_turns(turns, weights, made) == first * weights.sum() + rest


def test_names_are_read_and_written():
    for name in [*NAMES, "within:4", "cost:3"]:
        limit = ... if name.startswith("cost") else 6
        assert Objective.parse(name.upper(), limit).name == name
    assert Objective.parse("mean").max_guesses == 6
    assert Objective.parse("cost:1,2,3").max_guesses == 3
    assert {Objective.parse(name, None).guesses_left for name in ("mean", "worst")} == {NO_LIMIT}
    assert Objective.parse("within:4", None).guesses_left == MAX_GUESS_LIMIT
    assert Objective.parse("mean").is_default
    assert not Objective.parse("mean,worst").is_default
    assert Objective.parse("mean,worst").is_mean
    assert not Objective.parse("mean", 6, Weights((1, 2))).is_mean


@pytest.mark.parametrize(
    ("name", "limit", "message"),
    [
        ("least", 6, "objective 'least': give mean, mean,worst, worst, within:K"),
        ("within", 6, "objective 'within'"),
        ("within:two", 6, "objective 'within:two'"),
        ("within:2,3", 6, "objective 'within:2,3'"),
        ("mean:3", 6, "objective 'mean:3'"),
        ("within:0", 6, "within:0 is out of range; use within:1 to within:6"),
        ("within:7", 6, "within:7 is out of range"),
        ("fewest-failures", None, "without a limit no answer is ever lost"),
        ("cost:1,2", 6, "cost:1,2 has prices for 2 turns, and there are 6"),
        ("cost:1,2", None, "any number of guesses"),
        ("cost:1,3,2", ..., "turn 3 costs 2, less than 3"),
        ("cost:-1,2", ..., "turn 1 costs -1"),
        ("cost:", ..., "objective 'cost:'"),
        ("mean", 0, "a limit of 0 guesses is out of range"),
    ],
)
def test_bad_names_are_refused_in_one_line(name, limit, message):
    with pytest.raises(UserError, match=message) as caught:
        Objective.parse(name, limit)
    assert "\n" not in str(caught.value)


def test_values_that_could_overflow_are_refused():
    heavy = Weights((10**6, 1))
    assert Objective.parse("mean", 6, heavy).prices(2).by_turn[-1] == 6
    with pytest.raises(UserError, match="give weights of fewer digits, lower prices or a lower"):
        Objective.parse("within:3", 6, heavy).prices(2)
    with pytest.raises(UserError, match="values could come to"):
        Objective.parse("cost:1,2,999999999999").prices(2)
    for name in ("mean", "worst"):
        Objective.parse(name, None).prices(65_535)


@pytest.mark.parametrize(
    ("name", "limit", "most"),
    [
        ("within:3", 6, 428_000), ("within:3", None, 66_000), ("fewest-failures", 6, 428_000),
        ("worst", 6, 26_000_000_000), ("worst", None, 17_000_000),
        ("mean", 6, 183_000_000_000), ("mean", None, 4_300_000_000),
    ],
)  # fmt: skip
def test_weights_may_come_to_what_the_readme_says(name, limit, most):
    Objective.parse(name, limit, Weights((most - 2000, 2000))).prices(2)
    with pytest.raises(UserError, match="give weights of fewer digits"):
        Objective.parse(name, limit, Weights((most + most // 20, 0))).prices(2)


def test_turns_that_are_over_the_limit_cost_a_failure_or_more():
    lossy = Objective.parse("fewest-failures", 2).prices(5)
    assert lossy.ahead(1, 3) == [1, lossy.scale - 1, lossy.scale - 1]
    assert Objective(2).prices(5).ahead(1, 3) == [1, 2, 3]
    assert Prices((1, 2, 9), INFEASIBLE, 1).ahead(1, 2) == [1, 8]
