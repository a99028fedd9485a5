"""Brute force under every rule: words and colours, nothing else, and no code of the package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from support import naive

IMPOSSIBLE = 10**9
Answers = tuple[str, ...]
Legal = frozenset[str]


@lru_cache(1 << 18)
def is_legal(rule: str, new: str, guess: str, colours: str) -> bool:
    """Whether ``new`` may be guessed after one ``guess`` and its feedback."""
    if rule == "ultra-hard":
        return naive.feedback(guess, new) == colours
    if rule == "hard":
        needed = [letter for letter, colour in zip(guess, colours, strict=True) if colour in "GY"]
        supply = list(new)
        for letter in needed:
            if letter not in supply:
                return False
            supply.remove(letter)
        return all(new[i] == guess[i] for i in range(len(guess)) if colours[i] == "G")
    return True


class NaiveRules:
    """Least totals by trying everything; the legal guesses are kept as a set of words."""

    def __init__(self, guesses: Sequence[str], rule: str) -> None:
        self.guesses = frozenset(guesses)
        self.rule = rule
        self.value = cache(self._value)

    def legal_after(self, legal: Legal, guess: str, colours: str, part: Answers) -> Legal:
        """The guesses that stay legal."""
        if self.rule == "candidates":
            return frozenset(part)
        return frozenset(w for w in legal if is_legal(self.rule, w, guess, colours))

    def parts(self, answers: Answers, guess: str) -> dict[str, Answers]:
        """The answers by colours, without the guess itself."""
        result: dict[str, Answers] = {}
        for answer in answers:
            if answer != guess:
                colours = naive.feedback(guess, answer)
                result[colours] = (*result.get(colours, ()), answer)
        return result

    def _value(self, answers: Answers, legal: Legal, left: int) -> int:
        """Least total with which all answers are found in ``left`` guesses each."""
        if left == 0:
            return IMPOSSIBLE
        return min(self.guess_value(answers, legal, guess, left) for guess in legal)

    def guess_value(self, answers: Answers, legal: Legal, guess: str, left: int) -> int:
        """The same, if the first guess is given, legal or not."""
        if left == 0:
            return IMPOSSIBLE
        total = len(answers)
        for colours, part in self.parts(answers, guess).items():
            if left == 1:
                return IMPOSSIBLE
            below = self.legal_after(legal, guess, colours, part)
            total += self.value(part, below, left - 1)
        return min(total, IMPOSSIBLE)

    def after(self, turns: Sequence[tuple[str, str]]) -> Legal:
        """The guesses that are legal after some turns; candidates are not a matter of turns."""
        legal = self.guesses
        for guess, colours in turns:
            legal = frozenset(w for w in legal if is_legal(self.rule, w, guess, colours))
        return legal
