"""Parts that share the work of a guess: values stay, and so do budgets, as rations are eaten."""

import numpy as np
import pytest

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver import open_solver, plain
from support.solver_games import coarse_game


def eaten(monkeypatch):
    """How often a ration of the plain search is eaten up from now on: a list that grows."""
    seen = []

    class SeenError(plain.RationEatenError):
        def __init__(self):
            seen.append(1)

    monkeypatch.setattr(plain, "RationEatenError", SeenError)
    return seen


def value_of(game):
    """The value of a game by the plain search."""
    return plain.PlainSolver(game).value(tuple(range(game.answer_count)), INFEASIBLE, NO_LIMIT)[0]


@pytest.mark.parametrize("ration", [1, 4, 1_000_000])
def test_the_value_is_the_same_whatever_the_ration(monkeypatch, ration):
    game = coarse_game(np.random.default_rng(0), 18, 22, 0.1)
    monkeypatch.setattr(plain, "RATION", ration)
    seen = eaten(monkeypatch)
    assert value_of(game) == open_solver(game).solve(game.start()).lower
    assert bool(seen) == (ration < 1_000_000)


@pytest.mark.parametrize("seed", [1, 2])
def test_the_machine_finds_the_value_where_rations_are_eaten(monkeypatch, seed):
    game = coarse_game(np.random.default_rng(seed), 22, 26, 0.1)
    seen = eaten(monkeypatch)
    assert open_solver(game).solve(game.start()).lower == value_of(game)
    assert seen


def test_a_budget_is_kept_beside_the_rations():
    game = coarse_game(np.random.default_rng(2), 22, 26, 0.1)
    whole = open_solver(game).solve(game.start(), 0)
    assert whole.is_exact
    ended = 0
    for budget in [*range(1, 60), 100, 200, 400, 800, 1600]:
        found = open_solver(game).solve(game.start(), 0, budget=budget)
        assert found.stats.expanded <= budget + 1
        assert found.lower <= whole.lower <= found.upper
        if found.stats.expanded > budget:
            assert not found.is_exact
            ended += 1
        else:
            assert found.lower == whole.lower
            assert found.stats.expanded == whole.stats.expanded
    assert ended > 55


def test_a_bound_that_is_asked_for_is_reached_and_no_more_than_true():
    game = coarse_game(np.random.default_rng(2), 22, 26, 0.1)
    exact = open_solver(game).solve(game.start(), 0).lower
    for cutoff in range(exact - 12, exact + 2):
        found = open_solver(game).solve(game.start(), 0, cutoff=cutoff)
        assert min(cutoff, exact) <= found.lower <= exact
        assert found.is_exact == (cutoff > exact)
