"""The job over all pairs and its file: resume, kills, and what is refused; and both verbs."""

import json
import os
import signal
import subprocess
import threading
import time
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest

from gpu_wordle.api.pairs import PairsWork
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.experiments.pairs.survey import MAX_KEPT, Measure, Survey, joint_sizes
from gpu_wordle.experiments.pairs.totals import (
    COUNTING,
    SOLVING,
    PairTable,
    count_pairs,
    solve_pairs,
)
from gpu_wordle.ranking.job import CHECKPOINT_VARIABLE, Job
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.solver import Solver, SolverPool
from gpu_wordle.store.kinds import PairFile
from support.commands import COMMAND, invoke, started
from support.forging import forge
from support.output import rows_of
from support.shelves import Shelf
from support.word_lists import make_game, make_words

GUESSES, ANSWERS = 200, 60
ALL = ["--guesses", "g.txt", "--answers", "a.txt", "--threads", "1"]


@pytest.fixture(scope="module")
def words(original):
    """Some words of the original game: enough pairs to be interrupted in the midst of them."""
    rng = np.random.default_rng(3)
    answers = sorted(rng.choice(original.words.answers.words, ANSWERS, replace=False).tolist())
    others = sorted(set(original.words.guesses.words) - set(answers))
    more = rng.choice(others, GUESSES - ANSWERS, replace=False).tolist()
    return sorted([*answers, *more]), answers


@pytest.fixture
def lists(words, tmp_path, monkeypatch):
    """The same as files, in the folder where commands run."""
    for name, some in zip(("g.txt", "a.txt"), words, strict=True):
        (tmp_path / name).write_text("\n".join(some))
    monkeypatch.chdir(tmp_path)
    return tmp_path


@pytest.fixture(scope="module")
def game(words):
    return make_game(make_words(*words))


@pytest.fixture
def call(lists, capsys):
    """What a command prints on those lists."""

    def run(*arguments):
        invoke([*map(str, arguments), *ALL, "--quiet"])
        return capsys.readouterr().out

    return run


def work_of(game, stop_token=None, measure=Measure.PARTS):
    session = open_session(game.start(), Machine("cpu", 1))
    return PairsWork(session, measure, None, stop_token or StopToken())


def run(work, path, on_progress=lambda _: None, *, top=5, fresh=False):
    work.run(path, fresh=fresh, solve=top, prove=True, on_progress=on_progress)
    return work.table.totals


def same(totals, others):
    """Whether the same pairs have the same totals proven."""
    cutoff = totals.cutoff(5)
    return others.cutoff(5) == cutoff and all(
        ((mine == yours) | (totals.upper >= cutoff)).all()
        for mine, yours in [
            (totals.pairs.first, others.pairs.first),
            (totals.pairs.second, others.pairs.second),
            (totals.upper, others.upper),
        ]
    )


@pytest.mark.parametrize("phase", [COUNTING, SOLVING])
def test_a_job_that_ends_early_goes_on_from_its_file(game, tmp_path, monkeypatch, phase):
    monkeypatch.setenv(CHECKPOINT_VARIABLE, "0")
    monkeypatch.setattr("gpu_wordle.experiments.pairs.survey.PARTITIONS_AT_ONCE", 32)
    monkeypatch.setattr("gpu_wordle.experiments.pairs.totals.LOOK_SECONDS", 0.0)
    path, wanted = tmp_path / "p.h5", run(work_of(game), None)
    event = threading.Event()
    seen = []

    def heard(progress):
        seen.append(progress)
        if progress.phase == phase and progress.done > 1:
            event.set()

    first = work_of(game, StopToken(event=event))
    run(first, path, heard)
    if phase == COUNTING:
        assert 0 < first.table.survey.counted < game.guess_count
    else:
        assert first.table.survey.is_complete
    assert not first.table.totals.is_proven(5)
    again, begun = work_of(game), []
    totals = run(again, path, begun.append)
    assert totals.is_proven(5)
    assert same(wanted, totals)
    if phase == COUNTING:
        assert begun[0].done == first.table.survey.counted
    else:
        assert all(progress.phase == SOLVING for progress in begun)
    more = run(work_of(game), path, begun.append)
    assert same(wanted, more)


