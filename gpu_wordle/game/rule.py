"""THE definition of the rules: which guesses are legal after the feedback received so far.

``verify.py`` checks every strategy by the test here, which compares letters. The solver uses a
faster form in ``legality.py``, which is tested against this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Protocol

from gpu_wordle.game.alphabet import PLAIN, Alphabet
from gpu_wordle.game.feedback import GREEN, GREY, digits, format_pattern, pattern
from gpu_wordle.game.spelling import capitals

UNKNOWN_PLACE = "*"
"""The sign of an unknown letter in a template."""


class KnownLetters(Protocol):
    """What is known of the answer without turns; known.Knowledge is one. Letters are signs."""

    @property
    def template(self) -> str:
        """The letter of each place, or UNKNOWN_PLACE."""
        ...

    @property
    def least(self) -> Mapping[str, int]:
        """Letters that occur, each with its least number of copies."""
        ...

    @property
    def elsewhere(self) -> Iterable[tuple[str, int]]:
        """Letters with places, from 0, where they are not."""
        ...

    @property
    def most(self) -> Iterable[str]:
        """Letters that occur no more often than ``least`` says."""
        ...


class Rule(StrEnum):
    """Which guesses are legal.

    On the first turn every opener may be evaluated, even under CANDIDATES, which then holds from
    the second turn on.
    """

    NORMAL = "normal"  # every guess, always
    HARD = "hard"  # guesses that reuse all coloured letters
    ULTRA_HARD = "ultra-hard"  # guesses that agree with all feedback, answers or not
    CANDIDATES = "candidates"  # the answers still possible

    @property
    def is_constrained(self) -> bool:
        """Whether legality depends on the feedback itself, not only on the answers left."""
        return self in (Rule.HARD, Rule.ULTRA_HARD)


def breach(
    rule: Rule,
    guess: str,
    turns: Iterable[tuple[str, int]],
    known: KnownLetters | None = None,
    alphabet: Alphabet = PLAIN,
) -> str | None:
    """Why ``guess`` is illegal under a constrained rule after ``turns``; None if it is legal.

    Each turn is a guess and its pattern. Guesses are words, which ``alphabet`` cuts into letters.

    - Hard: a green letter stays in its place, and a letter occurs at least as often as any one turn
      coloured it, green or yellow. Grey letters, and yellow ones in the same place, may be reused.
      Letters ``known`` in place stay there, and a letter occurs at least as often as is known.
    - Ultra-hard: the guess, if it were the answer, would have given every pattern received, and
      would agree with what is known.
    - Under the other rules the result is None.
    """
    own = alphabet.signs(guess)
    for word, seen in turns:
        signs = alphabet.signs(word)
        if rule is Rule.HARD:
            colours = digits(seen, len(signs))
            for place, (letter, colour) in enumerate(zip(signs, colours, strict=True)):
                if colour == GREEN and own[place] != letter:
                    shown = _shown(letter, alphabet)
                    return f"{shown} of {capitals(word)} is green in place {place + 1}"
            coloured = (c for c, colour in zip(signs, colours, strict=True) if colour != GREY)
            for letter, copies in Counter(coloured).items():
                if own.count(letter) < copies:
                    shown, times = _shown(letter, alphabet), _times(copies)
                    return f"{capitals(word)} has shown that it holds {shown}{times}"
        elif rule is Rule.ULTRA_HARD and pattern(signs, own) != seen:
            return f"it would not have given {capitals(word)} {format_pattern(seen, len(signs))}"
    if known is None or not rule.is_constrained:
        return None
    return _known_breach(rule, own, known, alphabet)


def _known_breach(rule: Rule, own: str, known: KnownLetters, alphabet: Alphabet) -> str | None:
    """Why a guess, given as signs, is illegal by what is known; None if it is legal."""
    for place, letter in enumerate(known.template):
        if letter not in (UNKNOWN_PLACE, own[place]):
            return f"{_shown(letter, alphabet)} is known to be in place {place + 1}"
    for letter, copies in known.least.items():
        if own.count(letter) < copies:
            return f"{_shown(letter, alphabet)} is known to occur{_times(copies)}"
    if rule is Rule.HARD:
        return None
    for letter, place in known.elsewhere:
        if own[place] == letter:
            return f"{_shown(letter, alphabet)} is known not to be in place {place + 1}"
    for letter in known.most:
        copies = known.least.get(letter, 0)
        if own.count(letter) > copies:
            further = " further times" if copies else ""
            return f"{_shown(letter, alphabet)} is known not to occur{further}"
    return None


def _shown(letter: str, alphabet: Alphabet) -> str:
    return capitals(alphabet.spelled(letter))


def _times(copies: int) -> str:
    return "" if copies == 1 else f" {copies} times"
