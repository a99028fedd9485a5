"""Brute force for every objective, rule and limit; shares no code with the package's search."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache

from gpu_wordle.game.words import GameWords
from support.naive_rules import Answers, Legal, Way, rules_of

Charge = tuple[int, ...]
"""A cost as a tuple of aims, the most important first."""

LOST = 0
"""The turn of an answer that is not found."""

IMPOSSIBLE: Charge = (10**9,)

INFEASIBLE = 1 << 40
"""The number by which files write infeasible values."""


def charge_of(objective: str, limit: int) -> Callable[[int, int], Charge | None]:
    """Return a function from weight and turn of an answer to its cost, or None if forbidden."""
    name, _, detail = objective.partition(":")
    if name == "within":
        k = int(detail)
        return lambda weight, turn: (turn and (weight * (turn > k), weight * turn)) or None
    if name == "fewest-failures":
        return lambda weight, turn: (0, weight * turn) if turn else (weight, 0)
    if name == "cost":
        prices = [int(price) for price in detail.split(",")]
        return lambda weight, turn: (weight * prices[turn - 1],) if turn else None
    return lambda weight, turn: (weight * turn,) if turn else None


def add(charges: Sequence[Charge]) -> Charge:
    """Return the sum, aim by aim; IMPOSSIBLE if one of them is."""
    if IMPOSSIBLE in charges:
        return IMPOSSIBLE
    return tuple(map(sum, zip(*charges, strict=True)))


class NaiveObjective:
    """Least charges by brute force.

    ``limit`` is the last turn of the game. States are valued by the turn of the next guess. No
    guess is made twice, and none to which all answers of a state give the same feedback.
    """

    def __init__(
        self,
        guesses: Sequence[str],
        rule: str,
        objective: str,
        limit: int,
        weights: Mapping[str, int],
    ) -> None:
        self.rules = rules_of(tuple(guesses), rule)
        self.limit = limit
        self.weights = weights
        self.charge = charge_of(objective, limit)
        self.value = cache(self._value)

    def charged(self, answer: str, turn: int) -> Charge:
        charge = self.charge(self.weights[answer], turn)
        return IMPOSSIBLE if charge is None else charge

    def _value(self, answers: Answers, legal: Legal, turn: int) -> Charge:
        """Return the least charge of a state whose next turn is ``turn``."""
        if turn > self.limit:
            return add([self.charged(answer, LOST) for answer in answers])
        return min(self._charge_of_way(way, turn) for way in self.rules.ways(answers, legal))

    def guess_value(self, answers: Answers, legal: Legal, guess: str, turn: int) -> Charge:
        """Return the least charge if the guess is given, legal or not."""
        return self._charge_of_way(self.rules.way(answers, legal, guess), turn)

    def _charge_of_way(self, way: Way, turn: int) -> Charge:
        """Return the charge of a found answer, plus the least charges of the parts."""
        found, states = way
        charges = [] if found is None else [self.charged(found, turn)]
        charges += [self.value(part, legal, turn + 1) for part, legal in states]
        return add(charges)


def as_integer(charge: Charge, scale: int) -> int:
    """Return one integer for one aim, or for two: the first times the scale, plus the second."""
    return charge[0] if len(charge) == 1 else scale * charge[0] + charge[1]


def least_worst(naive_mean: Callable[[int], Charge], limit: int) -> tuple[int, int] | None:
    """Return the least limit under which a game can be won, and the least mean under it.

    ``naive_mean(limit)`` is the least mean under a limit.
    """
    for turns in range(1, limit + 1):
        value = naive_mean(turns)
        if value != IMPOSSIBLE:
            return turns, value[0]
    return None


def value_of_guess(
    words: GameWords,
    guess: str,
    objective: str,
    limit: int,
    weights: Sequence[int] | None = None,
    answers: Sequence[int] | None = None,
    made: int = 0,
    rule: str = "normal",
) -> int:
    """Return the least value of a guess, of an opener under any rule, as files store it.

    ``made`` guesses have left ``answers``, by default all. INFEASIBLE if an answer may be lost.
    """
    spelled = words.answers.words
    weights = weights or (1,) * len(spelled)
    of_word = dict(zip(spelled, weights, strict=True))
    state = tuple(spelled if answers is None else (spelled[a] for a in answers))
    scale = max(sum(weights), len(weights)) * limit + 1

    def charge(limit: int, made: int) -> Charge:
        oracle = NaiveObjective(words.guesses.words, rule, objective, limit, of_word)
        return oracle.guess_value(state, frozenset(words.guesses.words), guess, made + 1)

    if objective == "worst":
        found = least_worst(lambda turns: charge(turns, 0), limit - made)
        return INFEASIBLE if found is None else scale * found[0] + found[1]
    charged = charge(limit, made)
    if charged == IMPOSSIBLE:
        return INFEASIBLE
    so_far = charge_of(objective, limit)(1, made)[-1] if made else 0
    return as_integer(charged, scale) - so_far * sum(of_word[word] for word in state)
