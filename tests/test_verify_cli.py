"""``verify`` says what it has held a file to, and refuses options that say otherwise."""

import json

import pytest

from gpu_wordle.errors import UserError


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
