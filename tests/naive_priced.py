"""Brute force for any objective, by its definition and without a line of the package's search."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from math import inf

import naive
from gpu_wordle.words import GameWords

INFEASIBLE = 1 << 40


def value(
    words: GameWords,
    guess: str,
    objective: str,
    limit: int,
    weights: Sequence[int] | None = None,
    answers: Sequence[int] | None = None,
    made: int = 0,
) -> int:
    """Least value of strategies that begin with ``guess`` on some answers; INFEASIBLE if none."""
    weights = weights or (1,) * len(words.answers)
    everyone = tuple(range(len(words.answers)) if answers is None else answers)
    scale = max(sum(weights), len(weights)) * limit + 1
    turns = range(1, limit + 1)
    if objective == "worst":
        values = (
            depth * scale + least(words, guess, weights, everyone, list(turns[:depth]), inf)
            for depth in range(1, limit - made + 1)
        )
        return int(min(*values, INFEASIBLE))
    prices, failure = list(turns), inf
    if objective == "fewest-failures":
        failure = scale
    elif objective.startswith("within:"):
        prices = [t + scale * (t > int(objective[7:])) for t in turns]
    elif objective.startswith("cost:"):
        prices = [int(price) for price in objective[5:].split(",")]
    so_far = [0, *prices][made] * sum(weights[a] for a in everyone)
    total = least(words, guess, weights, everyone, prices, failure, made)
    return int(min(total - so_far, INFEASIBLE))


def least(
    words: GameWords,
    guess: str,
    weights: Sequence[int],
    answers: tuple[int, ...],
    prices: Sequence[int],
    failure: float,
    made: int = 0,
) -> float:
    """Least sum of weight times price, the first guess given."""
    spelled = words.answers.words

    @cache
    def state(left: tuple[int, ...], made: int) -> float:
        if made == len(prices):
            return inf if failure == inf else failure * sum(weights[a] for a in left)
        return min(after(g, left, made) for g in words.guesses.words)

    @cache
    def after(guess: str, left: tuple[int, ...], made: int) -> float:
        parts: dict[int, list[int]] = {}
        for a in left:
            parts.setdefault(naive.pattern(guess, spelled[a]), []).append(a)
        total = 0.0
        for part in parts.values():
            if spelled[part[0]] == guess:
                total += weights[part[0]] * prices[made]
            else:
                total += state(tuple(part), made + 1)
        return total

    return after(guess, answers, made)
