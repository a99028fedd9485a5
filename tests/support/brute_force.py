"""Values of small games by brute force, as integers of the solver."""

from gpu_wordle.game.game import Rule
from gpu_wordle.game.values import INFEASIBLE
from support.naive_solve import IMPOSSIBLE, NaiveGame


def naive_of(game):
    rule = game.rule is Rule.CANDIDATES
    return NaiveGame(game.patterns.values.tolist(), game.words.guess_of_answer, rule)


def brute_force(naive, answers, guess, left):
    value = naive.value(answers, left) if guess is None else naive.guess_value(answers, guess, left)
    return INFEASIBLE if value >= IMPOSSIBLE else value
