"""Comments on the turns of an analysed game: a label, marks, and sentences that exact values prove.

This module makes all labels and sentences; terminal, page and reports only show them. Numbers are
rounded so that what is read adds up. If two means and their difference fit together at no
precision, sums over all answers are shown instead, or the difference alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from gpu_wordle.errors import counted
from gpu_wordle.experiments.analyse import Step
from gpu_wordle.experiments.play import groups, is_candidate
from gpu_wordle.experiments.transcripts import UNREAD, Fault
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.spelling import capitals


class Label(StrEnum):
    """How good a guess was."""

    BEST = "best"
    GOOD = "good"
    INACCURACY = "inaccuracy"
    MISTAKE = "mistake"
    BLUNDER = "blunder"


class Mark(StrEnum):
    """What else a turn was."""

    ONLY = "only sure one"
    FORCED = "forced"
    LUCKY = "lucky"


REGRET_UP_TO = {
    Label.BEST: Fraction(0),
    Label.GOOD: Fraction(1, 20),
    Label.INACCURACY: Fraction(1, 5),
    Label.MISTAKE: Fraction(1, 2),
}
"""The greatest regret of each label, in guesses; a blunder has more, or gives a sure win away."""

LUCKY_ABOVE = Fraction(1, 2)
"""A lucky turn has more luck than this, in guesses: more than the toss-up between two answers."""

MEANINGS: dict[Label | Mark, str] = {
    Label.BEST: "regret exactly 0",
    **{
        label: f"regret of at most {float(most):g}"
        for label, most in REGRET_UP_TO.items()
        if label is not Label.BEST
    },
    Label.BLUNDER: "more regret, or a sure win given away",
    Mark.ONLY: "no other guess was a sure win; looked for when at most 3 guesses are left",
    Mark.FORCED: "only one answer was left, and it was guessed",
    Mark.LUCKY: f"luck above {float(LUCKY_ABOVE):g}",
}
"""The meaning of each label and mark, by its name."""

DIGITS = (2, 3)
"""Numbers of decimals that are tried for means that must add up."""

MAX_DECIMALS = 9
"""Most decimals of a difference, which has as many as it takes to show its side of each bound."""

BOUNDS = (*REGRET_UP_TO.values(), LUCKY_ABOVE, Fraction(1))
"""Numbers on whose side a rounded difference must stay, so that it fits its label and its unit."""


@dataclass(frozen=True)
class Comment:
    """A comment on one turn.

    Attributes:
        label: how good the guess was; None if its regret is unknown, or is no number of guesses.
        marks: what else the turn was.
        sentences: sentences in plain words.
    """

    label: Label | None
    marks: tuple[Mark, ...]
    sentences: tuple[str, ...]


def comment_on(
    step: Step,
    max_guesses: int | None,
    best: Sequence[int] = (),
    sure: int | None = None,
    only: int | None = None,
) -> Comment:
    """Return the comment on a turn.

    Args:
        step: the turn.
        max_guesses: the guess limit of the game, which the values of the turn may leave aside.
        best: all best guesses; without them no other guess is named.
        sure: a guess that is a guaranteed win within the limit, if one is known.
        only: the only such guess, if it is proven that there is no other.
    """
    return _Turn(step, max_guesses, best, sure, only).comment()


def label_of(step: Step) -> Label | None:
    """The label of a turn, by its exact regret."""
    if step.fault is not None:
        return None
    if _is_win_given_away(step):
        return Label.BLUNDER
    if step.regret is None:
        return None
    if step.position.game.objective.aim is Aim.COST:  # prices are no guesses
        return Label.BEST if step.regret == 0 else None
    fitting = (label for label, most in REGRET_UP_TO.items() if step.regret <= most)
    return next(fitting, Label.BLUNDER)


def _is_win_given_away(step: Step) -> bool:
    """Whether some guess was a guaranteed win, but not the one that was made."""
    return step.is_guaranteed is False and step.is_winnable is True


class _Turn:
    """The words for one turn."""

    def __init__(
        self,
        step: Step,
        limit: int | None,
        best: Sequence[int],
        sure: int | None,
        only: int | None,
    ) -> None:
        position, game = step.position, step.position.game
        self.step, self.limit, self.best, self.sure, self.only = step, limit, best, sure, only
        self.is_priced = game.objective.aim is Aim.COST
        self.is_weighted = game.objective.weights is not None
        self.count, self.label = len(position.state), label_of(step)
        self.rival = next((guess for guess in best if guess != step.guess), None)
        self.word = capitals(step.word) if step.guess is None else self._spell(step.guess)
        self.legal = "guess" if game.rule is Rule.NORMAL else "legal guess"
        self.noun = "word" if game.words.feedback.is_of_words else "answer"
        self.average = "on average by weight" if self.is_weighted else "on average"
        self.left = f"the {counted(self.count, self.noun)}{'' if position.is_start else ' left'}"

    def comment(self) -> Comment:
        return Comment(self.label, tuple(self._marks()), tuple(self._sentences()))

    def _marks(self) -> Iterator[Mark]:
        step = self.step
        if step.fault is None and self.only == step.guess and not self._is_forced:
            yield Mark.ONLY
        if self._is_forced:
            yield Mark.FORCED
        if step.luck is not None and not self.is_priced and step.luck > LUCKY_ABOVE:
            yield Mark.LUCKY

    @property
    def _is_forced(self) -> bool:
        """Whether one answer was left, and it was guessed."""
        return self.count == 1 and self.step.is_solved

    def _sentences(self) -> Iterator[str]:
        if self.step.fault not in (None, Fault.ILLEGAL):
            yield self._complaint()
            return
        assert self.step.guess is not None, "a turn that is valued has a guess"
        own, most = groups(self.step.position, self.step.guess)
        wins = self._of_winning()
        if self.step.is_without_limit and self.count > 1:
            yield from wins  # the reason for the label, or for the figures, comes first
        yield from self._of_choice()
        if self.count > 2 or (self.count > 1 and self.step.regret):
            yield self._of_groups(self.step.guess, own, most)
        yield from wins
        if own > 1:
            yield self._of_luck()

    def _complaint(self) -> str:
        """A sentence on a turn that cannot be valued."""
        fault = self.step.fault
        if fault is Fault.UNKNOWN:
            return f"{self.word} isn't in the word list, so it took no turn."
        if fault in UNREAD:
            return f"This turn is {fault}, so it has no value."
        return f"The colours of {self.word} contradict the turns before or the answer."

    def _of_choice(self) -> Iterator[str]:
        """Sentences that compare the guess with the best one."""
        step, word = self.step, self.word
        if step.fault is Fault.ILLEGAL:
            rule = step.position.game.rule
            yield f"{word} is illegal under the {rule} rule, so its cost is not counted."
        elif self._is_forced:
            yield f"{word} was the only {self.noun} left."
        elif step.regret is None:
            yield self._of_no_value()
        elif step.regret == 0:
            yield self._of_best()
        elif self.count == 1 and step.regret == 1 and not self.is_priced:
            answer = step.position.game.words.guess_of_answer[step.position.state[0]]
            yield f"Only {self._spell(int(answer))} was left, so {word} cost a whole guess."
        else:
            yield self._of_cost(step.regret)

    def _of_no_value(self) -> str:
        """A sentence on why there is no regret."""
        if self.step.is_open:
            return "Not all values of this turn were found in time."
        if self.step.is_guaranteed:
            return f"All that is left has weight zero, so {self.word} has no value."
        return f"After {self.word} a win is not sure, so it has no value."

    def _of_best(self) -> str:
        """A sentence on a guess without regret."""
        value, legal = self.step.value, self.legal
        assert value is not None, "a turn with a regret has a value"
        verb, need = ("pays", "pay") if self.is_priced else ("needs", "need")
        few = "little" if self.is_priced else "few"
        others = len(self.best) - 1
        rest = f"no {legal} {verb} {'less' if self.is_priced else 'fewer'}"
        if others == 0:
            rest = f"no other {legal} {verb} as {few}"
        elif others > 0:
            rest += f", and {counted(others, 'other')} {verb if others == 1 else need} as {few}"
        return f"{self.word} {verb} {self._amount(value)} {self.average}; {rest}."

    def _of_cost(self, regret: Fraction) -> str:
        """A sentence on a guess with regret, in numbers that add up."""
        value, own = self.step.value, self.step.value_guess
        assert value is not None, "a turn with a regret has a value"
        assert own is not None, "a turn with a regret has a value"
        named = f"the best {self.legal}" if self.rival is None else self._spell(self.rival)
        verb, word = ("pays" if self.is_priced else "needs"), self.word
        for digits in DIGITS:
            low, high, more = (rounded(each, digits) for each in (value, own, regret))
            if not (low and high and more and _read(more) and _fits(regret, more)):
                continue
            if _read(high) - _read(low) == _read(more):
                return (
                    f"{word} cost {self._unit(regret, more)}: {named} {verb} {low} {self.average}, "
                    f"{word} {high}."
                )
        cost = self._size(regret)
        if self.is_weighted:
            return f"{word} cost {cost} {self.average}."
        low, high = (f"{int(each * self.count):,}" for each in (value, own))
        more = f"{int(regret * self.count):,}"
        return (
            f"{word} cost {cost}, or {more} over {self.left}: {named} {verb} {low} in all, "
            f"{word} {high}."
        )

    def _of_groups(self, guess: int, own: int, most: int) -> str:
        """A sentence on the groups into which the guess splits the answers."""
        itself = f"It tells none of {self.left} apart"
        if own > 1:
            itself = f"It splits {self.left} into {counted(own, 'group')}"
        if self.rival is None or not self.step.regret:
            return f"{itself}."
        position, rival = self.step.position, self._spell(self.rival)
        other, most_of_other = groups(position, self.rival)
        if own == other:
            as_many = f"{itself}; {rival} makes as many"
            if most != most_of_other:
                largest = counted(most_of_other, self.noun)
                return f"{as_many}; its largest has {largest}, not {most:,}."
            if is_candidate(position, self.rival) and not is_candidate(position, guess):
                return f"{as_many}, and can be the answer."
            return f"{as_many}."
        if own == 1:
            return f"{itself}; {rival} makes {counted(other, 'group')} of them."
        return f"{itself}, {rival} into {other:,}."

    def _of_winning(self) -> Iterator[str]:
        """Sentences on guaranteed wins within the guess limit."""
        step = self.step
        if self.limit is None or step.fault is not None:
            return
        guesses = counted(self.limit, "guess", "guesses")
        within = f"within {guesses}"
        aside = ", so the figures leave this limit aside" if step.is_without_limit else ""
        if step.position.turns_made >= self.limit:
            yield f"The limit of {guesses} was passed before{aside}."
        elif _is_win_given_away(step):
            if self.count == 1:
                yield f"It was the last of {guesses}{aside}."
            elif self.sure is None:
                yield f"{self.word} gave a sure win {within} away{aside}."
            elif self.only is None:
                sure = self._spell(self.sure)
                yield f"{sure} was a sure win {within}, {self.word} was not{aside}."
            else:
                yield f"Only {self._spell(self.only)} was a sure win {within}{aside}."
        elif step.is_guaranteed is False and step.is_winnable is False:
            yield f"No {self.legal} was a sure win {within}{aside}."
        elif self.only == step.guess and not self._is_forced:
            yield f"No other {self.legal} was a sure win {within}."

    def _of_luck(self) -> str:
        """A sentence on what the feedback gave."""
        step = self.step
        after = step.answers_after
        assert after is not None, "a turn that is valued has feedback"
        if step.is_solved:
            said = f"It was the answer, 1 of {counted(self.count, self.noun)}"
        else:
            said = f"Its feedback left {after:,} of {counted(self.count, self.noun)}"
        if step.luck is None:
            return f"{said}."
        if step.luck == 0:
            return f"{said}, just as expected."
        than = "better" if step.luck > 0 else "worse"
        return f"{said}, {self._size(abs(step.luck))} {than} than expected."

    def _amount(self, value: Fraction) -> str:
        """A value with its unit."""
        shown = next(filter(None, (rounded(value, digits) for digits in DIGITS)))
        return shown if self.is_priced else f"{shown} {'guess' if value == 1 else 'guesses'}"

    def _size(self, value: Fraction) -> str:
        """A positive difference with its unit."""
        for digits in range(DIGITS[0], MAX_DECIMALS + 1):
            shown = rounded(value, digits)
            if shown is not None and not _read(shown):
                return self._unit(value, f"less than {10**-digits:.{digits}f}")
            if shown is not None and _fits(value, shown):
                return self._unit(value, shown)
        return self._unit(value, str(value))

    def _unit(self, value: Fraction, shown: str) -> str:
        """A positive difference as it is shown, with its unit."""
        if self.is_priced:
            return shown
        if value == 1:
            return "a whole guess"
        return f"{shown} of a guess" if value < 1 else f"{shown} guesses"

    def _spell(self, guess: int) -> str:
        return self.step.position.game.words.guesses.shown(guess)


def _read(shown: str) -> Fraction:
    """The number that is shown."""
    return Fraction(shown.replace(",", ""))


def _fits(value: Fraction, shown: str) -> bool:
    """Whether a rounded number is on the same side of each of BOUNDS as the exact one."""
    near = _read(shown)
    return all((near > each, near < each) == (value > each, value < each) for each in BOUNDS)


def rounded(value: Fraction, digits: int) -> str | None:
    """A value with ``digits`` decimals; None for an exact half, whose rounding is a choice."""
    scaled = value * 10**digits
    if scaled.denominator == 2:
        return None
    return f"{float(Fraction(round(scaled), 10**digits)):,.{digits}f}"
