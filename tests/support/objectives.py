"""Random objectives, and brute force for games with any objective."""

import numpy as np

from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.objective import Aim, Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from support import naive
from support.naive_objectives import IMPOSSIBLE, LOST, NaiveObjective, add, as_integer, least_worst


def random_objective(rng, answers):
    """Return an objective of a random kind, as text and with its limit."""
    limit = int(rng.integers(1, 6))
    kinds = [
        "mean",
        "mean,worst",
        "worst",
        f"within:{rng.integers(1, limit + 1)}",
        "fewest-failures",
        "cost:" + ",".join(map(str, np.cumsum(rng.choice([0, 1, 1, 2, 7, 40], limit)))),
    ]
    weights = None
    if rng.random() < 0.6:
        spread = [2, 4, 30, 1000][rng.integers(4)]
        drawn = rng.integers(0, spread, answers)
        drawn[rng.integers(answers)] += 1
        weights = Weights(tuple(map(int, drawn)))
    return Objective.parse(kinds[rng.integers(len(kinds))], limit, weights)


def with_objective(game, objective):
    return Game(game.words, game.patterns, game.rule, objective)


class Oracle:
    """Brute force for a game, in the integers of its objective."""

    def __init__(self, game):
        self.game = game
        self.limit = game.objective.guesses_left
        weights = game.objective.weights
        each = [1] * game.answer_count if weights is None else weights.of_answer
        self.weights = dict(zip(game.words.answers.words, each, strict=True))
        self.mean = {}

    def naive(self, limit):
        if limit not in self.mean:
            objective = self.game.objective.name
            self.mean[limit] = NaiveObjective(
                self.game.words.guesses.words, self.game.rule.value, objective, limit, self.weights
            )
        return self.mean[limit]

    def charge(self, answers, guess, left, limit, legal=None):
        oracle = self.naive(limit)
        if legal is None:
            is_bound = self.game.rule is Rule.CANDIDATES
            legal = frozenset(answers if is_bound else self.game.words.guesses.words)
        if guess is None:
            return oracle.value(answers, legal, limit - left + 1)
        return oracle.guess_value(answers, legal, guess, limit - left + 1)

    def value(self, answers, guess, left, legal=None):
        """Return the value as solvers return it: without the price of the turns made.

        ``legal`` are the words that may be guessed. If they are not given, no turn was made.
        """
        prices, made = self.game.prices, self.limit - left
        weight = sum(self.weights[a] for a in answers)
        if self.game.objective.aim is Aim.WORST:
            found = least_worst(
                lambda turns: self.charge(answers, guess, turns, turns, legal), left
            )
            return INFEASIBLE if found is None else prices.scale * found[0] + found[1]
        charge = self.charge(answers, guess, left, self.limit, legal)
        if charge == IMPOSSIBLE:
            return INFEASIBLE
        whole = as_integer(charge, prices.scale)
        return whole - weight * prices.of_turn(made)

    def value_of_tree(self, tree, answers, left):
        """Return the value of a strategy by playing it out."""
        words = self.game.words.guesses.words
        children = {
            (int(p), int(c)): i
            for i, (p, c) in enumerate(zip(tree.parent, tree.pattern, strict=True))
        }
        prices, made = self.game.prices, self.limit - left
        turns = []
        for answer in answers:
            node, turn = 0, made + 1
            while node is not None and words[tree.guess[node]] != answer:
                colours = naive.feedback(words[tree.guess[node]], answer)
                pattern = sum(3**i * "BYG".index(c) for i, c in enumerate(colours))
                node = children.get((node, pattern))
                turn += 1
            assert (
                node is not None or turn > self.limit
            )  # no answer is given up before the last guess
            turns.append(LOST if node is None else turn)
        if self.game.objective.aim is Aim.WORST:
            total = sum(self.weights[a] * (t - made) for a, t in zip(answers, turns, strict=True))
            return INFEASIBLE if LOST in turns else prices.scale * (max(turns) - made) + total
        charges = [
            self.naive(self.limit).charged(a, t) for a, t in zip(answers, turns, strict=True)
        ]
        charge = add(charges)
        if charge == IMPOSSIBLE or max(turns) > self.limit:
            return INFEASIBLE
        whole = as_integer(charge, prices.scale)
        return whole - sum(self.weights[a] for a in answers) * prices.of_turn(made)


def check(game, rng, solver, oracle):
    """Check one random guess of a game: value, fail-soft bound and tree."""
    spelled = game.words.answers.words
    size = int(rng.integers(1, game.answer_count + 1))
    state = np.sort(rng.choice(game.answer_count, size, replace=False)).astype(np.uint16)
    least_left = 1
    if game.objective.within is not None:
        least_left = oracle.limit - game.objective.within + 1
    left = int(rng.integers(least_left, oracle.limit + 1))
    guess = None if rng.random() < 0.5 else int(rng.integers(game.guess_count))
    answers = tuple(spelled[a] for a in state)
    word = None if guess is None else game.words.guesses.words[guess]
    expected = oracle.value(answers, word, left)
    nothing = game.traits.nothing()
    position = Position.of_answers(game, state, oracle.limit - left, revealed=nothing)
    result = solver.solve(position, guess, tree=True)
    assert result.is_exact
    assert result.lower == expected, (game.objective, game.rule, answers, word, left)
    if expected < INFEASIBLE:
        assert oracle.value_of_tree(result.tree, answers, left) == expected
    else:
        assert result.tree is None
    cutoff = int(expected + rng.integers(-3, 4)) if expected < INFEASIBLE else 50
    soft = solver.solve(position, guess, cutoff=cutoff)
    if expected < cutoff:
        assert soft.lower == soft.upper == expected
    else:
        assert cutoff <= soft.lower <= expected
