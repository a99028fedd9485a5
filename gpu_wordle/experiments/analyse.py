"""Analyses a played game turn by turn: the regret of each guess, and the luck of its feedback.

V is the value of a position: the expected number of further guesses under optimal play. Q is the
same expectation after a given guess. Then:

- regret = Q - V is the cost of the guess above the best one. It is never negative for a legal
  guess, and zero for an optimal one.
- luck = (Q - 1) - V', where V' is the value after the feedback, is the gain over the expectation.
  If turns have prices, 1 becomes the price of the turn.

Over a game that is won, the sum of regret - luck is its length minus the value of the start.

A guess that is no guaranteed win has no value within the guess limit. Such a turn is valued without
the limit: V, Q and V' alike, so that its regret and luck compare like with like.

Under the normal rule, for the mean and without a guess limit, regret is at most 1: the optimal
strategy can still be played after the guess. It is exactly 1 if the guess tells nothing. Otherwise
regret can exceed 1, since rules and limits forbid later guesses, and later turns may cost more.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction

from gpu_wordle.backends import Evaluator
from gpu_wordle.errors import IncompleteError, UserError
from gpu_wordle.experiments.pasted import parse_row
from gpu_wordle.experiments.play import is_candidate
from gpu_wordle.experiments.transcripts import UNREAD, Fault, Transcript
from gpu_wordle.experiments.values import Values
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.rule import Rule, breach
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Strategy

POPULAR = ("entropy", "parts", "max-part", "expected-part", "greens")
"""Greedy rules whose guesses are shown for comparison; the last one needs a game of words."""


@dataclass(frozen=True, eq=False)
class Step:
    """One turn of a game.

    Attributes:
        position: the position before the turn.
        word: the guess as written.
        guess: its index; None if it is not in the list.
        pattern: its feedback; None if unknown, or if no possible answer gives it.
        value: V, the value of the position; None if unknown, or if there is none.
        value_guess: Q, the value of the guess; None if unknown, or if there is none.
        value_after: V', the value of the position after; 0 once the answer is found.
        answers_after: number of possible answers after the turn; 1 once the answer is found.
        price: the price of the turn.
        is_open: whether an early stop has left some of the values unknown.
        is_winning: whether the guess is a guaranteed win in the game of ``position``.
        is_without_limit: whether the values are those of the game without a guess limit, since the
            guess is no guaranteed win. ``position`` then belongs to that game.
        is_winnable: whether some guess was a guaranteed win before the turn; None if unknown.
        fault: what is wrong with the turn; None if nothing.
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
    is_winning: bool = False
    is_without_limit: bool = False
    is_winnable: bool | None = None
    fault: Fault | None = None

    @property
    def regret(self) -> Fraction | None:
        """Q - V, the cost above the best guess; None for a faulty guess, or if unknown."""
        if self.value is None or self.value_guess is None or self.fault is not None:
            return None
        return self.value_guess - self.value

    @property
    def luck(self) -> Fraction | None:
        """Q - price - V', the gain of the feedback over the expectation; None if unknown."""
        if self.value_guess is None or self.value_after is None:
            return None
        return self.value_guess - self.price - self.value_after

    @property
    def is_guaranteed(self) -> bool | None:
        """Whether the guess is a guaranteed win within the limit; None if unknown."""
        if self.is_without_limit:
            return False
        return None if self.is_open or self.pattern is None else self.is_winning

    @property
    def is_solved(self) -> bool:
        """Whether the guess was the answer."""
        return self.pattern == self.position.game.words.feedback.solved


@dataclass(frozen=True, eq=False)
class Analysed:
    """An analysed game.

    Attributes:
        game: the game.
        steps: the turns, including guesses that do not count.
        start: the value of the start; None if unknown, or if there is none.
        is_start_open: whether an early stop has left it unknown.
        is_start_without_limit: whether it is the value without a guess limit, since no strategy is
            a guaranteed win.
    """

    game: Game
    steps: list[Step] = field(repr=False)
    start: Fraction | None = None
    is_start_open: bool = False
    is_start_without_limit: bool = False

    @property
    def is_solved(self) -> bool:
        """Whether the answer was found, in time or not."""
        return any(step.is_solved for step in self.steps)

    @property
    def is_won(self) -> bool:
        """Whether the answer was found within the guess limit."""
        limit = self.game.objective.max_guesses
        return self.is_solved and (limit is None or self.length <= limit)

    @property
    def length(self) -> int:
        """Number of guesses that counted."""
        return sum(step.guess is not None for step in self.steps)

    @property
    def regret(self) -> Fraction:
        """Sum of the known regrets."""
        return sum((step.regret for step in self.steps if step.regret is not None), Fraction(0))

    @property
    def luck(self) -> Fraction:
        """Sum of the known lucks."""
        return sum((step.luck for step in self.steps if step.luck is not None), Fraction(0))

    @property
    def contradictions(self) -> int:
        """Number of guesses that disagree with the feedback before them."""
        known = [(step.position, step.guess) for step in self.steps]
        return sum(guess is not None and _disagrees(place, guess) for place, guess in known)

    @property
    def skill(self) -> Fraction | None:
        """1 - regret / price of the turns, over turns with known regret; None if there are none.

        It is 1 if every guess was optimal. Under the normal rule, for the mean and without a guess
        limit, it is never below 0, and 0 if no guess told anything.
        """
        known = [step.price for step in self.steps if step.regret is not None]
        return 1 - self.regret / sum(known) if sum(known) else None

    def count(self, fault: Fault) -> int:
        """Number of turns with the given fault."""
        return sum(step.fault is fault for step in self.steps)


