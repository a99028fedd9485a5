"""Bounds on the values of a turn, where an early end has left them open."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from gpu_wordle.backends import Evaluator
from gpu_wordle.experiments.analyse import Step
from gpu_wordle.experiments.suggest import Shortlist, bound_above
from gpu_wordle.experiments.values import Values, per_answer
from gpu_wordle.game.game import Position
from gpu_wordle.game.values import INFEASIBLE
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


def intervals_of(step: Step, values: Values, pool: SolverPool, evaluator: Evaluator) -> Intervals:
    """Bounds on the values of a turn: what is known, one look at the position, and greedy play."""
    if not step.is_open or step.guess is None:
        return Intervals(*((each, each) for each in (step.value, step.value_guess, step.regret)))
    position, guess = step.position, step.guess
    prospects = pool.prospects(position)
    found = Shortlist(position, prospects, count=1)
    promising = next(g for g in prospects.order.tolist() if position.choices[g])
    best, own = values.bounds(position), values.bounds(position, guess)
    played = {g: None for g, known in ((promising, best), (guess, own)) if known[0] < known[1]}
    bound_above(found, evaluator, list(played))
    own = _narrowed(own, found.lower[guess], found.upper[guess])
    found.lower[guess], found.upper[guess] = own
    least, most = found.lower[found.legal].min(), found.upper[found.legal].min()
    best = _narrowed(best, least, most)
    if step.fault is not None:
        return Intervals(_means(position, *best), _means(position, *own), (None, None))
    own = _narrowed(own, best[0], INFEASIBLE)
    (lower, upper), (own_lower, own_upper) = _means(position, *best), _means(position, *own)
    regret = _less(own_lower, upper) or Fraction(0), _less(own_upper, lower)
    return Intervals((lower, upper), (own_lower, own_upper), regret)


def _narrowed(bounds: tuple[int, int], lower: int, upper: int) -> tuple[int, int]:
    """Two intervals of the same total in one."""
    return max(bounds[0], int(lower)), min(bounds[1], int(upper))


def _means(position: Position, lower: int, upper: int) -> Bounds:
    """Two totals as bounds on a value."""
    return per_answer(position, lower), per_answer(position, upper)


def _less(value: Fraction | None, other: Fraction | None) -> Fraction | None:
    """A difference that is not negative; None unless both are known."""
    return None if value is None or other is None else max(value - other, Fraction(0))
