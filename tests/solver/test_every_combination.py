"""Every rule with every objective and every kind of limit, after turns made: by brute force."""

from functools import cache

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Aim, Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.verify import Verifier
from support import naive
from support.naive_objectives import IMPOSSIBLE, NaiveObjective, as_integer, least_worst
from support.naive_rules import NaiveRules
from support.solver_games import family_game, random_game, small_solver
from support.word_lists import make_game, make_words

RULES, AIMS = list(Rule), list(Aim)
GAMES, GUESSES_OF_EACH = 80, 2


def random_objective(rng, aim, answers):
    """An objective of that aim: most limits are the default or, where there may be none, none."""
    limits = [2, 3, 4, 5, 6, 6, None, None]
    limit = limits[rng.integers(6 if aim in (Aim.FEWEST_FAILURES, Aim.COST) else 8)]
    name = aim.value
    if aim is Aim.WITHIN:
        name += f":{rng.integers(1, (limit or 6) + 1)}"
    if aim is Aim.COST:
        name += ":" + ",".join(map(str, np.cumsum(rng.choice([0, 1, 1, 2, 7, 40], limit))))
    weights = None
    if rng.random() < 0.6:
        drawn = rng.integers(0, [2, 4, 30, 1000][rng.integers(4)], answers)
        drawn[rng.integers(answers)] += 1
        weights = Weights(tuple(map(int, drawn)))
    return Objective.parse(name, limit, weights)


def random_position(rng, game):
    """Up to two turns against a random answer, spelled and read; None if the game is over then."""
    answers, guesses = game.words.answers.words, game.words.guesses.words
    hidden = str(rng.choice(answers))
    drawn = rng.choice(guesses, int(rng.integers(0, 3))).tolist()
    turns = [(g, naive.feedback(g, hidden)) for g in drawn if g != hidden]
    position = game.position_after(" ".join(f"{g} {colours}" for g, colours in turns))
    try:
        game.objective.after(len(turns))
    except UserError:
        return None
    return turns, position


class Question:
    """A position of a game, with the value that brute force gives each guess there."""

    def __init__(self, game, turns, position):
        self.game, self.made = game, len(turns)
        answers = game.words.answers.words
        each = game.objective.weights_of(game.root()).tolist()
        self.weights = dict(zip(answers, each, strict=True))
        self.state = tuple(answers[a] for a in position.state)
        self.legal = NaiveRules(game.words.guesses.words, game.rule).after(turns)
        if game.rule is Rule.CANDIDATES:
            self.legal = frozenset(self.state)
        # Without a limit no strategy needs more guesses than there are answers, and one given.
        self.limit = game.objective.max_guesses or self.made + len(self.state) + 2
        self.oracle = cache(self._oracle)

    def _oracle(self, limit):
        words, name = self.game.words.guesses.words, self.game.objective.name
        return NaiveObjective(words, self.game.rule.value, name, limit, self.weights)

    def charge(self, word, limit, made):
        """What a guess, or the best legal one, is charged if the game has ``limit`` turns."""
        oracle = self.oracle(limit)
        if word is None:
            return oracle.value(self.state, self.legal, made + 1)
        return oracle.guess_value(self.state, self.legal, word, made + 1)

    def value(self, word, limit=None):
        """The same as the integer that a solver gives, less what the turns made have cost."""
        limit = limit or self.limit
        prices = self.game.prices
        if self.game.objective.aim is Aim.WORST:
            found = least_worst(lambda turns: self.charge(word, turns, 0), limit - self.made)
            return INFEASIBLE if found is None else prices.scale * found[0] + found[1]
        charge = self.charge(word, limit, self.made)
        if charge == IMPOSSIBLE:
            return INFEASIBLE
        weight = sum(self.weights[answer] for answer in self.state)
        return as_integer(charge, prices.scale) - weight * prices.of_turn(self.made)

    def least_worst_case(self, word, value):
        """In how many turns, at worst, a strategy of the value can find every answer."""
        turns = range(1, self.limit - self.made + 1)
        return next(t for t in turns if self.value(word, self.made + t) == value)


