"""Simulations in files: gone on with, whole or resumed, refused where they are of another job."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path
from types import SimpleNamespace

import h5py
import numpy as np
import pytest

from gpu_wordle import store
from gpu_wordle.api.files import open_results
from gpu_wordle.api.session import Machine, open_game, open_session, read_words
from gpu_wordle.api.simulating import SimulationWork
from gpu_wordle.errors import JobError, UnsavedError, UserError
from gpu_wordle.experiments import simulation_job
from gpu_wordle.experiments.simulate import simulate
from gpu_wordle.experiments.simulation_job import Playing
from gpu_wordle.experiments.simulations import MAX_GAMES, Simulations
from gpu_wordle.game.objective import Objective
from gpu_wordle.ranking.job import CHECKPOINT_VARIABLE, Job
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.store.form import SIMULATION
from gpu_wordle.strategies.named import RULES_VERSION, make_strategy
from gpu_wordle.strategies.strategy import Choice
from gpu_wordle.verbs import simulate as verb
from gpu_wordle.verbs.simulate import TreeFolder
from support.commands import COMMAND, ended, invoke, started, versions
from support.forging import forge
from support.output import rows_of
from support.shelves import Shelf
from support.small_game import ANSWERS, GUESSES
from support.strategies import start_of

ALL = ["entropy", "places", "--opener", "all", "--top", 0, "--max-guesses", 3]


@pytest.fixture
def small(run):
    """The small game, whose lists lie in the folder of the test."""
    words = read_words("guesses.txt", "answers.txt")
    return open_game(words, objective=Objective(max_guesses=3))


def read(path):
    """Everything in a file but when and how it was made."""
    return {name: dataset.values for name, dataset in store.load(path, SIMULATION).datasets.items()}


def same(one, two):
    one, two = read(one), read(two)
    assert one.keys() == two.keys()
    for name, values in one.items():
        np.testing.assert_array_equal(values, two[name], err_msg=name)
    return True


def test_a_file_holds_every_game(run, tmp_path, small):
    shown = rows_of(run("simulate", *ALL, "--out", "x.h5", "--json"))
    found = read(tmp_path / "x.h5")
    words = found["words/guesses"].tolist()
    names = found["games/strategies"].tolist()
    assert found["games/turns"].shape == (2 * len(GUESSES), len(ANSWERS))
    assert found["games/turns"].dtype == np.uint8
    assert len(shown) == 2 * len(GUESSES)
    told = {(row["strategy"], row["opener"]): row for row in shown}
    for row, (name, opener) in enumerate(
        zip(found["games/strategy"], found["games/opener"], strict=True)
    ):
        said = told[names[name], words[opener]]
        turns = found["games/turns"][row]
        assert int(turns.sum()) == said["total"] == found["games/total"][row]
        assert said["mean"] == found["games/mean"][row] == said["total"] / len(ANSWERS)
        assert int((turns > 3).sum()) == said["lost"] == found["games/lost"][row]
        assert int(turns.max()) == said["worst"] == found["games/worst"][row]
        kept = found["games/distribution"][row].tolist()
        assert kept[: len(said["distribution"])] == said["distribution"]
        assert not any(kept[len(said["distribution"]) :])
        strategy = make_strategy(names[name], small)
        (alone,) = simulate(strategy, start_of(small), [int(opener)])
        np.testing.assert_array_equal(alone.turns, turns)
    assert any(row["lost"] for row in shown)


def test_a_file_says_what_made_it(run, tmp_path):
    chosen = ["--ties", "random", "--seed", 5, "--pool", "answers", "--last-candidate"]
    run("simulate", "parts", *chosen, "--out", "x.h5", "--umpire", "naive")
    said = store.load(tmp_path / "x.h5").attributes
    assert said["filetype"] == "gpu-wordle simulation"
    assert said["choice"] == ("pool answers, survivors 2, ties random, candidates on the last turn")
    assert (said["seed"], said["feedback"], said["max_guesses"]) == (5, "naive-letters", 6)
    assert open_results(tmp_path / "x.h5", None).strategies == ("parts",)
    with h5py.File(tmp_path / "x.h5") as file:
        turns = file["games/turns"]
        assert turns.dims[0][0].name == "/row"
        assert turns.dims[1][0].name == "/answer"
        assert turns.attrs["units"] == "guesses"


def test_a_job_goes_on_from_its_file_and_may_ask_for_more(run, tmp_path):
    one = ["entropy", "places", "--max-guesses", 3]
    few = ["--opener", "chf", "--opener", "cat"]
    first = rows_of(run("simulate", *one, *few, "--out", "x.h5", "--json"))
    whole = rows_of(run("simulate", *ALL, "--out", "whole.h5", "--json"))
    more = rows_of(run("simulate", *ALL, "--out", "x.h5", "--json"))
    again = rows_of(run("simulate", *one, *few, "--out", "x.h5", "--json"))
    assert first == again
    unsolved = {"exact_total": None, "gap": None, "exact_status": "unknown"}
    assert [{**row, **unsolved} for row in more] == whole  # which asked for too many to solve
    kept = open_results(tmp_path / "x.h5", None)
    assert len(kept) == 2 * len(GUESSES)
    games = [row.pop("hardest_games") for row in first]  # which files do not keep
    assert all(len(each) == 3 for each in games)
    assert [row for row in kept if row["opener"] in few] == first


def test_what_is_played_is_not_played_again(run, monkeypatch):
    run("simulate", *ALL, "--out", "x.h5")

    def never(*arguments):
        raise AssertionError("nothing is left to play")

    monkeypatch.setattr("gpu_wordle.experiments.simulation_job.turns_of", never)
    run("simulate", *ALL, "--out", "x.h5")
    with pytest.raises(AssertionError):
        run("simulate", *ALL, "--out", "x.h5", "--fresh")


@pytest.mark.parametrize(
    ("other", "why"),
    [
        (["entropy"], "made with strategies entropy places, this job has entropy"),
        (["places", "entropy"], "made with strategies entropy places, this job has places"),
        (["entropy", "places", "--seed", 1], "made with seed 0, this job has 1"),
        (["entropy", "places", "--ties", "words"], "made with choice pool all.* ties candidates"),
        (["entropy", "places", "--umpire", "naive"], "made with feedback letters, this job has na"),
        (["entropy", "places", "--rule", "hard"], "made with rule normal, this job has hard"),
        (["entropy", "places", "--max-guesses", 5], "made with max_guesses 6, this job has 5"),
    ],
)
def test_a_file_of_another_job_is_refused(run, tmp_path, other, why):
    run("simulate", "entropy", "places", "--opener", "cat", "--out", "x.h5")
    before = (tmp_path / "x.h5").read_bytes()
    with pytest.raises(UserError, match=why):
        run("simulate", *other, "--opener", "cat", "--out", "x.h5")
    assert (tmp_path / "x.h5").read_bytes() == before
    run("simulate", *other, "--opener", "cat", "--out", "x.h5", "--fresh")


def test_a_file_of_other_definitions_of_the_rules_is_refused(run, tmp_path, monkeypatch):
    """Older files say nothing of them, and are of the first ones."""
    command = ["simulate", "entropy", "--opener", "cat", "--out", "x.h5"]
    run(*command)
    assert store.load(tmp_path / "x.h5").attributes["rules_version"] == RULES_VERSION
    forge(tmp_path / "x.h5", lambda file: file.attrs.__delitem__("rules_version"))
    monkeypatch.setattr("gpu_wordle.strategies.named.RULES_VERSION", 1)
    run(*command)
    monkeypatch.setattr("gpu_wordle.strategies.named.RULES_VERSION", 2)
    with pytest.raises(UserError, match="made with rules_version 1, this job has 2"):
        run(*command)


def test_files_of_other_kinds_are_refused_and_not_replaced(run, tmp_path):
    run("rank", "--exact", 1, "--out", "r.h5")
    (tmp_path / "mine.h5").write_bytes(b"my thesis")
    for name, why in (("r.h5", "holds 'gpu-wordle ranking'"), ("mine.h5", "not a file of gpu-w")):
        for how in ("--resume", "--fresh"):
            with pytest.raises(UserError, match=why):
                run("simulate", "entropy", "--opener", "cat", "--out", name, how)
    run("simulate", "entropy", "--opener", "cat", "--out", "s.h5")
    with pytest.raises(UserError, match="holds 'gpu-wordle simulation', not 'gpu-wordle ranking'"):
        run("rank", "--out", "s.h5")
    with pytest.raises(UserError, match=r"s\.csv: a simulation is kept as HDF5"):
        run("simulate", "entropy", "--out", "s.csv")
    with pytest.raises(UserError, match="--fresh replaces the file of --out"):
        run("simulate", "entropy", "--fresh")


def test_a_damaged_file_is_refused(run, tmp_path):
    path = tmp_path / "x.h5"
    run("simulate", "entropy", "--opener", "cat", "--out", "x.h5")
    whole = path.read_bytes()
    for damaged in (whole[:-9], whole[:900] + bytes([whole[900] ^ 1]) + whole[901:]):
        path.write_bytes(damaged)
        with pytest.raises(UserError, match="damaged, its content does not match its hash"):
            run("simulate", "entropy", "--opener", "cat", "--out", "x.h5")
    run("simulate", "entropy", "--opener", "cat", "--out", "x.h5", "--fresh")
    assert path.read_bytes() != damaged


def put(path, index, value):
    return lambda file: file[path].__setitem__(index, value)


@pytest.mark.parametrize(
    ("change", "why"),
    [
        (put("games/turns", (0, 0), 9), "games/.* is not what its games come to"),
        (put("games/total", 0, 1), "games/total is not what its games come to"),
        (put("games/mean", 0, 1.5), "games/mean is not what its games come to"),
        (put("games/exact_total", 0, 99), "games/exact_total is above games/total"),
        (put("games/lost", 0, 7), "games/lost is not what its games come to"),
        (put("games/opener", 0, 99), "games/opener holds . to 99; allowed are 0 to 14"),
        (put("games/strategy", 0, 3), "games/strategy holds 0 to 3; allowed are 0 to 0"),
        *(
            (put(f"games/{name}", 0, -1), f"games/{name} holds -1 to")
            for name in ("opener", "strategy")
        ),
        (put("games/opener", 1, 0), "of the same strategy and opener"),
        (put("games/status", 0, 0), "games of rows that are not played"),
        (lambda file: file.__delitem__("games/turns"), "holds the sums of games alone"),
        (lambda file: file.attrs.__delitem__("choice"), "it lacks the attribute choice"),
    ],
)
def test_a_file_that_contradicts_itself_is_refused(run, tmp_path, change, why):
    command = ["simulate", "entropy", "--opener", "bat", "--opener", "cat", "--out", "x.h5"]
    run(*command)
    words = read(tmp_path / "x.h5")["words/guesses"].tolist()
    forge(tmp_path / "x.h5", put("games/opener", 0, words.index("bat")))
    if "same strategy" in why:
        forge(tmp_path / "x.h5", put("games/opener", 0, 0))
    forge(tmp_path / "x.h5", change)
    with pytest.raises(UserError, match=why):
        run(*command)


# Ends and checkpoints


def job_of(game, shelf, clock=time.monotonic, **more):
    """Strategies and openers, and a job that has begun."""
    strategies = [make_strategy(name, game) for name in ("entropy", "places")]
    playing = Playing(strategies, start_of(game), range(game.guess_count), clock=clock)
    return playing, begun(playing, shelf, clock=clock, **more)


def begun(playing, shelf=None, *, fresh=False, **more):
    job = Job(playing.table, shelf, **more)
    job.begin(fresh=fresh)
    playing.begin(job)
    return job


def test_a_job_that_is_ended_keeps_what_is_played(small):
    shelf, heard = Shelf(), []
    stop_token = StopToken(signals=[signal.SIGINT])

    def interrupt(progress):
        heard.append(progress.done)
        if progress.done >= 5:
            os.kill(os.getpid(), signal.SIGINT)

    playing, job = job_of(small, shelf, stop_token=stop_token, on_progress=interrupt)
    playing.play(job)
    job.finish()
    assert stop_token.reason is Reason.INTERRUPTED
    done = int(shelf.kept.is_played.sum())
    assert done == heard[-1] < 2 * small.guess_count
    again, job = job_of(small, shelf, on_progress=lambda event: heard.append(event.done))
    again.play(job)
    job.finish()
    whole, job = job_of(small, None)
    whole.play(job)
    assert shelf.kept.is_played.all()
    np.testing.assert_array_equal(again.table.turns, whole.table.turns)
    assert heard[-1] == 2 * small.guess_count


@pytest.mark.parametrize(("seconds", "together"), [(2.1, 1), (0.0, 8)])
def test_groups_are_as_large_as_time_allows_and_kills_lose_half_a_minute(
    small, monkeypatch, seconds, together
):
    """By a clock that goes on by so many seconds for each group of openers."""
    monkeypatch.delenv(CHECKPOINT_VARIABLE, raising=False)
    now, saved, done = [0.0], [], [0]
    shelf = SimpleNamespace(load=lambda: None, save=lambda simulations: saved.append(now[0]))

    def tell(progress):
        done.append(progress.done)
        now[0] += seconds

    playing, job = job_of(small, shelf, clock=lambda: now[0], on_progress=tell)
    playing.play(job)
    job.finish()
    assert max(np.diff(done)) == together
    assert max(np.diff([*saved, now[0]])) <= 30
    assert len(saved) > (3 if seconds else 1)


def test_a_checkpoint_that_fails_is_a_warning_and_a_failing_strategy_loses_nothing(
    small, monkeypatch
):
    monkeypatch.setenv(CHECKPOINT_VARIABLE, "0")
    shelf = Shelf()
    playing, job = job_of(small, shelf, on_progress=lambda event: None)
    shelf.failures = 1
    playing.play(job)
    job.finish()
    assert shelf.kept.is_played.all()

    class Breaking:
        name, recalls_turns = "breaking", False
        asked = 0

        def choose(self, positions):
            self.asked += 1
            if self.asked > 8:
                raise JobError("the device failed")
            return positions.first_guesses

    shelf = Shelf()
    playing = Playing([Breaking()], start_of(small), range(small.guess_count))
    job = begun(playing, shelf)
    with pytest.raises(JobError, match="the device failed"):
        playing.play(job)
    assert 0 < shelf.kept.is_played.sum() < small.guess_count


class Learning:
    """Takes long over its first guess."""

    name, recalls_turns = "learning", False

    def choose(self, positions):
        raise AssertionError("learns")


def test_a_file_is_refused_before_a_strategy_learns_its_opener(small):
    def refuse():
        raise UserError("of another job")

    shelf = SimpleNamespace(load=refuse, check_replaceable=refuse)
    playing = Playing([Learning()], start_of(small), [None])
    for fresh in (False, True):
        with pytest.raises(UserError, match="of another job"):
            begun(playing, shelf, fresh=fresh)
    with pytest.raises(AssertionError, match="learns"):
        begun(playing)


def test_ctrl_c_while_a_strategy_learns_its_opener_is_one_line(run, monkeypatch, capsys):
    def learn(strategy, start):
        signal.raise_signal(signal.SIGINT)
        start.raise_if_stopped()

    monkeypatch.setattr(simulation_job, "own_opener", learn)
    lists = ["--guesses", "guesses.txt", "--answers", "answers.txt"]
    code = invoke(["simulate", "q-learning", "--out", "s.h5", *lists, "-q"])
    out, err = capsys.readouterr()
    assert (code, err) == (130, "gpu-wordle: interrupted; the same command goes on from the file\n")
    assert out.startswith("10 games from each opener")
    assert not Path("s.h5").exists()


def test_too_many_games_are_refused():
    class Large:
        answer_count = MAX_GAMES

    with pytest.raises(UserError, match="536,870,912 games; at most 268,435,456"):
        Simulations.begin(Large(), ["a"], [(0, 0), (0, 1)])


def command(name):
    return [*COMMAND, "simulate", "entropy", "--opener", "all", "--top", "5", "--threads", "1",
            "--guesses", "mastermind:4x5", "--ties", "words", "--out", name]  # fmt: skip


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="signals are sent otherwise there")
def test_a_job_that_is_killed_goes_on_from_its_file(tmp_path):
    """Killed, interrupted, refused to a second process, and the same in the end."""
    quiet = {"cwd": tmp_path, "capture_output": True, "text": True}
    environment = {**os.environ, CHECKPOINT_VARIABLE: "0"}
    for how in (signal.SIGKILL, signal.SIGINT):
        before = played_in(tmp_path / "part.h5")
        with started(
            command("part.h5"), cwd=tmp_path, env=environment,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True,
        ) as process:  # fmt: skip
            for _ in versions(tmp_path / "part.h5", process):
                if played_in(tmp_path / "part.h5") > before:
                    break
            process.send_signal(signal.SIGSTOP)
            second = ended(command("part.h5"), **quiet)
            process.send_signal(how)
            process.send_signal(signal.SIGCONT)
            _, err = process.communicate(timeout=60)
        assert second.returncode == 1
        assert re.search(r"part\.h5: .*process \d+", second.stderr)
        assert before < played_in(tmp_path / "part.h5") < 625
    assert process.returncode == 130
    assert "interrupted; the same command goes on from the file" in err
    for name in ("part.h5", "whole.h5"):
        ended(command(name), check=True, **quiet)
    assert list(open_results(tmp_path / "part.h5", None)) == list(
        open_results(tmp_path / "whole.h5", None)
    )
    same(tmp_path / "part.h5", tmp_path / "whole.h5")


def played_in(path):
    return int(read(path)["games/status"].sum()) if path.exists() else 0


def test_a_time_limit_ends_a_job(run, capsys):
    invoke(
        ["simulate", "entropy", "--opener", "all", "--guesses", "mastermind:4x6", "--threads", "1",
         "--time-limit", "1s", "--json"],
    )  # fmt: skip
    out, err = capsys.readouterr()
    assert "out of time; what is shown was played by then" in err
    assert 0 < len(rows_of(out)) < 1296


# Trees


def test_trees_are_replayed_by_the_checker(run, tmp_path):
    chosen = ["beam:parts:2", "random", "--opener", "cat", "--opener", "bfc", "--max-guesses", 3]
    rows = rows_of(run("simulate", *chosen, "--trees", "trees", "--json"))
    names = {path.name for path in (tmp_path / "trees").glob("*.h5")}
    assert names == {f"{s}-{o}.h5" for s in ("beam-parts-2", "random") for o in ("cat", "bfc")}
    for row in rows:
        name = f"{row['strategy'].replace(':', '-')}-{row['opener']}.h5"
        said = json.loads(run("verify", f"trees/{name}", "--json"))
        assert (said["total"], said["worst"]) == (row["total"], row["worst"])
        assert said["distribution"] == row["distribution"]
        assert (said["max_guesses"] is None) == (row["lost"] > 0)
    assert any(row["lost"] for row in rows)
    run("simulate", *chosen, "--trees", "trees")  # they are replaced


def test_trees_that_nobody_can_use_are_refused(run, tmp_path):
    one = ["simulate", "entropy", "--opener", "cat", "--trees"]
    with pytest.raises(UserError, match="verify knows the true umpire only"):
        run(*one, "t", "--umpire", "naive")
    with pytest.raises(UserError, match="there is no folder"):
        run(*one, "no/where")
    (tmp_path / "file").write_text("x")
    with pytest.raises(UserError, match="'file' is a file"):
        run(*one, "file")
    (tmp_path / "t").mkdir()
    (tmp_path / "t/entropy-cat.h5").write_text("mine")
    with pytest.raises(UserError, match="not a file of gpu-wordle"):
        run(*one, "t")
    names = [f"beam:{width}" for width in range(1, 24)]
    with pytest.raises(UserError, match="345 trees; at most 100"):
        run("simulate", *names, "--opener", "all", "--trees", "t")


def test_a_file_and_trees_that_cannot_be_written_are_both_told(run, monkeypatch, capsys):
    def fail(error):
        def call(*given, **options):
            raise error

        return call

    done = SimulationWork.run

    def run_and_fail(*given, **options):
        done(*given, **options)
        raise UnsavedError("s.h5: no space")

    monkeypatch.setattr(SimulationWork, "run", run_and_fail)
    monkeypatch.setattr(verb, "save_tree", fail(JobError("t/entropy-cat.h5: no space")))
    with pytest.raises(JobError, match=r"^s\.h5: no space; t/entropy-cat\.h5: no space$"):
        run("simulate", "entropy", "--opener", "cat", "--trees", "t")
    assert "entropy" in capsys.readouterr().out


class Stubborn:
    """Plays the first guess of the list forever."""

    name, recalls_turns = "stubborn", False

    def choose(self, positions):
        return np.zeros(len(positions), np.int32)


def test_a_strategy_that_goes_on_missing_answers_has_no_total_and_no_tree(small, tmp_path):
    session = open_session(small.start(), Machine("cpu", 1))
    work = SimulationWork(session, [Stubborn()], [0, 1], Choice())
    work.run(tmp_path / "x.h5", StopToken())
    folder = TreeFolder(tmp_path / "t", work)
    assert [folder.write(work.simulated(row)) for row in work.rows] == [None, None]
    for row in open_results(tmp_path / "x.h5", None):
        assert (row["total"], row["mean"], row["worst"], row["gap"]) == (None,) * 4
        assert row["lost"] == len(ANSWERS) - sum(row["distribution"]) > 0
