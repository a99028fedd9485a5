"""Refining the list of answers: the expressions, the flawed rule, and a game that is explained."""

import json
import re

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from gpu_wordle.errors import UserError
from gpu_wordle.experiments.simulate import simulate
from gpu_wordle.game.feedback import NaiveFeedback
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.games import mastermind
from gpu_wordle.game.words import GameWords
from gpu_wordle.report.simulations import explained_game
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.play import NEVER
from gpu_wordle.strategies.refine import expression, flawed_expression
from support import naive_player
from support.commands import invoke
from support.strategies import start_of
from support.word_lists import make_game, random_words


def turns_of(game, answer, words):
    """The turns of guesses against an answer."""
    guesses = [game.words.guesses.find(word) for word in words]
    row = game.patterns.values[game.words.answers.find(answer)]
    return [(guess, int(row[guess])) for guess in guesses]


def matching(spelled, game):
    return [word for word in game.words.answers.words if re.fullmatch(spelled, word)]


def only(spec, game):
    (simulated,) = simulate(make_strategy(spec, game), start_of(game), [None])
    return simulated


def games_of(simulated):
    """The guesses against each answer, for as long as answers are found."""
    return {
        word: simulated.game.spell(simulated.guesses(answer))
        for answer, word in enumerate(simulated.game.words.answers.words)
        if simulated.turns[answer] != NEVER
    }


@pytest.fixture(scope="module")
def flawed(original):
    return only("refine:flawed", original)


@pytest.fixture(scope="module")
def mended(original):
    return only("refine", original)


@given(st.data(), st.booleans())
@settings(max_examples=60)
def test_the_mended_expression_leaves_just_the_answers_that_are_left(data, is_naive):
    words = data.draw(random_words(lengths=(2, 6)))
    game = make_game(words)
    if is_naive:
        words = GameWords(words.guesses, words.answers, NaiveFeedback(words.length))
        game = make_game(words)
    answer = data.draw(st.sampled_from(words.answers.words))
    made = data.draw(st.lists(st.sampled_from(words.guesses.words), max_size=4))
    turns = turns_of(game, answer, made)
    state = game.root()
    for guess, pattern in turns:
        state = game.part(state, guess, pattern)
    assert matching(expression(words, turns), game) == [words.answers.words[a] for a in state]


@pytest.mark.slow
def test_the_expressions_of_a_printed_game(original, flawed, mended):
    """Erkin, "Solving Wordle": ALERT, FIERY, QUERY."""
    turns = turns_of(original, "query", ["alert", "fiery"])
    for spell in (expression, flawed_expression):
        assert spell(original.words, []) == "....."
        assert spell(original.words, turns[:1]) == "[^alt][^alt]er[^alt]"
        assert spell(original.words, turns) == "[^afilt][^afilt]ery"
    answer = original.words.answers.find("query")
    for simulated in (flawed, mended):
        assert original.spell(simulated.guesses(answer)) == ["alert", "fiery", "query"]
        assert explained_game(simulated, answer) == [
            "ALERT BBGGB  [^alt][^alt]er[^alt]  5 answers left",
            "FIERY BBGGG  [^afilt][^afilt]ery  2 answers left",
            "QUERY GGGGG",
        ]


def test_the_flaws_are_kept_and_mended(original):
    # A yellow E may stand where it was seen to be wrong.
    turns = turns_of(original, "lunge", ["enemy"])
    words = original.words
    assert words.feedback.format(turns[0][1]) == "YYBBB"
    assert flawed_expression(words, turns) == "(?=.*e)(?=.*n)" + 5 * "[^emy]"
    assert matching(flawed_expression(words, turns), original) == []  # the second E is grey
    assert expression(words, turns) == "(?=.*e)(?=.*n)(?!.*e.*e)[^emy][^mny][^emy][^my][^my]"
    left = matching(expression(words, turns), original)
    assert "lunge" in left
    turns = turns_of(original, "queen", ["elder"])
    assert matching(flawed_expression(words, turns), original)
    assert "(?=.*e.*e)" not in flawed_expression(words, turns)


def test_games_of_the_flawed_rule_are_those_of_a_slow_player(original, flawed):
    """Also where it comes to its end: about one game in a hundred."""
    played = games_of(flawed)
    answers = list(original.words.answers.words)
    lost = sorted(set(answers) - set(played))
    assert len(lost) == 17
    slow = naive_player.refine_flawed([*answers[::100], *lost[:3]], answers)
    for word, made in slow.items():
        assert played.get(word, made) == made
        assert (word in played) == (made[-1] == word)


def test_the_mended_rule_finds_every_answer(mended):
    assert (mended.total, int(mended.lost.sum())) == (8528, 22)


@given(random_words(lengths=(2, 4), most_guesses=15, most_answers=12))
@settings(max_examples=20)
def test_random_games_of_the_flawed_rule(words):
    game = make_game(words)
    played = games_of(only("refine:flawed", game))
    slow = naive_player.refine_flawed(words.answers.words, list(words.answers.words))
    assert played == {word: made for word, made in slow.items() if made[-1] == word}


def test_the_flawed_rule_is_for_words_under_the_normal_rule(original):
    with pytest.raises(UserError, match="may guess what the hard rule forbids"):
        make_strategy("refine:flawed", Game(original.words, original.patterns, Rule.HARD))
    codes = mastermind(2, 3)
    with pytest.raises(UserError, match="is a game without letters"):
        make_strategy("refine:flawed", codes).choose(start_of(codes))


# On the command line.


def test_a_game_is_explained(run):
    """Each line of it: guess, feedback, expression, answers left."""
    lines = [line for line in run("simulate", "refine", "--explain", "hat").splitlines()
             if re.match(r"[A-Z]{3} [BYG]{3}", line)]  # fmt: skip
    assert lines[0].startswith("BAT BGG  [^b]at  ")
    assert lines[-1] == "HAT GGG"
    assert all(line.endswith(" left") for line in lines[:-1])
    flawed = run("simulate", "refine:flawed", "--opener", "tab", "--explain", "bat")
    assert "TAB YGY  (?=.*b)(?=.*t).a.  1 answer left" in flawed
    said = json.loads(run("simulate", "refine", "--explain", "hat", "--json"))
    assert said["explained"] == lines
    assert said["rows"][0]["hardest_games"] is None


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["parts", "--explain", "xyzzy"], "'xyzzy' is not one of the 2,315 words"),
        (["parts", "entropy", "--explain", "query"], "one strategy and one opener"),
        (["parts", "--opener", "crane", "--opener", "crane spilt"], "of one word and of several"),
    ],
)
def test_what_cannot_be_explained(arguments, message):
    with pytest.raises(UserError, match=message):
        invoke(["simulate", *arguments, "--quiet"])


def test_turns_are_numbers_of_any_kind(original):
    """Positions hold arrays."""
    turns = [tuple(np.array(turn)) for turn in turns_of(original, "query", ["alert"])]
    assert expression(original.words, turns) == "[^alt][^alt]er[^alt]"
