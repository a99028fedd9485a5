"""``verify`` says what it has held a file to, and refuses options that say otherwise."""

import json
import re
from pathlib import Path

import h5py
import numpy as np
import pytest

import gpu_wordle as gw
from gpu_wordle.errors import UserError
from gpu_wordle.verify import VerificationError
from support.forging import forge


@pytest.fixture
def files(run):
    """A strategy and a ranking under one rule, objective, limit and weights."""
    asked = ["--rule", "hard", "--objective", "within:3", "--max-guesses", 5, "--weights", "w.csv"]
    run("solve", "chf", *asked, "--tree", "t.h5")
    run("rank", *asked, "--exact", 3, "--out", "r.h5")
    return asked


@pytest.mark.parametrize("name", ["t.h5", "r.h5"])
def test_what_was_verified_is_named(run, files, name):
    sentence = run("verify", name)
    assert sentence.startswith("verified (hard rule, within:3 weighed by w.csv, 5 guesses at most)")
    facts = json.loads(run("verify", name, "--json"))
    assert facts["verified"]
    assert (facts["rule"], facts["objective"], facts["max_guesses"]) == ("hard", "within:3", 5)
    assert run("verify", name, *files) == sentence  # the same options are no contradiction


def test_no_limit_is_named_too(run):
    run("solve", "chf", "--max-guesses", 0, "--tree", "t.h5")
    sentence = run("verify", "t.h5", "--max-guesses", 0)
    assert sentence.startswith("verified (normal rule, mean, no limit): 10 answers, ")
    assert json.loads(run("verify", "t.h5", "--json"))["max_guesses"] is None


@pytest.mark.parametrize("name", ["t.h5", "r.h5"])
@pytest.mark.parametrize(
    ("option", "given", "made_with"),
    [
        ("--rule", "normal", "hard"),
        ("--objective", "mean", "within:3"),
        ("--max-guesses", 4, "5"),
        ("--max-guesses", 0, "5"),
        ("--state", "chf BBY", "''"),
        ("--weights", "other.csv", ""),
    ],
)
def test_options_that_say_otherwise_are_refused(
    run, files, tmp_path, name, option, given, made_with
):
    text = (tmp_path / "w.csv").read_text()
    (tmp_path / "other.csv").write_text(text.replace("30", "31"))
    message = f"{name}: made with {option} {made_with}.*, not {given}; leave {option} out"
    with pytest.raises(UserError, match=message) as caught:
        run("verify", name, option, given)
    assert "\n" not in str(caught.value)


def test_every_row_and_every_statistic_of_a_ranking_is_checked(run, files):
    path = Path("r.h5")
    whole = path.read_bytes()
    with h5py.File(path) as file:
        columns = [f"statistics/{name}" for name in file["statistics"]]
        words = file["words/guesses"].asstr()[:].tolist()
        exact = int(np.flatnonzero(file["openers/status"][:] == 1)[0])
    assert len(columns) == 11
    for column in columns:
        path.write_bytes(whole)
        forge(path, lambda file, name=column: file[name].__setitem__(7, file[name][7] * 1.25 + 1))
        name = column.partition("/")[2]
        with pytest.raises(VerificationError, match=f"{words[7].upper()}: its {name} is said to"):
            run("verify", path, "--sample", 0)
    path.write_bytes(whole)
    forge(path, lambda file: file["openers/lower"].__setitem__(exact, 1 << 39))
    with pytest.raises(
        VerificationError, match=f"{words[exact].upper()}: its lower bound is above"
    ):
        run("verify", path, "--sample", 0)


def test_seeds_are_not_negative(run, files):
    with pytest.raises(Exception, match="--seed '-1': give a whole number from 0 on"):
        run("verify", "r.h5", "--seed", -1)


@pytest.mark.parametrize(
    ("suffix", "form"),
    [
        (".txt", "lines of guesses and feedback"),
        (".tree", "lines whose blank columns repeat the line above"),
        (".json", "nested JSON"),
        (".map.json", "nested JSON of guess and map with a key for all green"),
        (".csv", "a table from feedback to the next guess"),
        (".paths.csv", "paths of guesses and feedback"),
        (".h5", "HDF5"),
    ],
)
def test_the_form_of_a_tree_is_told(run, suffix, form):
    run("solve", "chf", "--tree", f"t{suffix}")
    sentence, facts = run("verify", f"t{suffix}"), json.loads(run("verify", f"t{suffix}", "--json"))
    assert facts["form"] == form
    assert sentence.endswith(f"; read as {form}\n") == (suffix not in (".txt", ".json", ".h5"))


def test_a_tree_that_begins_with_a_turn_is_that_of_its_state(run):
    run("solve", "--state", "chf BBB", "--tree", "t.txt")
    begun = [
        re.sub("[0-9]", lambda turn: str(int(turn[0]) + 1), line)
        for line in Path("t.txt").read_text().splitlines()
    ]
    Path("begun.txt").write_text("\n".join(f"chf BBB1 {line}" for line in begun))
    with pytest.raises(UserError, match="all of it follows 'chf BBB', .*; give --state 'chf BBB' "):
        run("verify", "begun.txt")
    facts = json.loads(run("verify", "begun.txt", "--state", "chf BBB", "--json"))
    assert facts["state"] == "chf BBB"
    assert facts == json.loads(run("verify", "t.txt", "--state", "chf BBB", "--json"))
    Path("numbered.txt").write_text("\n".join(begun))
    assert facts == json.loads(run("verify", "numbered.txt", "--state", "chf BBB", "--json"))
    with pytest.raises(UserError, match="numbered from 2, after 1 turn; the state has 0"):
        run("verify", "numbered.txt")


def test_a_tree_is_written_in_another_form_once_it_has_passed(run):
    run("solve", "chf", "--tree", "t.map.json")
    run("verify", "t.map.json", "--tree", "t.h5")
    run("solve", "chf", "--tree", "own.txt")
    run("verify", "t.h5", "--tree", "t.txt")
    assert Path("t.txt").read_text() == Path("own.txt").read_text()
    lines = Path("t.txt").read_text().splitlines()
    Path("short.txt").write_text("\n".join(lines[1:]))
    with pytest.raises(UserError):
        run("verify", "short.txt", "--tree", "no.txt")
    assert not Path("no.txt").exists()
    run("rank", "--out", "ranking.h5")
    with pytest.raises(UserError, match="--tree writes strategies, and this holds none"):
        run("verify", "ranking.h5", "--tree", "no.txt")
    with pytest.raises(UserError, match="ends in .txt, .json"):
        run("verify", "t.h5", "--tree", "no.xyz")


@pytest.mark.parametrize("name", ["missing", "missing.txt", "missing.h5"])
def test_a_missing_file_is_named_before_anything_else(name):
    with pytest.raises(UserError, match=f"^{name}: no such file$"):
        gw.verify_file(name)