@pytest.mark.slow
def test_a_killed_run_leaves_a_whole_file_to_go_on_from(lists, call):
    """Killed at several moments, the last of them within the proof."""
    wanted = rows_of(call("pairs", "--prove", "--top", 4, "--json"))
    command = [*COMMAND, "pairs", "--prove", "--top", "4", "--out", "p.h5", *ALL, "--quiet"]
    environment = {**os.environ, CHECKPOINT_VARIABLE: "0"}
    for pause in (0.0, 0.05, 0.3):
        with started(command, env=environment, stdout=subprocess.DEVNULL) as process:
            deadline = time.monotonic() + 60
            while not (lists / "p.h5").exists() and process.poll() is None:
                assert time.monotonic() < deadline
                time.sleep(0.01)
            time.sleep(pause)
            process.send_signal(signal.SIGKILL)
    rows = rows_of(call("pairs", "--prove", "--top", 4, "--out", "p.h5", "--json"))
    assert [(row["first"], row["second"], row["total"]) for row in rows] == [
        (row["first"], row["second"], row["total"]) for row in wanted
    ]
    assert [path.name for path in lists.glob("*.h5*")] == ["p.h5"]


def test_a_full_disk_ends_a_job_with_a_line_and_not_its_checkpoints(game, caplog):
    shelf = Shelf(failures=2)
    ticks = iter(range(0, 10**9, 100))
    job = Job(PairTable(Survey(game)), shelf, clock=lambda: next(ticks))
    job.begin()
    session = open_session(game.start(), Machine("cpu", 1))
    backend = session.choice.backend
    import gpu_wordle.experiments.pairs.survey as module

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(module, "PARTITIONS_AT_ONCE", 64)
        count_pairs(job, lambda: backend.open_joint(game, job.table.survey.columns))
    assert "the disk is full" in caplog.text
    assert shelf.saves > 0


class PairShelf(Shelf):
    """It keeps the numbers of counted pairs and of exact totals; a real file asks for both, too."""

    def save(self, table):
        super().save((table.survey.counted, int(table.totals.is_exact.sum())))


def job_on(game, shelf, measure=Measure.PARTS):
    """A job that has begun, and what makes its counter."""
    job = Job(PairTable(Survey(game, measure)), shelf)
    job.begin()
    backend = open_session(game.start(), Machine("cpu", 1)).choice.backend
    return job, lambda: backend.open_joint(game, job.table.survey.columns)


def failing_after(count, work):
    """The same work, so many times; then the device fails."""
    left = iter(range(count))

    def attempt(*arguments, **more):
        if next(left, None) is None:
            raise JobError("the device failed")
        return work(*arguments, **more)

    return attempt


def test_what_was_found_before_a_device_fails_is_kept(game, monkeypatch):
    shelf = PairShelf()
    job, make_counter = job_on(game, shelf)
    counter = make_counter()
    parts = failing_after(2, counter.parts)
    monkeypatch.setattr("gpu_wordle.experiments.pairs.survey.PARTITIONS_AT_ONCE", 64)
    with pytest.raises(JobError, match="the device failed"):
        count_pairs(job, lambda: SimpleNamespace(parts=parts, entropy=counter.entropy))
    assert shelf.kept == (128, 0)
    count_pairs(job, make_counter)
    monkeypatch.setattr(Solver, "solve", failing_after(30, Solver.solve))
    with pytest.raises(JobError, match="the device failed"):
        solve_pairs(job, 5, lambda: SolverPool(game, 1), prove=False)
    assert 0 < shelf.kept[1] < 5


def test_a_full_disk_between_the_phases_loses_nothing(game):
    """Only the last attempt to write the file ends the job."""
    shelf = PairShelf(failures=1 << 30)
    job, make_counter = job_on(game, shelf)
    count_pairs(job, make_counter)
    solve_pairs(job, 2, lambda: SolverPool(game, 1), prove=False)
    with pytest.raises(JobError, match="the disk is full"):
        job.finish()
    shelf.failures = 0
    job.finish()
    assert shelf.kept == (GUESSES, 2)


def test_checkpoints_by_entropy_count_the_parts_of_a_pair_once(game, monkeypatch):
    counted = []

    def count(game, pair):
        counted.append(pair)
        return joint_sizes(game, pair)

    monkeypatch.setenv(CHECKPOINT_VARIABLE, "0")
    monkeypatch.setattr("gpu_wordle.experiments.pairs.survey.PARTITIONS_AT_ONCE", 64)
    monkeypatch.setitem(MAX_KEPT, Measure.ENTROPY, 300)
    monkeypatch.setattr("gpu_wordle.experiments.pairs.totals.joint_sizes", count)
    job, make_counter = job_on(game, PairShelf(), Measure.ENTROPY)
    count_pairs(job, make_counter)
    job.finish()
    assert len(set(counted)) == len(counted) >= 300
    kept = job.table.survey.kept
    assert job.table.totals.parts.tolist() == [len(joint_sizes(game, pair)) for pair in kept]


