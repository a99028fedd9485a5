"""Game: words, patterns, rule and objective, which is all that an evaluator or a solver needs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.legality import Revealed, Traits
from gpu_wordle.game.objective import Objective, Prices
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.rule import Rule, breach
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.symmetry import Symmetry
from gpu_wordle.game.words import GameWords

__all__ = ["Game", "Position", "Rule", "State", "Turn"]

State = NDArray[np.uint16]
"""Answers still possible, as ascending indices."""

Turn = tuple[int, int]
"""A guess and the pattern that it received."""


@dataclass(frozen=True, eq=False)
class Position:
    """Where a game stands: every question to a solver is asked of one.

    Made by ``Game.start``, ``Game.position_after``, :meth:`after` and :meth:`of_answers`, which
    keep state, turns and what they revealed consistent.

    Attributes:
        game: the game that is played.
        state: the answers still possible.
        turns: the guesses made and their feedback, as far as they are known.
        revealed: under a constrained rule, what they say of the next guess; see legality.py.
        turns_made: number of guesses made.
    """

    game: Game
    state: State
    turns: tuple[Turn, ...]
    revealed: Revealed
    turns_made: int

    def __post_init__(self) -> None:
        if len(self.state) == 0:
            raise ValueError("a state has at least one answer")

    def __repr__(self) -> str:
        left = f"{len(self.state):,} of {self.game.answer_count:,} answers left"
        return f"Position({left}, {self.turns_made} turns made, {self.game.rule} rule)"

    @classmethod
    def of_answers(
        cls,
        game: Game,
        answers: Iterable[int] | NDArray[np.integer],
        turns_made: int = 0,
        *,
        revealed: Revealed | None = None,
    ) -> Position:
        """A position of which only the answers still possible are known, as indices.

        Under a constrained rule that is not enough, so ``revealed`` must be given as well, except
        before the first turn, when every answer is possible. Raises ValueError without it.
        """
        state = np.unique(np.asarray(answers if isinstance(answers, np.ndarray) else [*answers]))
        if len(state) and not 0 <= state[0] <= state[-1] < game.answer_count:
            raise ValueError(f"answers are numbered from 0 to {game.answer_count - 1}")
        if turns_made < 0:
            raise ValueError(f"{turns_made} turns made; there are none or more")
        if not game.rule.is_constrained:
            revealed = game.traits.nothing()
        elif revealed is None:
            if turns_made > 0 or len(state) < game.answer_count:
                raise ValueError(
                    f"under the {game.rule} rule the answers left do not tell which guesses are "
                    "legal; use Game.position_after, or give what was revealed"
                )
            revealed = game.traits.nothing()
        return cls(game, state.astype(np.uint16), (), revealed, turns_made)

    def after(self, guess: int, pattern: int) -> Position:
        """The position once ``guess`` has received ``pattern``.

        The guess need not be legal. Raises UserError if no answer gives that pattern, or if it says
        that the answer is found.
        """
        words = self.game.words
        word = words.guesses.shown(guess)
        state = self.game.part(self.state, guess, pattern)
        if len(state) == 0:
            raise UserError(
                f"no answer of {words.answers.source} is left after {word} "
                f"{words.feedback.format(pattern)}; check the feedback"
            )
        if pattern == words.feedback.solved:
            raise UserError(
                f"{word} was the answer, so the game is over; name only the guesses before it"
            )
        some_answer = int(words.guess_of_answer[state[0]])
        revealed = self.game.traits.revealed_by(self.game.rule, guess, some_answer)
        turns = (*self.turns, (guess, pattern))
        return Position(self.game, state, turns, self.revealed | revealed, self.turns_made + 1)

    def allowing_failures(self) -> Position:
        """The same position in :meth:`Game.allowing_failures`."""
        return replace(self, game=self.game.allowing_failures())

    @property
    def history(self) -> str:
        """The turns as text, which :meth:`Game.position_after` reads."""
        words = self.game.words
        return " ".join(
            f"{words.guesses.words[guess]} {words.feedback.format(pattern)}"
            for guess, pattern in self.turns
        )

    @cached_property
    def symmetry(self) -> Symmetry | None:
        """The symmetries that keep every guess made; None if other answers are left than they tell.

        That is so in positions of :meth:`of_answers`.
        """
        agree = np.ones(self.game.answer_count, np.bool_)
        symmetry = self.game.symmetry
        for guess, pattern in self.turns:
            agree &= self.game.patterns.values[:, guess] == pattern
            symmetry = symmetry.fixing(guess)
        return symmetry if int(agree.sum()) == len(self.state) else None

    @property
    def guesses_left(self) -> int:
        """Guesses left, or NO_LIMIT; UserError if there are none."""
        return self.game.objective.after(self.turns_made)

    @property
    def choices(self) -> NDArray[np.bool_]:
        """Which guesses a strategy may begin with, bool[G]: those that the rule allows.

        Under CANDIDATES they are answers of the state, on the first turn too.
        """
        return self.game.legal_guesses(self.state, self.revealed)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """Which guesses may be asked about, bool[G]: on the first turn all of them."""
        if self.turns_made == 0:
            return np.ones(self.game.guess_count, dtype=np.bool_)
        return self.choices

    def check_legal(self, guess: int) -> None:
        """UserError, saying why, if the rule forbids to ask about ``guess``."""
        if self.legal[guess]:
            return
        rule, words = self.game.rule, self.game.words.guesses.words
        word = capitals(words[guess])
        if rule is Rule.CANDIDATES:
            raise UserError(f"{word} is no longer possible, and the rule allows only candidates")
        turns = ((words[g], pattern) for g, pattern in self.turns)
        why = breach(rule, words[guess], turns) or "it breaks with what has been revealed"
        raise UserError(f"{word} is illegal under the {rule} rule: {why}")


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

    def __repr__(self) -> str:
        return f"Game({self.words!r}, {self.rule} rule, {self.objective.title})"

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

    def without_limit(self) -> Game:
        """The same game for the least mean, in any number of guesses."""
        return replace(self, objective=Objective(None, weights=self.objective.weights))

    def to_win(self) -> Game:
        """The same game to be won for sure, and nothing else."""
        return replace(self, objective=Objective.to_win(self.objective.max_guesses))

    @cached_property
    def traits(self) -> Traits:
        """Traits of the guesses, of which the legal guesses of constrained rules follow.

        No guess has any under the other rules.
        """
        if self.rule.is_constrained:
            return Traits.of(self.words.guesses)
        return Traits.none(self.guess_count)

    @cached_property
    def symmetry(self) -> Symmetry:
        """The symmetries that are known of the game, as far as its weights keep to them."""
        weights = self.objective.weights
        return Symmetry.of(
            self.words, self.patterns.values, None if weights is None else weights.values
        )

    def root(self) -> State:
        """The state before the first guess: every answer."""
        return np.arange(self.answer_count, dtype=np.uint16)

    def part(self, state: State, guess: int, pattern: int) -> State:
        """The answers of ``state`` that give ``pattern`` to ``guess``."""
        return state[self.patterns.values[state, guess] == pattern]

    def start(self) -> Position:
        """The position before the first guess."""
        return Position(self, self.root(), (), self.traits.nothing(), 0)

    def position_after(self, history: str = "") -> Position:
        """Read ``"salet BYBBG crony BBGBB"``: the guesses made and what they leave.

        A turn may also be one token, ``salet=BYBBG``. Where a game has names with that sign in
        them, a token that is the name of a guess is that name.

        Raises UserError for an unknown word, a bad pattern, feedback that no answer gives, or an
        answer that has been found, after which there is nothing to guess.
        Earlier guesses need not have been legal; the rule holds from the next one on.
        """
        position = self.start()
        turns = [
            (self.words.guesses.find(word), self.words.feedback.parse(text))
            for word, text in self._turns_of(history)
        ]
        for number, (guess, pattern) in enumerate(turns, start=1):
            try:
                position = position.after(guess, pattern)
            except UserError as error:
                doubt = self._doubt(turns[:number])
                raise UserError(f"state {quoted(history)}: turn {number}: {error}{doubt}") from None
        return position

    def _doubt(self, turns: Sequence[Turn]) -> str:
        """Which of the turns before the last one may be wrong instead of it, in words.

        Those are the turns without which some answer agrees with all others.
        """
        agree = np.stack([self.patterns.values[:, guess] == seen for guess, seen in turns])
        if len(turns) == 1 or agree.all(axis=0).any():
            return ""
        wrong = [i + 1 for i in range(len(turns) - 1) if np.delete(agree, i, 0).all(axis=0).any()]
        return f", or that of turn {' or '.join(map(str, wrong))}" if wrong else ""

    def _turns_of(self, history: str) -> list[tuple[str, str]]:
        """Guesses and feedback, as they are written; UserError if they do not go in pairs."""
        turns, fields = [], iter(history.split())
        for word in fields:
            guess, sign, text = word.rpartition("=")
            if not sign or self.words.guesses.place(word) is not None:
                guess, text = word, next(fields, "")
            if not text:
                raise UserError(
                    f"state {quoted(history)}: give a word and its pattern in turn, as in "
                    f"{self.words.feedback.example!r}"
                )
            turns.append((guess, text))
        return turns

    def legal_guesses(self, state: State, revealed: Revealed) -> NDArray[np.bool_]:
        """Which guesses the rule allows on a state, bool[G]; see :attr:`Position.choices`."""
        if self.rule is Rule.CANDIDATES:
            result = np.zeros(self.guess_count, dtype=np.bool_)
            result[self.words.guess_of_answer[state]] = True
            return result
        if not self.rule.is_constrained:
            return np.ones(self.guess_count, dtype=np.bool_)
        return self.traits.agree(int(self.words.guess_of_answer[state[0]]), revealed)

    def difference(self, other: Game) -> str | None:
        """What another game has that this one has not, in a few words; None if it is the same."""
        mine, theirs = self.objective, other.objective
        if other.rule is not self.rule:
            return f"the {other.rule} rule, not {self.rule}"
        if theirs.max_guesses != mine.max_guesses:
            limits = [o.max_guesses or "any number of" for o in (theirs, mine)]
            return f"{limits[0]} guesses, not {limits[1]}"
        if theirs.name != mine.name or theirs.weights_sha256 != mine.weights_sha256:
            return f"the objective {theirs.title}, not {mine.title}"
        if other.patterns is not self.patterns and other.words.sha256 != self.words.sha256:
            return f"other words or feedback than {self.words.guesses.source}"
        return None

    def spell(self, guesses: Sequence[int] | NDArray[np.integer]) -> list[str]:
        """The guesses as words."""
        return [self.words.guesses.words[g] for g in guesses]
