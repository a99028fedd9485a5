"""The original game: published totals, trees that replay to them, and independence of threads."""

from dataclasses import replace

import numpy as np
import pytest

from gpu_wordle.game.feedback import parse_pattern
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.solver import SolverPool, Stop, TranspositionTable, by_letters, open_solver
from gpu_wordle.verify import VerificationError, Verifier
from support.solving import solve

# Selby, "The best strategies for Wordle" (2022); Bertsimas and Paskov, table 1 (2022).
PUBLISHED = {
    "salet": 7920, "reast": 7923, "trace": 7926, "crate": 7926, "slate": 7928,
    "crane": 7930, "carle": 7937, "slane": 7943, "carte": 7949, "torse": 7950,
}  # fmt: skip
SLOW = {"rhone": 8120, "tabid": 8225, "docus": 8346, "saids": 8484, "brook": 8620}


@pytest.fixture(scope="module")
def solver(original):
    return open_solver(original, TranspositionTable(1 << 27))


# Hard mode, six guesses: the same sources; the slow ones, Selby's proven values.
HARD = {
    "salet": 8122, "least": 8127, "reast": 8134, "crate": 8143, "trape": 8144, "slane": 8149,
    "prate": 8151, "crane": 8155, "teals": 8160, "train": 8160, "rhone": 8345, "brook": 8856,
    "dured": 8776,
}  # fmt: skip


def late(game, turns):
    """Every answer is possible still, and some guesses are gone."""
    return Position.of_answers(game, game.root(), turns)


@pytest.mark.parametrize(("word", "total"), (PUBLISHED | SLOW).items())
def test_published_totals(original, solver, word, total):
    result = solver.solve(original.start(), original.words.guesses.find(word))
    assert result.lower == result.upper == total


def test_salet_tree(original, solver):
    result = solver.solve(original.start(), original.words.guesses.find("salet"), tree=True)
    verdict = Verifier(original.words, original.objective).check(result.tree)
    assert (verdict.total, verdict.worst, result.worst) == (7920, 5, 5)
    assert abs(verdict.distribution[:2].sum() / 2315 - 0.040) < 0.002
    assert abs(verdict.distribution[:3].sum() / 2315 - 0.571) < 0.01
    assert abs(verdict.distribution[4] / 2315 - 0.033) < 0.002


def test_a_limit_that_binds(original, solver):
    guess = original.words.guesses.find("ammon")
    endless = Game(original.words, original.patterns, objective=Objective(None))
    free = open_solver(endless, TranspositionTable(1 << 24)).solve(
        endless.start(), guess, tree=True
    )
    assert (free.lower, free.worst) == (8611, 6)
    limited = solver.solve(late(original, 1), guess, tree=True)
    assert (limited.lower, limited.upper, limited.worst) == (8613, 8613, 5)
    verdict = Verifier(original.words, Objective(5)).check(limited.tree)
    assert (verdict.total, verdict.worst) == (8613, 5)
    assert solver.solve(late(original, 2), guess).is_infeasible


@pytest.mark.slow
def test_the_function_for_one_question(original):
    """``solve`` of a position, of a guess, below a cutoff and within a budget."""
    guess = original.words.guesses.find("ferms")
    position = original.position_after("light BGGGG")
    assert solve(position).upper == solve(position, guess).upper == 19
    assert not solve(position, cutoff=15).is_exact
    assert solve(position, cutoff=15).lower >= 15
    budgeted = solve(original.start(), guess, budget=5)
    assert not budgeted.is_exact
    assert budgeted.lower < solve(original.start(), guess).lower <= budgeted.upper


def test_five_guesses_suffice_and_four_do_not(original, solver):
    guess = original.words.guesses.find("salet")
    assert solver.solve(late(original, 1), guess).lower == 7920
    assert solver.solve(late(original, 2), guess).is_infeasible


def test_light_then_ferms(original, solver):
    guesses = original.words.guesses
    position = original.start().after(guesses.find("light"), parse_pattern("BGGGG", 5))
    assert position.guesses_left == 5
    best = solver.solve(position)
    assert best.is_exact
    assert solver.solve(position, guesses.find("ferms")).lower == best.lower


@pytest.mark.slow
def test_threads_and_table_sizes_give_the_same_results(original):
    rng = np.random.default_rng(3)
    openers = by_letters(original, rng.choice(original.guess_count, 6, replace=False).tolist())
    with SolverPool(original, 2, TranspositionTable(1 << 26)) as pool:
        many = dict(pool.solve_guesses(original.start(), openers, tree=True))
    assert sorted(many) == sorted(openers)
    alone = open_solver(original, TranspositionTable(1 << 20))
    for opener in openers[::2]:
        result = alone.solve(original.start(), opener, tree=True)
        assert (result.lower, result.worst) == (many[opener].lower, many[opener].worst)
        assert result.tree == many[opener].tree


def test_surveys_that_were_kept_change_nothing(original):
    guess = original.words.guesses.find("docus")
    solver = open_solver(original, TranspositionTable(1 << 24))
    first = solver.solve(original.start(), guess, tree=True)
    solver.table.clear()  # but not the surveys
    again = solver.solve(original.start(), guess, tree=True)
    solver.forget()
    afresh = solver.solve(original.start(), guess, tree=True)
    for other in (again, afresh):
        assert (other.lower, other.worst) == (first.lower, first.worst) == (8346, 5)
        assert other.tree == first.tree
    assert afresh.stats.expanded == first.stats.expanded


def test_a_stop_ends_the_search_with_an_honest_interval(original):
    stop = Stop()
    stop.set()
    result = open_solver(original, TranspositionTable(0), stop=stop).solve(
        original.start(), original.words.guesses.find("qajaq"), tree=True
    )
    assert 2315 < result.lower < 9496 <= result.upper
    assert not result.is_exact
    assert result.tree is None


