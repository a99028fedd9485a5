"""The level below which noise can cost nothing, and what it can cost at most above it.

Totals are whole numbers, and a policy is taken for its perturbed total. Let u lie in [a, b], with
a <= 0 <= b, and let x be the level. Let policy p be taken, at the true total T + d, where T is the
optimum. W is what the draws weigh with p, and W* what they weigh with an optimal policy. Then

    T + d + x a W  <=  perturbed total of p  <=  perturbed total of the optimal one  <=  T + x b W*

so that d <= x (b W* - a W). For noise on values W is the total of the leaves. It is T + d less what
p costs before the noise, which is C at least. So with W* = T - C* and s = C* - C

    d (1 + x a) <= x (b W* - a (W* + s)).

For uniform noise, a = -1 and b = 1, that is d <= x (2 W* + s) / (1 - x). A loss is 0 or at least 1,
so there is none below x = 1 / (b W* - a (W* + s + 1)).

The states that the opener leaves are played apart from each other. So all of it holds of each of
them alone, and no noise below the least of their levels costs anything. For noise on each answer or
state W is at most the number of answers.

Where play after the noise goes by noisy values, too, each later guess is a choice of its own. On a
state of n answers and the value V it has s = 0 and W* = V - n. Let the choices before be optimal.
Then V is a summand of the W of an optimal policy, which is W* + s at most. Where there is a choice,
n is 2 at least. So later guesses cost nothing below the level of W* + s - 2 without slack.
"""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from math import floor

from gpu_wordle.experiments.noise.machine.draws import ONE
from gpu_wordle.experiments.noise.model import After, NoiseModel, Per


@dataclass(frozen=True)
class PartBound:
    """What noise may cost on one state that the opener leaves.

    Attributes:
        answers: n, its answers.
        weight: W*, what draws of 1 weigh with an optimal policy at a level of 100 %.
        slack: s, by how much an optimal policy costs more before the noise than any must.
    """

    answers: int
    weight: int
    slack: int

    @classmethod
    def of(cls, model: NoiseModel, turns: list[int], most_parts: int) -> PartBound:
        """The bound from the turns of an optimal policy.

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
        """a, b, and what -a is to be multiplied by."""
        low, high = Fraction(model.least_draw, ONE), Fraction(model.greatest_draw, ONE)
        other = self.weight + self.slack if model.per is Per.VALUE else self.answers
        return low, high, Fraction(other)

    def level(self, model: NoiseModel) -> Fraction | None:
        """The level below which there is no loss; None if there is none at any level."""
        choices = [self] if model.depth > 1 else []
        if model.after is After.NOISY:
            choices.append(self._later(model))
        levels = [level for choice in choices if (level := choice._level(model)) is not None]
        return min(levels, default=None)

    def _level(self, model: NoiseModel) -> Fraction | None:
        """The same of the choice before the noise alone."""
        low, high, other = self._terms(model)
        loss = 1 if model.per is Per.VALUE else 0
        weighed = high * self.weight - low * (other + loss)
        return None if weighed <= 0 else 1 / weighed

    def _later(self, model: NoiseModel) -> PartBound:
        """What bounds every guess after the noise, where none before it loses anything."""
        if model.per is not Per.VALUE:
            return PartBound(self.answers, self.answers, 0)
        fingerprint = self.answers if model.depth == 1 else 2
        return PartBound(self.answers, max(0, self.weight + self.slack - fingerprint), 0)

    def loss(self, model: NoiseModel, level: Fraction) -> int:
        """The greatest loss at a level."""
        if model.depth < 2:
            return 0
        low, high, other = self._terms(model)
        loss = level * (high * self.weight - low * other)
        return floor(loss / (1 + level * low) if model.per is Per.VALUE else loss)


def least_before(answers: int, depth: int, most_parts: int) -> int:
    """What any policy costs on a state after the opener before the noise.

    No guess is found more than once, the next one finds an answer in each part at most, and so on.
    """
    cost, found, more = 0, 0, 1
    for _ in range(2, depth + 1):
        cost += max(0, answers - found)
        found, more = found + more, more * most_parts
    return cost


def safe_level(model: NoiseModel, parts: list[PartBound]) -> Fraction | None:
    """The level below which noise costs nothing on any part; None if there is none."""
    levels = [level for part in parts if (level := part.level(model)) is not None]
    return min(levels, default=None)


def greatest_loss(model: NoiseModel, parts: list[PartBound], level: Fraction) -> int:
    """The most that noise of a level can cost over all parts, with optimal play after it."""
    return sum(part.loss(model, level) for part in parts)
