"""Game: words, patterns, rule and objective, which is all that an evaluator or a solver needs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.legality import Revealed, Traits
from gpu_wordle.game.objective import Objective, Prices
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.rule import Rule, breach
from gpu_wordle.game.words import GameWords

__all__ = ["Game", "Position", "Rule", "State", "Turn"]

State = NDArray[np.uint16]
"""Answers still possible, as ascending indices."""

Turn = tuple[int, int]
"""A guess and the pattern that it received."""


@dataclass(frozen=True, eq=False)
class Position:
    """Where a game stands.

    Attributes:
        state: the answers still possible.
        turns: the guesses made and their feedback.
        revealed: under a constrained rule, what that says of the next guess; see legality.py.
    """

    state: State
    turns: tuple[Turn, ...]
    revealed: Revealed

    @property
    def turns_made(self) -> int:
        """Number of guesses made."""
        return len(self.turns)


@dataclass(frozen=True, eq=False)
class Game:
    """A game to be evaluated: immutable, shared by evaluators, solvers and files."""

    words: GameWords
    patterns: PatternMatrix
    rule: Rule = Rule.NORMAL
    objective: Objective = field(default_factory=Objective)

    def __post_init__(self) -> None:
        if self.rule.is_constrained and not self.words.feedback.is_by_letters:
            raise UserError(
                f"the {self.rule} rule is about letters, and {self.words.guesses.source} is "
                f"another game; use {Rule.NORMAL} or {Rule.CANDIDATES}"
            )

    @property
    def answer_count(self) -> int:
        """A, the number of answers."""
        return len(self.words.answers)

    @property
    def guess_count(self) -> int:
        """G, the number of guesses."""
        return len(self.words.guesses)

    @cached_property
    def prices(self) -> Prices:
        """What each turn costs."""
        return self.objective.prices(self.answer_count)

    def allowing_failures(self) -> Game:
        """The same game in which answers may be lost, as few as can be.

        Raises UserError if there is no guess limit, so that none is ever lost, or if the weights
        are so large that values could come to too much.
        """
        game = replace(self, objective=self.objective.allowing_failures())
        game.objective.prices(self.answer_count)
        return game

    @cached_property
    def traits(self) -> Traits:
        """Traits of the guesses, of which the legal guesses of constrained rules follow."""
        if self.words.feedback.is_by_letters:
            return Traits.of(self.words.guesses)
        return Traits.none(self.guess_count)

    def root(self) -> State:
        """The state before the first guess: every answer."""
        return np.arange(self.answer_count, dtype=np.uint16)

    def part(self, state: State, guess: int, pattern: int) -> State:
        """The answers of ``state`` that give ``pattern`` to ``guess``."""
        return state[self.patterns.values[state, guess] == pattern]

    def position_after(self, history: str = "") -> Position:
        """Read ``"salet BYBBG crony BBGBB"``: the guesses made and what they leave.

        Raises UserError for an unknown word, a bad pattern, feedback that no answer gives, or an
        answer that has been found, after which there is nothing to guess.
        Earlier guesses need not have been legal; the rule holds from the next one on.
        """
        fields = history.split()
        if len(fields) % 2:
            raise UserError(
                f"state {history!r}: give a word and its pattern in turn, as in "
                f"{self.words.feedback.example!r}"
            )
        state = self.root()
        turns: list[Turn] = []
        for word, text in zip(fields[::2], fields[1::2], strict=True):
            guess = self.words.guesses.find(word)
            pattern = self.words.feedback.parse(text)
            state = self.part(state, guess, pattern)
            if len(state) == 0:
                seen = self.words.feedback.format(pattern)
                raise UserError(
                    f"state {history!r}: no answer of {self.words.answers.source} is left "
                    f"after {word.upper()} {seen}; check the feedback"
                )
            if pattern == self.words.feedback.solved:
                raise UserError(
                    f"state {history!r}: {word.upper()} was the answer, so the game is over; "
                    "name only the guesses before it"
                )
            turns.append((guess, pattern))
        revealed = self.traits.nothing()
        for guess, _ in turns:
            revealed |= self.traits.revealed_by(self.rule, guess, self._some_answer(state))
        return Position(state, tuple(turns), revealed)

    def legal_guesses(self, state: State | None, revealed: Revealed | None) -> NDArray[np.bool_]:
        """Which guesses the rule allows on a state, bool[G].

        Without a state, every answer is possible; without anything revealed, nothing is.
        """
        state = self.root() if state is None else state
        if self.rule is Rule.CANDIDATES:
            result = np.zeros(self.guess_count, dtype=np.bool_)
            result[self.words.guess_of_answer[state]] = True
            return result
        revealed = self.traits.nothing() if revealed is None else revealed
        return self.traits.agree(self._some_answer(state), revealed)

    def legal_in(self, position: Position) -> NDArray[np.bool_]:
        """Which guesses may be asked about, bool[G]: on the first turn all of them."""
        if not position.turns:
            return np.ones(self.guess_count, dtype=np.bool_)
        return self.legal_guesses(position.state, position.revealed)

    def check_legal(self, guess: int, position: Position) -> None:
        """UserError if the rule forbids to ask about ``guess``; see :meth:`legal_in`."""
        word = self.words.guesses.words[guess]
        if self.rule is Rule.CANDIDATES and position.turns:
            if self.words.answer_of_guess[guess] not in position.state:
                raise UserError(
                    f"{word.upper()} is no longer possible, and the rule allows only candidates"
                )
        else:
            turns = ((self.words.guesses.words[g], pattern) for g, pattern in position.turns)
            why = breach(self.rule, word, turns)
            if why is not None:
                raise UserError(f"{word.upper()} is illegal under the {self.rule} rule: {why}")

    def spell(self, guesses: Sequence[int] | NDArray[np.integer]) -> list[str]:
        """The guesses as words."""
        return [self.words.guesses.words[g] for g in guesses]

    def _some_answer(self, state: State) -> int:
        """The first answer of a state, as a guess."""
        return int(self.words.guess_of_answer[state[0]])
