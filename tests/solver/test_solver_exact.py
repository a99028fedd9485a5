"""Values and trees against brute force, on thousands of small random games."""

import gc
import weakref
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.games import from_feedback
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver import Fate, SolverPool, TranspositionTable, open_solver, prove
from gpu_wordle.tunables import MAX_UNCOMPACTED
from gpu_wordle.verify import Verifier
from support.brute_force import brute_force, naive_of
from support.naive_solve import IMPOSSIBLE
from support.seeds import seeds
from support.solver_games import game_of_equal_candidates, random_game, small_solver
from support.word_lists import make_words

SMALLEST_TABLE = 16 * 32
ALWAYS_COMPACT = -1  # guesses that do without a compact matrix


@pytest.mark.parametrize("seed", seeds(6))
def test_value_feasibility_and_tree(seed):
    rng = np.random.default_rng(seed)
    infeasible = 0
    for _ in range(250):
        game = random_game(rng, max_guesses=int(rng.integers(1, 7)))
        left = game.objective.guesses_left
        naive = naive_of(game)
        table_bytes = int(rng.choice([SMALLEST_TABLE, 1 << 16]))
        solver = small_solver(
            game, table_bytes, few=int(rng.choice([ALWAYS_COMPACT, MAX_UNCOMPACTED]))
        )
        everything = tuple(range(game.answer_count))
        guess = None if rng.integers(2) else int(rng.integers(game.guess_count))
        want = brute_force(naive, everything, guess, left)
        result = solver.solve(game.start(), guess, tree=True)
        assert result.lower == result.upper == want
        assert result.is_exact
        assert result.is_infeasible == (want == INFEASIBLE) == (result.tree is None)
        if result.tree is None:
            infeasible += 1
            continue
        verdict = Verifier(game.words, game.objective).check(result.tree, rule=game.rule)
        assert verdict.total == want
        least = min(
            k for k in range(1, left + 1) if brute_force(naive, everything, guess, k) == want
        )
        assert verdict.worst == result.worst == least
    assert infeasible > 20


@pytest.mark.parametrize("seed", [504, 3183, 5366, 5763, 0, 1, 2, 3])
def test_candidates_with_equal_partitions(seed):
    """In the first four games a guess is lost if only one of such candidates is kept."""
    game = game_of_equal_candidates(np.random.default_rng(seed))
    want = brute_force(naive_of(game), tuple(range(game.answer_count)), None, game.answer_count)
    for few in (ALWAYS_COMPACT, MAX_UNCOMPACTED):
        assert small_solver(game, few=few).solve(game.start()).lower == want


@pytest.mark.parametrize("seed", seeds(2))
def test_cutoff_is_fail_soft(seed):
    rng = np.random.default_rng(100 + seed)
    for _ in range(150):
        game = random_game(rng, max_guesses=int(rng.integers(2, 7)))
        naive, solver = naive_of(game), small_solver(game)
        everything = tuple(range(game.answer_count))
        for _ in range(4):
            guess = None if rng.integers(2) else int(rng.integers(game.guess_count))
            want = brute_force(naive, everything, guess, game.objective.guesses_left)
            cutoff = int(rng.integers(1, 5 * game.answer_count + 2))
            result = solver.solve(game.start(), guess, cutoff=cutoff)
            if want < cutoff:
                assert result.lower == result.upper == want
            else:
                assert cutoff <= result.lower <= want <= result.upper


@given(st.integers(0, 2**32), st.integers(1, 30))
def test_a_budget_gives_an_honest_interval(seed, budget):
    rng = np.random.default_rng(seed)
    game = random_game(rng, most_answers=20, most_guesses=40, max_guesses=None)
    guess = int(rng.integers(game.guess_count))
    exact = small_solver(game).solve(game.start(), guess).lower
    solver = small_solver(game)
    result = solver.solve(game.start(), guess, budget=budget)
    assert result.lower <= exact <= result.upper
    assert result.stats.expanded <= budget + 1
    assert solver.solve(game.start(), guess).lower == exact  # and what it left behind does no harm


@given(st.integers(0, 2**32))
def test_a_superset_never_costs_less(seed):
    rng = np.random.default_rng(seed)
    game = random_game(rng, most_answers=25, most_guesses=40, rule=Rule.NORMAL, max_guesses=None)
    solver = small_solver(game)
    n = game.answer_count
    order = rng.permutation(n)
    cuts = np.sort(rng.integers(1, n + 1, size=2))
    small, large = (np.sort(order[:k]).astype(np.uint16) for k in cuts)
    less, more = (solver.solve(Position.of_answers(game, state)) for state in (small, large))
    assert less.lower <= more.lower