@pytest.mark.slow
@pytest.mark.parametrize("aim", AIMS)
@pytest.mark.parametrize("rule", RULES)
def test_value_tree_and_replay(rule, aim):
    rng = np.random.default_rng([RULES.index(rule), AIMS.index(aim)])
    limits, feasible, mid_game = set(), 0, 0
    asked = 0
    while asked < GAMES:
        if rng.random() < 0.6:
            drawn = family_game(rng, rule=rule, answers=int(rng.integers(4, 8)), guesses=12)
        else:
            drawn = random_game(rng, most_answers=7, most_guesses=12, lengths=(2, 6), rule=rule)
        objective = random_objective(rng, aim, drawn.answer_count)
        game = Game(drawn.words, drawn.patterns, rule, objective)
        placed = random_position(rng, game)
        if placed is None:
            continue
        asked += 1
        turns, position = placed
        question = Question(game, turns, position)
        solver = small_solver(game, in_slices=rule.is_constrained and bool(rng.integers(2)))
        words = rng.choice(sorted(question.legal), GUESSES_OF_EACH).tolist()
        for word in (None, *words):
            want = question.value(word)
            result = solver.solve(
                position, None if word is None else game.words.guesses.find(word), tree=True
            )
            assert result.is_exact
            assert result.lower == want, (objective, turns, question.state, word)
            assert (result.tree is None) == (want == INFEASIBLE)
            if result.tree is None:
                continue
            verdict = Verifier(game.words, objective).check(
                result.tree, position.state, rule=rule, turns=position.turns, claimed=want
            )
            # Where an answer is lost, the last turns may find nothing.
            assert verdict.worst == result.worst or verdict.failures > 0
            if aim in (Aim.MEAN, Aim.MEAN_WORST):
                assert result.worst == question.least_worst_case(word, want)
            feasible += 1
            mid_game += bool(turns)
        limits.add(objective.max_guesses)
    may_be_endless = aim not in (Aim.FEWEST_FAILURES, Aim.COST)
    assert {6} | ({None} if may_be_endless else set()) <= limits
    assert feasible > 100
    assert mid_game > 30


@st.composite
def questions(draw):
    """A game of a few words, and turns made in it; all of it shrinks where a value is wrong."""
    spelled = st.text("abc", min_size=3, max_size=3)
    guesses = draw(st.lists(spelled, min_size=1, max_size=9, unique=True))
    chosen = draw(st.sets(st.sampled_from(guesses), min_size=1, max_size=6))
    answers = [word for word in guesses if word in chosen]
    aim, rule = draw(st.sampled_from(AIMS)), draw(st.sampled_from(RULES))
    limit = draw(st.integers(2, 6))
    name = aim.value
    if aim is Aim.WITHIN:
        name += f":{draw(st.integers(1, limit))}"
    if aim is Aim.COST:
        steps = draw(st.lists(st.integers(0, 9), min_size=limit, max_size=limit))
        name += ":" + ",".join(map(str, np.cumsum(steps)))
    weights = draw(st.lists(st.integers(1, 5), min_size=len(answers), max_size=len(answers)))
    objective = Objective.parse(name, limit, Weights(tuple(weights)))
    words = make_words(guesses, answers)
    game = Game(words, make_game(words).patterns, rule, objective)
    hidden = draw(st.sampled_from(answers))
    made = draw(st.lists(st.sampled_from(guesses), max_size=limit - 1))
    made = [guess for guess in made if guess != hidden]
    if aim is Aim.WITHIN:
        made = made[: objective.within - 1]
    return game, [(guess, naive.feedback(guess, hidden)) for guess in made]


@given(asked=questions())
@settings(max_examples=150)
def test_the_smallest_wrong_value_would_be_shown(asked):
    game, turns = asked
    position = game.position_after(" ".join(f"{g} {colours}" for g, colours in turns))
    question = Question(game, turns, position)
    solver = small_solver(game)
    for word in (None, *sorted(question.legal)):
        guess = None if word is None else game.words.guesses.find(word)
        assert solver.solve(position, guess).lower == question.value(word)
