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
from gpu_wordle.game.spelling import capitals, normalise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MIN_LENGTH, MAX_LENGTH = 2, 10
"""Letters in a word."""

MAX_NEAR = 3
"""Words that are named in place of one that is not in a list."""


@dataclass(frozen=True, eq=False)
class WordList:
    """Distinct words of one length, in the order of their file.

    ``source`` names the list or the file, and ``lines`` the line that each word was read from, if
    any. Two lists are equal if their words are.
    """

    words: tuple[str, ...]
    source: str
    lines: tuple[int, ...] = ()

    def __len__(self) -> int:
        return len(self.words)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, WordList) and self.words == other.words

    def __repr__(self) -> str:
        return f"WordList({len(self):,} words, {self.source})"

    def __hash__(self) -> int:
        return hash(self.words)

    @property
    def length(self) -> int:
        """Letters in each word."""
        return len(self.words[0])

    @cached_property
    def sha256(self) -> str:
        """Hash of the words, one a line, in UTF-8: what results record as the list's identity."""
        return hashlib.sha256("".join(f"{w}\n" for w in self.words).encode()).hexdigest()

    @cached_property
    def index(self) -> dict[str, int]:
        """Position of each word."""
        return {word: i for i, word in enumerate(self.words)}

    @cached_property
    def codes(self) -> NDArray[np.uint32]:
        """Code points, [N, L]."""
        import numpy as np

        joined = "".join(self.words).encode("utf-32-le")
        return np.frombuffer(joined, dtype="<u4").reshape(len(self), self.length)

    @cached_property
    def columns(self) -> NDArray[np.uint32]:
        """The same, [L, N]."""
        import numpy as np

        return np.ascontiguousarray(self.codes.T)

    def shown(self, index: int) -> str:
        """A word in capitals."""
        return capitals(self.words[index])

    def place(self, word: str) -> int | None:
        """Index of ``word`` as a user writes it; None if the list does not hold it.

        A list may hold jamo where others write syllables, and one from an older file may hold ς.
        """
        spelled = normalise(word)
        if spelled not in self.index and not spelled.isascii():
            joined, apart = (unicodedata.normalize(form, spelled) for form in ("NFC", "NFD"))
            others = joined, apart, word.strip().lower()
            spelled = next((other for other in others if other in self.index), spelled)
        return self.index.get(spelled)

    def find(self, word: str) -> int:
        """Index of ``word`` as a user writes it; UserError if the list does not hold it."""
        if not isinstance(word, str):
            raise UserError(f"{quoted(word)} is no word; give text")
        index = self.place(word)
        if index is None:
            held, near = counted(len(self), "word"), self.near(normalise(word))
            meant = f"; did you mean {' or '.join(near)}?" if near else ""
            raise UserError(f"{quoted(word)} is not one of the {held} of {self.source}{meant}")
        return index

    def near(self, word: str) -> list[str]:
        """Words that somebody may have meant who wrote ``word``, the likeliest first.

        At most one of their letters is another; the same letters in another order come first.
        """
        letters = Counter(word[: MAX_LENGTH + 1])
        shared = ((other, (letters & Counter(other)).total()) for other in self.words)
        likely = [
            (-held, -SequenceMatcher(None, word, other).ratio(), other)
            for other, held in shared
            if held > 1 and held + 1 >= max(len(word), len(other))
        ]
        return [other for *_, other in sorted(likely)[:MAX_NEAR]]
