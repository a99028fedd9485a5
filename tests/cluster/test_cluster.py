"""Work shared out among workers: the same results as of threads, whatever becomes of workers."""

import os
import random
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from multiprocessing import active_children, get_context
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import gpu_wordle as gw
from gpu_wordle.cli import cluster as workers
from gpu_wordle.cluster import dispatch, scheduler, unit, worker
from gpu_wordle.cluster.cutting import Cutter
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import Openers, Status, merged
from gpu_wordle.ranking.ranking import Shard
from gpu_wordle.store import load, read_openers
from scripts.publish import plan_cluster
from support import small_game
from support.commands import COMMAND, Forked, started, versions
from support.workers import Courier, DaskWorkers, as_from

WORK = ("expanded", "seconds")
PATIENCE_S = 240
"""For processes to start, on a machine with much other work."""


@pytest.fixture(autouse=True)
def _new_process():
    """Each test begins as a worker that has no game."""
    worker.forget_games()


@pytest.fixture(scope="module")
def small(_private_cache):
    return gw.load_game(sorted(small_game.GUESSES), list(small_game.ANSWERS), max_guesses=4)


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    """Words that take two workers many seconds to rank, as files; and the ranking by threads.

    So long that a job is far from its end when a test has seen it begin.
    """
    folder = tmp_path_factory.mktemp("lists")
    original = gw.load_game("original")
    words = {"guesses": original.guesses[::22], "answers": original.guesses[::22]}
    for role, some in words.items():
        (folder / f"{role}.txt").write_text("\n".join(some))
    game = gw.load_game(words["guesses"], words["answers"])
    return folder, game, found(gw.rank(game, exact="all"))


def found(ranking):
    """All that a ranking says, but for the work that it took."""
    return [{key: value for key, value in row.items() if key not in WORK} for row in ranking]


def weighed():
    weights = dict(zip(small_game.ANSWERS, small_game.WEIGHTS, strict=True))
    lists = sorted(small_game.GUESSES), list(small_game.ANSWERS)
    return gw.load_game(*lists, rule="hard", weights=weights, max_guesses=4)


JOBS = {
    "rank": lambda game, **more: found(gw.rank(game, exact="all", **more)),
    "rank weighed": lambda game, **more: found(gw.rank(weighed(), exact="all", **more)),
    "rank later": lambda game, **more: found(gw.rank(game.after("rat BGG"), exact="all", **more)),
    "rank infeasible": lambda game, **more: found(
        gw.rank(gw.load_game(game.guesses, game.answers, max_guesses=3), exact="all", **more)
    ),
    "rank mastermind": lambda game, **more: found(
        gw.rank(gw.load_game("mastermind:3x3"), exact="all", **more)
    ),
    "prove": lambda game, **more: (gw.prove(game, **more).best, gw.prove(game, **more).total),
    "simulate": lambda game, **more: list(gw.simulate(game, ["entropy", "places"], "all", **more)),
    "simulate naively": lambda game, **more: list(
        gw.simulate(game, "parts", "all", umpire="naive", **more)
    ),
    "pairs": lambda game, **more: list(gw.pairs(game, by="entropy", **more)),
    "pairs proven": lambda game, **more: list(gw.pairs(game, prove=True, top=4, **more)),
    "noise": lambda game, **more: list(
        gw.noise(game, "chf", runs=6, levels=["1", "20"], limit="dropped", **more)
    ),
}


@pytest.mark.parametrize("name", JOBS)
def test_what_workers_find_is_what_threads_find(small, name):
    executor = Courier()
    assert JOBS[name](small, executor=executor) == JOBS[name](small, threads=1)
    assert executor.units


def test_of_each_kind_of_guess_one_worker_searches_one():
    """Though its guesses lie far apart in the order in which they are sent."""
    game = gw.load_game("mastermind:3x4")
    executor = Courier(workers=5)
    ranking = gw.rank(game, exact="all", executor=executor)
    kinds = [kind.guesses for unit in executor.units for kind in unit.tasks]
    assert sorted(g for guesses in kinds for g in guesses) == list(range(len(game.guesses)))
    assert len(executor.units) > 2
    assert len(kinds) == 3  # of one colour, of two, of three
    searched = [row["opener"] for row in ranking if row["expanded"]]
    assert len(searched) <= len(kinds)
    assert found(ranking) == found(gw.rank(game, exact="all", threads=1))


