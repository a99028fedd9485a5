"""Alphabets: letters of several signs, and signs that are one letter.

Without an alphabet each sign is a letter. With one, a word is cut into letters from the left, the
longest spelling first. Everything that compares letters compares *signs*: one for each letter, and
the same one for equal letters. A letter whose first spelling has several signs gets one of
Unicode's private use, which no word holds.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import count
from pathlib import Path

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.reading import read_text
from gpu_wordle.game.spelling import capitals, normalise

MAX_ALPHABET_BYTES = 1 << 14
"""Largest file of an alphabet; it has fewer letters than Unicode has signs of private use."""

FIRST_PRIVATE = 0xE000
"""The first sign that stands for a letter of several signs."""

WITHIN = "'\u2019\u00b7"
"""Signs beside letters, digits and marks that a letter may hold, as in ``c'h`` and ``l·l``."""

_REMEDY = "write a letter on each line, then after blanks what is equal to it, as in 'a á à'"


@dataclass(frozen=True)
class Alphabet:
    """What the letters of words are, where not each sign is one.

    Attributes:
        letters: the spellings of each letter, in normal form; the first one names it. Signs in no
            spelling are letters of their own.
    """

    letters: tuple[tuple[str, ...], ...] = ()

    @classmethod
    def load(cls, path: Path) -> Alphabet:
        """Read a file of one letter a line. Raises UserError, with file and line."""
        missing = "; give a file with a letter on each line"
        text = read_text(path, MAX_ALPHABET_BYTES, missing, "save the alphabet as UTF-8")
        return cls.read(text.splitlines(), str(path))

    @classmethod
    def read(cls, lines: Iterable[str], source: str) -> Alphabet:
        """Read the lines of an alphabet. Errors name ``source``.

        The order of the lines does not matter, nor do lines of one plain letter.
        """
        places, letters = dict[str, int](), list[tuple[str, ...]]()
        for number, line in enumerate(lines, start=1):
            where = f"{source}, line {number}"
            spellings = tuple(dict.fromkeys(map(normalise, line.split())))
            for spelling in spellings:
                _check(spelling, where)
                if spelling in places:
                    raise UserError(
                        f"{where}: {quoted(spelling)} was already on line {places[spelling]}, and "
                        "is one letter only; remove one"
                    )
            places |= dict.fromkeys(spellings, number)
            joined = "".join(spellings)
            if len(joined) > 1 or not joined.isalpha():
                letters += [spellings] if spellings else []
        if not places:
            raise UserError(f"{source}: the alphabet is empty; {_REMEDY}")
        return cls(tuple(sorted(letters)))

    @property
    def is_plain(self) -> bool:
        """Whether each sign is a letter."""
        return not self.letters

    @property
    def text(self) -> str:
        """The alphabet in a line, its identity in files; empty if it is plain."""
        return "; ".join(map(" ".join, self.letters))

    @cached_property
    def _sign(self) -> dict[str, str]:
        """The sign of each spelling."""
        private, signs = map(chr, count(FIRST_PRIVATE)), dict[str, str]()
        for first, *others in self.letters:
            sign = first if len(first) == 1 else next(private)
            signs |= dict.fromkeys((first, *others), sign)
        return signs

    @cached_property
    def _name(self) -> dict[str, str]:
        """The first spelling of each letter, by its sign."""
        return {self._sign[first]: first for first, *_ in self.letters}

    @cached_property
    def _letter(self) -> re.Pattern[str]:
        """An expression that matches the longest letter, also in capitals."""
        spellings = {each for word in self._sign for each in (word, capitals(word))}
        longest_first = sorted(spellings, key=lambda each: (-len(each), each))
        return re.compile("|".join([*map(re.escape, longest_first), "."]), re.DOTALL)

    def cut(self, word: str) -> Sequence[str]:
        """The letters of a word as it spells them."""
        return self._letter.findall(word) if self.letters else word

    def signs(self, word: str) -> str:
        """The signs of a word in normal form: one for each letter."""
        if not self.letters:
            return word
        return "".join(self._sign.get(letter, letter) for letter in self.cut(word))

    def spelled(self, signs: str) -> str:
        """Signs as people write them, each by the first spelling of its letter."""
        return "".join(self._name.get(sign, sign) for sign in signs) if self.letters else signs

    def is_letter(self, sign: str) -> bool:
        """Whether a sign is a letter, by Unicode or by the alphabet."""
        return sign.isalpha() or sign in self._name


PLAIN = Alphabet()
"""The alphabet in which each sign is a letter."""


def _check(spelling: str, where: str) -> None:
    """Raise UserError unless a spelling consists of letters, digits, marks and signs of WITHIN."""
    for place, sign in enumerate(spelling):
        is_mark = place > 0 and unicodedata.category(sign).startswith("M")
        if not (sign.isalnum() or is_mark or sign in WITHIN):
            raise UserError(f"{where}: {quoted(spelling)} holds {sign!r}, no letter; {_REMEDY}")
