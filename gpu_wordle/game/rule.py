"""THE definition of the rules: which guesses a player may make after the feedback received so far.

The test by letters that is written here is what ``verify.py`` holds every strategy to; the faster
form of it that the solver uses, in ``legality.py``, is tested against it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from gpu_wordle.game.feedback import GREEN, GREY, digits, format_pattern, pattern
from gpu_wordle.game.spelling import capitals


class Rule(StrEnum):
    """Which guesses are legal.

    Before the first turn every opener may be asked about and ranked; CANDIDATES, by which one that
    is no answer is illegal, then holds from the second turn on.
    """

    NORMAL = "normal"  # every guess, always
    HARD = "hard"  # those that reuse the letters that feedback has coloured
    ULTRA_HARD = "ultra-hard"  # those that agree with all feedback, whether or not answers
    CANDIDATES = "candidates"  # the answers still possible

    @property
    def is_constrained(self) -> bool:
        """Whether the legal guesses are a matter of the feedback received, beyond the answers."""
        return self in (Rule.HARD, Rule.ULTRA_HARD)


def breach(rule: Rule, guess: str, turns: Iterable[tuple[str, int]]) -> str | None:
    """What ``guess`` has against a constrained rule after ``turns``; None if it is legal.

    Each turn is a guess and the pattern that it received. Hard: a green letter stays in its place,
    and of each letter at least as many copies are used as any one guess had coloured, green or
    yellow. Grey letters, and yellow ones in the same place, may be repeated. Ultra-hard: if the
    guess were the hidden word, it would have given every pattern received. The other rules are not
    a matter of the turns, so they find nothing.
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
    return None
