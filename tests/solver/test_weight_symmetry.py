"""Equal weights change nothing, doubled ones double what is weighed, and answers have no order."""

import numpy as np
import pytest

from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective, Score
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.weights import Weights
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords
from support.solver_games import family_game, random_game, small_solver

RULES = list(Rule)
OBJECTIVES = ["mean", "worst", "within:2", "fewest-failures", "cost:1,2,4,9"]
LIMIT = 4


def with_weights(game, objective, weights):
    weights = None if weights is None else Weights(tuple(map(int, weights)))
    return Game(game.words, game.patterns, game.rule, Objective.parse(objective, LIMIT, weights))


def permuted(game, order):
    """The same game with its answers in another order."""
    answers = WordList(tuple(game.words.answers.words[a] for a in order), "answers")
    matrix = PatternMatrix(game.patterns.values[order], game.patterns.feedback)
    return Game(GameWords(game.words.guesses, answers), matrix, game.rule)


def score(game, guess):
    """What the least value stands for, which the scale of the value plays no part in."""
    result = small_solver(game).solve(game.start(), guess)
    assert result.is_exact
    if result.is_infeasible:
        return None
    return game.prices.score(result.lower, int(game.objective.weights_of(game.root()).sum()))


def doubled(single):
    """A score of weights twice as heavy; the worst case is no matter of weight."""
    if single is None:
        return None
    late, lost = (None if w is None else 2 * w for w in (single.late, single.lost))
    return Score(2 * single.total, single.worst, late, lost)


@pytest.mark.slow
@pytest.mark.parametrize("objective", OBJECTIVES)
@pytest.mark.parametrize("rule", RULES)
def test_equal_doubled_and_permuted_weights(rule, objective):
    rng = np.random.default_rng([RULES.index(rule), OBJECTIVES.index(objective)])
    feasible = 0
    for _ in range(40):
        if rng.random() < 0.6:
            game = family_game(rng, rule=rule, answers=9, guesses=16)
        else:
            game = random_game(rng, rule=rule, most_answers=9, most_guesses=16)
        count, guess = game.answer_count, int(rng.integers(game.guess_count))
        plain = score(with_weights(game, objective, None), guess)
        assert score(with_weights(game, objective, [1] * count), guess) == plain
        assert score(with_weights(game, objective, [2] * count), guess) == doubled(plain)
        drawn = rng.integers(0, 30, count)
        drawn[rng.integers(count)] += 1
        single = score(with_weights(game, objective, drawn), guess)
        assert score(with_weights(game, objective, 2 * drawn), guess) == doubled(single)
        order = rng.permutation(count)
        other = with_weights(permuted(game, order), objective, drawn[order])
        assert score(other, guess) == single
        feasible += single is not None
    assert feasible > 10
