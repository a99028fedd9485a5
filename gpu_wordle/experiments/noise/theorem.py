"""The level below which noise costs nothing, and an upper bound on its cost above that level.

Totals are integers, and the policy of least perturbed total is chosen. Let draws lie in [a, b],
with a <= 0 <= b, and let x be the level. Let p be the chosen policy, with true total T + d, where T
is the optimum. W is the sum of the weights of the draws of p, and W* that of an optimal policy.
Then

    T + d + x a W  <=  perturbed total of p  <=  perturbed total of the optimal one  <=  T + x b W*

so that d <= x (b W* - a W). For noise on values, W is the total of the leaves: T + d minus the cost
of p before the noise, which is at least C. So with W* = T - C* and s = C* - C

    d (1 + x a) <= x (b W* - a (W* + s)).

For uniform noise, a = -1 and b = 1, that is d <= x (2 W* + s) / (1 - x). A loss is 0 or at least 1,
so there is none below x = 1 / (b W* - a (W* + s + 1)).

The states after the opener are played independently. So the bound holds for each of them, and noise
below the least of their levels costs nothing. For noise per answer or per state, W is at most the
number of answers.

If play after the noise uses noisy values too, each later guess is a separate choice. For a state of
n answers and value V it has s = 0 and W* = V - n. If the choices before are optimal, V is a summand
of the W of an optimal policy, which is at most W* + s. A choice needs n >= 2. So later guesses cost
nothing below the level for W* + s - 2 without slack.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from gpu_wordle.experiments.noise.machine.draws import ONE
from gpu_wordle.experiments.noise.model import After, NoiseModel, Per


@dataclass(frozen=True)
class PartBound:
    """Bound on the cost of noise in one state after the opener.

    Attributes:
        answers: n, number of answers.
        weight: W*, weight of draws of 1 for an optimal policy at a level of 100 %.
        slack: s, cost of an optimal policy before the noise, above the lower bound C.
    """

    answers: int
    weight: int
    slack: int

    @classmethod
    def of(cls, model: NoiseModel, turns: list[int], most_parts: int) -> PartBound:
        """Return the bound from the turns of an optimal policy.

        Args:
            model: the model.
            turns: turns on which the policy finds the answers, counted from the first guess.
            most_parts: the most parts that any guess makes.
        """
        late = [turn - model.depth for turn in turns if turn > model.depth]
        weight = sum(late) if model.per is Per.VALUE else len(late)
        before = sum(min(turn, model.depth) - 1 for turn in turns)
        return cls(len(turns), weight, before - least_before(len(turns), model.depth, most_parts))

    def _terms(self, model: NoiseModel) -> tuple[Fraction, Fraction, Fraction]:
        """Return a, b, and the factor of -a in the bound."""
        low, high = Fraction(model.least_draw, ONE), Fraction(model.greatest_draw, ONE)
        other = self.weight + self.slack if model.per is Per.VALUE else self.answers
        return low, high, Fraction(other)

    def level(self, model: NoiseModel) -> Fraction | None:
        """Return the level below which nothing is lost; None if nothing is lost at any level."""
        choices = [self] if model.depth > 1 else []
        if model.after is After.NOISY:
            choices.append(self._later(model))
        levels = [level for choice in choices if (level := choice._level(model)) is not None]
        return min(levels, default=None)

    def _level(self, model: NoiseModel) -> Fraction | None:
        """Return the level below which choices before the noise lose nothing.

        Returns None if none ever does.
        """
        low, high, other = self._terms(model)
        loss = 1 if model.per is Per.VALUE else 0
        weighed = high * self.weight - low * (other + loss)
        return None if weighed <= 0 else 1 / weighed

    def _later(self, model: NoiseModel) -> PartBound:
        """Return a bound for every guess after the noise, if the guesses before it are optimal."""
        if model.per is not Per.VALUE:
            return PartBound(self.answers, self.answers, 0)
        fingerprint = self.answers if model.depth == 1 else 2
        return PartBound(self.answers, max(0, self.weight + self.slack - fingerprint), 0)

    def loss(self, model: NoiseModel, level: Fraction) -> int:
        """Return the greatest loss at a level."""
        if model.depth < 2:
            return 0
        low, high, other = self._terms(model)
        loss = level * (high * self.weight - low * other)
        return floor(loss / (1 + level * low) if model.per is Per.VALUE else loss)


def least_before(answers: int, depth: int, most_parts: int) -> int:
    """Return C, a lower bound on the cost before the noise in a state after the opener.

    At most one answer is found on the first guess, one in each of its parts on the second, and so
    on.
    """
    cost, found, more = 0, 0, 1
    for _ in range(2, depth + 1):
        cost += max(0, answers - found)
        found, more = found + more, more * most_parts
    return cost
