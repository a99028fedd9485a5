"""THE definition of the rules: which guesses are legal after the feedback received so far.

``verify.py`` checks every strategy by the test here, which compares letters. The solver uses a
faster form in ``legality.py``, which is tested against this one. What is known of the answer
without feedback restricts guesses as ``known.py`` defines it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum

from gpu_wordle.game.feedback import GREEN, GREY, digits, format_pattern, pattern
from gpu_wordle.game.spelling import capitals


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


def breach(rule: Rule, guess: str, turns: Iterable[tuple[str, int]]) -> str | None:
    """Why ``guess`` is illegal under a constrained rule after ``turns``; None if it is legal.

    Each turn is a guess and its pattern.

    - Hard: a green letter stays in its place, and a letter occurs at least as often as any one turn
      coloured it, green or yellow. Grey letters, and yellow ones in the same place, may be reused.
    - Ultra-hard: the guess, if it were the answer, would have given every pattern received.
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
    return None
