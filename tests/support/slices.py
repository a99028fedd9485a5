"""Slices of the original game, and batches of their states, for the tests of kernels."""

from __future__ import annotations

import numpy as np

from gpu_wordle.states.batch import StateBatch
from support.word_lists import make_game, make_words

SWITCH_SIZES = (1, 2, 3, 15, 16, 17, 31, 32, 60, 61, 255, 256)  # around each change of method


def random_batch(sizes, answer_count, seed=0):
    rng = np.random.default_rng(seed)
    sets = [rng.choice(answer_count, min(n, answer_count), replace=False) for n in sizes]
    return StateBatch.from_sets(sets, answer_count)


def slice_of(game, guesses, answers):
    """Return the game of the first guesses and answers; answers come first among the guesses."""
    first = game.words.answers.words[:answers]
    rest = [word for word in game.words.guesses.words if word not in first]
    words = (*first, *rest)[:guesses]
    return make_words(words, first)


def small_game(original, answers=40, guesses=300, **changes):
    """Return a game of some guesses and answers of the original game."""
    rng = np.random.default_rng(11)
    words = original.words
    chosen = [words.answers.words[a] for a in sorted(rng.choice(2315, answers, replace=False))]
    others = [words.guesses.words[g] for g in rng.choice(12972, guesses, replace=False)]
    lists = make_words(sorted({*chosen, *others}), chosen)
    return make_game(lists, **changes)
