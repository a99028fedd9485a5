"""The job over noisy runs and its file: resume, early ends, what is refused; verb and function."""

import json
import os
import signal
import subprocess
import time
from pathlib import Path

import h5py
import numpy as np
import pytest

import gpu_wordle as gw
from gpu_wordle import store
from gpu_wordle.api.games import position_of
from gpu_wordle.api.session import open_session
from gpu_wordle.backends import choice
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.noise import plan
from gpu_wordle.experiments.noise.model import NoiseModel
from gpu_wordle.experiments.noise.table import Optimum
from gpu_wordle.ranking.job import CHECKPOINT_VARIABLE
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.store.kinds import NoiseFile, read_experiment
from gpu_wordle.verbs.noise import NoiseWork, read_levels
from support import small_game
from support.commands import COMMAND, started
from support.forging import forge

ASKED = ["--opener", "chf", "--levels", "1,30", "--threads", 1]


@pytest.fixture
def game():
    return gw.load_game(sorted(small_game.GUESSES), small_game.ANSWERS)


def runs_of(game, **asked):
    return gw.noise(game, "chf", **{"levels": [1, "30"], "runs": 6, "threads": 1} | asked)


def rows_of(runs):
    return sorted(runs, key=lambda row: (row["level_percent"], row["run"]))


@pytest.fixture
def few(monkeypatch):
    """Runs are searched four at a time, so that small jobs have several pieces."""
    monkeypatch.setattr(plan, "RUNS_AT_ONCE", 4)


def test_a_job_goes_on_from_its_file_and_finds_what_one_in_a_piece_finds(game, few, tmp_path):
    heard = []
    path = tmp_path / "runs.h5"
    whole = rows_of(runs_of(game, runs=11))
    assert len(runs_of(game, runs=3, out=path)) == 6
    grown = runs_of(game, runs=11, out=path, progress=heard.append)
    assert rows_of(grown) == whole
    assert grown.is_complete
    assert heard[-1].done == heard[-1].total
    heard.clear()
    again = runs_of(game, runs=5, out=path, progress=heard.append)
    assert rows_of(again) == [row for row in whole if row["run"] < 5]
    assert not heard
    with h5py.File(path) as file:
        assert file.attrs["opener"] == "chf"
        assert file["noise/status"][:].tolist() == [1] * 11
        assert file["noise/total"][:, 1].tolist() == [row["total"] for row in whole[11:]]


@pytest.mark.parametrize("share", [0.05, 0.4, 0.7])
def test_an_early_end_keeps_what_is_searched_of_each_run(game, few, tmp_path, monkeypatch, share):
    """Runs that are not done are not shown; yet nothing of them is searched twice."""
    path, steps, last_steps = tmp_path / "runs.h5", [], []

    def count(name):
        method = getattr(plan.NoiseStudy, name)

        def counted(self, pool, first, more, places):
            for place, found in method(self, pool, first, more, places):
                steps.append((name, first, place))
                if len(steps) in last_steps:
                    pool.stop.set()
                yield place, found

        monkeypatch.setattr(plan.NoiseStudy, name, counted)

    count("search")
    count("follow")
    whole, of_whole = rows_of(runs_of(game, runs=12)), sorted(steps)
    steps.clear()
    last_steps.append(int(share * len(of_whole)))
    cut = runs_of(game, runs=12, out=path)
    last_steps.clear()
    assert not cut.is_complete
    assert rows_of(cut) == [row for row in whole if row["run"] in {each["run"] for each in cut}]
    again = runs_of(game, runs=12, out=path)
    assert again.is_complete
    assert rows_of(again) == whole
    assert sorted(steps) == of_whole


@pytest.mark.slow
def test_a_killed_run_leaves_a_whole_file_to_go_on_from(run):
    """Killed in the midst, and interrupted; where it goes on it finds the same."""
    asked = ["noise", *ASKED, "--runs", 40]
    wanted = json.loads(run(*asked, "--json"))["rows"]
    call = [*COMMAND, *map(str, asked), "--out", "n.h5", "--quiet"]
    lists = ["--guesses", "guesses.txt", "--answers", "answers.txt"]
    environment = {**os.environ, CHECKPOINT_VARIABLE: "0"}
    for number in (signal.SIGKILL, signal.SIGINT):
        before = Path("n.h5").read_bytes() if Path("n.h5").exists() else b""
        with started([*call, *lists], env=environment, stdout=subprocess.DEVNULL) as job:
            deadline = time.monotonic() + 120
            while job.poll() is None and not (
                Path("n.h5").exists() and Path("n.h5").read_bytes() != before
            ):
                assert time.monotonic() < deadline
                time.sleep(0.01)
            job.send_signal(number)
    assert json.loads(run(*asked, "--out", "n.h5", "--json"))["rows"] == wanted
    assert [path.name for path in Path().glob("n.h5*")] == ["n.h5"]