@given(st.integers(0, 2**32))
def test_trees_do_not_depend_on_history(seed):
    rng = np.random.default_rng(seed)
    game = random_game(rng, most_answers=25, most_guesses=60)
    guess = int(rng.integers(game.guess_count))
    fresh = small_solver(game, 1 << 20).solve(game.start(), guess, tree=True)
    used = small_solver(game, SMALLEST_TABLE)
    for other in rng.integers(game.guess_count, size=5).tolist():
        used.solve(game.start(), other, cutoff=int(rng.integers(1, 100)), tree=True)
    again = used.solve(game.start(), guess, tree=True)
    assert (fresh.lower, fresh.worst) == (again.lower, again.worst)
    assert fresh.tree == again.tree


@pytest.mark.parametrize("threads", [1, 3])
def test_proof_finds_all_best_guesses(threads):
    rng = np.random.default_rng(7)
    for _ in range(30):
        game = random_game(rng, rule=Rule.NORMAL, max_guesses=int(rng.integers(3, 7)))
        naive = naive_of(game)
        everything = tuple(range(game.answer_count))
        left = game.objective.guesses_left
        values = [brute_force(naive, everything, g, left) for g in range(game.guess_count)]
        with SolverPool(game, threads, TranspositionTable(1 << 16)) as pool:
            proof = prove(pool, game.start())
        assert proof.is_complete
        if min(values) == INFEASIBLE:
            assert proof.best == ()
            continue
        assert proof.total == min(values)
        assert sorted(proof.best) == [g for g, v in enumerate(values) if v == min(values)]
        assert (proof.lower <= np.array(values)).all()
        refuted = (proof.fate != Fate.OPTIMAL) & (np.array(values) < INFEASIBLE)
        assert (proof.lower[refuted] > proof.total).all()


def test_no_limit_and_one_answer():
    game = random_game(np.random.default_rng(1), max_guesses=None)
    assert game.objective.guesses_left == NO_LIMIT
    one = Position.of_answers(game, [0])
    solver = small_solver(game)
    assert solver.solve(one, tree=True).lower == 1
    own = int(game.words.guess_of_answer[0])
    assert solver.solve(one, own).lower == 1
    limited = replace(game, objective=Objective(3))
    over = Position.of_answers(limited, [0], turns_made=3)
    with pytest.raises(UserError, match="3 guesses made, and 3 are allowed"):
        small_solver(limited).solve(over, own)
    with pytest.raises(ValueError, match="at least one answer"):
        Position.of_answers(game, [])


def test_long_words():
    rng = np.random.default_rng(5)
    for _ in range(60):
        game = random_game(rng, lengths=(6, 9), most_answers=10)
        assert game.patterns.values.dtype == np.uint16
        want = brute_force(naive_of(game), tuple(range(game.answer_count)), None, 6)
        result = small_solver(game).solve(game.start(), tree=True)
        assert result.lower == result.upper == want
        if result.tree is not None:
            verdict = Verifier(game.words, game.objective).check(result.tree)
            assert (verdict.total, verdict.worst) == (want, result.worst)


@pytest.mark.parametrize("seed", seeds(12))
def test_candidates_only_where_other_guesses_would_be_better(seed):
    """States of 13 answers and more, which a forbidden guess splits completely."""
    rng = np.random.default_rng(seed)
    answers, others = int(rng.integers(13, 16)), 2
    matrix = rng.integers(0, int(rng.integers(2, 5)), size=(answers + others, answers))
    matrix[answers:] = [rng.permutation(answers) for _ in range(others)]
    np.fill_diagonal(matrix, 99)
    names = [f"g{g}" for g in range(answers + others)]
    game = from_feedback(names, names[:answers], matrix.tolist(), 99, rule=Rule.CANDIDATES)
    naive = naive_of(game)
    for left in (3, 4, NO_LIMIT):
        limited = replace(game, objective=Objective(None if left == NO_LIMIT else left))
        expected = naive.value(tuple(range(answers)), min(left, answers))
        result = small_solver(limited).solve(limited.start(), tree=True)
        assert result.lower == (INFEASIBLE if expected >= IMPOSSIBLE else expected)
        assert (result.tree is None) == (expected >= IMPOSSIBLE)


def test_the_matrix_of_a_game_is_made_once_and_goes_with_it():
    """The games of the same patterns share it, each with what its rule makes of it."""
    words = make_words(["mat", "bat", "rat", "sat", "fit"], ["mat", "bat", "rat", "sat"])
    patterns = PatternMatrix(CpuBackend(1).build_patterns(words), words.feedback)
    made = [
        open_solver(Game(words, patterns, rule, Objective(limit))).machine.matrix
        for rule in (Rule.NORMAL, Rule.CANDIDATES, Rule.HARD, Rule.NORMAL)
        for limit in (None, 4)
    ]
    assert [matrix.candidates_only for matrix in made] == [False] * 2 + [True] * 2 + [False] * 4
    assert all(matrix.cells is made[0].cells for matrix in made)
    cells = weakref.ref(made[0].cells)
    del made, patterns
    gc.collect()
    assert cells() is None
