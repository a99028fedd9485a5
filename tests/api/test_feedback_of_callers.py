"""Feedback as Python callers give it: numbers of a game's own, and share grids."""

from __future__ import annotations

import numpy as np
import pytest

import gpu_wordle as gw


@pytest.fixture(scope="module")
def moons():
    matrix = [[0, 1], [9, 0], [0, 9]]
    return gw.Game.from_feedback(["has-ice?", "io", "europa"], ["io", "europa"], matrix, 9)


@pytest.mark.parametrize("seen", ["1", 1, np.int64(1)])
def test_a_game_of_own_feedback_takes_its_numbers(moons, seen):
    assert moons.after([("has-ice?", seen)]).answers == ("europa",)
    assert moons.start.after([("has-ice?", seen)]).history == "has-ice? 1"
    turns, answer = ["has-ice?", "europa"], [seen, 9]
    assert [row["pattern"] for row in gw.analyse(moons, turns, None, answer)] == ["1", "9"]
    tree = gw.solve(moons, "has-ice?").tree
    assert seen in tree
    assert tree[seen].guess == "europa"
    (score,) = gw.score(moons, {"guesses": turns, "patterns": answer})
    assert score["solved"]


def test_a_number_that_is_no_feedback_of_the_game_is_refused(moons):
    with pytest.raises(gw.UserError, match="feedback '5': this game's is one of 0, 1, 9"):
        moons.after([("has-ice?", 5)])
    for wrong in (-1, True, 1.0):
        with pytest.raises(gw.UserError, match="does not fit"):
            moons.after([("has-ice?", wrong)])


def test_numbered_patterns_of_words_are_refused_in_every_turn():
    game = gw.load_game(["rat", "tar", "art"])
    with pytest.raises(gw.UserError, match="24 numbers a pattern .*; write BGG or GGB$"):
        game.after([("rat", 24)])
    with pytest.raises(gw.UserError, match="0 numbers a pattern .*; write BBB$"):
        game.after([("rat", "BGG"), ("tar", 0)])


def test_share_grids_are_given_without_guesses():
    game = gw.load_game(["rat", "tar", "art"])
    rows, text = ["YYY", "GGG"], "YYY\nGGG"
    pasted = gw.analyse(game, patterns=rows)
    assert pasted.facts["remaining"]
    assert gw.analyse(game, [], None, [text]) == pasted
    assert gw.analyse(game, [], None, [rows]) == pasted
    many = gw.analyse(game, [], None, [text, rows])
    assert [row["possible_answer"] for row in many] == ["tar", "art"]
