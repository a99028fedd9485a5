"""Values under a limit on guesses: those without it first, which mostly hold under it."""

from __future__ import annotations

from gpu_wordle.game.values import NO_LIMIT
from gpu_wordle.solver.engine import Engine
from gpu_wordle.solver.query import SearchQuery, Value


def value(engine: Engine, query: SearchQuery) -> Value:
    """Value and height of a tree that reaches it; height 0 with a bound."""
    if is_free_first(engine, query.guesses_left):
        free = engine.search(query.within(NO_LIMIT))
        if free[1] <= query.guesses_left:
            return free
    return engine.search(query)


def is_free_first(engine: Engine, guesses_left: int) -> bool:
    """Whether to search without the limit first.

    What is learned so serves all limits. Constrained rules need the help of theirs.
    """
    return engine.costs.is_linear(guesses_left) and not engine.game.rule.is_constrained
