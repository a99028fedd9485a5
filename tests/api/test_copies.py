"""Environments can be copied and pickled, and say what they play."""

from __future__ import annotations

import copy
import pickle

import pytest
from gymnasium.utils.env_checker import data_equivalence

import gpu_wordle as gw
from support.small_game import ANSWERS, GUESSES, WEIGHTS

REWARDS = ("solved", "turns", "regret", "information")
OTHERS = [word for word in GUESSES if word not in ANSWERS][:2]
"""Guesses that end no game."""


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda env: pickle.loads(pickle.dumps(env))])
@pytest.mark.parametrize("reward", REWARDS)
def test_copies_and_pickles_play_on(copied, reward):
    for env in (
        gw.Environment(gw.load_game(GUESSES, ANSWERS), reward),
        gw.VectorEnvironment(
            gw.load_game(GUESSES, ANSWERS, weights=dict(zip(ANSWERS, WEIGHTS, strict=True))),
            2,
            reward,
        ),
    ):
        env.reset(seed=3)
        first, action = (word if isinstance(env, gw.Environment) else [word] * 2 for word in OTHERS)
        env.step(first)
        other = copied(env)
        for one, same in zip(env.step(action), other.step(action), strict=True):
            assert data_equivalence(one, same)
        env.reset(seed=4)
        assert data_equivalence(env.reset(seed=5), other.reset(seed=5))


def test_environments_say_what_they_play():
    game = gw.load_game(["rat"], max_guesses=1)
    shown = "Game(1 guess, 1 answer, normal rule, mean, 1 turn)"
    assert repr(game) == shown
    assert str(gw.Environment(game)) == f"Environment({shown}, 'solved')"
    assert repr(gw.VectorEnvironment(game, 3, "turns")) == f"VectorEnvironment({shown}, 3, 'turns')"
    played = gw.Dialogue(game, "rat")
    assert repr(played) == f"Dialogue({shown}, 0 turns made, 0 refused)"
