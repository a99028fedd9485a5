"""Objectives: the value of a strategy, as one integer to minimise.

A strategy finds each answer on some turn, counted from 1, or not at all. Finding an answer of
weight w on turn t costs ``w * price(t)``; losing it costs ``w * price of a failure``. The value of
a strategy is the sum. Prices never fall from turn to turn. In mid-game the price of the turns
already made is subtracted: an answer costs ``price(t) - price(last turn made)``.

Two aims, the more important first, make one integer too: the first is multiplied by a *scale* above
the maximum of the second. The worst case is no sum. Its value is ``scale * worst + total``, and the
solver minimises it by lowering the guess limit. Values are never divided, so that they are exact
and backends can be compared by ``==``.
"""

from __future__ import annotations

import hashlib
from bisect import bisect_left
from dataclasses import dataclass
from enum import StrEnum
from types import EllipsisType
from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game.numbers import whole_number
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.game.weights import Weights

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

MAX_GUESS_LIMIT = NO_LIMIT - 5
"""The highest limit; it leaves room for limits that a solver tries around the given one."""

DEFAULT_MAX_GUESSES = 6


class Aim(StrEnum):
    """What to minimise, by its name on the command line."""

    MEAN = "mean"
    MEAN_WORST = "mean,worst"  # the mean, then the worst case
    WORST = "worst"  # the worst case, then the mean
    WITHIN = "within"  # answers not found within K turns, then the mean
    FEWEST_FAILURES = "fewest-failures"  # answers not found at all, then the mean of the others
    COST = "cost"  # the sum of a price for each turn


