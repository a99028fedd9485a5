"""Many guesses of a small game at once: what is found is what is found of each by itself."""

import threading
from itertools import chain

import numpy as np
import pytest

from gpu_wordle.backends.cpu import threads as cpu_threads
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.ranking.solving import replay, replay_all
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool, Stop, TranspositionTable, default_table_bytes, open_solver
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine_engine import MachineEngine
from gpu_wordle.states.batch import StateBatch
from support.seeds import seeds
from support.slices import small_game
from support.solver_games import family_game, random_game


def described(result):
    """All of a result but its seconds."""
    work = result.stats
    counters = work.expanded, work.generated, work.table_hits, work.pruned
    return result.lower, result.upper, result.worst, result.tree, counters


def assert_same(game, guesses, **options):
    one, many = (open_solver(game, TranspositionTable(1 << 18)) for _ in range(2))
    together = many.solve_many(game.start(), guesses, tree=True, **options)
    assert [described(result) for result in together] == [
        described(one.solve(game.start(), guess, tree=True, **options)) for guess in guesses
    ]
    return together


@pytest.mark.parametrize("limit", [None, 3, 4, 6])
@pytest.mark.parametrize("rule", list(Rule))
def test_values_trees_and_counters_are_those_of_each(original, rule, limit):
    game = small_game(original, answers=40, guesses=90, rule=rule, objective=Objective(limit))
    assert_same(game, range(game.guess_count))


@pytest.mark.slow
@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD])
@pytest.mark.parametrize("seed", range(6))
def test_so_they_are_where_answers_are_alike(seed, rule):
    game = family_game(np.random.default_rng(seed), rule=rule, max_guesses=3 + seed % 3)
    together = assert_same(game, range(game.guess_count))
    assert all(len(result.tree.turns) for result in together if not result.is_infeasible)


@pytest.mark.parametrize("name", ["worst", "within:2", "fewest-failures", "cost:1,2,4,8"])
def test_under_other_objectives_each_is_solved_by_itself(original, name):
    limit = ... if name.startswith("cost") else 4
    game = small_game(original, answers=15, guesses=30, objective=Objective.parse(name, limit))
    assert_same(game, range(game.guess_count))


@pytest.mark.parametrize("options", [{"budget": 3}, {"cutoff": 60}, {"least_worst": False}])
def test_so_it_is_with_options(original, options):
    game = small_game(original, answers=30, guesses=60)
    assert_same(game, range(0, 60, 7), **options)


@pytest.mark.parametrize("seed", range(4))
def test_some_answers_of_a_position(seed):
    rng = np.random.default_rng(seed)
    game = random_game(rng, rule=Rule.NORMAL, max_guesses=4)
    position = game.start()
    pattern = int(game.patterns.values[-1, 0])
    if pattern != game.words.feedback.solved:
        position = position.after(0, pattern)
    solver = open_solver(game, TranspositionTable(1 << 16))
    results = solver.solve_many(position, range(game.guess_count), tree=True)
    for verdict, result in zip(replay_all(position, results), results, strict=True):
        alone = replay(position, result)
        assert (verdict is None) == (alone is None)
        if verdict is not None:
            assert (verdict.value, verdict.worst) == (alone.value, alone.worst)
            assert verdict.distribution.tolist() == alone.distribution.tolist()


def found_in_turn(solver, position, guesses, cutoffs, max_parts=PATTERNS):
    """What is found of all guesses, where those after one below its cutoff are asked anew."""
    found = []
    while len(found) < len(guesses):
        done = len(found)
        some = solver.solve_in_turn(position, guesses[done:], cutoffs[done:], max_parts)
        limits = np.minimum(cutoffs[done : done + len(some)], INFEASIBLE)
        is_below = np.array([each.lower for each in some]) < limits
        assert not is_below[:-1].any()
        assert is_below[-1] or done + len(some) == len(guesses)
        found += some
    return found


@pytest.mark.parametrize("seed", seeds(3))
@pytest.mark.parametrize("rule", list(Rule))
def test_guesses_in_turn_are_found_as_each_is(seed, rule):
    rng = np.random.default_rng(seed)
    for _ in range(12):
        game = family_game(rng, rule=rule, max_guesses=int(rng.integers(2, 7)))
        position, guesses = game.start(), rng.permutation(game.guess_count)
        exact = [open_solver(game).solve(position, int(guess)).lower for guess in guesses]
        likely = np.minimum(exact, 50) + rng.integers(-2, 3, len(guesses))
        cutoffs = np.where(rng.random(len(guesses)) < 0.2, INFEASIBLE + 1, likely)
        found = found_in_turn(open_solver(game), position, guesses, cutoffs)
        for bound, value, cutoff in zip(found, exact, cutoffs, strict=True):
            assert bound.lower <= value
            assert bound.is_exact == (bound.lower == value) or bound.lower >= cutoff
            assert bound.lower == value if value < cutoff else bound.lower >= cutoff
            assert bound.is_exact or value >= cutoff


