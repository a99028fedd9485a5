"""States that are seen to be lost: only those that are, within their budgets, and families."""

from dataclasses import replace

import numpy as np
import pytest

from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver import families, limited, lost, open_solver, won
from gpu_wordle.solver.memory.arenas import BUDGET, EXPANDED, STOPPED
from gpu_wordle.solver.question import Question
from gpu_wordle.solver.won import is_soon_won
from support.brute_force import brute_force, naive_of
from support.solver_games import family_game


@pytest.fixture
def eager(monkeypatch):
    """The smallest states are asked about, guess by guess; what is said is kept in a list."""
    monkeypatch.setattr(limited, "MAX_BRIEF", 0)
    monkeypatch.setattr(lost, "MAX_BRIEF", 0)
    seen = []

    def is_seen_lost(engine, question):
        seen.append(lost.is_seen_lost(engine, question))
        return seen[-1]

    monkeypatch.setattr(limited, "is_seen_lost", is_seen_lost)
    return seen


@pytest.fixture
def by_families(eager, monkeypatch):
    """In the place of nearly every state its families are asked about."""
    monkeypatch.setattr(families, "MIN_FAMILIAL", 3)
    return eager


def check_values(seen, rule):
    """Compare values with brute force; what was said of them, by whether they are lost."""
    said = {True: [], False: []}
    for seed in range(12):
        game = family_game(np.random.default_rng(seed), rule=rule, max_guesses=4)
        naive = naive_of(game)
        everything = tuple(range(game.answer_count))
        for guess in range(game.guess_count):
            before = len(seen)
            total = open_solver(game).solve(game.start(), guess).lower
            truth = brute_force(naive, everything, guess, 4)
            assert total == truth
            said[truth == INFEASIBLE] += seen[before:]
    return said


@pytest.mark.parametrize("small_nogoods", [0, 1, 20])
def test_values_stay_and_what_is_seen_lost_is_lost(eager, monkeypatch, small_nogoods):
    monkeypatch.setattr(lost, "SMALL_NOGOODS", small_nogoods)
    said = check_values(eager, Rule.NORMAL)
    assert said[True]
    assert all(said[True])
    assert not any(said[False])


def test_a_family_loses_what_it_is_part_of(by_families):
    said = check_values(by_families, Rule.NORMAL)
    assert any(said[True])
    assert not any(said[False])


@pytest.mark.parametrize("rule", [Rule.CANDIDATES, Rule.HARD])
def test_nothing_is_asked_where_guesses_may_be_illegal(eager, rule):
    game = family_game(np.random.default_rng(2), rule=rule, max_guesses=4)
    open_solver(game).solve(game.start())
    assert not eager


def lost_game(max_guesses=3):
    """A game that is lost, and a question about it."""
    game = family_game(
        np.random.default_rng(2), rule=Rule.NORMAL, max_guesses=max_guesses, answers=18, guesses=28
    )
    start = game.start()
    return game, Question(start.state, start.revealed, max_guesses)


def opened(game):
    """An engine of a game, with no budget to speak of."""
    engine = open_solver(game).engine
    engine.counters[BUDGET] = 1 << 40
    return engine


def test_a_state_is_lost_guess_by_guess(eager):
    game, question = lost_game()
    assert lost.Inquest(opened(game), question).is_lost_by_guesses(question.state, 3)


def test_games_that_are_only_to_be_won_ask_too(eager):
    game, _ = lost_game()
    game = replace(game, objective=Objective.to_win(3))
    assert open_solver(game).solve(game.start()).lower == INFEASIBLE
    assert eager == [True]


def test_a_nogood_made_small_is_still_one(eager):
    game, question = lost_game()
    inquest = lost.Inquest(opened(game), question)
    naive = naive_of(game)
    made = 0
    for guess in range(game.guess_count):
        nogood = inquest.lost_part(question.state, guess, 2)
        if nogood is None:
            continue
        small = inquest.made_small(nogood, 2)
        assert set(small.tolist()) <= set(nogood.tolist())
        assert all(
            brute_force(naive, tuple(answers), other, 2) == INFEASIBLE
            for answers in (small.tolist(), nogood.tolist())
            for other in range(game.guess_count)
        )
        made += len(small) < len(nogood)
    assert made


@pytest.mark.parametrize("guesses_left", [2, 3])
def test_the_core_of_a_lost_state_is_lost(guesses_left):
    """Only where the state is, and by trying everything."""
    found = {True: 0, False: 0}
    for seed in range(40):
        game = family_game(np.random.default_rng(seed), rule=Rule.NORMAL, max_guesses=guesses_left)
        naive = naive_of(game)

        def is_lost(answers, naive=naive, game=game):
            return all(
                brute_force(naive, tuple(answers), guess, guesses_left) == INFEASIBLE
                for guess in range(game.guess_count)
            )

        start = game.start()
        state = start.state
        core = opened(game).lost_core(Question(state, start.revealed, guesses_left))
        found[core is not None] += 1
        assert (core is not None) == is_lost(state.tolist())
        if core is not None:
            assert set(core.tolist()) <= set(state.tolist())
            assert is_lost(core.tolist())
    assert all(found.values())