@dataclass(frozen=True)
class Objective:
    """What to minimise, with the guess limit and the weights of the answers.

    Raises UserError for options that are out of range or do not fit together.

    Attributes:
        max_guesses: the guess limit; None for no limit. An answer not found within it is lost,
            which only FEWEST_FAILURES allows.
        aim: what to minimise.
        within: the last turn that counts as in time, for WITHIN.
        costs: the price of each turn, for COST.
        weights: weights of the answers; None for equal weights.
    """

    max_guesses: int | None = DEFAULT_MAX_GUESSES
    aim: Aim = Aim.MEAN
    within: int | None = None
    costs: tuple[int, ...] = ()
    weights: Weights | None = None

    def __post_init__(self) -> None:
        if self.max_guesses is not None and not 1 <= self.max_guesses <= MAX_GUESS_LIMIT:
            raise UserError(
                f"a limit of {self.max_guesses} guesses is out of range; "
                f"use 1 to {MAX_GUESS_LIMIT}, or 0 for none"
            )
        if self.aim is Aim.WITHIN and not 1 <= (self.within or 0) <= self._turns:
            raise UserError(
                f"within:{self.within} is out of range; use within:1 to within:{self._turns}"
            )
        if self.aim is Aim.FEWEST_FAILURES and self.max_guesses is None:
            raise UserError(
                "without a limit no answer is ever lost; give --max-guesses with fewest-failures"
            )
        if self.aim is Aim.COST and len(self.costs) != self.max_guesses:
            raise UserError(
                f"{self.name} has prices for {counted(len(self.costs), 'turn')}, and there are "
                f"{self.max_guesses or 'any number of'} guesses; give as many prices as "
                "--max-guesses"
            )
        for turn, (earlier, later) in enumerate(zip((0, *self.costs), self.costs, strict=False), 1):
            if later < earlier:
                raise UserError(
                    f"{self.name}: turn {turn} costs {later}, less than {earlier}; "
                    "prices are not negative and never fall"
                )

    @classmethod
    def parse(
        cls,
        text: str,
        max_guesses: int | EllipsisType | None = ...,
        weights: Weights | None = None,
    ) -> Objective:
        """Read an objective by name. Raises UserError for an unknown name or wrong details.

        Names are ``mean``, ``mean,worst``, ``worst``, ``within:4``, ``fewest-failures`` and
        ``cost:1,2,3,4,5,20``. The default limit is the number of prices for ``cost``, else
        DEFAULT_MAX_GUESSES.
        """
        name, _, detail = text.strip().lower().partition(":")
        try:
            aim = Aim(name)
        except ValueError:
            aim = Aim.MEAN
        read = [whole_number(number) for number in detail.split(",")] if detail else []
        numbers = tuple(number for number in read if number is not None)
        takes = {Aim.WITHIN: len(read) == 1, Aim.COST: len(read) > 0}
        if name != aim or len(numbers) < len(read) or not takes.get(aim, not read):
            raise UserError(
                f"objective {quoted(text)}: give mean, mean,worst, worst, within:K, "
                "fewest-failures or cost:PRICE,PRICE,... with a whole number for each turn"
            )
        if max_guesses is ...:
            max_guesses = len(numbers) if aim is Aim.COST else DEFAULT_MAX_GUESSES
        return cls(
            max_guesses,
            aim,
            numbers[0] if aim is Aim.WITHIN else None,
            numbers if aim is Aim.COST else (),
            weights,
        )

    @classmethod
    def to_win(cls, max_guesses: int | None) -> Objective:
        """The objective of a guaranteed win: all winning strategies have the same value, zero.

        So a search stops at the first one. Without a limit every strategy wins, and the mean is as
        good an objective as any.
        """
        if max_guesses is None:
            return cls(None)
        return cls(max_guesses, Aim.COST, costs=(0,) * max_guesses)

    @property
    def name(self) -> str:
        """Its name on the command line and in files, with details."""
        details = [self.within] if self.aim is Aim.WITHIN else self.costs
        return ":".join(filter(None, (self.aim.value, ",".join(map(str, details)))))

    @property
    def title(self) -> str:
        """The name with the source of the weights, for display."""
        return (
            self.name if self.weights is None else f"{self.name} weighed by {self.weights.source}"
        )

    @property
    def is_default(self) -> bool:
        """Whether it is the mean number of guesses with equal weights."""
        return self.aim is Aim.MEAN and self.weights is None

    @property
    def is_mean(self) -> bool:
        """Whether the value is the number of guesses, every answer equally likely."""
        return self.aim in (Aim.MEAN, Aim.MEAN_WORST) and self.weights is None

    @property
    def allows_failure(self) -> bool:
        """Whether answers may be lost."""
        return self.aim is Aim.FEWEST_FAILURES

    def allowing_failures(self) -> Objective:
        """Fewest failures with this limit and weights. Raises UserError without a limit."""
        return Objective(self.max_guesses, Aim.FEWEST_FAILURES, weights=self.weights)

    @property
    def guesses_left(self) -> int:
        """Number of guesses at the start: the limit, or NO_LIMIT."""
        if self.max_guesses is None:
            return self._turns if self.aim is Aim.WITHIN else NO_LIMIT
        return self.max_guesses

    def after(self, turns: int) -> int:
        """Number of guesses left after ``turns`` guesses. Raises UserError if there are none."""
        made = f"{counted(turns, 'guess', 'guesses')} made"
        if turns >= self.guesses_left:
            allowed = f"{self.guesses_left} {'is' if self.guesses_left == 1 else 'are'} allowed"
            raise UserError(f"{made}, and {allowed}; raise --max-guesses, or give 0 for no limit")
        if self.within is not None and turns >= self.within:
            raise UserError(
                f"{made}; no answer that is left can be found within {self.within}; "
                f"use another --objective"
            )
        return NO_LIMIT if self.guesses_left == NO_LIMIT else self.guesses_left - turns

    @property
    def weights_sha256(self) -> str:
        """SHA-256 that identifies the weights."""
        if self.weights is None:
            return hashlib.sha256(b"uniform").hexdigest()
        return self.weights.sha256

    def weights_of(self, state: NDArray[np.integer]) -> NDArray[np.int64]:
        """Weights of the answers of a state, int64[n]; ones if no weights are given."""
        import numpy as np

        if self.weights is None:
            return np.ones(len(state), dtype=np.int64)
        return self.weights.values[state]

    def prices(self, answers: int) -> Prices:
        """Prices of turns in a game of ``answers`` answers. Raises UserError if values overflow."""
        weight = answers if self.weights is None else self.weights.total
        prices, dearest = self._prices(weight, answers)
        if dearest >= INFEASIBLE:
            raise UserError(
                f"objective {self.name}: with {counted(answers, 'answer')} of total weight "
                f"{weight:,} values could come to {dearest:,}, and have to stay below "
                f"{INFEASIBLE:,}; "
                "give weights of fewer digits, lower prices or a lower --max-guesses"
            )
        return prices

    def most_weight(self, answers: int) -> int:
        """Greatest total weight of ``answers`` answers for which no value overflows."""
        totals = range(INFEASIBLE)
        return bisect_left(totals, INFEASIBLE, key=lambda w: self._prices(w, answers)[1]) - 1

    def _prices(self, weight: int, answers: int) -> tuple[Prices, int]:
        """Prices of turns where the answers have that total weight, and the greatest value."""
        turns = self._turns
        # The scale is one more than the greatest second aim. As the price of a failure it makes
        # losing an answer of any weight cost more than finding all answers one after the other.
        scale = max(weight, answers) * turns + 1
        by_turn = self.costs or tuple(range(1, turns + 1))
        if self.within is not None:
            by_turn = tuple(t + scale * (t > self.within) for t in by_turn)
        prices = Prices(by_turn, scale if self.allows_failure else INFEASIBLE, scale, self.aim)
        dearest = max(weight, answers) * max(by_turn[-1], scale if self.allows_failure else 0)
        if self.aim is Aim.WORST:
            dearest = scale * (turns + 1)
        return prices, dearest

    @property
    def _turns(self) -> int:
        return MAX_GUESS_LIMIT if self.max_guesses is None else self.max_guesses


