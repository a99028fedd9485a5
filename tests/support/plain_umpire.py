"""An umpire of one game in plain Python, from words to words; shares no code with the package."""

from __future__ import annotations

from collections.abc import Collection

from support import naive
from support.naive_rules import is_legal


class PlainUmpire:
    """Knows the secret, and what happened since the game began."""

    def __init__(self, secret: str, answers: Collection[str], rule: str, limit: int) -> None:
        self.secret, self.answers, self.rule, self.limit = secret, answers, rule, limit
        self.turns: list[tuple[str, str]] = []
        self.refused = 0

    def allows(self, word: str) -> bool:
        """Whether the rule allows a guess."""
        if self.rule == "normal":
            return True
        if self.rule == "candidates":
            same = all(naive.feedback(made, word) == seen for made, seen in self.turns)
            return word in self.answers and same
        return all(is_legal(self.rule, word, made, seen) for made, seen in self.turns)

    def hear(self, word: str) -> str:
        """Take a guess: what became of it, in one word."""
        if not self.allows(word):
            self.refused += 1
            return "stuck" if self.refused >= self.limit else "illegal"
        self.turns.append((word, naive.feedback(word, self.secret)))
        if word == self.secret:
            return "solved"
        return "lost" if len(self.turns) == self.limit else "played"

    def keyboard(self) -> dict[str, str]:
        """The best colour of each letter that was guessed."""
        best: dict[str, str] = {}
        for word, seen in self.turns:
            for letter, colour in zip(word, seen, strict=True):
                best[letter] = max(best.get(letter, "B"), colour, key="BYG".index)
        return best
