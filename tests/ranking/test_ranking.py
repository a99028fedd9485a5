"""Exact rankings: honest intervals, checked strategies, checkpoints, kills and resumption."""

import os
import signal
import subprocess
from dataclasses import fields
from functools import partial
from itertools import chain
from types import SimpleNamespace

import numpy as np
import pytest

from gpu_wordle import store
from gpu_wordle.backends import load_game
from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.backends.cpu.frontier import CpuFrontier
from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.weights import Weights
from gpu_wordle.ranking.job import CHECKPOINT_VARIABLE, Job
from gpu_wordle.ranking.openers import Openers, Status, check_openers, check_statistics
from gpu_wordle.ranking.ranking import Ranking, solve
from gpu_wordle.ranking.statistics import columns_of
from gpu_wordle.solver import SearchStats, SolveResult, SolverPool
from gpu_wordle.solver import batched_pool as batched
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.verify import Verdict, VerificationError
from support import naive
from support.commands import COMMAND, child, ended, invoke, started, versions
from support.naive_rules import IMPOSSIBLE, NaiveRules
from support.output import rows_of
from support.slices import small_game
from support.word_lists import make_game, make_words


def begin(game):
    stats = CpuBackend(1).open(game).stats(StateBatch.whole(game.answer_count))
    return Ranking.begin(game.position_after(), stats), stats


def solve_all(game, guesses=None, threads=2):
    ranking, _ = begin(game)
    todo = np.arange(game.guess_count) if guesses is None else guesses
    with SolverPool(game, threads) as pool:
        for _ in ranking.solve(todo, pool):
            assert (ranking.openers.lower <= ranking.openers.upper).all()
    return ranking


@pytest.mark.parametrize("limit", [None, 3, 4])
@pytest.mark.parametrize("rule", list(Rule))
def test_every_total_matches_brute_force(original, rule, limit):
    game = small_game(original, answers=9, guesses=25, rule=rule, objective=Objective(limit))
    ranking = solve_all(game)
    check_openers(ranking.openers, game, ranking.position)
    words = game.words.guesses.words
    oracle = NaiveRules(words, rule)
    left = limit or game.answer_count + 1
    for g in range(game.guess_count):
        expected = oracle.guess_value(game.words.answers.words, oracle.guesses, words[g], left)
        if expected == IMPOSSIBLE:
            assert ranking.openers.status[g] == Status.INFEASIBLE
        else:
            assert ranking.openers.status[g] == Status.EXACT
            assert ranking.openers.upper[g] == ranking.openers.lower[g] == expected


def test_bounds_are_honest_before_and_while_solving(original):
    game = small_game(original)
    truth = solve_all(game).openers
    ranking, stats = begin(game)
    assert (ranking.openers.lower <= truth.lower).all()
    with SolverPool(game, 1) as pool:
        for _ in ranking.solve(ranking.most_promising(stats, 5), pool):
            pass
    openers = ranking.openers
    assert int(openers.is_solved.sum()) == 5
    assert repr(openers) == f"Openers({game.guess_count - 5} bounded, 5 exact, 0 infeasible)"
    assert (openers.lower <= truth.lower).all()
    assert (openers.upper >= truth.upper).all()
    assert (openers.upper < INFEASIBLE).all()


def test_what_the_rule_forbids_promises_least():
    position = load_game("original", rule=Rule.HARD).position_after("salet BYBBG")
    game = position.game
    stats = (
        CpuBackend(1).open(game).stats(StateBatch.from_sets([position.state], game.answer_count))
    )
    order = Ranking.begin(position, stats).most_promising(stats, game.guess_count)
    is_legal = position.legal[order]
    assert 0 < is_legal.sum() < game.guess_count
    assert is_legal.tolist() == sorted(is_legal.tolist(), reverse=True)


@pytest.mark.parametrize("rule", [Rule.NORMAL, Rule.HARD])
def test_threads_do_not_change_the_result(original, rule):
    game = small_game(original, rule=rule)
    one, two = solve_all(game, threads=1), solve_all(game, threads=2)
    for g in range(game.guess_count):
        assert one.openers.same_result(two.openers, g)


