"""The script that makes priors: what it writes is what --weights reads."""

import subprocess
import sys
from fractions import Fraction

import pytest

from gpu_wordle.game.weights import load_weights
from gpu_wordle.game.words import load_words
from support import ROOT

SCRIPT = ROOT / "scripts" / "publish" / "make_prior.py"
FAKE = """
def available_languages(): return {"en": ""}
def word_frequency(word, language): return {"crane": 4e-6, "slate": 1e-6}.get(word, 0.0)
"""


def make_prior(*arguments, cwd, code=0, path=None):
    run = subprocess.run(
        [sys.executable, SCRIPT, *map(str, arguments)], cwd=cwd, capture_output=True, text=True,
        env={"PYTHONPATH": f"{path}:{SCRIPT.parent.parent}"}, check=False,
    )  # fmt: skip
    assert run.returncode == code, run.stderr
    assert "Traceback" not in run.stderr
    return run.stderr


@pytest.fixture
def own(tmp_path):
    """A list of three words, and a wordfreq that knows two of them."""
    (tmp_path / "own.txt").write_text("crane\nslate\nxylyl\n")
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "wordfreq.py").write_text(FAKE)
    return tmp_path


def read(folder, name="p.csv"):
    return load_weights(folder / name, load_words(str(folder / "own.txt")).answers)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("options", "weights"),
    [
        (["--total", 500], (400, 100, 1)),
        (["--total", 500, "--least", 0], (4, 1, 0)),
        (["--total", 300, "--power", "0.5"], (200, 100, 1)),
    ],
)
def test_common_words_weigh_more(own, options, weights):
    make_prior("frequency", "p.csv", "--guesses", "own.txt", *options, cwd=own, path=own / "fake")
    assert read(own).of_answer == weights


@pytest.mark.slow
def test_used_answers_weigh_less(own):
    (own / "past.txt").write_text("Slate\n")
    past = ["used", "p.csv", "--used", "past.txt", "--guesses", "own.txt"]
    make_prior(*past, cwd=own)
    soft = read(own)
    assert (soft.of_answer, soft.unit) == ((10, 1, 10), Fraction(1, 10))
    make_prior(*past, "--weight", 0, cwd=own)
    assert read(own).of_answer == (1, 0, 1)


@pytest.mark.slow
def test_errors_of_the_script_are_one_line(own):
    (own / "past.txt").write_text("slate\nzebra\n")
    past = ["used", "p.csv", "--used", "past.txt", "--guesses", "own.txt"]
    words = ["frequency", "p.csv", "--guesses", "own.txt"]
    (own / "none").mkdir()
    (own / "none" / "wordfreq.py").write_text("raise ImportError")
    for arguments, path, message in (
        (past, None, "past.txt, line 2: 'zebra' is none of the answers"),
        ([*past, "--weight", "-1"], None, "--weight -1: give 0 or a positive decimal"),
        ([*past, "--weight", "nan"], None, "--weight nan: give 0"),
        (words, own / "none", "need wordfreq; pip install wordfreq"),
        ([*words, "--language", "xx"], own / "fake", "no language 'xx'; choose one of en"),
    ):
        error = make_prior(*arguments, cwd=own, path=path, code=2)
        assert message in error
        assert error.count("\n") == 1
        assert not (own / "p.csv").exists()


@pytest.mark.slow
def test_a_real_prior_covers_the_original_answers(tmp_path):
    make_prior("frequency", "p.csv", cwd=tmp_path)
    answers = load_words().answers
    prior = load_weights(tmp_path / "p.csv", answers)
    assert min(prior.of_answer) >= 1
    assert prior.total == pytest.approx(100_000, rel=0.02)
    weight = dict(zip(answers.words, prior.of_answer, strict=True))
    assert weight["about"] > weight["crane"] > weight["caulk"]
