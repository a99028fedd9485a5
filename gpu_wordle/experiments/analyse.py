"""A played game turn by turn: what each guess was worth, and what was luck.

With V the value of a position and Q that of a guess there, both in guesses an answer takes from
there on, on average and by the best play:

- regret = Q - V is what the guess costs more than the best one. It is never negative for a legal
  guess, and zero for every optimal one.
- luck = (Q - 1) - V', with V' the value after the feedback, is how much better that came out than
  was to be expected. Where turns have prices, 1 is the price of the turn.

Added up over a game that is won, regret - luck telescopes to its length less the value of the
start.

Under the normal rule and the mean, without a guess limit, no guess has a regret above 1: the best
strategy can still be played after it. One that tells nothing has just that. Elsewhere a guess can
cost more than its turn: rules and limits take later guesses away, and later turns may be dearer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction

from gpu_wordle.backends import Evaluator
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.transcripts import Transcript
from gpu_wordle.experiments.values import Values
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Strategy

POPULAR = ("entropy", "parts", "max-part", "expected-part", "greens")
"""Rules whose guesses are shown beside those that were made; the last is of words only."""


class Fault(StrEnum):
    """What is wrong with a turn."""

    UNKNOWN = "unknown"  # the guess is not in the list, and takes no turn
    ILLEGAL = "illegal"  # the rule forbids the guess, which is played all the same
    CONTRADICTORY = "contradictory"  # no answer gives this feedback, or it cannot be read


@dataclass(frozen=True, eq=False)
class Step:
    """One turn of a game.

    Attributes:
        position: where it was made; None of a guess that is in no list.
        word: the guess as it was written.
        guess: its index; None if it is in no list.
        pattern: what it received; None if that is not known, or no answer gives it.
        value: the value of the position before, which is that of its best guesses.
        value_guess: the value of the guess; None where it cannot surely win in time.
        value_after: the value of the position after; 0 once the answer is found.
        answers_after: answers that are possible then; of the answer that is found, 1.
        price: what the turn costs.
        is_open: whether an early end has left some of the values unknown.
        fault: what is wrong with it, if anything.
    """

    position: Position
    word: str
    guess: int | None
    pattern: int | None = None
    value: Fraction | None = None
    value_guess: Fraction | None = None
    value_after: Fraction | None = None
    answers_after: int | None = None
    price: int = 1
    is_open: bool = False
    fault: Fault | None = None

    @property
    def regret(self) -> Fraction | None:
        """What the guess costs more than the best one; None of a guess that was not legal."""
        if self.value is None or self.value_guess is None or self.fault is not None:
            return None
        return self.value_guess - self.value

    @property
    def luck(self) -> Fraction | None:
        """How much less was to be paid after the feedback than was to be expected."""
        if self.value_guess is None or self.value_after is None:
            return None
        return self.value_guess - self.price - self.value_after

    @property
    def is_solved(self) -> bool:
        """Whether the guess was the answer."""
        return self.pattern == self.position.game.words.feedback.solved


@dataclass(frozen=True, eq=False)
class Analysed:
    """A game and what its turns were worth.

    Attributes:
        game: what was played.
        steps: the turns, and guesses that did not count as one.
        start: the value of the start; None if there is none, or an early end left it unknown.
        is_start_open: whether it is unknown.
    """

    game: Game
    steps: list[Step] = field(repr=False)
    start: Fraction | None = None
    is_start_open: bool = False

    @property
    def is_solved(self) -> bool:
        """Whether the answer was found, in time or not."""
        return any(step.is_solved for step in self.steps)

    @property
    def length(self) -> int:
        """Guesses that counted."""
        return sum(step.guess is not None for step in self.steps)

    @property
    def regret(self) -> Fraction:
        """What the guesses cost more than the best ones, as far as that is known."""
        return sum((step.regret for step in self.steps if step.regret is not None), Fraction(0))

    @property
    def luck(self) -> Fraction:
        """How much better the feedback came out than expected, as far as that is known."""
        return sum((step.luck for step in self.steps if step.luck is not None), Fraction(0))

    @property
    def skill(self) -> Fraction | None:
        """The share of the cost that could be avoided, a guess a turn, and was; None without any.

        It is one if every guess was optimal, and less otherwise. Under the normal rule and the
        mean, without a guess limit, it is never below zero, and zero if none told anything.
        """
        known = [step.price for step in self.steps if step.regret is not None]
        return 1 - self.regret / sum(known) if sum(known) else None

    def count(self, fault: Fault) -> int:
        """How many turns have a fault."""
        return sum(step.fault is fault for step in self.steps)


def analyse(values: Values, transcript: Transcript, *, strict: bool = False) -> Analysed:
    """What the turns of a game were worth.

    A guess that is in no list takes no turn. Feedback that no answer gives, or that cannot be read,
    ends the game. With ``strict`` these are UserErrors that name the turn. So are turns after the
    answer was found, and an answer in no list, which else leaves only the feedback to go by.
    """
    game = values.game
    position, steps = game.start(), list[Step]()
    answer = _answer(game, transcript, strict=strict)
    for number, (word, seen) in enumerate(transcript.turns, start=1):
        if strict and steps and steps[-1].is_solved:
            raise UserError(f"turn {number}: the answer was found before; leave it out")
        try:
            step = _step(values, position, word, seen, answer)
        except UserError as error:
            if strict:
                raise UserError(f"turn {number}: {error}") from None
            guess = game.words.guesses.place(word)
            step = Step(position, word, guess, fault=Fault.CONTRADICTORY)
        if strict and step.fault in (Fault.UNKNOWN, Fault.CONTRADICTORY):
            raise UserError(f"turn {number}: {_complaint(step, seen)}")
        steps.append(step)
        if step.fault is Fault.CONTRADICTORY or (step.is_solved and not strict):
            break
        if step.is_solved:
            continue  # to the turn that there must not be
        if step.guess is not None and step.pattern is not None:
            position = position.after(step.guess, step.pattern)
    start = game.start()
    return Analysed(game, steps, values.mean(start), not values.has(start))


def _answer(game: Game, transcript: Transcript, *, strict: bool) -> int | None:
    """The index of the answer, if it is known."""
    if transcript.answer is None:
        return None
    if strict:
        return game.words.answers.find(transcript.answer)
    return game.words.answers.place(transcript.answer)


def _step(
    values: Values, position: Position, word: str, seen: str | None, answer: int | None
) -> Step:
    """One turn; UserError for feedback that cannot be read, or if there is none."""
    game = values.game
    guess = game.words.guesses.place(word)
    if guess is None:
        return Step(position, word, None, fault=Fault.UNKNOWN)
    told = None if seen is None else game.words.feedback.parse(seen)
    true = None if answer is None else int(game.patterns.values[answer, guess])
    pattern = told if true is None else true
    if pattern is None:
        raise UserError(f"{capitals(word)} has no colours; give them, or the answer")
    after = game.part(position.state, guess, pattern)
    if len(after) == 0 or (told is not None and told != pattern):
        return Step(position, word, guess, fault=Fault.CONTRADICTORY)
    is_solved = pattern == game.words.feedback.solved
    value, value_guess = values.mean(position), values.mean_of(position, guess)
    value_after: Fraction | None = Fraction(0)
    is_known = values.has(position) and values.has(position, guess)
    if not is_solved:
        left = position.after(guess, pattern)
        value_after, is_known = values.mean(left), is_known and values.has(left)
    return Step(
        position,
        word,
        guess,
        pattern,
        value,
        value_guess,
        value_after,
        len(after),
        values.price(position),
        not is_known,
        None if values.allows(position, guess) else Fault.ILLEGAL,
    )


def _complaint(step: Step, seen: str | None) -> str:
    """What is wrong with a turn, and what to do."""
    words = step.position.game.words
    if step.fault is Fault.UNKNOWN:
        try:
            words.guesses.find(step.word)
        except UserError as error:
            return str(error)
    colours = "" if seen is None else f" {seen}"
    return (
        f"{capitals(step.word)}{colours} cannot hold: no answer that is left gives it; check it, "
        "the turns before and the answer"
    )


def rule_guesses(
    position: Position, rules: Sequence[Strategy], evaluator: Evaluator
) -> dict[str, int]:
    """What each rule would play in a position, by its name."""
    batch = Positions.of(position, evaluator)
    return {rule.name: int(rule.choose(batch)[0]) for rule in rules}


def popular_rules(game: Game) -> list[Strategy]:
    """The rules of POPULAR that the game has."""
    is_of_words = game.words.feedback.is_of_words
    return [make_strategy(name, game) for name in POPULAR if is_of_words or name != POPULAR[-1]]
