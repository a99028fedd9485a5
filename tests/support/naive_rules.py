"""Brute force under every rule, from words and colours alone; shares no code with the package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, lru_cache

from support import naive

IMPOSSIBLE = 10**9
Answers = tuple[str, ...]
Legal = frozenset[str]
Way = tuple[str | None, frozenset[tuple[Answers, Legal]]]
"""The answer that a guess finds, if it finds one, and the states that it leaves."""


@lru_cache(1 << 16)
def revealed(guess: str, colours: str) -> tuple[list[tuple[int, str]], list[tuple[str, int]]]:
    """Return the green letters with their places, and how often each coloured letter occurs."""
    seen = list(zip(guess, colours, strict=True))
    found = [letter for letter, colour in seen if colour in "GY"]
    return (
        [(i, letter) for i, (letter, colour) in enumerate(seen) if colour == "G"],
        [(letter, found.count(letter)) for letter in sorted(set(found))],
    )


@lru_cache(1 << 18)
def is_legal(rule: str, new: str, guess: str, colours: str) -> bool:
    """True if ``new`` may be guessed after one ``guess`` and its feedback."""
    if rule == "ultra-hard":
        return naive.feedback(guess, new) == colours
    if rule == "hard":
        green, coloured = revealed(guess, colours)
        for i, letter in green:
            if new[i] != letter:
                return False
        return all(new.count(letter) >= often for letter, often in coloured)
    return True


class NaiveRules:
    """Least totals by brute force. Legal guesses are a set of words."""

    def __init__(self, guesses: Sequence[str], rule: str) -> None:
        self.guesses = frozenset(guesses)
        self.rule = rule
        self.allowed = cache(self._allowed)
        self.ways = cache(self._ways)
        self.value = cache(self._value)

    def _allowed(self, guess: str, colours: str) -> Legal:
        """Return the words that may be guessed after one guess and its feedback."""
        return frozenset(w for w in self.guesses if is_legal(self.rule, w, guess, colours))

    def legal_after(self, legal: Legal, guess: str, colours: str, part: Answers) -> Legal:
        """Return the guesses that stay legal."""
        if self.rule == "candidates":
            return frozenset(part)
        if self.rule == "normal":
            return legal
        return legal & self.allowed(guess, colours)

    def parts(self, answers: Answers, guess: str) -> dict[str, Answers]:
        """Return the answers by colours, without the guess itself."""
        result: dict[str, list[str]] = {}
        for answer in answers:
            if answer != guess:
                result.setdefault(naive.feedback(guess, answer), []).append(answer)
        return {colours: tuple(part) for colours, part in result.items()}

    def way(self, answers: Answers, legal: Legal, guess: str) -> Way:
        """Return the answer that a guess finds, and the states that it leaves."""
        return guess if guess in answers else None, frozenset(
            (part, self.legal_after(legal, guess, colours, part))
            for colours, part in self.parts(answers, guess).items()
        )

    def _ways(self, answers: Answers, legal: Legal) -> frozenset[Way]:
        """Return the way of each legal guess. Guesses with equal effects are one way."""
        return frozenset(self.way(answers, legal, guess) for guess in legal)

    def _value(self, answers: Answers, legal: Legal, left: int) -> int:
        """Return the least total with which all answers are found within ``left`` guesses each."""
        if left == 0:
            return IMPOSSIBLE
        return min(self._total(answers, way, left) for way in self.ways(answers, legal))

    def guess_value(self, answers: Answers, legal: Legal, guess: str, left: int) -> int:
        """Return the least total if the first guess is given, legal or not."""
        if left == 0:
            return IMPOSSIBLE
        return self._total(answers, self.way(answers, legal, guess), left)

    def _total(self, answers: Answers, way: Way, left: int) -> int:
        """Return the least total of the states that a guess leaves, plus one for each answer."""
        _, states = way
        if left == 1 and states:
            return IMPOSSIBLE
        below = sum(self.value(part, legal, left - 1) for part, legal in states)
        return min(len(answers) + below, IMPOSSIBLE)

    def after(self, turns: Sequence[tuple[str, str]]) -> Legal:
        """Return the guesses that are legal after some turns, for rules by which turns decide."""
        legal = self.guesses
        for guess, colours in turns:
            legal = frozenset(w for w in legal if is_legal(self.rule, w, guess, colours))
        return legal


@lru_cache(1)
def rules_of(guesses: tuple[str, ...], rule: str) -> NaiveRules:
    """Return the oracle of a game, shared by all its objectives, limits and guesses."""
    return NaiveRules(guesses, rule)
