"""Brute force for small games: obvious, slow, and shares no code with the package."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cache

Answers = tuple[int, ...]
IMPOSSIBLE = 10**9


class NaiveGame:
    """A game given by ``patterns[a][g]`` and, for each answer, its index as a guess."""

    def __init__(
        self,
        patterns: Sequence[Sequence[int]],
        guess_of_answer: Sequence[int],
        candidates_only: bool = False,
    ) -> None:
        self.patterns = [list(map(int, row)) for row in patterns]
        self.guess_of_answer = list(map(int, guess_of_answer))
        self.candidates_only = candidates_only
        self.ways = cache(self._ways)
        self.value = cache(self._value)

    def parts(self, answers: Answers, guess: int) -> dict[int, Answers]:
        """Return the answers by pattern, without the one that the guess finds."""
        result: dict[int, list[int]] = {}
        for a in answers:
            if self.guess_of_answer[a] != guess:
                result.setdefault(self.patterns[a][guess], []).append(a)
        return {pattern: tuple(part) for pattern, part in result.items()}

    def legal(self, answers: Answers) -> list[int]:
        """Return the guesses that may be made."""
        if self.candidates_only:
            return [self.guess_of_answer[a] for a in answers]
        return list(range(len(self.patterns[0])))

    def _ways(self, answers: Answers) -> set[frozenset[Answers]]:
        """Return the parts of each legal guess. Guesses with equal parts are one way."""
        return {frozenset(self.parts(answers, g).values()) for g in self.legal(answers)}

    def _value(self, answers: Answers, left: int) -> int:
        """Return the least total with which all answers are found within ``left`` guesses each."""
        if left == 0:
            return IMPOSSIBLE
        return min(self._total(answers, way, left) for way in self.ways(answers))

    def guess_value(self, answers: Answers, guess: int, left: int) -> int:
        """Return the least total if the first guess is given."""
        if left == 0:
            return IMPOSSIBLE
        return self._total(answers, self.parts(answers, guess).values(), left)

    def _total(self, answers: Answers, parts: Iterable[Answers], left: int) -> int:
        """Return the least total of the parts, plus one for each answer."""
        return min(IMPOSSIBLE, len(answers) + sum(self.value(part, left - 1) for part in parts))
