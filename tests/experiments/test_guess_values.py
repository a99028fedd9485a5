"""Values and regrets of many guesses at once agree with brute force and with one at a time."""

from math import inf, isnan

import numpy as np
import pytest

import gpu_wordle as gw
from gpu_wordle.api import pools
from gpu_wordle.api.games import position_of
from gpu_wordle.experiments import guess_values
from gpu_wordle.experiments.guess_values import UNKNOWN, kinds_of, values_of_all, values_of_best
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import open_solver
from support.naive_objectives import value_of_guess
from support.naive_rules import IMPOSSIBLE, NaiveRules
from support.seeds import seeds
from support.small_game import ANSWERS, GUESSES, WEIGHTS
from support.solver_games import family_game, random_game


def values_after_a_guess(seed, rule, limit):
    """A position after one guess, and the values of its legal guesses by brute force."""
    rng = np.random.default_rng(seed)
    game = family_game(rng, rule=rule, max_guesses=limit, answers=8, guesses=16)
    words, oracle = game.words, NaiveRules(game.words.guesses.words, rule.value)
    guess, hidden = int(rng.integers(16)), int(rng.integers(8))
    seen = int(game.patterns.values[hidden, guess])
    if seen == words.feedback.solved:
        return values_after_a_guess(seed + 1000, rule, limit)
    position = game.start().after(guess, seen)
    left = tuple(words.answers.words[a] for a in position.state)
    told = words.feedback.format(seen)
    legal = (
        frozenset(left)
        if rule is Rule.CANDIDATES
        else oracle.after([(game.spell([guess])[0], told)])
    )
    values = {
        g: oracle.guess_value(left, legal, word, limit - 1)
        for g, word in enumerate(words.guesses.words)
        if word in legal
    }
    return position, {
        g: min(v, INFEASIBLE) if v < IMPOSSIBLE else INFEASIBLE for g, v in values.items()
    }


@pytest.mark.parametrize("rule", Rule)
@pytest.mark.parametrize("limit", [3, 6])
@pytest.mark.parametrize("seed", seeds(4))
def test_values_of_many_guesses_are_those_of_brute_force(rule, limit, seed, monkeypatch):
    position, expected = values_after_a_guess(seed, rule, limit)
    solver = open_solver(position.game)
    found = values_of_all(solver, position)
    assert {g: v for g, v in enumerate(found.tolist()) if v != UNKNOWN} == expected
    wanted = np.array(list(expected)[-2:])
    for few in (0, guess_values.FEW_ANSWERS):
        monkeypatch.setattr(guess_values, "FEW_ANSWERS", few)
        for count in (1, 3, 50):
            some = values_of_best(solver, position, count, wanted)
            known = {g: v for g, v in enumerate(some.tolist()) if v != UNKNOWN}
            assert known.items() <= expected.items()
            assert set(wanted.tolist()) <= set(known)
            worst = sorted(expected.values())[:count][-1]
            assert {g for g, v in expected.items() if v <= worst} <= set(known)


@pytest.mark.parametrize("seed", seeds(6))
def test_guesses_of_a_kind_make_the_same_parts(seed):
    rng = np.random.default_rng(seed)
    game = random_game(rng, most_answers=60, most_guesses=200, rule=Rule.NORMAL)
    position, guesses = game.start(), np.arange(game.guess_count)
    firsts, kind = kinds_of(position, guesses)

    def parts(guess):
        told = game.patterns.values[:, guess].tolist()
        alike = frozenset(frozenset(np.flatnonzero(told == p).tolist()) for p in np.unique(told))
        return alike, int(game.words.answer_of_guess[guess])

    ways = [parts(guess) for guess in guesses.tolist()]
    assert all(ways[firsts[k]] == way for k, way in zip(kind.tolist(), ways, strict=True))
    assert len(firsts) == len(set(ways))


@pytest.fixture(scope="module")
def small(_private_cache):
    return lambda **told: gw.load_game(GUESSES, ANSWERS, **told)


@pytest.mark.parametrize("alone", [0, 24])
@pytest.mark.parametrize(
    ("told", "history"),
    [
        ({}, ""),
        ({}, "chf BBB"),
        ({"rule": "hard"}, "mps BBB"),
        ({"rule": "candidates", "max_guesses": 0}, "chf BBB"),
        ({"max_guesses": 4}, "tab YGB"),
        ({"weights": dict(zip(ANSWERS, WEIGHTS, strict=True))}, "chf BBB"),
        ({"objective": "mean,worst"}, "chf BBB"),
        ({"objective": "cost:1,2,4,8,16,32"}, "chf BBB"),
    ],
)
def test_regrets_are_those_of_each_guess(small, told, history, alone, monkeypatch):
    monkeypatch.setattr("gpu_wordle.api.values.MAX_ALONE", alone)
    position = small(**told).after(history)
    found = gw.regrets(position, threads=2)
    assert found.dtype == np.float64
    assert found.shape == (len(GUESSES),)
    legal = set(position.legal_guesses)
    for word, regret in zip(GUESSES, found.tolist(), strict=True):
        if word not in legal:
            assert isnan(regret)
        else:
            assert regret == float(gw.regret(position, word))
    assert found[~np.isnan(found)].min() == 0


def test_regrets_under_prices_are_those_of_brute_force(small):
    objective = "cost:1,2,4,8,16,32"
    position = small(objective=objective).after("chf BBB")
    inner = position_of(position)
    told = [
        value_of_guess(inner.game.words, word, objective, 6, answers=inner.state.tolist(), made=1)
        for word in GUESSES
    ]
    expected = [inf if v >= INFEASIBLE else (v - min(told)) / len(inner.state) for v in told]
    assert gw.regrets(position).tolist() == expected


def test_regrets_of_a_published_start_need_no_search(monkeypatch):
    monkeypatch.setattr(pools, "batched_pool", None)
    game = gw.load_game()
    found = gw.regrets(game)
    assert [game.guesses[g] for g in np.flatnonzero(found == 0)] == ["salet"]
    assert found[game.guesses.index("reast")] == float(gw.regret(game, "reast"))
    assert np.isfinite(found).all()


def test_regrets_that_time_leaves_open_are_nan():
    position = gw.load_game(max_guesses=0).after("fuzzy BBBBB")
    assert np.isnan(gw.regrets(position, time_limit=0.01)).all()


def test_regrets_are_refused_where_there_are_none(small):
    with pytest.raises(gw.UserError, match=r"the value under worst is no sum"):
        gw.regrets(small(objective="worst"))
    with pytest.raises(gw.UserError, match=r"no guess has a value here.*max_guesses=0"):
        gw.regrets(small(max_guesses=2).after("chf BBB"))
    with pytest.raises(gw.UserError, match=r"no guess has a value here"):
        gw.regrets(small(max_guesses=1).after("chf BBB"))