def test_what_is_not_a_file_of_the_job_is_refused(game, lists, call):
    call("pairs", "--out", "p.h5", "--prove", "--top", 2)
    path = lists / "p.h5"
    whole = path.read_bytes()
    for arguments, message in [
        (["--by", "entropy"], "made with measure parts, this job has entropy"),
        (["--first", (lists / "g.txt").read_text().split()[0]], "made with first none"),
        (["--max-guesses", 5], "made with max_guesses 6"),
    ]:
        with pytest.raises(UserError, match=message):
            call("pairs", "--out", "p.h5", *arguments)
    path.write_bytes(whole[:-7])
    with pytest.raises(UserError, match="damaged"):
        call("pairs", "--out", "p.h5")
    path.write_bytes(b"no pairs at all")
    for more in ([], ["--fresh"]):
        with pytest.raises(UserError, match="not a file of gpu-wordle"):
            call("pairs", "--out", "p.h5", *more)
    path.unlink()
    call("rank", "--exact", 1, "--out", "p.h5")
    for more in ([], ["--fresh"]):
        with pytest.raises(UserError, match="holds 'gpu-wordle ranking'"):
            call("pairs", "--out", "p.h5", *more)
    path.write_bytes(whole[:-7])
    assert rows_of(call("pairs", "--out", "p.h5", "--fresh", "--top", 1, "--json"))


def change(name, places, by):
    """What alters a dataset in some places."""

    def alter(file):
        values = file[name][:]
        values[places] += by
        file[name][:] = values

    return alter


def copy_first_pair(file):
    for name in ("first", "second"):
        file[f"pairs/{name}"][1] = file[f"pairs/{name}"][0]


def swap_guesses(file):
    first, second = (file[f"pairs/{name}"][7] for name in ("first", "second"))
    file["pairs/first"][7], file["pairs/second"][7] = second, first


def swap_first_pairs(file):
    """Two pairs of equal keys."""
    keys = file["pairs/key"][:]
    place = int(np.flatnonzero(np.diff(keys) == 0)[0])
    for column in file["pairs"].values():
        column[place : place + 2] = column[place : place + 2][::-1]


@pytest.mark.parametrize(
    ("alter", "message"),
    [
        (change("pairs/lower", slice(None), -1), "bounds cross"),
        (change("pairs/parts", slice(None), -9), "a key is not the bound by its parts"),
        (change("pairs/key", slice(None), -1), "a key is not the bound by its parts"),
        (copy_first_pair, "it holds a pair twice"),
        (swap_guesses, "the guesses of a pair are not in their order"),
        (swap_first_pairs, "not in the order of their keys"),
        (lambda file: file.attrs.modify("others", "9999"), "19,900 of 19,900 pairs, which others"),
        (change("pairs/upper", slice(1), 3), "a status does not fit"),
        (change("pairs/key", slice(1), 10**6), "not in the order"),
        (change("pairs/first", slice(None), 10**4), "pairs/first holds 10000 to 10198"),
        (change("survey/histogram", 5, 1), "it has counted"),
        (lambda file: file.attrs.modify("counted", -1), "its attribute counted is -1"),
        (lambda file: file.attrs.modify("others", "many"), "its attribute others"),
        (lambda file: file.__delitem__("pairs/key"), "it lacks pairs/key"),
        *(
            (lambda file, name=name: file.attrs.__delitem__(name), f"lacks the attribute {name}")
            for name in ("measure", "first", "counted", "others")
        ),
    ],
)
def test_a_file_that_cannot_be_true_is_refused(game, tmp_path, alter, message):
    path = tmp_path / "p.h5"
    run(work_of(game), path, top=2)
    forge(path, alter)
    with pytest.raises(UserError, match=message):
        PairFile(path, Survey(game), "cpu", "").load()


def test_a_file_of_pairs_with_one_word_holds_no_others(game, tmp_path):
    path, survey = tmp_path / "p.h5", Survey(game, first=3)
    work = work_of(game)
    work.table = PairTable(survey)
    work.run(path, fresh=False, solve=0, prove=False, on_progress=lambda _: None)
    kept = PairFile(path, Survey(game, first=3), "cpu", "").load().survey.kept
    assert kept.first.tolist() == [3] * (game.guess_count - 1)
    forge(path, swap_guesses)
    with pytest.raises(UserError, match=f"a pair does not begin with {game.spell([3])[0]}"):
        PairFile(path, Survey(game, first=3), "cpu", "").load()