def test_order_puts_what_is_solved_first_and_the_illegal_last():
    openers = Openers.unsolved(np.array([30, 10, 20, 20, 5]), 6)
    openers.status[:] = [
        Status.EXACT,
        Status.BOUNDED,
        Status.EXACT,
        Status.EXACT,
        Status.INFEASIBLE,
    ]
    openers.worst[:] = [4, 0, 5, 4, 0]
    assert openers.order().tolist() == [3, 2, 0, 4, 1]
    legal = np.array([True, True, True, True, False])
    assert openers.order(legal).tolist() == [3, 2, 0, 1, 4]
    openers.status[:] = Status.INFEASIBLE
    openers.lower[:] = INFEASIBLE
    openers.worst[:] = 0
    openers.solvable[:] = [7, 9, 8, 9, 9]
    assert openers.order(legal).tolist() == [1, 3, 2, 0, 4]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda o: o.upper.__setitem__(3, 1), "lower bound is above"),
        (lambda o: o.lower.__setitem__(3, 1), "bounds differ"),
        (lambda o: o.status.__setitem__(3, 9), "unknown status"),
        (lambda o: o.status.__setitem__(3, 2), "infeasible but has a strategy"),
        (lambda o: o.weight_distribution.__setitem__((3, 1), 0), "does not add up"),
        (lambda o: o.distribution.__setitem__((3, 1), 0), "does not cover every answer"),
        (lambda o: o.failures.__setitem__(3, 1), "does not cover every answer"),
        (lambda o: o.worst.__setitem__(3, 2), "worst case is not the last turn"),
        (lambda o: o.weight_distribution.__setitem__((3, 0), 1), "does not add up"),
    ],
)
def test_contradictions_are_found(original, change, message):
    game = small_game(original)
    ranking = solve_all(game, guesses=np.arange(6))
    check_openers(ranking.openers, game, ranking.position)
    change(ranking.openers)
    with pytest.raises(VerificationError, match=message) as caught:
        check_openers(ranking.openers, game, ranking.position)
    assert str(caught.value).startswith(game.words.guesses.words[3].upper())


def test_answers_may_be_lost_where_the_objective_allows_it_and_nowhere_else(original):
    lossy = small_game(original, objective=Objective.parse("fewest-failures", 2))
    ranking = solve_all(lossy, guesses=np.arange(6))
    openers = ranking.openers
    assert (openers.failures[:6] > 0).all()
    check_openers(openers, lossy, ranking.position)
    surely = small_game(original, objective=Objective(2))
    start, found = surely.start(), openers.weight_distribution
    lost = openers.weight_lost(surely, start.state)
    value = surely.prices.value(found, lost=lost, worst=openers.worst, made=0)
    openers.lower[:6] = openers.upper[:6] = value[:6]  # so that nothing else is wrong
    with pytest.raises(VerificationError, match=": it loses answers"):
        check_openers(openers, surely, start)


@pytest.mark.parametrize("change", [(1, -1), (-1, 1)])
def test_weights_stand_where_answers_are_found(original, change):
    """The weights of a distribution are neither below zero nor where no answer is found."""
    weights = Weights(tuple(range(1, 41)))
    game = small_game(original, objective=Objective(None, weights=weights))
    ranking = solve_all(game, guesses=np.arange(6))
    check_openers(ranking.openers, game, ranking.position)
    row = ranking.openers.weight_distribution[3]
    last = int(ranking.openers.worst[3]) - 1
    moved = int(row[last]) + 1
    for turn, by in ((last - 1, 2), (last, -1), (last - 2, -1)):  # it adds up as before
        row[turn] += by * moved
    with pytest.raises(VerificationError, match="weights are not those of its distribution"):
        check_openers(ranking.openers, game, ranking.position)


