"""Statistics of the letters of guesses: expected colours and covered letters.

All are sums over the answers of a state, computed from two tables of letter counts. So they take
G * L look-ups instead of G * A comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.words import GameWords

LetterScores = NDArray[np.int64]
"""Score of a letter, by place, by number of the copy in the guess, and by letter.

It broadcasts to int64[L, L + 1, Z], or to int64[B, L, L + 1, Z] for B states.
"""


@dataclass(frozen=True)
class LetterStats:
    """Letter statistics of every guess; each array is int64[G].

    Attributes:
        greens: green tiles, summed over the answers. It equals the guess's positional letter
            frequency, the sum over its places of the answers with that letter in that place
            (Hayes 2022; "right character in the right position", Erkin's blog).
        yellows: yellow tiles, summed over the answers, with repeated letters counted correctly.
        common_characters: number of answers with a letter, summed over the guess's distinct
            letters.
    """

    greens: NDArray[np.int64]
    yellows: NDArray[np.int64]
    common_characters: NDArray[np.int64]

    @property
    def coloured(self) -> NDArray[np.int64]:
        """Green and yellow tiles, summed over the answers."""
        return self.greens + self.yellows


class Spelling:
    """The letters of the guesses of a game, as indices.

    Attributes:
        alphabet: uint32[Z], the code points that occur, ascending.
        guess_letters: int64[G, L], letters of the guesses as indices into the alphabet.
        copy_number: int64[G, L], 1 for the first copy of a letter in its guess, 2 for the second.
        copies: int64[G, Z], number of occurrences of each letter in each guess.
        keys: int64[L, G], index of the letter's score in a row of :meth:`LetterTable.rows`.
    """

    def __init__(self, words: GameWords) -> None:
        self.alphabet, dense = np.unique(words.guesses.codes, return_inverse=True)
        shape = words.guesses.codes.shape
        self.guess_letters: NDArray[np.int64] = dense.reshape(shape).astype(np.int64)
        letters, size = self.guess_letters, len(self.alphabet)
        earlier = letters[:, :, np.newaxis] == letters[:, np.newaxis, :]
        self.copy_number: NDArray[np.int64] = np.tril(earlier).sum(axis=2)
        self.copies = np.stack([(letters == z).sum(axis=1) for z in range(size)], axis=1)
        self.keys = np.ascontiguousarray((self.copy_number * size + letters).T)


class LetterTable:
    """Letter counts of the answers of a state, or of B states at once.

    Args:
        words: the lists of the game.
        state: uint16[nnz], the answers.
        spelling: the letters of the guesses, if they are computed already.
        indptr: int64[B + 1]; state b has the answers ``state[indptr[b]:indptr[b + 1]]``, at least
            one. None for a single state.

    Attributes:
        in_place: int64[L, Z] or [B, L, Z], number of answers with the letter in that place.
        with_copies: int64[L + 1, Z] or [B, L + 1, Z], number of answers with at least that many
            copies of the letter.
    """

    def __init__(
        self,
        words: GameWords,
        state: NDArray[np.uint16],
        spelling: Spelling | None = None,
        indptr: NDArray[np.int64] | None = None,
    ) -> None:
        self._spelling = spelling = spelling or Spelling(words)
        self.alphabet, self.guess_letters = spelling.alphabet, spelling.guess_letters
        begins = np.zeros(1, np.int64) if indptr is None else indptr[:-1]
        guesses = words.guess_of_answer[state]
        shape = len(begins), words.length, len(self.alphabet)
        of_state = np.repeat(np.arange(shape[0]), np.diff(begins, append=len(state)))
        rows = of_state[:, np.newaxis] * shape[1] + np.arange(shape[1])
        entries = (rows * shape[2] + self.guess_letters[guesses]).ravel()
        in_place = np.bincount(entries, minlength=int(np.prod(shape))).reshape(shape)
        copies = spelling.copies[guesses]
        with_copies = np.stack(
            [np.add.reduceat(copies >= m, begins, axis=0, dtype=np.int64)
             for m in range(words.length + 1)], axis=1,
        )  # fmt: skip
        asked = 0 if indptr is None else slice(None)
        self.in_place: NDArray[np.int64] = in_place[asked]
        self.with_copies: NDArray[np.int64] = with_copies[asked]

    @property
    def stats(self) -> LetterStats:
        """Letter statistics of every guess."""
        greens = self.total(self.greens)
        yellows = self.total(self.coloured) - greens
        return LetterStats(greens, yellows, self.total(self.common))

    @property
    def greens(self) -> LetterScores:
        """Score by answers with the letter in that place: expected green tiles."""
        return self.in_place[..., np.newaxis, :]

    @property
    def coloured(self) -> LetterScores:
        """Score of the m-th copy by answers with at least m copies: green and yellow tiles."""
        return self.with_copies[..., np.newaxis, :, :]

    @property
    def held(self) -> LetterScores:
        """Score by answers that have the letter, for every copy in the guess."""
        return self.with_copies[..., np.newaxis, 1:2, :]

    @property
    def common(self) -> LetterScores:
        """Score by answers that have the letter, for its first copy in the guess only."""
        is_first = np.arange(self.with_copies.shape[-2]) == 1
        return is_first[:, np.newaxis] * self.held

    def total(self, scores: LetterScores) -> NDArray[np.int64]:
        """Sum of the letter scores of each guess, int64[G]; for a single state."""
        return np.sum(self._by_place(scores), axis=0)

    def by_place(self, scores: LetterScores) -> NDArray[np.int64]:
        """Score of each letter of each guess, int64[G, L]; for a single state."""
        return np.stack(self._by_place(scores), axis=1)

    def _by_place(self, scores: LetterScores) -> list[NDArray[np.int64]]:
        """Score of the letters of all guesses in each place, a list of L arrays int64[G]."""
        rows = zip(self.rows(scores), self._spelling.keys, strict=True)
        return [row[own] for row, own in rows]

    def rows(self, scores: LetterScores) -> NDArray[np.int64]:
        """Scores as a row for each place, int64[L, K] or [B, L, K], indexed by Spelling.keys."""
        *states, copies, size = self.with_copies.shape
        whole = np.broadcast_to(scores, (*states, copies - 1, copies, size))
        return np.ascontiguousarray(whole.reshape(*states, copies - 1, copies * size))

    def answers_with(self, letter: str) -> int:
        """Number of answers with ``letter``, which a grey tile would remove."""
        index = np.flatnonzero(self.alphabet == ord(letter))
        return int(self.with_copies[1, index].sum())

    def successive_best(
        self, score: NDArray[np.int64], guesses: NDArray[np.integer], rounds: int
    ) -> list[list[int]]:
        """Best guesses for successive rounds that ignore feedback (Erkin, "Solving Wordle", 2022).

        Each round returns all of ``guesses`` with the best score, lowest index first, and plays the
        first of them. Its letters then score zero. ``score`` is int64[G, L], as from
        :meth:`by_place`.
        """
        score = score.copy()
        result = []
        for _ in range(rounds):
            totals = score[guesses].sum(axis=1)
            best = np.sort(guesses[totals == totals.max()])
            result.append([int(g) for g in best])
            score[np.isin(self.guess_letters, self.guess_letters[best[0]])] = 0
        return result