def test_what_was_held_when_a_job_failed_is_held_no_more(game, tmp_path):
    file = PairFile(tmp_path / "p.h5", Survey(game), "cpu", "")
    with pytest.raises(JobError, match="the device failed"), file.held():
        raise JobError("the device failed")
    with pytest.raises(AssertionError, match="a file is held before it is written"):
        file.save(PairTable(Survey(game)))


def test_an_interrupt_is_heard_while_pairs_are_extended(game):
    heard = []

    def interrupt(progress):
        heard.append(progress.done)
        if progress.done == 1:
            os.kill(os.getpid(), signal.SIGINT)

    stop_token = StopToken(signals=[signal.SIGINT])
    work = work_of(game, stop_token)
    work.run(None, fresh=False, solve=0, prove=False, on_progress=lambda _: None)
    assert work.extended(3, interrupt) == []
    assert heard == [1]
    assert stop_token.reason is Reason.INTERRUPTED


def test_rows_are_what_they_are_said_to_be(call):
    answer = json.loads(call("pairs", "--prove", "--top", 3, "--json"))
    assert answer["proven"] is True
    assert sum(answer["histogram"]) == answer["pair_count"] == GUESSES * (GUESSES - 1) // 2
    assert len(answer["rows"]) >= 3
    for row in answer["rows"]:
        pair = [row["first"], row["second"]]
        (solved,) = rows_of(call("solve", *pair, "--fixed", "--json"))
        assert solved["fixed"] == pair
        assert row["total"] == row["lower"] == row["upper"] == solved["total"]
        assert row["mean"] == row["total"] / ANSWERS == solved["mean"]
        assert (row["status"], row["third"]) == ("exact", None)
        assert solved["total"] == sum(t * n for t, n in enumerate(solved["distribution"], 1))
        assert solved["worst"] == len(solved["distribution"])
    by_parts = rows_of(call("pairs", "--json"))
    assert [row["parts"] for row in by_parts] == sorted(
        (r["parts"] for r in by_parts), reverse=True
    )
    by_entropy = rows_of(call("pairs", "--by", "entropy", "--json"))
    entropies = [row["entropy_bits"] for row in by_entropy]
    assert entropies == sorted(entropies, reverse=True)
    assert max(row["entropy_bits"] for row in by_parts) <= entropies[0]
    assert {row["status"] for row in by_parts} == {"bounded"}


def test_a_fixed_opening_stands_in_the_answer_and_its_strategy_is_written(call, lists):
    first, second = (lists / "a.txt").read_text().split()[:2]
    answer = json.loads(call("solve", first, second, "--fixed", "--tree", "t.txt", "--json"))
    (row,) = answer["rows"]
    assert {key: answer[key] for key in row} == row
    told = json.loads(call("verify", "t.txt", "--json"))
    assert told["total"] == row["total"]


def test_three_and_four_words_are_pairs_and_more(call):
    pairs = rows_of(call("pairs", "--top", 1, "--json"))
    triples = rows_of(call("pairs", "--words", 3, "--top", 2, "--by", "total", "--json"))
    fours = rows_of(call("pairs", "--words", 4, "--top", 2, "--json"))
    assert pairs[0]["parts"] <= triples[0]["parts"] <= fours[0]["parts"] <= ANSWERS
    for row in triples:
        named = [row[key] for key in ("first", "second", "third")]
        (solved,) = rows_of(call("solve", *named, "--fixed", "--json"))
        assert (row["status"], row["total"]) == ("exact", solved["total"])
    for row in fours:
        assert row["fourth"] is not None
        assert (row["status"], row["upper"]) == ("bounded", None)


@pytest.mark.parametrize("by", ["parts", "entropy", "singles"])
def test_five_and_six_words_come_with_an_honest_interval(call, by):
    figure = {"parts": "parts", "entropy": "entropy_bits", "singles": "singles"}[by]
    five = json.loads(call("pairs", "--words", 5, "--by", by, "--top", 3, "--json"))
    six = json.loads(call("pairs", "--words", 6, "--by", by, "--top", 3, "--json"))
    for said, empty in ((five, "sixth"), (six, None)):
        found = [row[figure] for row in said["rows"]]
        assert found == sorted(found, reverse=True)
        assert said["most_lower"] == found[0] <= said["most_upper"]
        assert empty is None or said["rows"][0][empty] is None
    assert five["most_upper"] == six["most_upper"] >= six["most_lower"] >= five["most_lower"]
    assert "the most that 3 words make is " in call("pairs", "--words", 3, "--by", by, "--top", 1)


