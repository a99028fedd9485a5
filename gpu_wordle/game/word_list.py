"""A list of distinct words, in the order of its file."""

from __future__ import annotations

import hashlib
import unicodedata
from collections import Counter
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property
from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game.alphabet import PLAIN, Alphabet
from gpu_wordle.game.named_lists import lists_with
from gpu_wordle.game.spelling import capitals, normalise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_LENGTH, MAX_LENGTH = 2, 10
"""Shortest and longest words, in letters."""

MAX_NEAR = 3
"""Most similar words suggested for a word that is not in the list."""


@dataclass(frozen=True, eq=False)
class WordList:
    """Distinct words of one length, in the order of their file.

    Two lists are equal if their words and alphabets are.

    Attributes:
        words: the words, in normal form, as the file spells them.
        source: name of the list or the file.
        lines: the line number of each word in its file; empty if there is no file.
        alphabet: what the letters of the words are.
    """

    words: tuple[str, ...]
    source: str
    lines: tuple[int, ...] = ()
    alphabet: Alphabet = PLAIN

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordList) and (
            (self.words, self.alphabet) == (other.words, other.alphabet)
        )

    def __repr__(self) -> str:
        return f"WordList({len(self):,} words, {self.source})"

    def __hash__(self) -> int:
        return hash(self.words)

    @property
    def length(self) -> int:
        """Letters in each word."""
        return len(self.signs[0])

    @cached_property
    def signs(self) -> tuple[str, ...]:
        """The words with one sign for each letter; without an alphabet, the words themselves."""
        return self.words if self.alphabet.is_plain else tuple(map(self.alphabet.signs, self.words))

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the words, one on each line in UTF-8; the list's identity in results."""
        return hashlib.sha256("".join(f"{w}\n" for w in self.words).encode()).hexdigest()

    @cached_property
    def index(self) -> dict[str, int]:
        """Index of each word."""
        return {word: i for i, word in enumerate(self.words)}

    @cached_property
    def by_letters(self) -> dict[str, int]:
        """Index of each word, by its signs."""
        if self.alphabet.is_plain:
            return self.index
        return {signs: i for i, signs in enumerate(self.signs)}

    @cached_property
    def codes(self) -> NDArray[np.uint32]:
        """Code points of the words' signs, uint32[N, L]."""
        import numpy as np

        joined = "".join(self.signs).encode("utf-32-le")
        return np.frombuffer(joined, dtype="<u4").reshape(len(self), self.length)

    @cached_property
    def columns(self) -> NDArray[np.uint32]:
        """Code points of the words' signs, transposed, uint32[L, N]."""
        import numpy as np

        return np.ascontiguousarray(self.codes.T)

    def shown(self, index: int) -> str:
        """A word in capitals."""
        return capitals(self.words[index])

    def place(self, word: str) -> int | None:
        """Index of ``word`` in any spelling; None if it is not in the list.

        Also finds words that the list has in jamo instead of syllables, or with ς from old files.
        """
        spelled = normalise(word)
        signs = self.alphabet.signs(spelled)
        if signs not in self.by_letters and not spelled.isascii():
            joined, apart = (unicodedata.normalize(form, spelled) for form in ("NFC", "NFD"))
            others = map(self.alphabet.signs, (joined, apart, word.strip().lower()))
            signs = next((other for other in others if other in self.by_letters), signs)
        return self.by_letters.get(signs)

    def is_like(self, word: str) -> bool:
        """Whether a text has the letters of a word of the list, as many and no other signs."""
        signs = self.alphabet.signs(normalise(word))
        return len(signs) == self.length and all(map(self.alphabet.is_letter, signs))

    def find(self, word: str) -> int:
        """Index of ``word`` in any spelling. Raises UserError if it is not in the list."""
        if not isinstance(word, str):
            raise UserError(f"{quoted(word)} is no word; give text")
        index = self.place(word)
        if index is None:
            held, near = counted(len(self), "word"), self.near(normalise(word))
            where = lists_with(word)
            known = f", but {where}" if where else ""
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            raise UserError(
                f"{quoted(word)} is not one of the {held} of {self.source}{known}{meant}"
            )
        return index

    def near(self, word: str) -> list[str]:
        """Words similar to ``word``, the most similar first, at most MAX_NEAR.

        They differ in at most one letter, in any order of the letters.
        """
        signs = self.alphabet.signs(word)
        letters = Counter(signs[: MAX_LENGTH + 1])
        shared = ((other, (letters & Counter(other)).total()) for other in self.signs)
        likely = [
            (-held, -SequenceMatcher(None, signs, other).ratio(), other)
            for other, held in shared
            if held > 1 and held + 1 >= max(len(signs), len(other))
        ]
        return [self.words[self.by_letters[other]] for *_, other in sorted(likely)[:MAX_NEAR]]