@dataclass(frozen=True)
class Score:
    """The components of a value; weights are counted in their unit.

    Attributes:
        total: weighted number of further guesses over the answers found; for COST, their price.
        worst: for WORST, the worst case, in further guesses.
        late: for WITHIN, the weight of the answers found too late.
        lost: for FEWEST_FAILURES, the weight of the answers not found.
    """

    total: int
    worst: int | None = None
    late: int | None = None
    lost: int | None = None


@dataclass(frozen=True)
class Prices:
    """The prices of turns of an objective, which define and decode values.

    Attributes:
        by_turn: price of finding an answer of weight one on turn 1, 2, ...
        failure: price of losing an answer of weight one; INFEASIBLE if no answer may be lost.
        scale: factor of the first of two aims.
        aim: the aim of the objective.
    """

    by_turn: tuple[int, ...]
    failure: int
    scale: int
    aim: Aim = Aim.MEAN

    def __repr__(self) -> str:
        return f"Prices({self.aim.value}, {len(self.by_turn)} turns, scale {self.scale})"

    @property
    def legend(self) -> str:
        """A short text that says how a value is composed."""
        return {
            Aim.WORST: f"{self.scale} times the worst case, plus guesses",
            Aim.WITHIN: f"{self.scale} for each answer found too late, plus guesses",
            Aim.FEWEST_FAILURES: f"{self.scale} for each answer lost, plus guesses",
            Aim.COST: "the prices of the turns",
        }.get(self.aim, "guesses") + ", by weight"

    def of_turn(self, turn: int) -> int:
        """The price of finding an answer on ``turn``; ``turn`` 0 is before the first guess."""
        return 0 if turn == 0 else self.by_turn[turn - 1]

    def ahead(self, made: int, turns: int) -> list[int]:
        """Prices of the next ``turns`` turns after ``made`` guesses, above the price paid so far.

        Turns beyond the limit have the price of a failure. If no answer may be lost, no strategy
        reaches them, and each costs one more than the last.
        """
        last = len(self.by_turn)
        beyond = [self.by_turn[-1] + extra for extra in range(1, made + turns - last + 1)]
        if self.failure < INFEASIBLE:
            beyond = [self.failure] * len(beyond)
        prices = (0, *self.by_turn, *beyond)
        return [prices[made + turn] - prices[made] for turn in range(1, turns + 1)]

    def value(
        self,
        found: NDArray[np.int64],
        *,
        lost: NDArray[np.int64] | int = 0,
        worst: NDArray[np.integer] | int = 0,
        made: int = 0,
    ) -> NDArray[np.int64]:
        """Values of strategies, int64[...], from the weight found on each turn.

        Args:
            found: int64[..., T], weight of the answers found on turn 1 to T from the state on.
            lost: int64[...], weight of the answers not found; ignored if none may be lost.
            worst: int[...], the last turn on which an answer is found, of any weight.
            made: number of guesses made before the state.
        """
        import numpy as np

        total = found @ np.array(self.ahead(made, found.shape[-1]), dtype=np.int64)
        if self.aim is Aim.WORST:
            total = total + self.scale * np.asarray(worst, dtype=np.int64)
        if self.failure < INFEASIBLE:
            total = total + np.asarray(lost, dtype=np.int64) * (self.failure - self.of_turn(made))
        return np.asarray(total)

    def value_of_turns(
        self,
        turns: NDArray[np.integer],
        weights: NDArray[np.int64] | None = None,
        made: int = 0,
    ) -> int:
        """Value of a strategy that finds answer i on turn ``turns[i]``, or never if that is 0.

        Turns are counted from a state after ``made`` guesses. INFEASIBLE if an answer is lost that
        must not be.
        """
        import numpy as np

        if (turns == 0).any() and self.failure >= INFEASIBLE:
            return INFEASIBLE
        weights = np.ones(len(turns), dtype=np.int64) if weights is None else weights
        found = np.zeros(int(turns.max()) + 1, dtype=np.int64)
        np.add.at(found, turns, weights)
        return int(self.value(found[1:], lost=found[0], worst=turns.max(), made=made))

    def score(self, value: int, weight: int, made: int = 0) -> Score:
        """Decode a value of a state of the given weight after ``made`` guesses.

        A lower bound on the value decodes likewise: its first component bounds the first aim.
        """
        if self.aim is Aim.WORST:
            worst, total = divmod(value, self.scale)
            return Score(total, worst=worst)
        if self.aim is Aim.WITHIN:
            late, total = divmod(value, self.scale)
            return Score(total, late=late)
        if self.aim is Aim.FEWEST_FAILURES:
            # value = lost * (scale - made) + total, and total + (weight - lost) * made, which is
            # the guesses from the start of those that are found, is below the scale.
            lost = (value + weight * made) // self.scale
            return Score(value - lost * (self.scale - made), lost=lost)
        return Score(value)
