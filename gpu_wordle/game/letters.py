"""Statistics of guesses that look at letters alone: colours expected and letters covered.

All are sums over the answers of a state, and follow from two tables of letter counts. So they
cost G * L look-ups instead of G * A comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.words import GameWords


@dataclass(frozen=True)
class LetterStats:
    """Each array is int64[G].

    Attributes:
        greens: green tiles, summed over the answers. It equals the guess's positional letter
            frequency, the sum over its places of the answers with that letter in that place
            (Hayes 2022; "right character in the right position", Erkin's blog).
        yellows: yellow tiles, summed over the answers, letter multiplicities respected.
        common_characters: for each distinct letter of the guess, the answers that hold it.
    """

    greens: NDArray[np.int64]
    yellows: NDArray[np.int64]
    common_characters: NDArray[np.int64]

    @property
    def coloured(self) -> NDArray[np.int64]:
        """Green and yellow tiles, summed over the answers."""
        return self.greens + self.yellows


def letter_stats(words: GameWords, state: NDArray[np.uint16]) -> LetterStats:
    """Letter statistics of every guess against the answers of ``state``."""
    return LetterTable(words, state).stats


class Spelling:
    """How the guesses of a game are spelled.

    Attributes:
        alphabet: uint32[Z], code points that occur, ascending.
        guess_letters: int64[G, L], letters of the guesses as indices into the alphabet.
        copy_number: int64[G, L], 1 for the first copy of a letter in its guess, 2 for the second.
    """

    def __init__(self, words: GameWords) -> None:
        self.alphabet, dense = np.unique(words.guesses.codes, return_inverse=True)
        shape = words.guesses.codes.shape
        self.guess_letters: NDArray[np.int64] = dense.reshape(shape).astype(np.int64)
        letters = self.guess_letters
        earlier = letters[:, :, np.newaxis] == letters[:, np.newaxis, :]
        self.copy_number = np.tril(earlier).sum(axis=2)


class LetterTable:
    """Letter counts of the answers of a state.

    Attributes:
        in_place: int64[L, Z], answers with the letter in that place.
        with_copies: int64[L + 1, Z], answers with at least that many copies of the letter.

    ``spelling`` spares working it out again where many states of a game are looked at.
    """

    def __init__(
        self, words: GameWords, state: NDArray[np.uint16], spelling: Spelling | None = None
    ) -> None:
        length = words.length
        spelling = spelling or Spelling(words)
        self.alphabet, self.guess_letters = spelling.alphabet, spelling.guess_letters
        self.copy_number = spelling.copy_number
        answers = self.guess_letters[words.guess_of_answer[state]]
        size = len(self.alphabet)
        self.in_place = np.stack(
            [np.bincount(answers[:, i], minlength=size) for i in range(length)]
        )
        copies = np.stack([(answers == letter).sum(axis=1) for letter in range(size)])
        self.with_copies = np.stack([(copies >= m).sum(axis=1) for m in range(length + 1)])

    @property
    def stats(self) -> LetterStats:
        """Letter statistics of every guess."""
        # The m-th copy of a letter in a guess is coloured by the answers with at least m copies.
        coloured = self.with_copies[self.copy_number, self.guess_letters].sum(axis=1)
        greens = self.place_frequency.sum(axis=1)
        return LetterStats(greens, coloured - greens, self.coverage.sum(axis=1))

    @property
    def place_frequency(self) -> NDArray[np.int64]:
        """For each letter of each guess, the answers with that letter in that place, [G, L]."""
        return self.in_place[np.arange(self.guess_letters.shape[1]), self.guess_letters]

    @property
    def coverage(self) -> NDArray[np.int64]:
        """For each letter of each guess, the answers that hold it, [G, L]; 0 for a second copy."""
        return np.where(self.copy_number == 1, self.with_copies[1, self.guess_letters], 0)

    def answers_with(self, letter: str) -> int:
        """Answers that hold ``letter``: a grey one removes them."""
        index = np.flatnonzero(self.alphabet == ord(letter))
        return int(self.with_copies[1, index].sum())

    def successive_best(
        self, score: NDArray[np.int64], guesses: NDArray[np.integer], rounds: int
    ) -> list[list[int]]:
        """Openers to play one after another whatever the feedback: the best of each round.

        ``score`` [G, L] is what each letter of a guess is worth (:attr:`place_frequency` or
        :attr:`coverage`); a letter of an earlier round's choice is worth nothing any more. Each
        round lists all of ``guesses`` that tie for the best, lowest index first, and plays the
        first of them (Erkin, "Solving Wordle", 2022).
        """
        score = score.copy()
        result = []
        for _ in range(rounds):
            totals = score[guesses].sum(axis=1)
            best = np.sort(guesses[totals == totals.max()])
            result.append([int(g) for g in best])
            score[np.isin(self.guess_letters, self.guess_letters[best[0]])] = 0
        return result
