"""Random words: named, the same everywhere, of letters as they were asked for."""

from collections import Counter

import numpy as np
import pytest

from gpu_wordle.api.session import read_words
from gpu_wordle.errors import UserError
from gpu_wordle.game.games import load
from gpu_wordle.game.words import load_list


def test_words_are_those_that_were_asked_for():
    words = load("random:4:500:60:uniform:3")
    assert (len(words.guesses), len(words.answers), words.length) == (500, 60, 4)
    assert set(words.answers.words) <= set(words.guesses.words)
    assert list(words.guesses.words) == sorted(set(words.guesses.words))
    assert words.feedback.is_by_letters
    assert words.guesses.source == "random:4:500:60:uniform:3 (guesses)"
    assert words.sha256 == load("RANDOM:4:500:60:Uniform:3").sha256
    assert words.sha256 != load("random:4:500:60:uniform:4").sha256


def test_the_same_on_every_machine():
    assert load("random:5:40:4").answers.words == ("dhony", "nodqd", "pmpgz", "qcgnd")


def test_what_is_left_out_is_as_in_the_original_game():
    words = read_words("random")
    assert words.guesses.source.startswith("random:5:12972:2315:uniform:0")
    assert (len(words.guesses), len(words.answers)) == (12972, 2315)


@pytest.mark.parametrize("letters", ["uniform", "original"])
def test_letters_are_as_frequent_as_asked_for(letters):
    drawn = Counter("".join(load(f"random:6:20000:100:{letters}:1").guesses.words))
    listed = Counter("".join(load_list("original", "guesses").words))
    expected = listed if letters == "original" else Counter("abcdefghijklmnopqrstuvwxyz")
    found, wanted = (
        np.array([count[letter] / count.total() for letter in sorted(expected)])
        for count in (drawn, expected)
    )
    np.testing.assert_allclose(found, wanted, atol=0.003)


@pytest.mark.parametrize(
    ("spec", "message"),
    [
        ("random:five", "give letters in a word, guesses, answers, letters and a seed"),
        ("random:5:10:3:uniform:1:2", "give letters in a word"),
        ("random:1", "words have 2 to 10 letters"),
        ("random:2:339:1", "words of 2 letters make 1 to 338 guesses"),
        ("random:5:10:11", "guesses, of which 1 to 65,535 are answers"),
        ("random:5:10:0", "make 1 to"),
        ("random:5:10:5:english", "letters are drawn uniform, or as in original, nyt-2023"),
    ],
)
def test_words_that_cannot_be_made(spec, message):
    with pytest.raises(UserError, match=message):
        load(spec)
    with pytest.raises(UserError, match="leave out --answers"):
        load(spec, "answers.txt")
