"""Priors: mixtures of lists and frequencies, past answers, and what is passed over."""

import datetime
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

import gpu_wordle as gw
from gpu_wordle.errors import UserError
from gpu_wordle.game.weights import load_weights
from gpu_wordle.game.words import load_list
from support.commands import invoke

FREQUENCY = {"crane": 4e-6, "slate": 1e-6}


@pytest.fixture(autouse=True)
def own(tmp_path, monkeypatch):
    """A list of three words, and a wordfreq that knows two of them."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "own.txt").write_text("crane\nslate\nxylyl\n")
    fake = SimpleNamespace(
        available_languages=lambda: {"en": ""},
        word_frequency=lambda word, language: FREQUENCY.get(word, 0.0),
    )
    monkeypatch.setitem(sys.modules, "wordfreq", fake)
    return tmp_path


def prior(**options):
    return tuple(
        gw.prior("p.csv", "own.txt", **{"mix": "frequency", "power": 1} | options).values()
    )


@pytest.mark.parametrize(
    ("options", "weights"),
    [
        ({"total": 500}, (400, 100, 1)),
        ({"total": 500, "least": 0}, (400, 100, 0)),
        ({"total": 300, "power": 0.5}, (200, 100, 1)),
        ({"total": 300, "mix": "uniform"}, (100, 100, 100)),
        ({"total": 300, "mix": "uniform:2,frequency:1"}, (147, 87, 67)),
        ({"total": 300, "mix": "original:1,uniform:1"}, (125, 125, 50)),
    ],
)
def test_parts_are_mixed_by_their_shares(options, weights):
    assert prior(**options) == weights
    read = load_weights(Path("p.csv"), load_list("own.txt", "answers"))
    assert [n * read.unit for n in read.of_answer] == list(weights)


def test_frequencies_of_a_file_need_no_library(own, monkeypatch):
    monkeypatch.setitem(sys.modules, "wordfreq", None)
    with pytest.raises(UserError, match=r"install '\.\[priors\]' in .*, or give frequencies FILE"):
        prior()
    (own / "f.csv").write_text("word,frequency\nSlate,3\nzebra,9\ncrane,1e0\n")
    assert prior(frequencies="f.csv", total=400) == (100, 300, 1)


def test_past_answers_recover_with_time(own):
    (own / "past.csv").write_text("date,word\n2026-01-01,crane\nslate\n")
    given = {"mix": "uniform", "past": "past.csv", "total": 3000, "used": 0.2, "half_life": 10}
    assert prior(**given, today="2026-01-01") == (200, 200, 1000)
    assert prior(**given, today="2026-01-11") == (600, 200, 1000)
    assert prior(**given, today="2026-01-21") == (800, 200, 1000)
    assert prior(**given | {"used": 0}, today="2026-01-01") == (0, 0, 1000)


def test_repeats_and_strangers_are_passed_over_with_a_count(own, capsys):
    (own / "past.txt").write_text("slate,2026-01-01\nSLATE 2026-01-09\nzebra\n2025-01-01;slate\n")
    given = ["--guesses", "own.txt", "--mix", "uniform", "--past", "past.txt", "--half-life", "10"]
    invoke(["prior", "p.csv", *given, "--used", "0.2", "--today", "2026-01-19", "--total", "3000"])
    said = capsys.readouterr().out
    assert "1 past answer, 1 with a date" in said
    assert "2 repeats passed over; the latest date counts" in said
    assert "1 word passed over, not in any list of answers: zebra" in said
    assert (own / "p.csv").read_text() == "word,weight\ncrane,1000\nslate,600\nxylyl,1000\n"


def test_the_present_game_lets_every_guess_be_the_answer(own):
    (own / "past.csv").write_text(f"{datetime.date.today()},cigar\n")
    weights = gw.prior("p.csv", past="past.csv")
    game = gw.load_game("nyt-2023", "guesses", weights="p.csv")
    assert tuple(weights) == game.guesses == game.answers
    assert min(weights.values()) == 1
    assert weights["crane"] > weights["slate"] > weights["rebut"] > weights["cigar"] > 1
    assert weights["rebut"] == round(90_000 / 3158)


@pytest.mark.parametrize(
    ("options", "past", "message"),
    [
        ({"mix": "frequency:x"}, "", "'frequency:x' is no part with its share; write"),
        ({"mix": "uniform,uniform:2"}, "", "uniform is named twice"),
        ({"mix": "none"}, "", "none: no such file"),
        ({"language": "xx"}, "", "no language 'xx'; choose one of en"),
        ({"used": 2}, "", "used 2: give a number from 0 to 1"),
        ({"today": "soon"}, "", "today 'soon': give a date such as 2026-02-03"),
        ({"today": "2026-01-01"}, "2026-01-02,slate", "past.csv, line 1: 2026-01-02 is after"),
        ({}, "slate\n2026-13-01,crane", "past.csv, line 2: '2026-13-01' is no date"),
        ({}, "slate\ncrane,slate", "past.csv, line 2: 'crane,slate' is no word with or without"),
        ({"mix": "uniform", "used": 0}, "slate\ncrane\nxylyl", "every weight is 0"),
    ],
)
def test_what_is_wrong_is_said_in_one_line(own, options, past, message):
    (own / "past.csv").write_text(past)
    with pytest.raises(UserError, match=message) as caught:
        prior(past="past.csv", **options)
    assert "\n" not in str(caught.value)
    assert not (own / "p.csv").exists()


@pytest.mark.parametrize("read", ["answers", "frequencies", "past"])
def test_no_file_that_is_read_is_replaced(own, read):
    (own / "p.csv").write_text("word,weight\ncrane,3\n")
    options = {"answers": "own.txt", "mix": "uniform"} | {read: "./p.csv"}
    with pytest.raises(UserError, match=r"p\.csv: is also read; choose another file"):
        gw.prior("p.csv", "own.txt", **options)
    assert (own / "p.csv").read_text() == "word,weight\ncrane,3\n"
