"""What files hold lies in declared ranges, on reading and on writing."""

import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

import gpu_wordle as gw
from gpu_wordle import store
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.experiments.analyse import Fault
from gpu_wordle.experiments.pairs.survey import Measure
from gpu_wordle.store import form
from support import ROOT
from support.forging import forge
from support.small_game import ANSWERS, GUESSES


@pytest.fixture(scope="module")
def small(_private_cache):
    return gw.load_game(GUESSES, ANSWERS)


@pytest.fixture
def ranking(small, tmp_path):
    path = tmp_path / "r.h5"
    gw.rank(small, exact=3, out=path)
    return path


@pytest.fixture
def analysis(run):
    Path("games.csv").write_text("player,guesses,answer\nann,chf mps bat,bat\n")
    run("analyse", "--games", "games.csv", "--out", "a.h5")
    return Path("a.h5")


def put(column, place, value):
    return lambda file: file[column].__setitem__(place, value)


@pytest.mark.parametrize("value", [np.inf, -np.inf, 1e300, -1.0])
@pytest.mark.parametrize("column", ["value_before", "value_after", "regret"])
def test_turns_that_no_game_has_are_not_reported_on(analysis, column, value):
    gw.write_report(analysis, analysis.with_suffix(".md"))
    forge(analysis, put(f"turns/{column}", 1, value))
    with pytest.raises(UserError, match=f"a.h5: malformed .turns/{column} holds .*; allowed are 0"):
        gw.write_report(analysis, analysis.with_suffix(".md"))


@pytest.mark.parametrize("value", [np.inf, -np.inf, np.nan, 17.0])
def test_a_statistic_that_no_guess_has_is_refused_by_whatever_reads(small, ranking, value):
    forge(ranking, put("statistics/entropy", 2, value))
    for read in (
        lambda: gw.verify_file(ranking),
        lambda: gw.open_results(ranking),
        lambda: gw.write_report(ranking, ranking.with_suffix(".md")),
        lambda: gw.rank(small, exact=3, out=ranking),
    ):
        with pytest.raises(UserError, match=r"r.h5: malformed .statistics/entropy holds"):
            read()


@pytest.mark.parametrize("name", ["created", "device", "backend"])
def test_every_file_says_when_and_by_what_it_was_made(small, ranking, name):
    forge(ranking, lambda file: file.attrs.__delitem__(name))
    with pytest.raises(UserError, match=f"it lacks the attribute {name}"):
        gw.rank(small, exact=3, out=ranking)
    with pytest.raises(UserError, match=f"it lacks the attribute {name}"):
        gw.merge([ranking], ranking.with_name("w.h5"))


def test_figures_of_runs_with_noise_are_those_of_their_games(small, tmp_path):
    path = tmp_path / "n.h5"
    gw.noise(small, "chf", runs=2, depth=2, levels=[5], out=path)
    for name in ("mean", "first_departure"):
        whole = path.read_bytes()
        forge(path, lambda file, name=name: file[f"noise/{name}"].__setitem__(..., 3.25))
        with pytest.raises(UserError, match=f"noise/{name} is not what its runs come to"):
            gw.write_report(path, path.with_suffix(".md"))
        path.write_bytes(whole)


def test_what_is_out_of_range_is_not_written(ranking):
    whole, contents = ranking.read_bytes(), store.load(ranking)
    contents.values("openers/seconds")[0] = np.inf
    with pytest.raises(JobError, match=r"r.h5: not written .openers/seconds holds 0.0 to inf;"):
        store.save(ranking, contents)
    assert ranking.read_bytes() == whole


def test_every_number_has_a_range_and_every_name_its_choices():
    for columns in (form.WORDS, *(c for groups in form.FORMS.values() for c in groups.values())):
        for name, column in columns.items():
            ends = column.least, 0 if isinstance(column.most, str) else column.most
            assert all(map(np.isfinite, ends)), name
            assert not column.may_be_nan or np.dtype(column.dtype).kind == "f", name
            if np.dtype(column.dtype).kind in "iu" and not isinstance(column.most, str):
                limits = np.iinfo(column.dtype)
                assert limits.min <= column.least <= column.most <= limits.max, name
    assert form.TURNS["fault"].form == f"({'|'.join(Fault)})?"
    assert form.ATTRIBUTES_OF[form.PAIRS]["measure"] == "|".join(Measure)


def test_a_share_of_all_values_at_their_edges_finds_nothing():
    command = [sys.executable, "scripts/fuzz/edges.py", "--share", "17/60"]
    run = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert (run.returncode, run.stderr) == (0, "")
    assert ", 0 findings." in run.stdout
    kinds = ("ranking", "weighed", "tree", "analysis", "simulation", "pairs", "noise", "league")
    assert all(f"| {kind} | " in run.stdout for kind in kinds)
