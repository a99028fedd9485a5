"""Lists as people have them: answers apart, every guess an answer, words of no list, floats."""

import random

import pytest

import gpu_wordle as gw
from gpu_wordle.api import session
from gpu_wordle.errors import UserError

GUESSES, ANSWERS = ["slate", "crane", "pious"], ["cigar", "slate", "rebut"]


def test_answers_apart_from_the_guesses_are_named_with_their_count():
    with pytest.raises(UserError, match="'cigar' is not a guess of guesses, and 2 of the 3 ans"):
        gw.load_game(GUESSES, ANSWERS)
    with pytest.raises(UserError, match="is not a guess of guesses; give join_answers to allow it"):
        gw.load_game(GUESSES, ANSWERS[:2])
    joined = gw.load_game(GUESSES, ANSWERS, join_answers=True)
    assert joined.guesses == (*GUESSES, "cigar", "rebut")
    assert joined.answers == tuple(ANSWERS)
    assert gw.load_game(GUESSES, GUESSES, join_answers=True) == gw.load_game(GUESSES)


def test_every_guess_may_be_the_answer(tmp_path, monkeypatch):
    game = gw.load_game("original", "guesses")
    assert game.answers == game.guesses == gw.load_game("original").guesses
    assert gw.load_game(GUESSES, "guesses").answers == tuple(GUESSES)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "guesses").write_text("slate\n")
    with pytest.raises(UserError, match=r"there is a file of that name; .* write ./guesses for"):
        gw.load_game(GUESSES, "guesses")
    assert gw.load_game(GUESSES, "./guesses").answers == ("slate",)


def test_feedback_that_no_answer_gives_names_the_guesses_that_give_it():
    game = gw.load_game("original")
    asked = "such as GUANA; give answers='guesses' to let every guess"
    with pytest.raises(UserError, match=f"2 guesses that are no answers agree, {asked}"):
        game.after("guano GGGGB")
    with pytest.raises(UserError, match="left after QAJAQ YYYYY; check the feedback$"):
        game.after("qajaq YYYYY")  # no guess gives it
    after = gw.load_game("original", "guesses").after("guano GGGGB")
    assert after.answers == ("guana", "guans")


@pytest.mark.parametrize(
    ("word", "known"),
    [
        ("quran", "'quran' is not one of .*original .guesses., but an answer of nyt-2023; did you"),
        ("zzyzx", r"of original .guesses.; give unlisted='zzyzx' if the game took it$"),
        ("zzyz", r"of original .guesses.$"),  # of another length
    ],
)
def test_a_past_guess_of_no_list_is_allowed_by_name(word, known):
    with pytest.raises(UserError, match=known):
        gw.load_game("original").after(f"{word} BBBBB")


def test_the_advice_about_an_unlisted_guess_can_be_followed():
    """A text is taken like a list, as the advice spells it."""
    game = gw.load_game("original", unlisted="zzyzx, quran")
    assert game == gw.load_game("original", unlisted=["zzyzx", "quran"])


def test_unlisted_guesses_tell_as_much_as_others():
    small = gw.load_game(GUESSES, unlisted=["Quran"])
    assert small.guesses == (*GUESSES, "quran")
    assert small.answers == tuple(GUESSES)
    assert small.feedback("quran", "crane") == "BBYYY"
    assert small.after("QURAN BBYYY").answers == ("crane",)


def test_a_word_that_is_no_answer_is_found_in_other_lists():
    game = gw.load_game("original")
    for word in ("guano", "emoji"):
        with pytest.raises(UserError, match=f"'{word}' .*, but an answer of nyt-2023 and a guess"):
            game.feedback("salet", word)
    assert gw.load_game("nyt-2023").feedback("guano", "emoji") == "BBBBY"


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"unlisted": ["abc"]}, "unlisted 'abc' has 3 letters; words of guesses have 5"),
        ({"unlisted": ["two words"]}, "unlisted: 'two words' is not one word"),
        ({"guesses": "mastermind", "join_answers": True}, "of its own; leave out join_answers"),
        ({"guesses": "mastermind", "unlisted": ["1111"]}, "of its own; leave out unlisted"),
        ({"guesses": "mastermind", "answers": "guesses"}, "has answers of its own"),
    ],
)
def test_what_cannot_be_joined_is_refused(given, message):
    with pytest.raises(UserError, match=message):
        gw.load_game(**{"guesses": GUESSES} | given)


def test_words_of_digits_and_operators():
    primes = gw.load_game(["10007", "10009", "10037", "10039"])
    assert primes.feedback("10007", "10037") == "GGGBG"
    assert primes.after("10007 GGGBB").answers == ("10039",)
    sums = gw.load_game(["1+2=3", "2+1=3", "5-2=3", "3*2=6"])
    assert sums.feedback("1+2=3", "2+1=3") == "YGYGG"
    assert sums.after("5-2=3=BBGGG").answers == ("1+2=3",)  # a guess and its feedback as one
    for words, message in (
        (["10007", "crane"], "line 2: 'crane' holds 'c', which is no digit or operator"),
        (["crane", "10007"], "line 2: '10007' holds '1', which is no letter"),
        (["1000a"], "line 1: '1000a' holds '1', which is no letter"),
        (["12,34"], "line 1: '12,34' holds '1', which is no letter"),
    ):
        with pytest.raises(UserError, match=message):
            gw.load_game(words)


def test_scripts_are_stated_and_can_be_typed_again():
    final = gw.load_game(["מלך", "כלם", "ככל"])
    assert final.feedback("מלך", "ככל") == "BYB"  # a final form is a letter of its own
    turkish = gw.load_game(["ılık", "ilik", "kılı"])
    assert turkish.feedback("ılık", "ilik") == "BGBG"
    assert turkish.after("İLİK BGBG").answers == ("ılık",)
    with pytest.raises(UserError, match="a mark that Unicode has in no one sign with its letter"):
        gw.load_game(["नेपाल"])


def weights_of(weights, objective="mean"):
    """The weights of a game, as it counts with them."""
    words = session.read_words(GUESSES)
    return session.game_of(words, objective=objective, weights=weights).objective.weights


def test_floats_are_rounded_and_the_error_is_said(caplog):
    caplog.set_level("INFO", "gpu_wordle")
    draw = random.Random(1)
    weights = {word: draw.random() * 1e-3 for word in GUESSES}
    for objective, most in (("mean", 1.84e11), ("within:3", 428_100)):
        caplog.clear()
        held = weights_of(weights, objective)
        assert 1000 < held.total < most
        error = max(
            abs(n * float(held.unit) / w - 1)
            for n, w in zip(held.of_answer, weights.values(), strict=True)
        )
        assert float(held.error) == pytest.approx(error, rel=0.02)
        (said,) = caplog.messages
        assert f"add up to {held.total:,}, with a relative error of at most" in said


def test_decimals_that_fit_stay_exact_and_small_weights_stay_above_zero(caplog):
    caplog.set_level("INFO", "gpu_wordle")
    assert weights_of(dict(zip(GUESSES, (0.5, 0.25, 0), strict=True))).of_answer == (2, 1, 0)
    assert not caplog.messages
    assert weights_of(dict(zip(GUESSES, (1.0, 1e-300, 0), strict=True))).of_answer[1:] == (1, 0)
    assert caplog.messages


@pytest.mark.parametrize("kind", [set, frozenset])
def test_sets_of_words_are_refused(kind):
    for named in ({"guesses": kind(["salet", "crony"])}, {"unlisted": kind(["salet"])}):
        with pytest.raises(gw.UserError, match=r"another order in each run; sort it, as in sorted"):
            gw.load_game(**named)