@pytest.mark.parametrize(
    "other",
    [{"seed": 1}, {"depth": 2}, {"levels": [1]}, {"kind": "gaussian"}, {"draws": "visit"},
     {"limit": "dropped"}, {"small": "exact"}, {"per": "state"}, {"after": "noisy"}],
)  # fmt: skip
def test_files_of_other_jobs_are_refused_and_replaced_when_asked(game, tmp_path, other):
    path = tmp_path / "runs.h5"
    runs_of(game, out=path)
    before = path.read_bytes()
    with pytest.raises(UserError, match="or fresh to replace it"):
        runs_of(game, out=path, **other)
    assert path.read_bytes() == before
    runs_of(game, out=path, fresh=True, **other)
    assert path.read_bytes() != before


def test_what_contradicts_itself_is_refused(game, tmp_path):
    start = position_of(game).game.start()
    work = NoiseWork(open_session(start), NoiseModel(), 0, read_levels(["1"]), runs=4)
    path = tmp_path / "runs.h5"
    work.run(path, StopToken())
    file = NoiseFile(path, work.study, "cpu", "")
    with file.held():
        table = file.load()
        table.optimum = work.table.optimum
        table.distribution[0, 0, 0] += 1
        file.save(table)
        with pytest.raises(UserError, match="does not add up"):
            file.load()
        table.distribution[0, 0, 0] -= 1
        table.searched[0, 0] = False
        file.save(table)
        with pytest.raises(UserError, match="does not add up"):
            file.load()
        table.searched[0, 0] = True
        first, *parts = table.optimum.parts
        table.optimum = Optimum(table.optimum.turns, [*parts, first])
        file.save(table)
        with pytest.raises(UserError, match="not those that the opener leaves"):
            file.load()


def test_what_runs_are_compared_with_is_read_and_adds_up(game, tmp_path):
    start = position_of(game).game.start()
    work = NoiseWork(open_session(start), NoiseModel(), 0, read_levels(["1"]), runs=4)
    path = tmp_path / "runs.h5"
    work.run(path, StopToken())
    table, optimum = read_experiment(path, store.load(path), start.game)
    assert table.total.tolist() == work.table.total.tolist()
    assert optimum.turns.tolist() == work.table.optimum.turns.tolist()
    assert optimum.parts == work.table.optimum.parts
    for total in (optimum.total - 1, optimum.total + 1):
        forge(path, lambda file, said=total: file.attrs.modify("exact_total", said))
        with pytest.raises(UserError, match="the optimum does not add up"):
            read_experiment(path, store.load(path), start.game)


def test_json_has_a_row_for_each_level_and_run(run):
    document = json.loads(run("noise", *ASKED, "--runs", 3, "--json"))
    rows = document["rows"]
    assert [(row["level_percent"], row["run"]) for row in rows] == [
        (level, number) for level in (1, 30) for number in range(3)
    ]
    assert {"total", "mean", "worst", "lost", "first_departure_percent"} <= set(rows[0])
    assert all(row["total"] - row["exact_total"] == row["gap"] >= 0 for row in rows)
    assert document["bound_percent"] > 0
    shown = run("noise", *ASKED, "--runs", 3, "--plot", "n.svg")
    assert "3 of 3 runs" in shown
    assert Path("n.svg").read_text().startswith("<?xml")


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (["--levels", "1,x"], "give a percentage"),
        (["--levels", "1,1.0"], "twice"),
        (["--levels", "99,100"], "below 100"),
        (["--levels", "0.00001"], "four decimals"),
        (["--noise", "gaussian", "--levels", "45"], "below 4"),
        (["--depth", 6], "from 1 to 5"),
        (["--opener", "zzz"], "zzz"),
        (["--seed", 2**32], "seed"),
        (["--state", "chf BBB"], "--state"),
        (["--backend", "cuda"], "--backend 'cuda': give one of auto, cpu, reference, check"),
    ],
)
def test_bad_input_is_said_in_one_line(run, asked, said):
    with pytest.raises(UserError, match=said) as caught:
        run("noise", *asked)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("is_there", [False, True])
def test_noise_refuses_a_device_that_is_named_and_leaves_others_alone(
    game, use, monkeypatch, tmp_path, is_there
):
    if is_there:
        use()
    with pytest.raises(UserError, match="backend=.cuda.: give one of auto, cpu"):
        runs_of(game, backend="cuda")
    monkeypatch.setattr(choice, "MIN_DEVICE_LOOKUPS", 0)
    runs_of(game, backend="auto", out=tmp_path / "runs.h5")
    assert store.load(tmp_path / "runs.h5").attributes["backend"] == "cpu"


@pytest.mark.parametrize("backend", ["reference", "check"])
def test_runs_are_those_of_matrices_by_other_backends(game, run, backend):
    document = json.loads(run("noise", *ASKED, "--runs", 6, "--backend", backend, "--json"))
    assert document["rows"] == list(runs_of(game))
    assert list(runs_of(game, backend=backend)) == list(runs_of(game))


def test_bounds_of_bad_arguments(game):
    with pytest.raises(UserError, match="runs"):
        runs_of(game, runs=0)
    with pytest.raises(UserError, match="give one of"):
        runs_of(game, draws="path")
    assert np.isfinite(runs_of(game).bound_percent)
