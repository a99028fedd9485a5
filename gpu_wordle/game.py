"""Game: words, patterns, rule and objective, which is all that an evaluator or a solver needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.feedback import format_pattern, parse_pattern
from gpu_wordle.objective import Objective
from gpu_wordle.patterns import PatternMatrix
from gpu_wordle.words import GameWords

State = NDArray[np.uint16]
"""Answers still possible, as ascending indices."""


class Rule(StrEnum):
    """Which guesses are legal in a state."""

    NORMAL = "normal"  # every guess, always
    CANDIDATES = "candidates"  # the answers still possible, after a free first guess


@dataclass(frozen=True, eq=False)
class Game:
    """A game to be evaluated: immutable, shared by evaluators, solvers and files."""

    words: GameWords
    patterns: PatternMatrix
    rule: Rule = Rule.NORMAL
    objective: Objective = field(default_factory=Objective)

    @property
    def answer_count(self) -> int:
        """A, the number of answers."""
        return len(self.words.answers)

    @property
    def guess_count(self) -> int:
        """G, the number of guesses."""
        return len(self.words.guesses)

    def root(self) -> State:
        """The state before the first guess: every answer."""
        return np.arange(self.answer_count, dtype=np.uint16)

    def part(self, state: State, guess: int, pattern: int) -> State:
        """The answers of ``state`` that give ``pattern`` to ``guess``."""
        return state[self.patterns.values[state, guess] == pattern]

    def state_after(self, history: str) -> tuple[State, int]:
        """Read ``"salet BYBBG crony YBBBB"``: the answers left, and the guesses made.

        Raises UserError for an unknown word, a bad pattern, or feedback that no answer gives.
        """
        fields = history.split()
        if len(fields) % 2:
            raise UserError(
                f"state {history!r}: give a word and its pattern in turn, as in 'salet BYBBG'"
            )
        state = self.root()
        turns = list(zip(fields[::2], fields[1::2], strict=True))
        for word, text in turns:
            guess = self.words.guesses.find(word)
            pattern = parse_pattern(text, self.words.length)
            state = self.part(state, guess, pattern)
            if len(state) == 0:
                colours = format_pattern(pattern, self.words.length)
                raise UserError(
                    f"state {history!r}: no answer of {self.words.answers.source} is left "
                    f"after {word.upper()} {colours}; check the colours"
                )
        return state, len(turns)

    def check_legal(self, guess: int, state: State, turns_made: int) -> None:
        """UserError if the rule forbids ``guess`` on ``state`` after ``turns_made`` guesses."""
        allowed = self.rule is Rule.NORMAL or turns_made == 0
        if not allowed and self.words.answer_of_guess[guess] not in state:
            raise UserError(
                f"{self.words.guesses.words[guess].upper()} is no longer possible, and the rule "
                "allows only candidates"
            )

    def spell(self, guesses: Sequence[int] | NDArray[np.integer]) -> list[str]:
        """The guesses as words."""
        return [self.words.guesses.words[g] for g in guesses]