@pytest.mark.parametrize("guesses_left", [1, 2, 3, 4])
def test_what_is_soon_won_can_be_won(guesses_left):
    said = {True: 0, False: 0}
    for seed in range(12):
        game = family_game(np.random.default_rng(seed), rule=Rule.NORMAL, max_guesses=guesses_left)
        naive = naive_of(game)
        everything = tuple(range(game.answer_count))
        is_won = is_soon_won(opened(game), game.start().state, guesses_left)
        said[is_won] += 1
        if is_won:
            assert any(
                brute_force(naive, everything, guess, guesses_left) < INFEASIBLE
                for guess in range(game.guess_count)
            )
    assert said[True] or guesses_left < 3


def test_few_states_are_looked_at_for_a_way_to_win(monkeypatch):
    monkeypatch.setattr(won, "WIN_STATES", 0)
    game = family_game(np.random.default_rng(0), rule=Rule.NORMAL, max_guesses=4)
    assert not is_soon_won(opened(game), game.start().state, 18)


def test_the_tallest_of_the_doubtful_parts_is_searched_first(eager, monkeypatch):
    asked = []
    monkeypatch.setattr(lost, "suspects", lambda game, state: [])
    monkeypatch.setattr(lost.Inquest, "is_soon_lost", lambda _, state, *limits: asked.append(state))
    differ = 0
    for seed in range(12):
        game = family_game(np.random.default_rng(seed), rule=Rule.NORMAL, max_guesses=4, answers=18)
        engine = opened(game)
        start = game.start()
        whole = Question(start.state, start.revealed, NO_LIMIT)
        for guess in range(game.guess_count):
            asked.clear()
            engine.search(whole.of_guess(guess))
            lost.is_seen_lost(engine, whole.of_guess(guess).within(4))
            heights = [engine.search(replace(whole, state=state))[1] for state in asked]
            assert heights == sorted(heights, reverse=True)
            differ += len(set(heights)) > 1
    assert differ


def test_guesses_that_leave_answers_together_give_them_one_pattern():
    game, question = lost_game()
    guesses = np.arange(game.guess_count)
    nogood = lost.Inquest(opened(game), question).lost_part(question.state, 0, 2)
    together = lost.leaves_together(game, guesses, nogood)
    for guess in guesses.tolist():
        patterns = {int(game.patterns.values[answer, guess]) for answer in nogood.tolist()}
        assert together[guess] == (len(patterns) == 1)
    assert together[0]
    assert not together.all()


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


def test_nothing_is_asked_where_answers_may_be_lost(eager):
    game, _ = lost_game()
    solver = open_solver(game.start().allowing_failures().game)
    assert solver.solve(solver.game.start()).lower < INFEASIBLE
    assert not eager


@pytest.mark.parametrize("budget", ["LOST_BUDGET", "LOST_PART_BUDGET"])
def test_each_budget_is_its_own(eager, monkeypatch, budget):
    """The search goes on after it, and finds what is so."""
    monkeypatch.setattr(lost, budget, 1)
    game, question = lost_game(max_guesses=4)
    engine = opened(game)
    assert not lost.is_seen_lost(engine, question)
    assert engine.counters[STOPPED] == 0
    assert engine.counters[BUDGET] == 1 << 40
    assert open_solver(game).solve(game.start()).lower == INFEASIBLE


def test_the_budget_of_the_search_is_kept(eager):
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


def test_a_search_that_is_cut_short_still_charges_every_answer_for_a_turn(eager):
    game, _ = lost_game()
    game = replace(game, objective=Objective.parse("cost:2,4,9"))
    whole = open_solver(game).solve(game.start())
    for budget in range(1, whole.stats.expanded, 7):
        found = open_solver(game).solve(game.start(), budget=budget)
        assert not found.is_exact
        assert 2 * game.answer_count <= found.lower <= whole.lower


def test_a_stop_ends_the_search_for_what_is_lost(eager):
    game, question = lost_game()
    engine = opened(game)
    engine.stop.set()
    assert not lost.is_seen_lost(engine, question)
    assert engine.counters[STOPPED] == 1
    assert engine.counters[EXPANDED] == 1


def test_all_that_is_asked_stays_within_one_budget(eager, monkeypatch):
    game, question = lost_game(max_guesses=4)
    whole = opened(game)
    assert lost.is_seen_lost(whole, question)
    seen = []
    for budget in range(1, int(whole.counters[EXPANDED]), 7):
        monkeypatch.setattr(lost, "LOST_BUDGET", budget)
        engine = opened(game)
        seen.append(lost.is_seen_lost(engine, question))
        assert engine.counters[EXPANDED] <= budget + 1
    assert not all(seen)


def test_what_is_soon_settled_is_not_asked_about(monkeypatch):
    monkeypatch.setattr(limited, "is_seen_lost", None)
    game, _ = lost_game()
    assert open_solver(game).solve(game.start()).lower == INFEASIBLE