def test_pairs_of_a_constrained_rule_go_on_from_their_file(call):
    asked = ["pairs", "--rule", "hard", "--prove", "--top", 5, "--json"]
    told = json.loads(call(*asked))
    assert json.loads(call(*asked, "--out", "p.h5")) == told
    assert json.loads(call(*asked, "--out", "p.h5")) == told
    with pytest.raises(UserError, match="it is of the rule 'hard'|rule"):
        call("pairs", "--out", "p.h5")
    forge(Path("p.h5"), lambda file: file["pairs/second"].__setitem__(0, 7))
    with pytest.raises(UserError, match="p.h5"):
        call(*asked, "--out", "p.h5")


def test_a_time_limit_leaves_what_was_found(call):
    for more in ([], ["--words", 3]):
        answer = json.loads(call("pairs", "--time-limit", "0.000001", *more, "--json"))
        assert (answer["proven"], answer["rows"]) == (False, [])
    two = Path("g.txt").read_text("utf-8").split()[:2]
    (row,) = rows_of(call("solve", "--fixed", *two, "--time-limit", "0.000001", "--json"))
    assert (row["status"], row["upper"]) == ("bounded", None)
    assert row["lower"] >= ANSWERS - 1


def test_a_constrained_rule_leaves_few_pairs(call):
    answer = json.loads(call("pairs", "--rule", "hard", "--prove", "--top", 5, "--json"))
    assert answer["pair_count"] == len(answer["rows"]) < 40
    assert answer["proven"] is True


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["pairs", "--state", "crane BBBBB"], "leave --state out"),
        (["pairs", "--prove", "--by", "parts"], "--prove is about totals"),
        (["pairs", "--words", 3, "--prove"], "--prove is for pairs"),
        (["pairs", "--words", 3, "--rule", "hard"], "use --words 2, or --rule normal"),
        (["pairs", "--prove", "--top", 0], "say how many you want"),
        (["pairs", "--fresh"], "--fresh replaces the file of --out"),
        (["pairs", "--out", "p.csv"], "kept as HDF5"),
        (["pairs", "--first", "zzzzz"], "zzzzz"),
        (["pairs", "--by", "singles"], "is for 3 words or more"),
        (["pairs", "--rule", "candidates"], "cannot be fixed"),
        (["solve", "--fixed"], "name two or more"),
        (["solve", "zzzzz", "zzzzy", "--fixed"], "zzzzz"),
    ],
)
def test_bad_input_is_named_in_a_line(call, arguments, message):
    with pytest.raises(UserError, match=message):
        call(*arguments)


@pytest.fixture
def call_ills(tmp_path, monkeypatch, capsys):
    """Rows of pairs of ten words that differ in one letter, where totals are far above bounds."""
    ills = [f"{letter}ills" for letter in "bdfghjkmpw"]
    (tmp_path / "a.txt").write_text("\n".join(ills))
    (tmp_path / "g.txt").write_text("\n".join([*ills, "crane", "slate", "trick", "sills"]))
    monkeypatch.chdir(tmp_path)

    def run(*arguments):
        command = ["pairs", "--by", "total", *arguments, *ALL, "--quiet", "--json"]
        invoke([*map(str, command)])
        return rows_of(capsys.readouterr().out)

    return run


def test_infeasible_pairs_are_settled_and_their_file_goes_on(call_ills):
    every = ["--max-guesses", 3, "--top", 91, "--out", "p.h5"]
    rows = call_ills(*every)
    assert {row["status"] for row in rows} == {"infeasible"}
    assert call_ills(*every) == rows


def test_a_finished_command_solves_no_more_pairs(call_ills, monkeypatch):
    """What is solved is the same, however often and however far it was run before."""
    whole = call_ills("--top", 20)
    call_ills("--top", 5, "--out", "p.h5")
    assert call_ills("--top", 20, "--out", "p.h5") == whole

    monkeypatch.setattr(Solver, "solve", failing_after(0, Solver.solve))
    assert call_ills("--top", 20, "--out", "p.h5") == whole
