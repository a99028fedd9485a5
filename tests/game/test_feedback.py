import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpu_wordle.errors import UserError
from gpu_wordle.game import feedback
from support import naive

words_of_one_length = st.integers(2, 10).flatmap(
    lambda n: st.tuples(*[st.text("abcdé", min_size=n, max_size=n)] * 2)
)


@given(words_of_one_length)
def test_pattern_matches_oracle(pair):
    guess, answer = pair
    assert feedback.pattern(guess, answer) == naive.pattern(guess, answer)
    colours = feedback.format_pattern(feedback.pattern(guess, answer), len(guess))
    assert colours == naive.feedback(guess, answer)


@given(words_of_one_length)
def test_all_green_means_equal(pair):
    guess, answer = pair
    assert (feedback.pattern(guess, answer) == feedback.LetterFeedback(len(guess)).solved) == (
        guess == answer
    )


@given(
    st.integers(2, 10).flatmap(
        lambda n: st.lists(st.text("abc", min_size=n, max_size=n), min_size=2, max_size=20)
    )
)
def test_row_matches_definition(words):
    codes = np.array([[ord(c) for c in word] for word in words], dtype=np.uint32)
    row = feedback.pattern_row(codes[0], codes)
    assert row.tolist() == [feedback.pattern(words[0], word) for word in words]
    pairs = feedback.pattern_row(codes, codes[::-1])
    assert pairs.tolist() == [
        feedback.pattern(*pair) for pair in zip(words, words[::-1], strict=True)
    ]


@pytest.mark.parametrize(
    ("guess", "answer", "colours"),
    [
        ("speed", "abide", "BBYBY"),
        ("speed", "erase", "YBYYB"),
        ("speed", "steal", "GBGBB"),
        ("allee", "eagle", "YYBYG"),
        ("poker", "vixen", "BBBGB"),
        ("mamma", "amaze", "YYBBY"),
    ],
)
def test_repeated_letters(guess, answer, colours):
    assert feedback.format_pattern(feedback.pattern(guess, answer), 5) == colours


@pytest.mark.parametrize("text", ["BYGBB", "byGbb", "01200", "⬛🟨🟩⬛⬜", "⬛️🟨🟩️⬛⬛"])
def test_patterns_are_read_in_three_spellings(text):
    assert feedback.parse_pattern(text, 5) == 1 * 3 + 2 * 9


@pytest.mark.parametrize("text", ["", "BYG", "BYGBBB", "BYGBX", "01230"])
def test_bad_patterns_are_refused(text):
    with pytest.raises(UserError, match="pattern"):
        feedback.parse_pattern(text, 5)


@given(st.integers(2, 10).flatmap(lambda n: st.tuples(st.just(n), st.integers(0, 3**n - 1))))
def test_format_and_parse_are_inverse(case):
    length, pattern = case
    assert feedback.parse_pattern(feedback.format_pattern(pattern, length), length) == pattern


def test_lengths_must_agree():
    with pytest.raises(ValueError, match="length"):
        feedback.pattern("abc", "abcd")
