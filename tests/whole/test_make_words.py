"""The script that makes word lists of a language: what it writes is what a game is read from."""

import subprocess
import sys

import pytest

from gpu_wordle.game.words import load_words
from support import ROOT

SCRIPT = ROOT / "scripts" / "publish" / "make_words.py"
FAKE = """
def available_languages(): return {"de": ""}
def word_frequency(word, language): return {"öde": 3.0, "abc": 1.0}.get(word, 0.5)
"""


@pytest.fixture
def own(tmp_path):
    """A dictionary with words of other lengths, capitals, doubles, a separate accent and signs."""
    lines = ["Zug", "zug", "abc", "o\u0308de", "abcd", "a-b", "x1y", "", "Ort"]
    (tmp_path / "words").write_text("\n".join(lines), "utf-8")
    (tmp_path / "fake").mkdir()
    (tmp_path / "fake" / "wordfreq.py").write_text(FAKE, "utf-8")
    return tmp_path


def make_words(folder, *arguments, code=0):
    run = subprocess.run(
        [sys.executable, SCRIPT, *map(str, arguments)], cwd=folder, capture_output=True, text=True,
        env={"PYTHONPATH": f"{folder / 'fake'}:{SCRIPT.parent.parent}"}, check=False,
    )  # fmt: skip
    assert run.returncode == code, run.stderr
    assert "Traceback" not in run.stderr
    return run.stdout, " ".join(run.stderr.split())


@pytest.mark.slow
def test_guesses_are_the_words_and_answers_the_most_common(own):
    out, _ = make_words(own, "words", "de", "short", "--length", 3, "--answers", 2)
    assert out.count("words, SHA-256 ") == 2
    lists = load_words(str(own / "short-guesses.txt"), str(own / "short-answers.txt"))
    assert lists.guesses.words == ("abc", "ort", "zug", "öde")
    assert lists.answers.words == ("öde", "abc")


@pytest.mark.slow
def test_words_that_differ_in_accents_alone_are_one_and_as_common_as_both(own):
    (own / "words").write_text("öde\node\nabc\nzuß\nzug", "utf-8")
    make_words(own, "words", "de", "plain", "--length", 3, "--answers", 3, "--plain")
    lists = load_words(str(own / "plain-guesses.txt"), str(own / "plain-answers.txt"))
    assert lists.guesses.words == ("abc", "ode", "zug")
    assert lists.answers.words == ("ode", "abc", "zug")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("words", "de", "x", "--length", 3), "4 words of 3 letters, 2,000 answers asked for"),
        (("words", "xx", "x"), "wordfreq knows no language 'xx'; choose one of de"),
        (("missing", "de", "x"), "missing: cannot be read"),
        (("words", "de", "no/x", "--length", 3, "--answers", 2), "no/x-guesses.txt: not written"),
    ],
)
def test_errors_are_one_line(own, arguments, said):
    _, error = make_words(own, *arguments, code=1 if "no/x" in arguments else 2)
    assert said in error
    assert not list(own.glob("x-*"))
