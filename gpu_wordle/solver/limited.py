"""Values under a limit on guesses: without it first, then briefly with it, then what is lost."""

from __future__ import annotations

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.engine import Engine, search_briefly
from gpu_wordle.solver.lost import is_seen_lost, may_be_lost
from gpu_wordle.solver.memory.arenas import STOPPED
from gpu_wordle.solver.question import Question, Value
from gpu_wordle.tunables import MAX_BRIEF


def value(engine: Engine, question: Question) -> Value:
    """Value and height of a tree that reaches it; height 0 with a bound."""
    lower = 0
    if is_free_first(engine, question.guesses_left):
        lower, height = engine.search(question.within(NO_LIMIT))
        if height <= question.guesses_left:
            return lower, height
    if may_be_lost(engine, question):
        found = search_briefly(engine, question, MAX_BRIEF)
        if found is not None:
            return found
        if not engine.counters[STOPPED] and is_seen_lost(engine, question):
            return INFEASIBLE, 0
        if engine.counters[STOPPED]:
            n, guesses_left = len(question.state), question.guesses_left
            return max(lower, engine.costs.state_bound(question.state, n, guesses_left)), 0
    return engine.search(question)


def is_free_first(engine: Engine, guesses_left: int) -> bool:
    """Whether to search without the limit first.

    What is learned so serves all limits. Constrained rules need the help of theirs.
    """
    return engine.costs.is_linear(guesses_left) and not engine.game.rule.is_constrained
