"""Game and Position: words, patterns, rule and objective, and a state of play in them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game.feedback import pattern_row
from gpu_wordle.game.known import MARK, Knowledge
from gpu_wordle.game.legality import Revealed, Traits
from gpu_wordle.game.objective import Objective, Prices
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.rule import Rule, breach
from gpu_wordle.game.spelling import capitals, normalise
from gpu_wordle.game.symmetry import Symmetry
from gpu_wordle.game.words import GameWords

__all__ = ["Game", "Position", "Rule", "State", "Turn"]

State = NDArray[np.uint16]
"""The possible answers, as ascending indices, uint16[n]."""

Turn = tuple[int, int]
"""A guess and its pattern."""


@dataclass(frozen=True, eq=False)
class Position:
    """A position in a game, about which solvers are asked.

    Made by ``Game.start``, ``Game.position_after``, :meth:`after` and :meth:`of_answers`, which
    keep state, turns and revealed traits consistent.

    Attributes:
        game: the game.
        state: the possible answers.
        turns: the guesses made and their patterns, if known.
        revealed: under a constrained rule, the revealed traits that restrict guesses (legality.py).
        turns_made: number of guesses made.
        known: what is known without turns.
    """

    game: Game
    state: State
    turns: tuple[Turn, ...]
    revealed: Revealed
    turns_made: int
    known: Knowledge | None = None

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
        """A position given by its possible answers, as indices, without turns.

        Under a constrained rule ``revealed`` is needed too, except before the first turn.

        Raises ValueError if it is missing, or if answers or ``turns_made`` are out of range.
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
        """The position after ``guess`` has received ``pattern``.

        The guess need not be legal. Raises UserError if no possible answer gives that pattern, or
        if the pattern ends the game.
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
        turns, revealed = (*self.turns, (guess, pattern)), self.revealed | revealed
        made = self.turns_made + 1
        return replace(self, state=state, turns=turns, revealed=revealed, turns_made=made)

    def allowing_failures(self) -> Position:
        """This position in the game of :meth:`Game.allowing_failures`."""
        return replace(self, game=self.game.allowing_failures())

    @property
    def history(self) -> str:
        """What is known and the turns as text, which :meth:`Game.position_after` reads."""
        return " ".join(filter(None, ("" if self.known is None else self.known.text, self.played)))

    @property
    def said(self) -> str:
        """What is known and the turns for people, as in ``template **er*, SALET BYBBG``."""
        known = "" if self.known is None else self.known.said
        return ", ".join(filter(None, (known, capitals(self.played))))

    @property
    def played(self) -> str:
        """The turns as text, as in ``salet BYBBG``."""
        words = self.game.words
        return " ".join(
            f"{words.guesses.words[guess]} {words.feedback.format(pattern)}"
            for guess, pattern in self.turns
        )

    @property
    def is_start(self) -> bool:
        """Whether nothing is known yet, neither by turns nor without them."""
        return self.turns_made == 0 and self.known is None

    @cached_property
    def symmetry(self) -> Symmetry | None:
        """The symmetries that fix every guess made.

        None if the state is not what the turns leave, as in positions of :meth:`of_answers`, and
        if anything is known without turns.
        """
        if self.known is not None:
            return None
        agree = np.ones(self.game.answer_count, np.bool_)
        symmetry = self.game.symmetry
        for guess, pattern in self.turns:
            agree &= self.game.patterns.values[:, guess] == pattern
            symmetry = symmetry.fixing(guess)
        return symmetry if int(agree.sum()) == len(self.state) else None

    @property
    def guesses_left(self) -> int:
        """Number of guesses left, or NO_LIMIT. Raises UserError if there are none."""
        return self.game.objective.after(self.turns_made)

    @property
    def choices(self) -> NDArray[np.bool_]:
        """The guesses that a strategy may play, bool[G].

        Under CANDIDATES these are the possible answers, on the first turn too.
        """
        return self.game.legal_guesses(self.state, self.revealed)

    @property
    def legal(self) -> NDArray[np.bool_]:
        """The guesses that may be evaluated, bool[G]: all at the start, else ``choices``."""
        if self.is_start:
            return np.ones(self.game.guess_count, dtype=np.bool_)
        return self.choices

    def check_legal(self, guess: int) -> None:
        """Raise UserError, with the reason, if ``guess`` is illegal."""
        if self.legal[guess]:
            return
        rule, listed = self.game.rule, self.game.words.guesses
        words, word = listed.words, listed.shown(guess)
        if rule is Rule.CANDIDATES:
            raise UserError(f"{word} is no longer possible, and the rule allows only candidates")
        turns = ((words[g], pattern) for g, pattern in self.turns)
        why = breach(rule, words[guess], turns, self.known, listed.alphabet)
        why = why or "it breaks with what has been revealed"
        raise UserError(f"{word} is illegal under the {rule} rule: {why}")


@dataclass(frozen=True, eq=False)
class Game:
    """A game; immutable, and shared by evaluators, solvers and files.

    Raises UserError for a constrained rule in a game without words.

    Attributes:
        words: guesses, answers and feedback.
        patterns: the pattern of every guess for every answer.
        rule: which guesses are legal.
        objective: what to minimise, with guess limit and weights.
    """

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
        """The prices of turns."""
        return self.objective.prices(self.answer_count)

    def allowing_failures(self) -> Game:
        """This game with the objective of fewest failures.

        Raises UserError without a guess limit, and for weights so large that values may overflow.
        """
        game = replace(self, objective=self.objective.allowing_failures())
        game.objective.prices(self.answer_count)
        return game

    def without_limit(self) -> Game:
        """This game with the mean as objective and without a guess limit."""
        return replace(self, objective=Objective(None, weights=self.objective.weights))

    def to_win(self) -> Game:
        """This game with a guaranteed win as the only objective."""
        return replace(self, objective=Objective.to_win(self.objective.max_guesses))

    @cached_property
    def traits(self) -> Traits:
        """Traits of the guesses, which decide legality under constrained rules; else none."""
        if self.rule.is_constrained:
            return Traits.of(self.words.guesses)
        return Traits.none(self.guess_count)

    @cached_property
    def symmetry(self) -> Symmetry:
        """The verified symmetries of the game that keep its weights."""
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

    def knowing(self, known: Knowledge | None) -> Position:
        """The position before the first turn in which ``known`` is known of the answer.

        Raises UserError if no answer agrees with it.
        """
        if known is None:
            return self.start()
        state = np.flatnonzero(known.agreeing(self.words.answers)).astype(np.uint16)
        if len(state) == 0:
            raise UserError(
                f"no answer of {self.words.answers.source} agrees with {known.said}; check it"
                f"{self._beyond((), known)}"
            )
        revealed = known.revealed(self.rule, self.words.guesses, self.traits)
        return Position(self, state, (), revealed, 0, known)

    def position_after(self, history: str = "", known: Knowledge | None = None) -> Position:
        """The position after turns such as ``"salet BYBBG crony BBGBB"``.

        A turn may also be one token, ``salet=BYBBG``; but a token that is the name of a guess is
        read as that guess. The guesses made need not be legal; the rule holds from the next one on.
        The text may also hold what is ``known``, as Knowledge writes it.

        Raises UserError for an unknown word, a bad pattern, feedback that no possible answer gives,
        and turns after the answer was found.
        """
        told = [each for each in history.split() if each.startswith(MARK)]
        if len(told) + (known is not None) > 1:
            raise UserError(f"what is known is given twice, also as {quoted(told[-1])}; join both")
        if told:
            known = Knowledge.parse(self.words, told[0])
        position = self.knowing(known)
        turns = [
            (self._past_guess(word), self.words.feedback.parse(text))
            for word, text in self._turns_of(history)
        ]
        for number, (guess, pattern) in enumerate(turns, start=1):
            try:
                position = position.after(guess, pattern)
            except UserError as error:
                doubt = self._doubt(turns[:number], known) + self._beyond(turns[:number], known)
                shown = quoted(" ".join(_past_knowledge(history)))
                raise UserError(f"state {shown}: turn {number}: {error}{doubt}") from None
        return position

    def _past_guess(self, word: str) -> int:
        """Index of a guess that was made. Raises UserError, which says how to allow others."""
        try:
            return self.words.guesses.find(word)
        except UserError as error:
            spelled = normalise(word)
            signs = self.words.guesses.alphabet.signs(spelled)
            if not self.words.feedback.is_by_letters or len(signs) != self.words.length:
                raise
            also = " Else" if str(error).endswith("?") else ";"
            sign = "=" if spelled.isalnum() else " "  # errors from Python quote a plain value
            raise UserError(
                f"{error}{also} give --unlisted{sign}{spelled} if the game took it"
            ) from None

    def _doubt(self, turns: Sequence[Turn], known: Knowledge | None) -> str:
        """A remark for errors: which earlier turns may be wrong instead of the last one.

        Those are the turns without which some answer agrees with all others. What is known without
        turns may be wrong, too.
        """
        agree = np.stack([self.patterns.values[:, guess] == seen for guess, seen in turns])
        if known is not None:
            if agree.all(axis=0).any():
                return f", and {known.said}"
            agree &= known.agreeing(self.words.answers)
        if len(turns) == 1 or agree.all(axis=0).any():
            return ""
        wrong = [i + 1 for i in range(len(turns) - 1) if np.delete(agree, i, 0).all(axis=0).any()]
        return f", or that of turn {' or '.join(map(str, wrong))}" if wrong else ""

    def _beyond(self, turns: Sequence[Turn], known: Knowledge | None) -> str:
        """A remark for errors: the guesses that agree with everything, where no answer does."""
        words = self.words
        if not words.feedback.is_by_letters:
            return ""
        codes = words.guesses.codes
        agree = np.ones(len(codes), np.bool_) if known is None else known.agreeing(words.guesses)
        for guess, seen in turns:
            agree &= pattern_row(codes[guess], codes) == seen
        found = np.flatnonzero(agree)
        if len(found) == 0 or (words.answer_of_guess[found] >= 0).any():
            return ""
        held = counted(len(found), "guess", "guesses")
        does = "that is no answer agrees" if len(found) == 1 else "that are no answers agree"
        return (
            f"; {held} {does}, such as {words.guesses.shown(int(found[0]))}; give "
            "--answers=guesses to let every guess be the answer"
        )

    def _turns_of(self, history: str) -> list[tuple[str, str]]:
        """Split a history into written guesses and patterns. Raises UserError unless paired."""
        turns = []
        fields = iter(_past_knowledge(history))
        for word in fields:
            guess, sign, text = word.rpartition("=")
            if not sign or self.words.guesses.place(word) is not None:
                guess, text = word, next(fields, "")
            if not text:
                shown = quoted(" ".join(_past_knowledge(history)))
                raise UserError(
                    f"state {shown}: give a word and its pattern in turn, as in "
                    f"{self.words.feedback.example!r}"
                )
            turns.append((guess, text))
        return turns

    def legal_guesses(self, state: State, revealed: Revealed) -> NDArray[np.bool_]:
        """The legal guesses in a state with revealed traits, bool[G]; see Position.choices."""
        if self.rule is Rule.CANDIDATES:
            result = np.zeros(self.guess_count, dtype=np.bool_)
            result[self.words.guess_of_answer[state]] = True
            return result
        if not self.rule.is_constrained:
            return np.ones(self.guess_count, dtype=np.bool_)
        return self.traits.agree(int(self.words.guess_of_answer[state[0]]), revealed)

    def difference(self, other: Game) -> str | None:
        """A short text on how ``other`` differs from this game; None if it does not."""
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


def _past_knowledge(history: str) -> list[str]:
    """The words and patterns of a history, without what is known, which only programs write."""
    return [each for each in history.split() if not each.startswith(MARK)]
