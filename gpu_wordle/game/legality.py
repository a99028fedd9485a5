"""Legal guesses under the constrained rules of rule.py, tested by a few bits.

A word of L letters has 2L traits: "letter c in place i" for each place, and "at least m copies of
letter c" for the m-th copy of each letter. The feedback to guess g with answer a tells exactly
which traits of g are traits of a. Greens are the shared traits of places, and of each letter as
many copies are coloured as g and a both have. So another answer h gives the same feedback iff it
has the same traits among those of g.

Hence the set of traits *revealed* by feedback is all that restricts a guess. A guess is legal iff
it agrees with the answer on every revealed trait: it has those that the answer has, and no others.
Under the hard rule a guess reveals the traits that it shares with the answer. Under the ultra-hard
rule it reveals all its traits. Revealed sets combine by union. All possible answers agree on them,
so the test may use any of these answers.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.rule import Rule
from gpu_wordle.game.word_list import WordList

Revealed = NDArray[np.uint64]
"""A set of traits, uint64[W]: trait t is bit ``t % 64`` of word ``t // 64``."""

Words = int | NDArray[np.integer]
"""Index of a word of the list, or an array of indices."""

BITS = 64


@dataclass(frozen=True, eq=False)
class Traits:
    """The traits of the words of a list.

    Attributes:
        numbers: int32[N, 2L], the numbers of each word's traits.
        bits: uint64[N, W], the set of each word's traits as bits; W is at least 1.
    """

    numbers: NDArray[np.int32]
    bits: NDArray[np.uint64]

    @classmethod
    def of(cls, words: WordList) -> Traits:
        """Number the traits that occur in ``words``."""
        letters = np.unique(words.codes, return_inverse=True)[1].reshape(words.codes.shape)
        count, length = len(words), words.length
        alphabet = int(letters.max()) + 1
        copies = np.tril(letters[:, :, np.newaxis] == letters[:, np.newaxis, :]).sum(axis=2)
        in_place = np.arange(length) * alphabet + letters
        with_copies = (length + copies - 1) * alphabet + letters
        named = np.concatenate([in_place, with_copies], axis=1)
        numbers = np.unique(named, return_inverse=True)[1].reshape(named.shape).astype(np.int32)
        bits = np.zeros((count, int(numbers.max()) // BITS + 1), dtype=np.uint64)
        rows = np.arange(count)
        for column in numbers.T:
            bits[rows, column // BITS] |= np.uint64(1) << (column % BITS).astype(np.uint64)
        return cls(numbers, bits)

    @classmethod
    def none(cls, count: int) -> Traits:
        """Traits for rules that need none: ``count`` words that all agree and reveal nothing."""
        return cls(np.zeros((count, 1), dtype=np.int32), np.zeros((count, 1), dtype=np.uint64))

    @property
    def count(self) -> int:
        """Number of traits."""
        return int(self.numbers.max()) + 1

    def nothing(self) -> Revealed:
        """The empty set of revealed traits, before the first guess."""
        return np.zeros(self.bits.shape[1], dtype=np.uint64)

    def revealed_by(self, rule: Rule, guess: Words, answer: Words) -> Revealed:
        """The traits that ``guess`` reveals if ``answer`` is hidden, both as indices of the list.

        For arrays of indices the result has a row for each pair, or one row for all.
        """
        if rule is Rule.HARD:
            return self.bits[guess] & self.bits[answer]
        return self.bits[guess] if rule is Rule.ULTRA_HARD else self.nothing()

    def agree(
        self, answer: Words, revealed: Revealed, words: Words | slice = slice(None)
    ) -> NDArray[np.bool_]:
        """Whether each word agrees with a possible answer on all revealed traits, bool[N].

        ``words`` restricts the test to some words, each with its own answer and revealed traits.
        """
        differ = (self.bits[words] ^ self.bits[answer]) & revealed
        result: NDArray[np.bool_] = (differ == 0).all(axis=-1)
        return result
