"""Bounds on the values of a turn, where an early end has left them open."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from gpu_wordle.backends import Evaluator
from gpu_wordle.experiments.analyse import Step
from gpu_wordle.experiments.suggest import Shortlist, bound_above
from gpu_wordle.experiments.values import per_answer
from gpu_wordle.solver import SolverPool

Bounds = tuple[Fraction | None, Fraction | None]
"""A lower and an upper bound; None where nothing is known, or there is no value."""


@dataclass(frozen=True)
class Intervals:
    """Bounds on what a turn was worth; where a value is known, both are that value.

    Attributes:
        best: bounds on the value of the best guesses.
        guess: bounds on the value of the guess that was made.
        regret: bounds on what it costs more than the best ones.
    """

    best: Bounds
    guess: Bounds
    regret: Bounds


def intervals_of(step: Step, pool: SolverPool, evaluator: Evaluator) -> Intervals:
    """Bounds on the values of a turn: below by one look at the position, above by greedy play."""
    if not step.is_open or step.guess is None:
        return Intervals(*((each, each) for each in (step.value, step.value_guess, step.regret)))
    position, guess = step.position, step.guess
    prospects = pool.prospects(position)
    found = Shortlist(position, prospects, count=1)
    promising = next(g for g in prospects.order.tolist() if position.choices[g])
    bound_above(found, evaluator, list(dict.fromkeys([promising, guess])))
    least, most = found.lower[found.legal].min(), found.upper[found.legal].min()
    best = _known_or(step.value, step, int(least), int(most))
    own = _known_or(step.value_guess, step, int(found.lower[guess]), int(found.upper[guess]))
    if step.fault is not None:
        return Intervals(best, own, (None, None))
    return Intervals(best, own, (_less(own[0], best[1]) or Fraction(0), _less(own[1], best[0])))


def _known_or(known: Fraction | None, step: Step, lower: int, upper: int) -> Bounds:
    """A value, or two totals as bounds on it."""
    if known is not None:
        return known, known
    return per_answer(step.position, lower), per_answer(step.position, upper)


def _less(value: Fraction | None, other: Fraction | None) -> Fraction | None:
    """A difference that is not negative; None unless both are known."""
    return None if value is None or other is None else max(value - other, Fraction(0))