def test_strategies_may_need_more_turns_than_there_was_room_for():
    """Words without a common letter, without a limit: each guess tells no more than itself."""
    listed = ["ab", "cd", "ef", "gh", "ij", "kl", "mn", "op"]
    words = make_words(listed, listed)
    ranking = solve_all(make_game(words, objective=Objective(None)))
    assert ranking.openers.distribution.tolist() == [[1] * 8] * 8
    assert ranking.openers.worst.tolist() == [8] * 8


@pytest.mark.parametrize("name", ["parts", "expected", "entropy"])
def test_a_changed_statistic_is_found(original, name):
    game = small_game(original)
    _, partition = begin(game)
    computed = columns_of(game, partition, game.root())
    name = next(each for each in computed if each.startswith(name))
    held = {name: computed[name].copy()}
    check_statistics(held, computed, game)
    held[name][7] += held[name].dtype.type(1)
    guess = game.words.guesses.words[7].upper()
    with pytest.raises(VerificationError, match=f"{guess}: its {name} is said to be"):
        check_statistics(held, computed, game)
    with pytest.raises(VerificationError, match="the game has no statistic magic"):
        check_statistics({"magic": held[name]}, computed, game)


@pytest.mark.parametrize("weights", [None, Weights(tuple(range(40)))])
def test_openers_survive_the_file(original, tmp_path, weights):
    game = small_game(original, objective=Objective(weights=weights))
    openers = solve_all(game, guesses=np.arange(6)).openers
    contents = store.describe(game, "gpu-wordle ranking", "cpu", "")
    contents.datasets |= store.openers_datasets(openers, game)
    store.save(tmp_path / "x.h5", contents)
    again = store.read_openers(store.load(tmp_path / "x.h5"))
    assert all(again.same_result(openers, g) for g in range(game.guess_count))


@pytest.fixture
def lists(original, tmp_path):
    """Word files of a game that takes some seconds to rank."""
    game = small_game(original, answers=250, guesses=800)
    for name, words in (("guesses", game.words.guesses), ("answers", game.words.answers)):
        (tmp_path / f"{name}.txt").write_text("\n".join(words.words) + "\n")
    return ["--guesses", "guesses.txt", "--answers", "answers.txt", "--quiet", "--top", "3",
            "--threads", "1"]  # fmt: skip


def rank_command(lists, *more):
    return [*COMMAND, "rank", "--exact", "all", *lists, *more]


def run_ranking(lists, cwd, *more, env=None):
    environment = {**os.environ, **(env or {})}
    command = rank_command(lists, *more)
    return ended(command, cwd=cwd, env=environment, capture_output=True, text=True)


def wait_for_progress(path, process, known):
    """Wait until a checkpoint holds more solved openers than the ``known``, but not all."""
    openers = (store.read_openers(store.load(path)) for _ in versions(path, process))
    return next(solved for each in openers if (solved := int(each.is_solved.sum())) > known)


@pytest.mark.slow
def test_a_job_that_is_interrupted_again_and_again_goes_on_from_its_file(tmp_path, lists):
    whole = run_ranking(lists, tmp_path, "--out", "whole.h5")
    assert whole.returncode == 0, whole.stderr
    path, known = tmp_path / "part.h5", 20
    for how in (signal.SIGKILL, signal.SIGINT):
        process = started(
            rank_command(lists, "--out", "part.h5"), cwd=tmp_path,
            env={**os.environ, "GPU_WORDLE_CHECKPOINT_S": "0.1"},
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        )  # fmt: skip
        before = wait_for_progress(path, process, known)
        process.send_signal(how)
        _, err = process.communicate(timeout=60)
        kept = store.read_openers(store.load(path))
        known = int(kept.is_solved.sum())
        assert before <= known < len(kept.lower)
    assert process.returncode == 130
    assert "the same command goes on from the file" in err
    resumed = run_ranking(lists, tmp_path, "--out", "part.h5")
    assert resumed.returncode == 0, resumed.stderr
    assert resumed.stdout == whole.stdout
    one, two = (store.read_openers(store.load(tmp_path / f"{n}.h5")) for n in ("whole", "part"))
    assert one.is_solved.all()
    assert all(one.same_result(two, g) for g in range(len(one.lower)))


