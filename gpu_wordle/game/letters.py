"""Statistics of guesses that look at letters alone: colours expected and letters covered.

All are sums over the answers of a state, and follow from two tables of letter counts. So they
cost G * L look-ups instead of G * A comparisons.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.words import GameWords

Worth = NDArray[np.int64]
"""What a letter is worth by its place, its number among the copies in the guess, and itself.

It broadcasts to int64[L, L + 1, Z], for many states to int64[B, L, L + 1, Z].
"""


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


class Spelling:
    """How the guesses of a game are spelled.

    Attributes:
        alphabet: uint32[Z], code points that occur, ascending.
        guess_letters: int64[G, L], letters of the guesses as indices into the alphabet.
        copy_number: int64[G, L], 1 for the first copy of a letter in its guess, 2 for the second.
        copies: int64[G, Z], how often each letter occurs in each guess.
        keys: int64[L, G], where a :data:`Worth` holds what the letter in that place is worth.
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

    Attributes:
        in_place: int64[L, Z] or [B, L, Z], answers with the letter in that place.
        with_copies: int64[L + 1, Z] or [B, L + 1, Z], answers with at least that many copies of
            the letter.

    ``spelling`` spares working it out again where many states of a game are looked at. With
    ``indptr``, int64[B + 1], there are B states, and b has the answers
    ``state[indptr[b]:indptr[b + 1]]``, one at least.
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
    def greens(self) -> Worth:
        """A letter is worth the answers that have it in that place: green tiles."""
        return self.in_place[..., np.newaxis, :]

    @property
    def coloured(self) -> Worth:
        """The m-th copy is worth the answers with at least m: tiles that are green or yellow."""
        return self.with_copies[..., np.newaxis, :, :]

    @property
    def held(self) -> Worth:
        """A letter is worth the answers that hold it, every copy of it."""
        return self.with_copies[..., np.newaxis, 1:2, :]

    @property
    def common(self) -> Worth:
        """A letter is worth the answers that hold it, and a second copy nothing."""
        is_first = np.arange(self.with_copies.shape[-2]) == 1
        return is_first[:, np.newaxis] * self.held

    def total(self, worth: Worth) -> NDArray[np.int64]:
        """What the letters of each guess are worth together, int64[G]; of one state."""
        return np.sum(self._by_place(worth), axis=0)

    def by_place(self, worth: Worth) -> NDArray[np.int64]:
        """What each letter of each guess is worth, int64[G, L]; of one state."""
        return np.stack(self._by_place(worth), axis=1)

    def _by_place(self, worth: Worth) -> list[NDArray[np.int64]]:
        """The same, int64[G] of each place."""
        rows = zip(self.rows(worth), self._spelling.keys, strict=True)
        return [row[own] for row, own in rows]

    def rows(self, worth: Worth) -> NDArray[np.int64]:
        """A row for each place, int64[L, K] or [B, L, K], for :attr:`Spelling.keys`."""
        *states, copies, size = self.with_copies.shape
        whole = np.broadcast_to(worth, (*states, copies - 1, copies, size))
        return np.ascontiguousarray(whole.reshape(*states, copies - 1, copies * size))

    def answers_with(self, letter: str) -> int:
        """Answers that hold ``letter``: a grey one removes them."""
        index = np.flatnonzero(self.alphabet == ord(letter))
        return int(self.with_copies[1, index].sum())

    def successive_best(
        self, score: NDArray[np.int64], guesses: NDArray[np.integer], rounds: int
    ) -> list[list[int]]:
        """Openers to play one after another whatever the feedback: the best of each round.

        ``score`` [G, L] is what each letter of a guess is worth (:meth:`by_place`); a letter of an
        earlier round's choice is worth nothing any more. Each round lists all of ``guesses`` that
        tie for the best, lowest index first, and plays the first of them (Erkin, "Solving Wordle",
        2022).
        """
        score = score.copy()
        result = []
        for _ in range(rounds):
            totals = score[guesses].sum(axis=1)
            best = np.sort(guesses[totals == totals.max()])
            result.append([int(g) for g in best])
            score[np.isin(self.guess_letters, self.guess_letters[best[0]])] = 0
        return result
