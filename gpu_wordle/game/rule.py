"""THE definition of the rules: which guesses are legal after the feedback received so far.

``verify.py`` checks every strategy by the test here, which compares letters. The solver uses a
faster form in ``legality.py``, which is tested against this one.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from enum import StrEnum
from typing import Protocol

from gpu_wordle.game.feedback import GREEN, GREY, digits, format_pattern, pattern
from gpu_wordle.game.spelling import capitals

UNKNOWN_PLACE = "*"
"""The sign of an unknown letter in a template."""


class KnownLetters(Protocol):
    """What is known of the answer without turns; known.Knowledge is one."""

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
) -> str | None:
    """Why ``guess`` is illegal under a constrained rule after ``turns``; None if it is legal.

    Each turn is a guess and its pattern.

    - Hard: a green letter stays in its place, and a letter occurs at least as often as any one turn
      coloured it, green or yellow. Grey letters, and yellow ones in the same place, may be reused.
      Letters ``known`` in place stay there, and a letter occurs at least as often as is known.
    - Ultra-hard: the guess, if it were the answer, would have given every pattern received, and
      would agree with what is known.
    - Under the other rules the result is None.
    """
    for word, seen in turns:
        if rule is Rule.HARD:
            colours = digits(seen, len(word))
            for place, (letter, colour) in enumerate(zip(word, colours, strict=True)):
                if colour == GREEN and guess[place] != letter:
                    return f"{capitals(letter)} of {capitals(word)} is green in place {place + 1}"
            coloured = (c for c, colour in zip(word, colours, strict=True) if colour != GREY)
            for letter, copies in Counter(coloured).items():
                if guess.count(letter) < copies:
                    times = "" if copies == 1 else f" {copies} times"
                    return f"{capitals(word)} has shown that it holds {capitals(letter)}{times}"
        elif rule is Rule.ULTRA_HARD and pattern(word, guess) != seen:
            return f"it would not have given {capitals(word)} {format_pattern(seen, len(word))}"
    return None if known is None or not rule.is_constrained else _known_breach(rule, guess, known)


def _known_breach(rule: Rule, guess: str, known: KnownLetters) -> str | None:
    """Why ``guess`` is illegal under a constrained rule by what is known; None if it is legal."""
    for place, letter in enumerate(known.template):
        if letter not in (UNKNOWN_PLACE, guess[place]):
            return f"{capitals(letter)} is known to be in place {place + 1}"
    for letter, copies in known.least.items():
        if guess.count(letter) < copies:
            times = "" if copies == 1 else f" {copies} times"
            return f"{capitals(letter)} is known to occur{times}"
    if rule is Rule.HARD:
        return None
    for letter, place in known.elsewhere:
        if guess[place] == letter:
            return f"{capitals(letter)} is known not to be in place {place + 1}"
    for letter in known.most:
        copies = known.least.get(letter, 0)
        if guess.count(letter) > copies:
            further = " further times" if copies else ""
            return f"{capitals(letter)} is known not to occur{further}"
    return None
