"""Legal guesses under the constrained rules, as a test of a few bits; see rule.py for the rules.

A word has traits: "letter c in place i" for each of its places, and "at least m copies of letter c"
for each of its letters, so 2L of them. The feedback to guess g when a is hidden says which traits
of g are traits of a, and nothing else. Greens are the shared traits of places, and of a letter as
many copies are coloured as g and a both have. So a word h would have received or given the same
feedback just if it has the same ones of the traits of g.

Hence the traits that feedback has *revealed*, as a set, stand for all that restricts a guess. A
guess is legal if it has those revealed traits that the answer has, and no others of them. Under the
hard rule a guess reveals the traits that it shares with the answer. Under the ultra-hard rule it
reveals all its traits, those that the answer does not have as well. Sets of revealed traits combine
by union. All answers that are still possible agree on them, so any one will do for the test.
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
"""A word of the list by its index, or several."""

BITS = 64


@dataclass(frozen=True, eq=False)
class Traits:
    """The traits of the words of a list.

    Attributes:
        numbers: int32[N, 2L], the traits of each word.
        bits: uint64[N, W], the same as sets; W is at least 1.
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
        """Of ``count`` guesses that no rule asks for: they all agree, and reveal nothing."""
        return cls(np.zeros((count, 1), dtype=np.int32), np.zeros((count, 1), dtype=np.uint64))

    @property
    def count(self) -> int:
        """Number of traits."""
        return int(self.numbers.max()) + 1

    def nothing(self) -> Revealed:
        """What is revealed before the first guess."""
        return np.zeros(self.bits.shape[1], dtype=np.uint64)

    def revealed_by(self, rule: Rule, guess: Words, answer: Words) -> Revealed:
        """What ``guess`` reveals if ``answer`` is hidden, both as indices of words of the list.

        Arrays of indices, of one length, give a row for each pair, or one that serves for all.
        """
        if rule is Rule.HARD:
            return self.bits[guess] & self.bits[answer]
        return self.bits[guess] if rule is Rule.ULTRA_HARD else self.nothing()

    def agree(
        self, answer: Words, revealed: Revealed, words: Words | slice = slice(None)
    ) -> NDArray[np.bool_]:
        """Whether each word agrees with a possible answer on all that is revealed, [N].

        With ``words``, those alone, each with an answer and a row of what is revealed of its own.
        """
        differ = (self.bits[words] ^ self.bits[answer]) & revealed
        result: NDArray[np.bool_] = (differ == 0).all(axis=-1)
        return result
