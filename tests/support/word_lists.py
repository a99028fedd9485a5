"""Word lists, given and random, and the game of some lists."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from hypothesis import strategies as st

from gpu_wordle.backends.cpu.backend import CpuBackend
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import GameWords


def make_words(guesses: Sequence[str], answers: Sequence[str]) -> GameWords:
    """Return word lists from plain sequences of words."""
    return GameWords(WordList(tuple(guesses), "guesses"), WordList(tuple(answers), "answers"))


def make_game(
    words: GameWords, rule: Rule = Rule.NORMAL, objective: Objective | None = None
) -> Game:
    """Return the game of some lists."""
    patterns = PatternMatrix(CpuBackend(1).build_patterns(words), words.feedback)
    return Game(words, patterns, rule, objective or Objective())


@st.composite
def random_words(
    draw: st.DrawFn,
    lengths: tuple[int, int] = (2, 7),
    most_guesses: int = 30,
    least_answers: int = 1,
    most_answers: int = 30,
) -> GameWords:
    """Draw lists over a small random alphabet, so that letters repeat; answers are some guesses."""
    length = draw(st.integers(*lengths))
    alphabet = draw(st.sampled_from(["ab", "abc", "aeiou", "абвгд", "abcdefghijklmnopqrstuvwxyz"]))
    seed = draw(st.integers(0, 2**32 - 1))
    rng = np.random.default_rng(seed)
    count = draw(st.integers(least_answers, most_guesses))
    count = min(count, len(alphabet) ** length)
    words: dict[str, None] = {}
    while len(words) < count:
        words["".join(rng.choice(list(alphabet), length))] = None
    guesses = list(words)
    n_answers = draw(st.integers(min(least_answers, count), min(count, most_answers)))
    answers = [guesses[i] for i in sorted(rng.choice(count, n_answers, replace=False))]
    return make_words(guesses, answers)