def test_a_kill_loses_no_more_than_half_a_minute(original, monkeypatch):
    """Between two checkpoints, by a clock that goes on by 0.7 s for each opener."""
    monkeypatch.delenv(CHECKPOINT_VARIABLE, raising=False)
    clock, saved = [0.0], [0.0]
    game = small_game(original, answers=9, guesses=200)
    ranking, _ = begin(game)
    file = SimpleNamespace(save=lambda openers: saved.append(clock[0]))
    job = Job(ranking.openers, file, clock=lambda: clock[0])
    solve_quickly = ranking.solve

    def solve_slowly(todo, pool):
        for guess in chain.from_iterable(solve_quickly(todo, pool)):
            clock[0] += 0.7
            yield [guess]

    monkeypatch.setattr(ranking, "solve", solve_slowly)
    solve(job, ranking, np.arange(game.guess_count), lambda: SolverPool(game, 1))
    assert clock[0] > 100
    assert max(np.diff([*saved, clock[0]])) <= 30


@pytest.mark.slow
def test_a_failing_device_loses_nothing(tmp_path, lists, monkeypatch):
    """A ranking in batches whose device gives up in the middle, gone on with afterwards."""
    refute = CpuFrontier.refute
    calls = []

    def fail_later(*arguments):
        calls.append(1)
        if len(calls) > 2:
            raise JobError("the CUDA device failed (unspecified launch failure)")
        return refute(*arguments)

    def rank(exact, how):
        command = ["rank", *lists, "--exact", exact, "--backend", "cpu", "--out", "x.h5", how]
        invoke(command)

    def solved():
        return store.read_openers(store.load(tmp_path / "x.h5"))

    monkeypatch.chdir(tmp_path)
    rank("10", "--no-batched")
    with monkeypatch.context() as patch:
        patch.setattr(CpuFrontier, "refute", fail_later)
        patch.setattr(batched, "Limits", partial(batched.Limits, small=20, group=5))
        with pytest.raises(JobError, match="launch failure"):
            rank("40", "--batched")
    kept = solved()
    assert 10 <= kept.is_solved.sum() < 40
    rank("40", "--batched")
    again = solved()
    assert again.is_solved.sum() == 40
    assert all(kept.same_result(again, g) for g in np.flatnonzero(kept.is_solved))


@pytest.mark.slow
def test_a_file_of_another_job_is_refused_and_kept(tmp_path, lists):
    assert run_ranking(lists, tmp_path, "--exact", "3", "--out", "x.h5").returncode == 0
    before = (tmp_path / "x.h5").read_bytes()
    run = run_ranking(lists, tmp_path, "--exact", "3", "--out", "x.h5", "--max-guesses", "5")
    assert run.returncode == 2
    assert "made with max_guesses 6, this job has 5" in run.stderr
    assert (tmp_path / "x.h5").read_bytes() == before
    fresh = ["--exact", "3", "--out", "x.h5", "--max-guesses", "5", "--fresh"]
    assert run_ranking(lists, tmp_path, *fresh).returncode == 0


@pytest.mark.slow
def test_a_state_can_be_ranked(tmp_path):
    asked = ["rank", "--state", "light BGGGG", "--exact", "30", "--json", "--top", "1", "--quiet"]
    (best,) = rows_of(child(*asked, cwd=tmp_path)[0])
    eight = ["eight", "fight", "might", "night", "right", "sight", "tight", "wight"]
    assert best["total"] == 19
    assert best["parts"] == len(naive.partition(best["opener"], eight))


def solved_within(original, limit, name="mean"):
    """A small game under a limit, its best opener solved and nothing else."""
    game = small_game(original, answers=30, guesses=60, objective=Objective.parse(name, limit))
    ranking, stats = begin(game)
    with SolverPool(game, 1) as pool:
        for _ in ranking.solve(ranking.most_promising(stats, 1), pool):
            pass
    (best,) = np.flatnonzero(ranking.openers.is_solved)
    return ranking, int(best)