@pytest.fixture(scope="module")
def hard(original):
    return Game(original.words, original.patterns, Rule.HARD)


@pytest.fixture(scope="module")
def hard_solver(hard):
    return open_solver(hard, TranspositionTable(1 << 27))


@pytest.mark.slow
@pytest.mark.parametrize(("word", "total"), HARD.items())
def test_published_totals_in_hard_mode(hard, hard_solver, word, total):
    result = hard_solver.solve(hard.start(), hard.words.guesses.find(word))
    assert result.lower == result.upper == total


@pytest.mark.slow
@pytest.mark.parametrize("word", ["slate", "docus"])
def test_openers_that_cannot_surely_win_in_hard_mode(hard, hard_solver, word):
    guess = hard.words.guesses.find(word)
    assert hard_solver.solve(hard.start(), guess).is_infeasible
    longer = replace(hard, objective=Objective(8))
    relaxed = open_solver(longer, TranspositionTable(1 << 26)).solve(
        longer.start(), guess, tree=True
    )
    assert relaxed.is_exact
    assert not relaxed.is_infeasible
    assert relaxed.worst > 6


def test_seven_guesses_in_hard_mode(hard):
    longer = replace(hard, objective=Objective(7))
    result = open_solver(longer, TranspositionTable(1 << 26)).solve(
        longer.start(), longer.words.guesses.find("salet")
    )
    assert result.lower == result.upper == 8116


@pytest.mark.slow
@pytest.mark.parametrize("rule", [Rule.HARD, Rule.ULTRA_HARD])
def test_trees_under_a_rule_are_legal(original, rule):
    game = Game(original.words, original.patterns, rule)
    guess = game.words.guesses.find("salet")
    verifier = Verifier(game.words, game.objective)
    trees = []
    for table_bytes in (1 << 12, 1 << 24):
        result = open_solver(game, TranspositionTable(table_bytes)).solve(
            game.start(), guess, tree=True
        )
        verdict = verifier.check(result.tree, rule=rule, claimed=result.upper)
        assert verdict.worst == result.worst
        trees.append(result.tree)
    assert trees[0] == trees[1]
    free = open_solver(original, TranspositionTable(1 << 24)).solve(
        original.start(), guess, tree=True
    )
    with pytest.raises(VerificationError, match=f"illegal under the {rule} rule"):
        verifier.check(free.tree, rule=rule)


def test_candidates_only_after_slate(original):
    """A state of 16 answers; 30 is what a brute force over its candidates finds."""
    game = Game(original.words, original.patterns, Rule.CANDIDATES, Objective(None))
    position = game.position_after("slate BYBYB")
    result = open_solver(game, TranspositionTable(1 << 20)).solve(position, tree=True)
    assert result.lower == result.upper == 30
    Verifier(game.words, game.objective).check(
        result.tree, position.state, rule=game.rule, turns=position.turns, claimed=30
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rule", "k", "word", "within", "total"),
    [
        (Rule.NORMAL, 1, "trace", 1, 7926),
        (Rule.NORMAL, 1, "crate", 1, 7926),
        (Rule.NORMAL, 2, "trace", 150, 8078),
        (Rule.NORMAL, 3, "trace", 1388, 7968),
        (Rule.NORMAL, 4, "tenor", 2298, 8101),
        (Rule.NORMAL, 5, "salet", 2315, 7920),
        (Rule.NORMAL, 6, "salet", 2315, 7920),
        (Rule.HARD, 1, "least", 1, 8127),
        (Rule.HARD, 2, "salet", 147, 8136),
        (Rule.HARD, 3, "reast", 1223, 8167),
        (Rule.HARD, 4, "clast", 2224, 8238),
        (Rule.HARD, 5, "palet", 2315, 8206),
        (Rule.HARD, 6, "salet", 2315, 8122),
    ],
)
def test_most_answers_within_k(original, rule, k, word, within, total):
    """Selby's table of most answers within k guesses, ties broken by the total."""
    objective = Objective.parse(f"within:{k}")
    game = Game(original.words, original.patterns, rule, objective)
    solver = open_solver(game, TranspositionTable(1 << 26))
    result = solver.solve(game.start(), game.words.guesses.find(word), tree=True)
    score = game.prices.score(result.upper, game.answer_count, 0)
    assert result.is_exact
    assert (game.answer_count - score.late, score.total) == (within, total)
    verdict = Verifier(game.words, objective).check(result.tree, rule=rule, claimed=result.upper)
    assert verdict.distribution[:k].sum() == within


def test_worst_case_of_the_best_opener(original):
    """Five guesses suffice and four do not (Bertsimas and Paskov, section 3.2)."""
    game = Game(original.words, original.patterns, Rule.NORMAL, Objective.parse("worst"))
    result = open_solver(game, TranspositionTable(1 << 26)).solve(
        game.start(), game.words.guesses.find("salet")
    )
    score = game.prices.score(result.upper, game.answer_count, 0)
    assert (score.worst, score.total) == (5, 7920)


def test_most_answers_that_an_infeasible_opener_finds(original):
    """SLATE is no guaranteed win in hard mode: one answer of the ?ASTE family is lost."""
    objective = Objective.parse("fewest-failures")
    game = Game(original.words, original.patterns, Rule.HARD, objective)
    solver = open_solver(game, TranspositionTable(1 << 26))
    result = solver.solve(game.start(), game.words.guesses.find("slate"), tree=True)
    verdict = Verifier(game.words, objective).check(
        result.tree, rule=Rule.HARD, claimed=result.upper
    )
    assert result.is_exact
    assert verdict.failures == 1
