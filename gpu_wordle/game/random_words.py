"""Lists of random words, with the feedback and rules of ordinary word lists.

They show how much a strategy gains from the structure of a language (Hayes, "Words for the
Wordle-Weary", 2022). On the command line they are named like word lists, as in
``--guesses random:5:12972:2315``.
"""

from __future__ import annotations

from string import ascii_lowercase

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.named_lists import catalogue
from gpu_wordle.game.numbers import natural_number
from gpu_wordle.game.word_list import MAX_LENGTH, MIN_LENGTH, WordList
from gpu_wordle.game.words import MAX_ANSWERS, MAX_WORDS, GameWords, load_list

UNIFORM = "uniform"
"""Letters a to z with equal probabilities."""

DEFAULTS = ("5", "12972", "2315", UNIFORM, "0")
"""Word length, number of guesses, number of answers, distribution of letters, and seed."""

_DRAWN_AT_A_TIME = 4096


def load(spec: str) -> GameWords:
    """The words of a name ``random[:LENGTH[:GUESSES[:ANSWERS[:LETTERS[:SEED]]]]]``.

    LETTERS is ``uniform``, or a named list whose letter frequencies are used. Missing parts are
    those of DEFAULTS. A name gives the same words on every machine.

    Raises UserError for sizes out of range, and for more than half of all possible words.
    """
    _, *given = spec.lower().split(":")
    parts = (*given, *DEFAULTS[len(given) :])
    numbers = [natural_number(part) for part in (*parts[:3], *parts[4:])]
    if len(parts) > len(DEFAULTS) or None in numbers:
        raise UserError(
            f"{quoted(spec)}: give letters in a word, guesses, answers, letters and a seed, as in "
            "random:5:12972:2315:uniform:1"
        )
    length, guesses, answers, seed = (number for number in numbers if number is not None)
    alphabet, weights = _letters(spec, parts[3])
    if not MIN_LENGTH <= length <= MAX_LENGTH:
        raise UserError(f"{quoted(spec)}: words have {MIN_LENGTH} to {MAX_LENGTH} letters")
    most = min(MAX_WORDS, len(alphabet) ** length // 2)
    if not 1 <= answers <= min(guesses, MAX_ANSWERS) or guesses > most:
        raise UserError(
            f"{quoted(spec)}: words of {length} letters make 1 to {most:,} guesses, "
            f"of which 1 to {MAX_ANSWERS:,} are answers"
        )
    drawn = _words(alphabet, weights, length, guesses, seed)
    name = ":".join(("random", *(str(n) for n in (length, guesses, answers)), parts[3], str(seed)))
    return GameWords(
        WordList(tuple(sorted(drawn)), f"{name} (guesses)"),
        WordList(tuple(sorted(drawn[:answers])), f"{name} (answers)"),
    )


def _letters(spec: str, name: str) -> tuple[list[str], NDArray[np.uint64]]:
    """The letters to draw from, and the weight of each."""
    if name == UNIFORM:
        return list(ascii_lowercase), np.ones(len(ascii_lowercase), np.uint64)
    if name not in catalogue():
        named = ", ".join(catalogue())
        raise UserError(f"{quoted(spec)}: letters are drawn {UNIFORM}, or as in {named}")
    codes, counts = np.unique(load_list(name, "guesses").codes, return_counts=True)
    return [chr(code) for code in codes], counts.astype(np.uint64)


def _words(
    alphabet: list[str], weights: NDArray[np.uint64], length: int, count: int, seed: int
) -> list[str]:
    """Draw ``count`` distinct words, in the order in which they are first drawn."""
    # Unlike numpy's distributions, the bits of its generators are the same in every version.
    source = np.random.Philox(key=seed)
    below = weights.cumsum()
    found: dict[str, None] = {}
    while len(found) < count:
        bits = source.random_raw(length * _DRAWN_AT_A_TIME) % below[-1]
        drawn = np.searchsorted(below, bits, side="right").reshape(-1, length)
        found.update(dict.fromkeys("".join(alphabet[i] for i in word) for word in drawn.tolist()))
    return list(found)[:count]