def test_units_are_small_and_lists_travel_once(small):
    executor = Courier(workers=3)
    gw.prove(small, executor=executor)
    carried = [each.sent is not None for each in executor.units]
    assert carried[0]
    assert not any(carried[6:])  # those of the first round went out before an answer came back
    assert all(size < 2_000 for size in executor.packed_bytes[6:])


def test_a_worker_without_the_lists_is_sent_them(small):
    def forgetful(sent, number):
        if number % 3 == 2:
            worker.forget_games()  # it is another process
        return worker.work_on(sent)

    executor = Courier(forgetful)
    assert found(gw.rank(small, exact="all", executor=executor)) == JOBS["rank"](small)
    assert sum(each.sent is not None for each in executor.units) > 2


def test_a_unit_comes_back_for_want_of_the_lists_once(small):
    """Workers that have them answer in between, and still the unit brings them next time."""

    def mixed(sent, number):
        """After the first, each second unit goes to a worker that is new."""
        if number > 6 and number % 2 == 0 and sent.sent is None:
            return unit.Answer(f"new:{number}", unit.program())
        return worker.work_on(sent)

    executor = Courier(mixed, workers=3)
    assert found(gw.rank(small, exact="all", executor=executor)) == JOBS["rank"](small)
    sent: dict[object, list[bool]] = {}
    for each in executor.units:
        sent.setdefault((each.game, each.tasks), []).append(each.sent is not None)
    again = [carried for carried in sent.values() if len(carried) > 1]
    assert again
    assert all(carried == [False, True] for carried in again)


