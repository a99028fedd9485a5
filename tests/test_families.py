"""Families that lose a state: values stay as they are, and so do budgets and stops."""

import numpy as np
import pytest

from gpu_wordle.game.game import Rule
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import families, limited, open_solver
from gpu_wordle.solver.memory.arenas import BUDGET, EXPANDED, STOPPED
from gpu_wordle.solver.question import Question
from support.brute_force import brute_force, naive_of
from support.solver_games import family_game


@pytest.fixture
def small(monkeypatch):
    """Families are asked about soon, in the smallest states; what is said is kept in a list."""
    monkeypatch.setattr(families, "MIN_FAMILIAL", 3)
    monkeypatch.setattr(limited, "MAX_BRIEF", 0)
    seen = []

    def loses(engine, question):
        seen.append(families.loses_a_family(engine, question))
        return seen[-1]

    monkeypatch.setattr(limited, "loses_a_family", loses)
    return seen


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.CANDIDATES])
def test_values_stay_and_families_lose_only_what_is_lost(small, rule):
    found = []
    for seed in range(12):
        game = family_game(np.random.default_rng(seed), rule=rule, max_guesses=4)
        naive = naive_of(game)
        everything = tuple(range(game.answer_count))
        for guess in range(game.guess_count):
            before = len(small)
            total = open_solver(game).solve(game.start(), guess).lower
            truth = brute_force(naive, everything, guess, 4)
            assert total == truth
            found += small[before:]
            assert truth == INFEASIBLE or not any(small[before:])
    assert any(found) == (rule is Rule.NORMAL)
    assert not all(found)


def lost_game():
    """A game, and a question about it that a family loses."""
    game = family_game(np.random.default_rng(2), rule=Rule.NORMAL, max_guesses=3, answers=18)
    start = game.start()
    return game, Question(start.state, start.revealed, 3)


def test_a_state_is_lost_by_a_family_too(small):
    game, question = lost_game()
    engine = open_solver(game).engine
    engine.counters[BUDGET] = 1 << 40
    assert families.loses_a_family(engine, question)
    assert open_solver(game).solve(game.start()).lower == INFEASIBLE


def test_families_are_the_largest_of_one_letter_in_one_place():
    game, question = lost_game()
    words = game.words.answers.words
    found = families.families(game, question.state)
    assert len(found) == families.MAX_FAMILIES
    for family in found:
        alike = [set(letters) for letters in zip(*(words[a] for a in family), strict=True)]
        assert any(len(letters) == 1 for letters in alike)
        assert len(family) < len(question.state)
    sizes = [len(family) for family in found]
    assert sizes == sorted(sizes, reverse=True)


def test_nothing_is_asked_where_answers_may_be_lost(small):
    game, question = lost_game()
    engine = open_solver(game.start().allowing_failures().game).engine
    assert not families.loses_a_family(engine, question)
    assert engine.counters[EXPANDED] == 0


def test_a_family_has_a_budget_of_its_own(small, monkeypatch):
    """The search goes on after it, and finds what is so."""
    monkeypatch.setattr(families, "FAMILY_BUDGET", 1)
    game, question = lost_game()
    engine = open_solver(game).engine
    engine.counters[BUDGET] = 1 << 40
    assert not families.loses_a_family(engine, question)
    assert engine.counters[STOPPED] == 0
    assert engine.counters[BUDGET] == 1 << 40
    assert open_solver(game).solve(game.start()).lower == INFEASIBLE


def test_the_budget_of_the_search_is_kept(small):
    game, _ = lost_game()
    whole = open_solver(game).solve(game.start())
    ended = 0
    for budget in range(1, whole.stats.expanded + 2):
        found = open_solver(game).solve(game.start(), budget=budget)
        assert found.stats.expanded <= budget + 1
        assert found.lower <= whole.lower
        assert found.is_exact == (budget >= whole.stats.expanded)
        ended += not found.is_exact
    assert ended


def test_a_stop_ends_the_search_among_families(small):
    game, question = lost_game()
    engine = open_solver(game).engine
    engine.counters[BUDGET] = 1 << 40
    engine.stop.set()
    assert not families.loses_a_family(engine, question)
    assert engine.counters[STOPPED] == 1


def test_what_is_soon_settled_asks_about_no_family(monkeypatch):
    monkeypatch.setattr(families, "MIN_FAMILIAL", 3)
    monkeypatch.setattr(limited, "loses_a_family", None)
    game, _ = lost_game()
    assert open_solver(game).solve(game.start()).lower == INFEASIBLE
