"""Brute force for small games: obvious, slow, and sharing no code with the package."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

Answers = tuple[int, ...]
IMPOSSIBLE = 10**9


class NaiveGame:
    """A game given by ``patterns[a][g]`` and the guess that each answer is."""

    def __init__(
        self,
        patterns: Sequence[Sequence[int]],
        guess_of_answer: Sequence[int],
        candidates_only: bool = False,
    ) -> None:
        self.patterns = [list(map(int, row)) for row in patterns]
        self.guess_of_answer = list(map(int, guess_of_answer))
        self.candidates_only = candidates_only
        self.value = cache(self._value)

    def parts(self, answers: Answers, guess: int) -> dict[int, Answers]:
        """The answers by pattern, without the one that the guess finds."""
        result: dict[int, Answers] = {}
        for a in answers:
            if self.guess_of_answer[a] != guess:
                pattern = self.patterns[a][guess]
                result[pattern] = (*result.get(pattern, ()), a)
        return result

    def legal(self, answers: Answers) -> list[int]:
        """Guesses that may be made."""
        if self.candidates_only:
            return [self.guess_of_answer[a] for a in answers]
        return list(range(len(self.patterns[0])))

    def _value(self, answers: Answers, left: int) -> int:
        """Least total of guesses with which all answers are found in ``left`` guesses each."""
        if left == 0:
            return IMPOSSIBLE
        return min(self.guess_value(answers, g, left) for g in self.legal(answers))

    def guess_value(self, answers: Answers, guess: int, left: int) -> int:
        """The same, if the first guess is given."""
        if left == 0:
            return IMPOSSIBLE
        parts = self.parts(answers, guess).values()
        total = len(answers) + sum(self.value(part, left - 1) for part in parts)
        return min(total, IMPOSSIBLE)