@pytest.mark.parametrize("name", ["mean", "worst"])
def test_a_strategy_bounds_the_others_if_there_is_a_turn_to_spare(original, name):
    """A turn late it finds each answer one turn later; on the last turn that would be too late."""
    freely, best = solved_within(original, None, name)
    worst, n = int(freely.openers.worst[best]), freely.game.answer_count
    with_room, same = solved_within(original, worst + 1, name)
    openers = with_room.openers
    assert (same, openers.worst[same]) == (best, worst)
    total = (np.arange(1, worst + 1) * openers.distribution[best, :worst]).sum()
    late = int(total) + n
    if name == "worst":
        late += with_room.game.prices.scale * (worst + 1)
    assert set(np.delete(openers.upper, best).tolist()) == {late}
    without, same = solved_within(original, worst, name)
    assert (same, without.openers.worst[same]) == (best, worst)
    assert set(np.delete(without.openers.upper, best).tolist()) == {INFEASIBLE}


def test_a_worst_case_may_reach_the_limit_and_not_exceed_it(original):
    freely, best = solved_within(original, None)
    worst = int(freely.openers.worst[best])
    for limit in (worst, worst - 1):
        game = small_game(original, answers=30, guesses=60, objective=Objective(limit))
        if limit == worst:
            check_openers(freely.openers, game, game.start())
            continue
        with pytest.raises(VerificationError, match="its worst case is over the limit"):
            check_openers(freely.openers, game, game.start())


def test_a_bound_that_is_known_is_kept():
    openers = Openers.unsolved(np.array([10, 10, 10]), 6)
    for guess, lower in enumerate((5, 10, 12)):
        result = SolveResult(lower, INFEASIBLE, None, None, SearchStats(7))
        openers.record([guess], [result], [None])
    assert openers.lower.tolist() == [10, 10, 12]
    assert openers.upper.tolist() == [INFEASIBLE] * 3
    assert openers.expanded.tolist() == [7, 7, 7]
    assert not openers.is_solved.any()


@pytest.mark.parametrize("name", [f.name for f in fields(Openers)])
def test_the_same_result_is_the_same_in_all_but_the_work(original, name):
    """What the tests compare rankings by sees every column."""
    one = solve_all(small_game(original, answers=9, guesses=25), np.arange(3)).openers
    two = Openers(**{f.name: getattr(one, f.name).copy() for f in fields(Openers)})
    assert one.same_result(two, 1)
    getattr(two, name)[1] += 1
    assert one.same_result(two, 1) == (name in ("expanded", "seconds"))
    assert one.same_result(two, 0)


def test_a_row_has_the_last_turn_that_finds_something_beside_the_height():
    """They differ where the last guess of a strategy finds nothing, since losing is free there."""
    found, weights = np.array([0, 2], np.int64), np.array([0, 3], np.int64)
    verdict = Verdict(4, 4, 2, found, weights, answers=3, failures=1)
    openers = Openers.unsolved(np.zeros(1, np.int64), turns=1)
    openers.record([0], [SolveResult(4, 4, None, 3, SearchStats())], [verdict])
    assert (openers.worst[0], openers.height[0]) == (2, 3)
    assert openers.distribution[0].tolist() == [0, 2]
    assert (openers.solvable[0], openers.failures[0]) == (3, 1)


def test_a_bounded_row_may_not_have_its_bounds_crossed(original):
    game = small_game(original, answers=9, guesses=25)
    ranking = solve_all(game, np.arange(3))
    open_guess = int(np.flatnonzero(~ranking.openers.is_solved)[0])
    ranking.openers.lower[open_guess] = ranking.openers.upper[open_guess]
    check_openers(ranking.openers, game, ranking.position)
    ranking.openers.lower[open_guess] += 1
    with pytest.raises(VerificationError, match="its lower bound is above its upper bound"):
        check_openers(ranking.openers, game, ranking.position)