@pytest.mark.parametrize(
    "name", ["worst", "mean,worst", "within:2", "fewest-failures", "cost:1,2,4,8"]
)
def test_so_they_are_under_other_objectives(original, name):
    limit = ... if name.startswith("cost") else 4
    game = small_game(original, answers=15, guesses=30, objective=Objective.parse(name, limit))
    guesses = np.arange(game.guess_count)
    each = open_solver(game)
    exact = [each.solve(game.start(), guess).bound for guess in guesses]
    no_cutoffs = np.full(len(guesses), INFEASIBLE + 1)
    assert found_in_turn(open_solver(game), game.start(), guesses, no_cutoffs) == exact


def test_of_guesses_in_turn_a_stop_leaves_those_that_were_done(original):
    game = small_game(original, answers=30, guesses=60)
    stop, guesses = Stop(), np.arange(20)
    solver = open_solver(game, TranspositionTable(1 << 16), stop=stop)
    cutoffs = np.ones(20, np.int64)
    assert len(solver.solve_in_turn(game.start(), guesses, cutoffs, PATTERNS)) == 20
    stop.set()
    assert solver.solve_in_turn(game.start(), guesses, cutoffs, PATTERNS) == []


def test_after_a_stop_the_rest_is_left_out(original):
    stop = Stop()
    game = small_game(original, answers=30, guesses=60)
    solver = open_solver(game, TranspositionTable(1 << 16), stop=stop)
    stop.set()
    (only,) = solver.solve_many(game.start(), range(60), tree=True)
    assert only.tree is None
    assert only.lower <= open_solver(game).solve(game.start(), 0).lower


@pytest.fixture
def ranked(original, monkeypatch):
    """What a ranking of all guesses of a game of 20 answers calls how often."""
    calls = {"tasks": 0, "clones": 0, "definitions": 0}

    def counted(owner, name, called):
        before = getattr(owner, name)

        def call(*arguments, **named):
            calls[called] += 1
            return before(*arguments, **named)

        monkeypatch.setattr(owner, name, call)

    counted(SolverPool, "submit", "tasks")
    counted(MachineEngine, "clone", "clones")
    counted(LetterFeedback, "patterns", "definitions")
    game = small_game(original, answers=20, guesses=60)
    statistics = CpuBackend(2).open(game).stats(StateBatch.whole(game.answer_count))
    ranking = Ranking.begin(game.start(), statistics)
    with SolverPool(game, 2, TranspositionTable(1 << 16)) as pool:
        solved = chain.from_iterable(ranking.solve(np.arange(game.guess_count), pool))
        assert len(list(solved)) == game.guess_count
    assert ranking.openers.is_solved.all()
    return calls


def test_a_small_game_is_one_task_on_one_thread(ranked):
    assert ranked["tasks"] == 1
    assert ranked["clones"] == 0


def test_its_strategies_are_replayed_together(ranked):
    assert ranked["definitions"] <= 6  # one for each turn


def test_its_statistics_start_no_threads(original, monkeypatch):
    def fail(threads):
        raise AssertionError("a pool of threads was made")

    game = small_game(original, answers=20, guesses=60)
    monkeypatch.setattr(cpu_threads, "ThreadPoolExecutor", fail)
    CpuBackend(2).open(game).stats(StateBatch.whole(game.answer_count))


def test_nobody_watches_over_a_job_without_an_end():
    before = threading.active_count()
    with StopToken().of(Stop()):
        assert threading.active_count() == before
    with StopToken(time_limit=60).of(Stop()):
        assert threading.active_count() == before + 1


def test_the_table_is_no_larger_than_a_game_may_fill(original):
    small = small_game(original, answers=20, guesses=60)
    assert default_table_bytes(small) < 1 << 17
    assert default_table_bytes(original) == default_table_bytes()
    assert default_table_bytes(original, 1 << 20) == 1 << 20


def test_a_large_game_is_handed_out_guess_by_guess(original):
    tasks = []

    class Noting(SolverPool):
        def submit(self, work, task):
            tasks.append(task)
            return super().submit(work, task)

    with Noting(original, 2, TranspositionTable(1 << 20)) as pool:
        guesses = [original.words.guesses.find(word) for word in ("salet", "crane")]
        assert len(list(pool.solve_guesses(original.start(), guesses, cutoff=1))) == len(guesses)
    assert tasks == [[guess] for guess in guesses]
