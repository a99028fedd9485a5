"""A position keeps its state, the turns made and what they revealed together."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_wordle.backends import load_game
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.weights import Weights
from gpu_wordle.solver import SolverPool, prove
from support import naive
from support.naive_rules import NaiveRules
from support.solver_games import family_game, random_game, small_solver
from support.solving import solve

CONSTRAINED = [Rule.HARD, Rule.ULTRA_HARD]
FEW_ANSWERS = {"most_answers": 16, "most_guesses": 40, "lengths": (3, 6)}


@pytest.fixture(scope="module")
def hard(original):
    return Game(original.words, original.patterns, Rule.HARD)


def test_the_hard_rule_cannot_be_lost(hard):
    """After SALET BYBBG a strategy takes 48 guesses; one that forgets the yellow A takes 45."""
    position = hard.position_after("salet BYBBG")
    assert solve(position).lower == solve(position).upper == 48
    forgetful = Position.of_answers(hard, position.state, 1, revealed=hard.traits.nothing())
    assert solve(forgetful).upper == 45
    with pytest.raises(ValueError, match="the answers left do not tell which guesses are legal"):
        Position.of_answers(hard, position.state, 1)
    solver = small_solver(hard)
    with pytest.raises(TypeError):
        solver.solve(position.state, guesses_left=5)
    with pytest.raises(AttributeError):
        solver.solve(position.state)


@pytest.mark.parametrize("rule", CONSTRAINED)
def test_answers_alone_are_no_position_under_a_constrained_rule(rule):
    game = family_game(np.random.default_rng(3), rule=rule)
    some, everything = game.root()[:2], game.root()
    for answers, turns in ((some, 0), (some, 1), (everything, 1)):
        with pytest.raises(ValueError, match=f"under the {rule} rule .*give what was revealed"):
            Position.of_answers(game, answers, turns)
    assert (Position.of_answers(game, everything).revealed == game.start().revealed).all()


@pytest.mark.parametrize("rule", Rule)
@given(st.integers(0, 2**32))
def test_every_way_to_a_position_is_the_same(rule, seed):
    rng = np.random.default_rng(seed)
    game = random_game(rng, rule=rule, **FEW_ANSWERS)
    answers, guesses = game.words.answers.words, game.words.guesses.words
    hidden = str(rng.choice(answers))
    drawn = [str(g) for g in rng.choice(guesses, int(rng.integers(0, 4))) if g != hidden]
    turns = [(g, naive.feedback(g, hidden)) for g in drawn]
    left = [a for a in answers if all(naive.feedback(g, a) == colours for g, colours in turns)]

    read = game.position_after(" ".join(f"{g} {colours}" for g, colours in turns))
    step = game.start()
    for g, colours in turns:
        step = step.after(game.words.guesses.find(g), game.words.feedback.parse(colours))
    given_all = Position.of_answers(
        game, read.state[::-1].tolist(), len(turns), revealed=read.revealed
    )
    oracle = NaiveRules(guesses, rule)
    legal = frozenset(left) if rule is Rule.CANDIDATES else oracle.after(turns)
    for position in (read, step, given_all):
        assert [answers[a] for a in position.state] == left
        assert position.state.dtype == np.uint16
        assert (position.revealed == read.revealed).all()
        assert position.turns_made == len(turns)
        assert position.guesses_left == game.objective.max_guesses - len(turns)
        assert {guesses[g] for g in np.flatnonzero(position.choices)} == legal
        assert {guesses[g] for g in np.flatnonzero(position.legal)} == (
            legal if turns else set(guesses)
        )
        for g in range(game.guess_count):
            if position.legal[g]:
                position.check_legal(g)
            else:
                with pytest.raises(UserError, match=guesses[g].upper()):
                    position.check_legal(g)
    assert read.turns == step.turns
    assert [guesses[g] for g, _ in read.turns] == drawn
    losing = read.allowing_failures()
    assert losing.game.objective.allows_failure
    assert (losing.turns, losing.turns_made) == (read.turns, read.turns_made)
    assert (losing.legal == read.legal).all()


def test_a_position_that_cannot_be():
    game = random_game(np.random.default_rng(1), rule=Rule.NORMAL)
    own = int(game.words.guess_of_answer[0])
    with pytest.raises(UserError, match="was the answer, so the game is over"):
        game.start().after(own, game.words.feedback.solved)
    one = Position.of_answers(game, [0])
    seen = int(game.patterns.values[0, own])
    with pytest.raises(UserError, match=r"no answer of answers is left after \w+ \w+; check the"):
        one.after(own, 0 if seen else 1)
    for answers, turns, why in (
        ([], 0, "at least one answer"),
        ([game.answer_count], 0, "answers are numbered from 0 to"),
        ([-1], 0, "answers are numbered from 0 to"),
        ([0], -1, "-1 turns made"),
    ):
        with pytest.raises(ValueError, match=why):
            Position.of_answers(game, answers, turns)
    late = Position.of_answers(game, [0], turns_made=6)
    with pytest.raises(UserError, match="6 guesses made, and 6 are allowed"):
        small_solver(game).solve(late)


@pytest.mark.slow
def test_a_position_of_another_game_is_refused(original):
    solver = small_solver(original)
    weights = Weights((1, 2) + (1,) * (original.answer_count - 2))
    others = {
        "it has the hard rule, not normal": replace(original, rule=Rule.HARD),
        "it has 5 guesses, not 6": replace(original, objective=Objective(5)),
        "it has any number of guesses, not 6": replace(original, objective=Objective(None)),
        "it has the objective worst, not mean": replace(
            original, objective=Objective.parse("worst")
        ),
        "it has the objective mean weighed by weights, not mean": replace(
            original, objective=Objective(weights=weights)
        ),
        "it has other words or feedback than original": load_game("nyt-2023"),
    }
    for why, other in others.items():
        position = other.start()
        for ask in (
            lambda position=position: solver.solve(position, 0),
            lambda position=position: solver.bound(position, 0, 8000),
            lambda position=position: solver.root_moves(position),
        ):
            with pytest.raises(UserError, match=f"of another game than the solver: {why}"):
                ask()
    with SolverPool(original, 1) as pool:
        position = replace(original, rule=Rule.HARD).start()
        with pytest.raises(UserError, match="of another game"):
            prove(pool, position)
        with pytest.raises(UserError, match="of another game"):
            list(pool.solve_guesses(position, [0]))


def test_the_same_game_made_twice_is_one_game(original):
    again = load_game("original")
    assert again is not original
    position = again.position_after("salet BYBBG")
    assert small_solver(original).solve(position).is_exact
