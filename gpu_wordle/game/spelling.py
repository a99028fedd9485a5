"""THE normal form of words: which code points are equal letters, and how capitals are shown.

A letter is one code point of Unicode's categories of letters. Capitals are read as small letters,
one by one and regardless of context. Σ, σ and ς are one letter, and İ is i.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_LETTER_WITH_MARKS = re.compile(r"\w\W*")


def normalise(word: str) -> str:
    """The normal form of a word: small letters, each composed with its marks (NFC)."""
    if word.isascii():
        return word.strip().lower()
    # Python's lower() turns İ into two code points, and lowers Σ depending on its neighbours.
    small = _composed(word.strip()).replace("İ", "i").lower().replace("ς", "σ")
    return _composed(small)


def capitals(text: str) -> str:
    """The text in capitals; letters such as ß and ı, whose capital is another letter, stay small.

    So :func:`normalise` reverses it for normal words, and the length stays.
    """
    return text.upper() if text.isascii() else "".join(map(_capital, text))


def _composed(text: str) -> str:
    """Compose each letter with its marks, if Unicode has a code point for both.

    Unlike NFC this never joins letters, such as conjoining jamo, and never splits one.
    """
    if unicodedata.is_normalized("NFC", text):
        return text
    return _LETTER_WITH_MARKS.sub(lambda found: _joined(found[0]), text)


def _joined(letter: str) -> str:
    whole = unicodedata.normalize("NFC", letter)
    return whole if len(whole) <= len(letter) else letter


@cache
def _capital(sign: str) -> str:
    capital = sign.upper()
    return capital if len(capital) == 1 and normalise(capital) == sign else sign