def test_lists_that_were_damaged_are_refused(small):
    def damaging(sent, number):
        content = bytearray(sent.sent.content)
        content[len(content) // 2] ^= 1
        return worker.work_on(replace(sent, sent=replace(sent.sent, content=bytes(content))))

    with pytest.raises(JobError, match="a unit of work arrived damaged"):
        gw.rank(small, executor=Courier(damaging))


def test_lists_of_another_game_are_refused(small):
    with pytest.raises(JobError, match="the lists of another game"):
        gw.rank(small, executor=Courier(lambda sent, _: worker.work_on(replace(sent, game="f"))))


def test_another_program_is_refused(small, monkeypatch):
    older = "gpu-wordle 0.0.1 (0123456789ab)"
    with pytest.raises(JobError, match=f"host:7 runs {older[:16]}.*install the same program"):
        gw.rank(
            small,
            executor=Courier(lambda sent, _: unit.Answer("host:7", older)),
        )
    monkeypatch.setattr(worker, "program", lambda: older)
    with pytest.raises(JobError, match=f"runs {older[:16]}"):
        gw.rank(small, executor=Courier())


def test_answers_twice_are_taken_once_and_compared(small):
    def twice(sent, number):
        answer = as_from(f"host:{number}", worker.work_on(sent))
        return replace(answer, done=answer.done and answer.done * 2)

    assert found(gw.rank(small, exact="all", executor=Courier(twice))) == JOBS["rank"](small)


def test_workers_that_contradict_each_other_end_the_job(small, tmp_path, monkeypatch):
    monkeypatch.setattr(dispatch, "LATE_SECONDS", 0.0)
    monkeypatch.setattr(dispatch, "LATE_FACTOR", 0.0)
    out = tmp_path / "r.h5"
    waiting = []

    def faulty(sent, number):
        """The first unit comes late, when a second worker has found something else."""
        answer = as_from(f"host:{number % 2}", worker.work_on(sent))
        if number == 0:
            waiting.append(answer)
            return None
        if sent.tasks == executor.units[0].tasks and number:
            kind, ((result, verdict),) = waiting[0].done[0]
            lower, upper, *rest = result
            wrong = type(result)(lower + 1, upper + 1, *rest)
            both = (*waiting[0].done, (kind, [(wrong, verdict)]))
            return as_from("faulty:1", answer, done=both)
        return answer

    executor = Courier(faulty)
    with pytest.raises(
        JobError, match=r"contradict each other about [A-Z]{3}: .* faulty:1 found .*faulty"
    ):
        gw.rank(small, exact="all", out=out, executor=executor)
    kept = read_openers(load(out))
    assert 0 < kept.is_solved.sum() <= len(small.guesses)
    assert gw.rank(small, exact="all", out=out).solved == len(small.guesses)


def test_what_fails_is_tried_elsewhere_and_not_for_ever(small, tmp_path):
    tries = {}

    def failing(least):
        def does(sent, number):
            tries[sent.tasks] = tries.get(sent.tasks, 0) + 1
            if tries[sent.tasks] < least:
                raise OSError("the machine was preempted")
            return worker.work_on(sent)

        return does

    out = tmp_path / "r.h5"
    assert found(gw.rank(small, exact="all", executor=Courier(failing(3)))) == JOBS["rank"](small)
    tries.clear()
    with pytest.raises(JobError, match="failed on 3 workers .*OSError the machine was preempted"):
        gw.rank(small, exact="all", out=out, executor=Courier(failing(4)))
    assert gw.rank(small, exact="all", out=out, executor=Courier()).solved == len(small.guesses)


def test_a_job_whose_engine_is_gone_keeps_what_is_done(small, tmp_path):
    class ClosedError(Exception):
        """As dask raises when its scheduler is gone."""

    class Closing(Courier):
        def submit(self, function, unit):
            if len(self.units) > 6:
                raise ClosedError("client is closed")
            return super().submit(function, unit)

    out = tmp_path / "r.h5"
    with pytest.raises(JobError, match="workers are gone .client is closed.*goes on"):
        gw.rank(small, exact="all", out=out, executor=Closing())
    assert read_openers(load(out)).is_solved.sum() > 0


def test_what_is_late_is_given_to_another(small, monkeypatch):
    monkeypatch.setattr(dispatch, "LATE_SECONDS", 0.2)
    executor = Courier(lambda sent, number: worker.work_on(sent) if number else None)
    assert found(gw.rank(small, exact="all", executor=executor)) == JOBS["rank"](small)
    first, *others = executor.units
    again = [each for each in others if (each.tasks, each.game) == (first.tasks, first.game)]
    assert len(again) == 1
    assert again[0].number != first.number


def test_engines_with_jobs_of_their_own_are_asked(small):
    class Job:
        """As submitit has them: no future of the standard library."""

        def __init__(self, future):
            self.future, self.looks = future, 0

        def done(self):
            self.looks += 1
            return self.looks > 2

        def result(self):
            return self.future.result()

    class Engine:
        def __init__(self):
            self.courier = Courier()

        def submit(self, function, unit):
            return Job(self.courier.submit(function, unit))

    assert found(gw.rank(small, exact="all", executor=Engine())) == JOBS["rank"](small)


def test_an_end_that_is_asked_for_keeps_what_is_done(small, tmp_path):
    stop, out = threading.Event(), tmp_path / "r.h5"

    def does(sent, number):
        if number == 5:
            stop.set()
            time.sleep(0.2)
        return worker.work_on(sent)

    ranking = gw.rank(small, exact="all", out=out, stop=stop, executor=Courier(does))
    assert ranking.ended == "stopped"
    assert 0 < ranking.solved < len(small.guesses)
    again = gw.rank(small, exact="all", out=out, executor=Courier())
    assert found(again) == JOBS["rank"](small)


@pytest.mark.parametrize("bad", [3, "tcp://host:1", None.__class__])
def test_what_is_no_executor_is_refused(small, bad):
    with pytest.raises(UserError, match="give an executor of concurrent.futures"):
        gw.rank(small, executor=bad)
    with pytest.raises(UserError, match="workers of a cluster search on CPU threads"):
        gw.rank(small, executor=Courier(), batched=True)


@pytest.mark.parametrize(
    "bad", ["", "local:", "local:0", "local:x", "host:8786", "tcp://", "local:9999"]
)
def test_what_is_no_cluster_is_refused(bad):
    with pytest.raises(UserError, match="give the address of a dask scheduler"):
        scheduler.check_address(bad)
    for good in ("local:2", "tcp://host:8786", "tls://[::1]:8786"):
        scheduler.check_address(good)


@pytest.mark.parametrize(
    "line",
    [
        ("rank", "--exact", "x"), ("rank", "--by", "x"), ("rank", "--out", "x.txt"),
        ("rank", "--shard", "1/2"), ("simulate", "parts", "--opener", "x"),
        ("noise", "--opener", "x"), ("pairs", "--words", "9"), ("prove", "--fresh"),
    ],
)  # fmt: skip
def test_no_worker_is_called_before_all_that_is_asked_for_is_checked(run, monkeypatch, line):
    def joined(address):
        raise AssertionError("joined too early")

    monkeypatch.setattr(workers, "joined", joined)
    with pytest.raises(UserError):
        run(*line, "--cluster", "local:2")


@given(st.lists(st.floats(0.001, 1000.0), max_size=300), st.integers(1, 50), st.floats(0.01, 100.0))
def test_every_task_is_in_one_unit(weights, workers, speed):
    cutter = Cutter(iter(range(len(weights))), weights.__getitem__, sum(weights), 30.0)
    cut = []
    while tasks := cutter.next(workers):
        cut.append(tasks)
        cutter.learn(tasks, sum(weights[task] for task in tasks) / speed)
    assert [task for tasks in cut for task in tasks] == list(range(len(weights)))


def test_units_take_their_time_and_less_towards_the_end():
    cutter = Cutter(iter(range(40_000)), lambda task: 1.0, 40_000.0, 30.0)
    sizes = []
    while tasks := cutter.next(4):
        sizes.append(len(tasks))
        cutter.learn(tasks, len(tasks) / 50)
    assert max(sizes) == 30 * 50
    assert sizes[0] == sizes[-1] == 1
    assert sizes[-20] < 1500 / 4


@pytest.mark.parametrize("cores", [1, 7, 300])
def test_a_plan_ends_when_all_is_done(cores):
    seconds = np.random.default_rng(1).exponential(10.0, 2_000)
    job = plan_cluster.Job("drawn", seconds, np.ones(2_000))
    plan = plan_cluster.Plan(job, cores)
    assert seconds.sum() / cores < plan.run() < 3 * seconds.sum() / cores + 200


@given(st.integers(1, 200), st.integers(0, 500))
def test_shards_are_parts_of_about_one_size(count, guesses):
    parts = [Shard(i, count).of(np.arange(guesses)) for i in range(1, count + 1)]
    assert sorted(np.concatenate(parts).tolist()) == list(range(guesses))
    assert max(map(len, parts)) - min(map(len, parts)) <= max(1, guesses / (4 * count))


@pytest.mark.parametrize("bad", ["", "3", "0/2", "3/2", "1/0", "a/b", "1/2/3", "-1/2", 5])
def test_what_is_no_shard_is_refused(small, bad):
    with pytest.raises(UserError, match="as in '?3/12"):
        gw.rank(small, shard=bad)


def test_shards_merge_into_the_whole(tmp_path, small):
    game = gw.load_game(small.guesses, small.answers, max_guesses=3)
    parts = [tmp_path / f"part{i}.h5" for i in (1, 2, 3)]
    for i, part in enumerate(parts, start=1):
        gw.rank(game, exact="all", shard=f"{i}/3", out=part)
    whole = tmp_path / "whole.h5"
    some = gw.merge(parts[:2], whole)
    assert some.solved < len(game.guesses)
    assert found(gw.merge(parts[2:], whole)) == found(gw.rank(game, exact="all"))
    again = gw.merge([whole, *parts, *parts], tmp_path / "again.h5")
    assert list(again) == list(gw.open_results(whole))  # the work is not counted twice


def test_parts_of_other_games_are_refused(tmp_path, small):
    one, other, later = (tmp_path / f"{name}.h5" for name in "abc")
    gw.rank(small, exact=3, out=one)
    gw.rank(gw.load_game(small.guesses, small.answers, max_guesses=5), exact=3, out=other)
    gw.rank(small.after("rat BGG"), exact=1, out=later)
    for part, what in ((other, "max_guesses 5"), (later, "state rat BGG")):
        with pytest.raises(UserError, match=f"made with {what}.*other parts of its own ranking"):
            gw.merge([one, part], tmp_path / "w.h5")
    with pytest.raises(UserError, match="no such file"):
        gw.merge([one, tmp_path / "d.h5"], tmp_path / "w.h5")
    with pytest.raises(UserError, match="no parts"):
        gw.merge([], tmp_path / "w.h5")
    with pytest.raises(UserError, match="part.h5: no such file"):
        gw.merge("part.h5", tmp_path / "w.h5")
    assert not (tmp_path / "w.h5").exists()


FAULTS = {
    "a value": ("lower", "upper", 1, r"the value \d+ with \[", r"the value \d+ with \["),
    "a bound": ("lower", None, 1, r"the value \d+ with \[", r"a value from \d+ on"),
    "a worst case": ("worst", None, 1, "the value", "the value"),
    "a distribution": ("distribution", None, 1, "the value", "the value"),
    "a status": ("status", None, 1, "the value", "no strategy"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_contradictions_name_both_sources(tmp_path, small, fault):
    gw.rank(small, exact="all", out=tmp_path / "r.h5")
    true = read_openers(load(tmp_path / "r.h5"))
    false, guess = true.forget(np.arange(0)), small.guesses.index("chf")
    other = [name for name in FAULTS[fault][:2] if name]
    for name in other:
        getattr(false, name)[guess] += FAULTS[fault][2]
    if fault == "a bound":
        false.status[guess], false.upper[guess] = 0, false.upper.max() + 9
    empty = true.forget(np.arange(len(small.guesses)))
    for order in ((true, false), (false, true)):
        named = list(zip(("a.h5", "b.h5", "c.h5"), (order[0], empty, order[1]), strict=True))
        said = FAULTS[fault][3:] if order[0] is true else FAULTS[fault][:2:-1]
        message = rf"CHF: a\.h5 has {said[0]}.*, c\.h5 has {said[1]}.*; one of them"
        with pytest.raises(JobError, match=message):
            merged(small.guesses, named)


def openers_of(small, **columns):
    """Openers of which nothing is known but the columns that are given, the same for each."""
    openers = Openers.unsolved(np.ones(len(small.guesses), np.int64), 3)
    for name, value in columns.items():
        getattr(openers, name)[:] = value
    return openers


def test_a_bound_that_contradicts_names_the_source_of_the_other(small):
    files = {
        "a.h5": openers_of(small, lower=2),
        "b.h5": openers_of(small, lower=5),
        "c.h5": openers_of(small, lower=1, upper=4),
    }
    message = r"^B\w+: b\.h5 has a value from 5 on, c\.h5 has a value from 1 to 4; one of them"
    with pytest.raises(JobError, match=message):
        merged(small.guesses, files.items())


def test_what_infeasible_openers_can_solve_is_merged_and_may_not_differ(small):
    lost = {"status": Status.INFEASIBLE, "lower": INFEASIBLE, "upper": INFEASIBLE}
    files = {
        "a.h5": openers_of(small, **lost),
        "b.h5": openers_of(small, **lost, solvable=5),
        "c.h5": openers_of(small, **lost),
    }
    assert set(merged(small.guesses, files.items()).solvable.tolist()) == {5}
    files["c.h5"].solvable[:] = 6
    message = r"b\.h5 has no strategy, and solves 5, c\.h5 has no strategy, and solves 6; one of"
    with pytest.raises(JobError, match=message):
        merged(small.guesses, files.items())


def test_what_is_merged_has_as_many_turns_as_the_longest_game(small):
    bounds = np.ones(len(small.guesses), np.int64)
    short, long = (Openers.unsolved(bounds, turns) for turns in (2, 5))
    for parts in ([("a.h5", short), ("b.h5", long)], [("a.h5", long), ("b.h5", short)]):
        whole = merged(small.guesses, parts)
        assert whole.distribution.shape == whole.weight_distribution.shape == (len(bounds), 5)


def test_the_command_line_merges_shards(run):
    for i in (1, 2):
        run("rank", "--exact", "all", "--shard", f"{i}/2", "--out", f"p{i}.h5")
    with pytest.raises(UserError, match="name its file with --out"):
        run("rank", "--shard", "1/2")


@pytest.mark.slow
def test_processes_find_what_threads_find_and_may_be_killed(lists, tmp_path):
    _, game, expected = lists
    out = tmp_path / "r.h5"
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as pool:

        def kill_one(progress):
            if progress.done > 100 and len(active_children()) == 2:
                active_children()[0].kill()

        with pytest.raises(JobError, match="the workers are gone.*the same command goes on"):
            gw.rank(game, exact="all", out=out, executor=pool, progress=kill_one)
    kept = int(read_openers(load(out)).is_solved.sum())
    assert 100 < kept < len(game.guesses)
    assert found(gw.rank(game, exact="all", out=out)) == expected


@pytest.fixture
def command():
    """Start a command line that ranks by a cluster; what a test leaves of it ends with the test."""
    owners = []

    def start(folder, address, out):
        words = [f"--{role}={folder / role}.txt" for role in ("guesses", "answers")]
        job = ["rank", "--exact=all", "--top=1", *words, f"--cluster={address}", f"--out={out}"]
        owner = started(
            [*COMMAND, *job],
            env={**os.environ, "GPU_WORDLE_CHECKPOINT_S": "0.05"},
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        owners.append(owner)
        return owner

    yield start
    for owner in owners:
        if owner.poll() is None:
            owner.kill()
        with owner:  # its pipes are closed
            pass


def wait_for_openers(owner: Forked | subprocess.Popen[str], out: Path, count: int) -> None:
    """Wait until the file of an owner holds so many solved openers."""
    for _ in versions(out, owner):
        if read_openers(load(out)).is_solved.sum() >= count:
            break


@pytest.mark.slow
def test_workers_of_dask_and_their_owner_are_killed_and_the_job_goes_on(lists, command, tmp_path):
    folder, game, expected = lists
    out, chance = tmp_path / "r.h5", random.Random(23)
    with DaskWorkers(tmp_path, 2) as cluster:
        owner = command(folder, cluster.address, out)
        wait_for_openers(owner, out, chance.randint(20, 100))
        cluster.kill(0)  # while it works, the other one goes on
        wait_for_openers(owner, out, chance.randint(120, 250))
        owner.kill()
        owner.communicate()
        kept = int(read_openers(load(out)).is_solved.sum())
        assert 120 <= kept < len(game.guesses)
        cluster.workers.append(cluster.add())
        owner = command(folder, cluster.address, out)
        wait_for_openers(owner, out, kept + chance.randint(20, 100))
        cluster.kill(1)
        _, said = owner.communicate(timeout=PATIENCE_S)
    assert owner.returncode == 0
    assert f"going on from {out}" in said
    assert f"{len(game.guesses)} solved" in said.replace(",", "")
    assert "units" in said
    assert found(gw.open_results(out)) == expected


@pytest.mark.slow
def test_a_scheduler_is_killed_and_started_again_and_the_job_goes_on(lists, command, tmp_path):
    """By itself, where that takes moments; by the same command, where it takes longer."""
    folder, game, expected = lists
    out = tmp_path / "r.h5"
    with DaskWorkers(tmp_path, 2) as cluster:
        address = cluster.address
        owner = command(folder, address, out)
        wait_for_openers(owner, out, 50)
        cluster.end()
        cluster.begin_again(2)
        wait_for_openers(owner, out, 200)
        cluster.end()
        _, said = owner.communicate(timeout=PATIENCE_S)
        assert owner.returncode == 1
        assert "the same command goes on" in said
        assert "Traceback" not in said
        assert 200 <= int(read_openers(load(out)).is_solved.sum()) < len(game.guesses)
        cluster.begin_again(2)
        assert cluster.address == address
        owner = command(folder, address, out)
        _, said = owner.communicate(timeout=PATIENCE_S)
        assert (owner.returncode, "going on from" in said) == (0, True)
    assert found(gw.open_results(out)) == expected


@pytest.mark.slow
def test_workers_of_ones_own_end_with_ctrl_c_and_the_command_goes_on(lists, command, tmp_path):
    folder, game, expected = lists
    out = tmp_path / "r.h5"
    owner = command(folder, "local:2", out)
    wait_for_openers(owner, out, 50)
    owner.send_signal(signal.SIGINT)
    _, said = owner.communicate(timeout=PATIENCE_S)
    assert owner.returncode == 130
    assert "interrupted; the same command goes on from the file" in said
    assert "Traceback" not in said
    kept = int(read_openers(load(out)).is_solved.sum())
    assert 50 <= kept < len(game.guesses)
    assert found(gw.rank(game, exact="all", out=out)) == expected


def test_a_scheduler_that_is_not_there_is_told_of(small, tmp_path, monkeypatch):
    monkeypatch.setattr(scheduler, "ANSWER_SECONDS", 1)
    with (
        pytest.raises(JobError, match="no scheduler answers at tcp://127.0.0.1:9"),
        scheduler.joined("tcp://127.0.0.1:9"),
    ):
        pass


def test_without_dask_it_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with (
        pytest.raises(UserError, match=r"pip install '\.\[cluster\]' in"),
        scheduler.joined("local:2"),
    ):
        pass
