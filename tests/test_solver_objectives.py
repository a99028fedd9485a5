"""Every objective, with every rule, limit and kind of weights, by brute force."""

import numpy as np
import pytest
from naive_objectives import IMPOSSIBLE, LOST, NaiveObjective, add, as_integer, least_worst
from solver_games import family_game, random_game, small_solver

import naive
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.objective import Aim, Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords
from gpu_wordle.solver import Fate, SolverPool, TranspositionTable, prove
from gpu_wordle.solver.memory.stage_costs import StageCosts
from gpu_wordle.verify import Verifier

RULES = list(Rule)


def random_objective(rng, answers):
    """An objective of a random kind, as text and with its limit."""
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

    def charge(self, answers, guess, left, limit):
        oracle = self.naive(limit)
        is_bound = self.game.rule is Rule.CANDIDATES
        legal = frozenset(answers if is_bound else self.game.words.guesses.words)
        if guess is None:
            return oracle.value(answers, legal, limit - left + 1)
        return oracle.guess_value(answers, legal, guess, limit - left + 1)

    def value(self, answers, guess, left):
        """As the solver says it: less what the turns made have cost."""
        prices, made = self.game.prices, self.limit - left
        weight = sum(self.weights[a] for a in answers)
        if self.game.objective.aim is Aim.WORST:
            found = least_worst(lambda turns: self.charge(answers, guess, turns, turns), left)
            return INFEASIBLE if found is None else prices.scale * found[0] + found[1]
        charge = self.charge(answers, guess, left, self.limit)
        if charge == IMPOSSIBLE:
            return INFEASIBLE
        whole = as_integer(charge, prices.scale)
        return whole - weight * prices.of_turn(made)

    def value_of_tree(self, tree, answers, left):
        """The value of a strategy, played out."""
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
            )  # nothing is given up before the last guess
            turns.append(LOST if node is None else turn)
        if self.game.objective.aim is Aim.WORST:
            total = sum(self.weights[a] * (t - made) for a, t in zip(answers, turns, strict=True))
            return INFEASIBLE if LOST in turns else prices.scale * (max(turns) - made) + total
        charges = [
            self.naive(self.limit)._charged(a, t) for a, t in zip(answers, turns, strict=True)
        ]
        charge = add(charges)
        if charge == IMPOSSIBLE or max(turns) > self.limit:
            return INFEASIBLE
        whole = as_integer(charge, prices.scale)
        return whole - sum(self.weights[a] for a in answers) * prices.of_turn(made)


def check(game, rng, solver, oracle):
    """One question about a game: value, fail-soft bound and tree."""
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


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", range(10))
def test_values_and_trees(rule, seed):
    rng = np.random.default_rng([seed, RULES.index(rule)])
    for _ in range(12):
        if rng.random() < 0.3:
            drawn = family_game(rng, rule=rule, answers=int(rng.integers(3, 9)), guesses=14)
        else:
            drawn = random_game(rng, most_answers=9, most_guesses=14, rule=rule)
        game = with_objective(drawn, random_objective(rng, drawn.answer_count))
        few = -1 if rule in (Rule.NORMAL, Rule.CANDIDATES) and rng.random() < 0.5 else None
        solver, oracle = small_solver(game, few=few), Oracle(game)
        for _ in range(4):
            check(game, rng, solver, oracle)


@pytest.mark.parametrize("seed", range(6))
def test_the_proof_names_the_best_guesses(seed):
    rng = np.random.default_rng(1000 + seed)
    for _ in range(4):
        drawn = random_game(rng, most_answers=8, most_guesses=14)
        game = with_objective(drawn, random_objective(rng, drawn.answer_count))
        oracle, limit = Oracle(game), game.objective.guesses_left
        answers = tuple(game.words.answers.words)
        legal = set(answers) if game.rule is Rule.CANDIDATES else set(game.words.guesses.words)
        values = [
            oracle.value(answers, word, limit) if word in legal else INFEASIBLE
            for word in game.words.guesses.words
        ]
        with SolverPool(game, 2, TranspositionTable(1 << 16)) as pool:
            proof = prove(pool, game.start())
            results = dict(pool.solve_guesses(game.start(), range(game.guess_count), tree=True))
        assert proof.is_complete
        assert proof.count(Fate.ILLEGAL) == game.guess_count - len(legal)
        assert proof.total == small_solver(game).solve(game.start()).upper or not proof.best
        assert all(bound <= value for bound, value in zip(proof.lower, values, strict=True))
        if min(values) == INFEASIBLE:
            assert not proof.best
            continue
        best = {g for g, value in enumerate(values) if value == min(values)}
        assert proof.total == min(values)
        assert best == set(np.flatnonzero(proof.fate == Fate.OPTIMAL))
        if game.objective.aim is Aim.MEAN_WORST:
            best = {g for g in best if results[g].worst == min(results[b].worst for b in best)}
        assert set(proof.best) == best


def test_equal_weights_scale_and_order_do_not_matter(original):
    """Equal weights change nothing, doubled ones double the value, and answers have no order."""
    rng = np.random.default_rng(7)
    state = np.sort(rng.choice(original.answer_count, 60, replace=False)).astype(np.uint16)
    plain = small_solver(original, 1 << 20).solve(Position.of_answers(original, state), tree=True)
    for factor in (1, 2):
        weights = Weights((factor,) * original.answer_count)
        game = with_objective(original, Objective(6, weights=weights))
        equal = small_solver(game, 1 << 20).solve(Position.of_answers(game, state))
        assert equal.is_exact
        assert equal.lower == factor * plain.lower
    drawn = rng.integers(0, 50, original.answer_count)
    values = []
    for weights in (drawn, 2 * drawn):
        objective = Objective(6, weights=Weights(tuple(map(int, weights))))
        game = with_objective(original, objective)
        solver = small_solver(game, 1 << 20)
        values.append(solver.solve(Position.of_answers(game, state)).lower)
    assert values[1] == 2 * values[0]


def test_permuting_the_answers_permutes_the_result():
    rng = np.random.default_rng(11)
    for _ in range(10):
        game = random_game(rng, most_answers=9, rule=Rule.NORMAL)
        order = rng.permutation(game.answer_count)
        weights = rng.integers(0, 9, game.answer_count) + 1
        words = GameWords(
            game.words.guesses,
            WordList(tuple(game.words.answers.words[a] for a in order), "answers"),
        )
        matrix = PatternMatrix(game.patterns.values[order], game.patterns.feedback)
        objective = Objective(None, weights=Weights(tuple(map(int, weights))))
        permuted = Objective(None, weights=Weights(tuple(map(int, weights[order]))))
        first = Game(game.words, game.patterns, game.rule, objective)
        second = Game(words, matrix, game.rule, permuted)
        for guess in range(game.guess_count):
            one, two = (
                small_solver(each).solve(each.start(), guess).lower for each in (first, second)
            )
            assert one == two


def test_a_value_says_whether_answers_are_lost():
    rng = np.random.default_rng(12)
    lossy = 0
    for _ in range(40):
        limit = int(rng.integers(2, 5))
        game = family_game(rng, rule=Rule.NORMAL, max_guesses=limit, answers=8, guesses=16)
        game = game.allowing_failures()
        result = small_solver(game).solve(game.start(), tree=True)
        verdict = Verifier(game.words, game.objective).check(result.tree)
        is_lossy = StageCosts.of(game).is_lossy(game.root(), result.lower, limit)
        assert is_lossy == (verdict.failures > 0)
        lossy += is_lossy
    assert 5 < lossy < 35
