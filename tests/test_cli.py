"""The command line as people and scripts use it: whole processes, exit codes, one-line errors."""

import csv
import io
import json
import os
import subprocess
import sys

import pytest

from gpu_wordle import store


def gpu_wordle(*arguments, cwd=None, env=None, code=0):
    """Run a command and return its stdout and stderr."""
    run = subprocess.run(
        [sys.executable, "-m", "gpu_wordle", *map(str, arguments)],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **(env or {})},
        capture_output=True,
        text=True,
        timeout=300,
    )
    assert run.returncode == code, run.stderr
    assert "Traceback" not in run.stderr
    return run.stdout, run.stderr


def test_rank_writes_a_file_and_a_table(tmp_path, original):
    out, err = gpu_wordle("rank", "--exact", 0, "--out", "openers.h5", cwd=tmp_path)
    lines = out.splitlines()
    assert lines[0].split(",")[0] == "12"
    assert lines[3].split()[:2] == ["soare", "5.886"]
    assert len([line for line in lines if line.strip()]) == 23
    assert "backend cpu (auto:" in err or "backend cuda (auto:" in err
    contents = store.load(tmp_path / "openers.h5")
    assert contents.values("statistics/parts").shape == (12972,)
    assert contents.values("words/guesses").tolist() == list(original.words.guesses.words)
    assert contents.attributes["guesses_sha256"] == original.words.guesses.sha256


@pytest.mark.parametrize(
    ("by", "word"),
    [("std", "roate"), ("parts", "trace"), ("greens", "saree"), ("max-part", "arise")],
)
def test_rank_sorts_by_any_statistic(by, word):
    out, _ = gpu_wordle("rank", "--exact", 0, "--by", by, "--top", 1, "--format", "csv", "--quiet")
    (row,) = csv.DictReader(io.StringIO(out))
    assert row["guess"] == word


def test_rank_prints_json_and_filters():
    out, err = gpu_wordle(
        "rank", "--exact", 0, "--by", "common_characters", "--answers-only", "--without", "later",
        "--top", 2, "--json", "--quiet",
    )  # fmt: skip
    assert [row["guess"] for row in json.loads(out)] == ["scion", "sonic"]
    assert err == ""


def test_rank_of_own_lists_and_of_a_state(tmp_path):
    (tmp_path / "own.txt").write_text("crane\nslate\ntrace\n")
    out, _ = gpu_wordle("rank", "--exact", 0, "--guesses", "own.txt", "--json", cwd=tmp_path)
    assert {row["parts"] for row in json.loads(out)} == {3}
    out, _ = gpu_wordle("rank", "--exact", 0, "--state", "salet BYBBG", "--top", 0, "--json")
    assert len(json.loads(out)) == 12972


def test_piped_output_has_no_colour():
    out, err = gpu_wordle("spectrum", "trace", "--top", 3)
    assert "\x1b" not in out + err
    assert "150 of 243 patterns occur, 5.831 bits, standard deviation 24.79" in out
    assert " T  R  A  C  E  BBBBB " in out
    assert "and 147 more patterns" in out


def test_spectrum_of_a_state_and_its_plot(tmp_path):
    out, _ = gpu_wordle(
        "spectrum", "crony", "--state", "salet BYBBG", "--json", "--plot", "a.svg", cwd=tmp_path
    )
    counts = json.loads(out)
    assert sum(counts.values()) == 20
    assert (tmp_path / "a.svg").read_text().startswith("<?xml")
    _, err = gpu_wordle("spectrum", "crony", "--plot", "a.xyz", cwd=tmp_path, code=2)
    assert "use .svg, .png or .pdf" in err


def test_info_names_versions_device_lists_and_cache():
    out, _ = gpu_wordle("info", "--json")
    facts = json.loads(out)
    assert {"gpu-wordle", "numba", "cuda", "cpu", "cache"} <= facts.keys()
    assert [entry["list"] for entry in facts["lists"]] == ["original", "nyt-2023"]
    out, _ = gpu_wordle("info")
    assert "12,972 guesses, 2,315 answers" in out


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (["rank", "--by", "x"], 2, "no statistic 'x'"),
        (["rank", "--guesses", "missing.txt"], 2, "missing.txt: no such file"),
        (["rank", "--top", "many"], 2, "--top"),
        (["rank", "--state", "salet"], 2, "word and its pattern in turn"),
        (["rank", "--state", "salet GGGGB"], 2, "no answer of original"),
        (["rank", "--exact", "0", "--out", "nowhere/x.h5"], 1, "nowhere/x.h5: not written"),
        (["spectrum", "zzzzz"], 2, "'zzzzz' is not one of"),
        (["spectrum", "salet", "--state", "salet BYBBX"], 2, "'X' is no colour"),
        (["dance"], 2, "dance"),
    ],
)
def test_errors_are_one_line(tmp_path, arguments, code, message):
    out, err = gpu_wordle(
        *arguments, "--quiet" if arguments != ["dance"] else "-h", code=code, cwd=tmp_path
    )
    assert out == ""
    assert err.startswith("gpu-wordle: error: ")
    assert err.count("\n") == 1
    assert message in err


def test_a_cache_that_cannot_be_written_is_a_warning(tmp_path):
    (tmp_path / "cache").write_text("not a folder")
    out, err = gpu_wordle(
        "spectrum", "trace", "--quiet", env={"GPU_WORDLE_CACHE": str(tmp_path / "cache")}
    )
    assert "TRACE" in out
    assert err.count("\n") == 1
    assert "warning: pattern matrix not kept" in err


def test_version_and_help():
    assert gpu_wordle("--version")[0].startswith("gpu-wordle ")
    assert "spectrum" in gpu_wordle("--help")[0]
