"""THE reading of words: which signs are one letter, and how words are shown in capitals.

A letter is one code point of Unicode's categories of letters. Capitals are read as small letters,
sign by sign and whatever stands beside them. Σ, σ and ς are one letter, and İ is i.
"""

from __future__ import annotations

import re
import unicodedata
from functools import cache

_LETTER_WITH_MARKS = re.compile(r"\w\W*")


def normalise(word: str) -> str:
    """The one spelling of a word: small letters, each one sign with its marks (NFC)."""
    if word.isascii():
        return word.strip().lower()
    # The three signs that Python's lower() makes two of, or folds by what stands beside them.
    small = _composed(word.strip()).replace("İ", "i").lower().replace("ς", "σ")
    return _composed(small)


def capitals(text: str) -> str:
    """The text in capitals, but for letters whose capital is read as another one, as ß and ı are.

    So :func:`normalise` makes of a word in capitals that word, and it has as many signs.
    """
    return text.upper() if text.isascii() else "".join(map(_capital, text))


def _composed(text: str) -> str:
    """The text with each letter and its marks in one sign, where Unicode has one.

    Letters are never joined, as NFC joins conjoining jamo, nor taken apart.
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
