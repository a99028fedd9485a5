"""Lost: a state of which every guess is refuted by a part that cannot be won in what is left.

To search such a state by its value is slow. Where few guesses suffice the bounds are those of
values, which a limit raises only where it binds. Here each guess is refuted by itself, by the first
of its parts that is seen to be lost with a guess less, from the largest down. That part is a
*nogood*: it refutes every other guess that leaves its answers together. The first nogoods refute
most guesses, so they are cut down to their cores. Machine code does the like, but looks at guesses
alone, which is too slow where many are left; see unconstrained/fates.py.

Most states that may be lost are not. So first it is tried whether a few good guesses win them.

All of it is for the rule ``normal``, where a guess is legal whatever the state, and for games in
which no answer may be lost.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, Rule, State
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.engine import Engine, line_up, parts_of, search_briefly
from gpu_wordle.solver.families import suspects
from gpu_wordle.solver.memory.arenas import EXPANDED, STOPPED
from gpu_wordle.solver.memory.stage_costs import MAY_LOSE
from gpu_wordle.solver.question import Question, Value
from gpu_wordle.solver.won import is_soon_won
from gpu_wordle.tunables import (
    FREE_BUDGET,
    LOST_BUDGET,
    LOST_PART_BUDGET,
    MAX_BRIEF,
    MAX_DOUBTFUL,
    SMALL_NOGOODS,
)


def may_be_lost(engine: Engine, question: Question) -> bool:
    """Whether a state may have no value, and every guess is legal, so that parts tell of wholes."""
    is_bound = question.guesses_left < NO_LIMIT
    return is_bound and engine.game.rule is Rule.NORMAL and not engine.costs.terms[MAY_LOSE]


def is_seen_lost(engine: Engine, question: Question) -> bool:
    """Whether a part of a question, or a family in it, is seen to be lost. False says nothing."""
    states = [question.state]
    guesses_left = question.guesses_left
    if question.guess is not None:
        states = parts_of(engine.game, question.state, question.guess)
        guesses_left -= 1
    inquest = Inquest(engine, question)
    doubtful = []
    for state in sorted(states, key=len):
        found = inquest.looked_at(state, guesses_left)
        if found is None:
            doubtful.append(state)
        elif found[0] >= INFEASIBLE:
            return True
    return any(
        inquest.is_lost(suspect, guesses_left)
        for state in doubtful
        for suspect in suspects(engine.game, state)
    ) or any(
        inquest.is_soon_lost(state, guesses_left, LOST_PART_BUDGET)
        for state in inquest.tallest_first(doubtful, guesses_left)
        if len(state) <= MAX_DOUBTFUL
    )


class Inquest:
    """Looks into what is lost, within a budget of states for all of it.

    Args:
        engine: searches states.
        question: after which states are asked about.
    """

    def __init__(self, engine: Engine, question: Question) -> None:
        self._engine = engine
        self._revealed = question.revealed
        self._last = int(engine.counters[EXPANDED]) + LOST_BUDGET

    @property
    def is_over(self) -> bool:
        """Whether the budget is spent, or the whole search has stopped."""
        counters = self._engine.counters
        return bool(counters[EXPANDED] >= self._last or counters[STOPPED])

    def tallest_first(self, states: list[State], guesses_left: int) -> list[State]:
        """The states in the order of the trees that were found for them without a limit."""

        def height(state: State) -> int:
            found = self._known_without(state, guesses_left)
            return 0 if found is None else found[1]

        return sorted(states, key=height, reverse=True)

    def looked_at(self, state: State, guesses_left: int) -> Value | None:
        """What is known of a state, or found in a short search; None if it may be lost."""
        found = self._known_without(state, guesses_left)
        if found is not None and 0 < found[1] <= guesses_left:
            return found
        return self._searched(state, guesses_left, MAX_BRIEF)

    def is_lost(self, state: State, guesses_left: int) -> bool:
        """Whether a state is seen to be lost. False says nothing."""
        found = self.looked_at(state, guesses_left)
        if found is not None:
            return found[0] >= INFEASIBLE
        if self.is_over or is_soon_won(self._engine, state, guesses_left):
            return False
        if self._engine.costs.is_linear(guesses_left):
            found = self._searched(state, NO_LIMIT, FREE_BUDGET)
            if found is None or found[1] <= guesses_left:
                return False
        return self.is_lost_by_guesses(state, guesses_left)

    def is_lost_by_guesses(self, state: State, guesses_left: int) -> bool:
        """The same, by refuting one guess after another."""
        lineup = line_up(self._engine, state)
        waiting = lineup.order[lineup.parts[lineup.order] > 1]
        made = 0
        while len(waiting):
            nogood = self.lost_part(state, int(waiting[0]), guesses_left - 1)
            if nogood is None:
                return False
            if made < SMALL_NOGOODS:
                nogood = self.made_small(nogood, guesses_left - 1)
            made += 1
            waiting = waiting[1:]
            waiting = waiting[~leaves_together(self._engine.game, waiting, nogood)]
        return True

    def lost_part(self, state: State, guess: int, guesses_left: int) -> State | None:
        """The first part that a guess leaves and that is seen to be lost, the largest first."""
        for part in sorted(parts_of(self._engine.game, state, guess), key=len, reverse=True):
            if self.is_soon_lost(part, guesses_left, LOST_PART_BUDGET):
                return part
            if self.is_over:
                break
        return None

    def made_small(self, nogood: State, guesses_left: int) -> State:
        """The core of a nogood, if it is soon found."""
        core = self._engine.lost_core(Question(nogood, self._revealed, guesses_left))
        return nogood if core is None else core

    def is_soon_lost(self, state: State, guesses_left: int, states: int) -> bool:
        """Whether a search of so many states sees that a state is lost."""
        found = self._searched(state, guesses_left, states)
        return found is not None and found[0] >= INFEASIBLE

    def _known_without(self, state: State, guesses_left: int) -> Value | None:
        """What is known of a state without a limit, if that bounds its value."""
        is_bound = self._engine.costs.is_linear(guesses_left)
        return self._searched(state, NO_LIMIT, 1) if is_bound else None

    def _searched(self, state: State, guesses_left: int, states: int) -> Value | None:
        """What a search of so many states finds; None if it does not end, or all is spent."""
        if self.is_over:
            return None
        states = min(states, self._last - int(self._engine.counters[EXPANDED]))
        return search_briefly(self._engine, Question(state, self._revealed, guesses_left), states)


def leaves_together(game: Game, guesses: NDArray[np.int64], nogood: State) -> NDArray[np.bool_]:
    """Which of the guesses leave all answers of a nogood in one part."""
    patterns = game.patterns.values[np.ix_(nogood, guesses)]
    return np.asarray((patterns == patterns[0]).all(axis=0))
