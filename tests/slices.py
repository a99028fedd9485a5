"""Slices of the original game, and batches of their states, for the tests of kernels."""

from __future__ import annotations

import numpy as np

from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.batch import StateBatch

SWITCH_SIZES = (1, 2, 3, 15, 16, 17, 31, 32, 60, 61, 255, 256)  # around each change of method


def random_batch(sizes, answer_count, seed=0):
    rng = np.random.default_rng(seed)
    sets = [rng.choice(answer_count, min(n, answer_count), replace=False) for n in sizes]
    return StateBatch.from_sets(sets, answer_count)


def slice_of(game, guesses, answers):
    """The first guesses and answers of a game; the answers come first among the guesses."""
    first = game.words.answers.words[:answers]
    rest = [word for word in game.words.guesses.words if word not in first]
    words = (*first, *rest)[:guesses]
    return GameWords(WordList(words, "slice"), WordList(first, "slice"))
