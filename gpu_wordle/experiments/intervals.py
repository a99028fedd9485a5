"""Bounds on the values of turns that an early stop has left unknown."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from gpu_wordle.backends import Evaluator
from gpu_wordle.experiments.analyse import Step
from gpu_wordle.experiments.suggest import RootBounds, bound_above
from gpu_wordle.experiments.values import Values, per_answer
from gpu_wordle.game.game import Position
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import SolverPool
from gpu_wordle.strategies.positions import Key, key_of

Totals = tuple[int, int]
"""Lower and upper bound on a total; the upper one is INFEASIBLE if unknown."""

Bounds = tuple[Fraction | None, Fraction | None]
"""Lower and upper bound on a value; None if unknown, or if there is no guaranteed win."""


@dataclass(frozen=True)
class Intervals:
    """Bounds on the values of a turn; lower and upper bound are equal for a known value.

    Attributes:
        best: bounds on the value of the position, V.
        guess: bounds on the value of the guess made, Q.
        after: bounds on the value of the position after it, V'.
        regret: bounds on Q - V.
        luck: bounds on Q - price - V'.
    """

    best: Bounds
    guess: Bounds
    after: Bounds
    regret: Bounds
    luck: Bounds


def intervals_of(
    steps: Sequence[Step], values: Values, pool: SolverPool, evaluator: Evaluator
) -> list[Intervals]:
    """Bounds on the values of each turn, from known values, root bounds and greedy play."""
    positions: dict[Key, Totals] = {}
    # Backwards, so that the position after a turn has the bounds of the next turn's position.
    found = [_of_step(step, values, pool, evaluator, positions) for step in reversed(steps)]
    return found[::-1]


def _of_step(
    step: Step,
    values: Values,
    pool: SolverPool,
    evaluator: Evaluator,
    positions: dict[Key, Totals],
) -> Intervals:
    """Bounds on the values of a turn; stores those of its position in ``positions``."""
    if not step.is_open or step.guess is None or step.pattern is None:
        exact = (step.value, step.value_guess, step.value_after, step.regret, step.luck)
        return Intervals(*((each, each) for each in exact))
    position, guess = step.position, step.guess
    best, own = _bounded(position, guess, values, pool, evaluator)
    positions[key_of(position)] = best
    lower, upper = _means(position, best)
    own_lower, own_upper = _means(position, own)
    after: Bounds = (Fraction(0), Fraction(0))
    if not step.is_solved:
        left = position.after(guess, step.pattern)
        if key_of(left) not in positions:
            positions[key_of(left)] = _bounded(left, None, values, pool, evaluator)[0]
        after = _means(left, positions[key_of(left)])
    regret: Bounds = (None, None)
    if step.fault is None:
        # Q >= V for every legal guess, so regret is at least 0 whatever the bounds say.
        regret = max(_less(own_lower, upper) or Fraction(0), Fraction(0)), _less(own_upper, lower)
    ahead = _less(own_lower, after[1]), _less(own_upper, after[0])
    luck = _less(ahead[0], Fraction(step.price)), _less(ahead[1], Fraction(step.price))
    return Intervals((lower, upper), (own_lower, own_upper), after, regret, luck)


def _bounded(
    position: Position, guess: int | None, values: Values, pool: SolverPool, evaluator: Evaluator
) -> tuple[Totals, Totals]:
    """Bounds on the total of a position, and on that of ``guess`` there if it is given."""
    best = values.bounds(position)
    own = (0, INFEASIBLE) if guess is None else values.bounds(position, guess)
    if best[0] == best[1] and (guess is None or own[0] == own[1]):
        return best, own
    root_moves = pool.root_moves(position)
    found = RootBounds(position, root_moves, count=1)
    promising = next(g for g in root_moves.order.tolist() if position.choices[g])
    known = {promising: best}
    if guess is not None:
        known[guess] = own
    bound_above(found, evaluator, [g for g, (lower, upper) in known.items() if lower < upper])
    if guess is not None:
        own = _narrowed(own, found.lower[guess], found.upper[guess])
        found.lower[guess], found.upper[guess] = own
    best = _narrowed(best, found.lower[found.legal].min(), found.upper[found.legal].min())
    if guess is not None and values.allows(position, guess):
        own = _narrowed(own, best[0], INFEASIBLE)
    return best, own


def _narrowed(bounds: Totals, lower: int, upper: int) -> Totals:
    """Intersect two intervals of a total."""
    return max(bounds[0], int(lower)), min(bounds[1], int(upper))


def _means(position: Position, totals: Totals) -> Bounds:
    """Convert bounds on a total into bounds on a value."""
    return per_answer(position, totals[0]), per_answer(position, totals[1])


def _less(value: Fraction | None, other: Fraction | None) -> Fraction | None:
    """``value - other``; None unless both are known."""
    return None if value is None or other is None else value - other
