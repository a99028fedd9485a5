"""Every objective, with every rule, limit and kind of weights, by brute force."""

import numpy as np
import pytest

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
from support.objectives import Oracle, check, random_objective, with_objective
from support.seeds import seeds
from support.solver_games import family_game, random_game, small_solver

RULES = list(Rule)


@pytest.mark.parametrize("rule", RULES)
@pytest.mark.parametrize("seed", seeds(10))
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


@pytest.mark.parametrize("seed", seeds(6))
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


@pytest.mark.slow
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