def analyse(values: Values, transcript: Transcript, *, strict: bool = False) -> Analysed:
    """Analyse a game: the value, regret and luck of each turn.

    A guess that is not in the list counts as no turn. Feedback that no possible answer gives, or
    that cannot be read, ends the analysis. An unknown answer is ignored, and so are turns after the
    answer was found. With ``strict``, each of these raises UserError and names the turn.
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
            step = Step(position, word, guess, fault=Fault.of(error))
        if strict and step.fault in (Fault.UNKNOWN, Fault.CONTRADICTORY):
            raise UserError(f"turn {number}: {_complaint(step, seen)}")
        steps.append(step)
        if step.fault in (Fault.CONTRADICTORY, *UNREAD) or (step.is_solved and not strict):
            break
        if step.is_solved:
            continue  # with ``strict``, any further turn is an error
        if step.guess is not None and step.pattern is not None:
            position = position.after(step.guess, step.pattern)
    within = _start(values)
    if within.start is not None or within.is_start_open or values.without_limit is None:
        return replace(within, steps=steps)
    free = _start(values.without_limit)
    return replace(free, game=game, steps=steps, is_start_without_limit=True)


def _start(values: Values) -> Analysed:
    """A game without turns: the value of the start alone."""
    start = values.game.start()
    return Analysed(values.game, [], values.mean(start), not values.has(start))


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
    """Analyse one turn; raises UserError for missing or unreadable feedback."""
    game = values.game
    if isinstance(seen, Fault):  # a turn of a transcript that could not be read
        return Step(position, word, None, fault=seen)
    if not word:
        raise IncompleteError("no word")
    guess = game.words.guesses.place(word)
    if guess is None:
        return Step(position, word, None, fault=Fault.UNKNOWN)
    told = None if seen is None else parse_row(seen, game.words)
    true = None if answer is None else int(game.patterns.values[answer, guess])
    pattern = told if true is None else true
    if pattern is None:
        raise IncompleteError(f"{capitals(word)} has no colours; give them, or the answer")
    is_possible = len(game.part(position.state, guess, pattern)) > 0
    if not is_possible or (told is not None and told != pattern):
        return Step(position, word, guess, fault=Fault.CONTRADICTORY)
    return step_of(values, position, guess, pattern, word)


def step_of(values: Values, position: Position, guess: int, pattern: int, word: str = "") -> Step:
    """Analyse a turn: a guess, legal or not, and feedback that some answer left gives."""
    after = len(values.game.part(position.state, guess, pattern))
    fault = None if values.allows(position, guess) else Fault.ILLEGAL
    price = values.price(position)
    step = Step(position, word, guess, pattern, answers_after=after, price=price, fault=fault)
    within = _valued(values, step)
    if values.has(position):
        within = replace(within, is_winnable=values.total(position) < INFEASIBLE)
    free = values.without_limit
    if within.is_guaranteed is not False or free is None:
        return within
    beyond = replace(position, game=free.game)
    return _valued(free, replace(within, position=beyond, is_without_limit=True))


def _disagrees(position: Position, guess: int) -> bool:
    """Whether a guess, if it were the answer, would have given other feedback.

    In games that are not compared by letters, whether it is none of the answers left.
    """
    words = position.game.words
    if not words.feedback.is_by_letters:
        return not is_candidate(position, guess)
    listed = words.guesses
    turns = ((listed.words[made], seen) for made, seen in position.turns)
    rule, word = Rule.ULTRA_HARD, listed.words[guess]
    return breach(rule, word, turns, position.known, listed.alphabet) is not None


def _valued(values: Values, step: Step) -> Step:
    """A turn with its values."""
    position, guess, pattern = step.position, step.guess, step.pattern
    assert guess is not None, "a turn that is valued has a guess"
    assert pattern is not None, "a turn that is valued has feedback"
    value, value_guess = values.mean(position), values.mean_of(position, guess)
    value_after: Fraction | None = Fraction(0)
    is_known = values.has(position) and values.has(position, guess)
    if not step.is_solved:
        left = position.after(guess, pattern)
        value_after, is_known = values.mean(left), is_known and values.has(left)
    return replace(
        step,
        value=value,
        value_guess=value_guess,
        value_after=value_after,
        is_open=not is_known,
        is_winning=values.total_of(position, guess) < INFEASIBLE,
    )


def _complaint(step: Step, seen: str | None) -> str:
    """Return what is wrong with a turn, and what to do."""
    words = step.position.game.words
    if step.fault is Fault.UNKNOWN:
        try:
            words.guesses.find(step.word)
        except UserError as error:
            return str(error)
    colours = "" if seen is None else f" {seen}"
    return (
        f"{capitals(step.word)}{colours} is impossible: no answer left gives it; check it, "
        "the turns before and the answer"
    )


def rule_guesses(
    position: Position, rules: Sequence[Strategy], evaluator: Evaluator
) -> dict[str, int]:
    """The guess of each strategy in a position, by the strategy's name."""
    batch = Positions.of(position, evaluator)
    return {rule.name: int(rule.choose(batch)[0]) for rule in rules}


def popular_rules(game: Game) -> list[Strategy]:
    """The strategies of POPULAR that can play the game."""
    is_of_words = game.words.feedback.is_of_words
    return [make_strategy(name, game) for name in POPULAR if is_of_words or name != POPULAR[-1]]
