"""Questions whose guess limit binds: their values, and what is left of them when time runs out."""

from dataclasses import replace

import numpy as np
import pytest

from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import open_solver
from support.brute_force import brute_force, naive_of
from support.solver_games import family_game, small_solver


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.CANDIDATES])
@pytest.mark.parametrize("is_eager", [False, True])
def test_values_are_those_of_brute_force(rule, is_eager):
    """Whether parts that are lost are looked for in small states or not."""
    lost = 0
    for seed in range(12):
        game = family_game(np.random.default_rng(seed), rule=rule, max_guesses=4)
        naive = naive_of(game)
        everything = tuple(range(game.answer_count))
        for guess in range(game.guess_count):
            truth = brute_force(naive, everything, guess, 4)
            solver = small_solver(game, least_lost=1 if is_eager else None)
            assert solver.solve(game.start(), guess).lower == truth
            lost += truth == INFEASIBLE
    assert lost


def lost_game(max_guesses=3):
    """A game that is lost."""
    return family_game(
        np.random.default_rng(2), rule=Rule.NORMAL, max_guesses=max_guesses, answers=18, guesses=28
    )


@pytest.mark.parametrize("max_guesses", [3, 4])
def test_games_that_are_only_to_be_won_are_lost_too(max_guesses):
    game = replace(lost_game(max_guesses), objective=Objective.to_win(max_guesses))
    assert open_solver(game).solve(game.start()).lower == INFEASIBLE


def test_no_answer_is_given_up_where_all_are_to_be_won():
    game = lost_game()
    assert open_solver(game).solve(game.start()).lower == INFEASIBLE
    solver = open_solver(game.start().allowing_failures().game)
    assert solver.solve(solver.game.start()).lower < INFEASIBLE


def test_the_budget_of_the_search_is_kept():
    game = lost_game()
    whole = open_solver(game).solve(game.start())
    ended = 0
    for budget in range(1, whole.stats.expanded + 2):
        found = open_solver(game).solve(game.start(), budget=budget)
        assert found.stats.expanded <= budget + 1
        assert found.lower <= whole.lower
        assert found.is_exact == (budget >= whole.stats.expanded)
        ended += not found.is_exact
    assert ended


def test_a_search_that_is_cut_short_still_charges_every_answer_for_a_turn():
    game = replace(lost_game(4), objective=Objective.parse("cost:2,4,9,20"))
    whole = open_solver(game).solve(game.start())
    cut_short = 0
    for budget in range(1, whole.stats.expanded):
        found = open_solver(game).solve(game.start(), budget=budget)
        assert not found.is_exact
        assert 2 * game.answer_count <= found.lower <= whole.lower
        cut_short += 1
    assert cut_short
