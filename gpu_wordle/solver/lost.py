"""Lost: a state of which every guess is refuted by a part that cannot be won in what is left.

To search such a state by its value is slow. Where few guesses suffice the bounds are those of
values, which a limit raises only where it binds. Here each guess is refuted by itself, by the first
of its parts that is seen to be lost with a guess less, from the largest down. That part is a
*nogood*: it refutes every other guess that leaves its answers together. The first nogoods refute
most guesses, so they are made small. Machine code does the like, but looks at guesses alone, which
is too slow where many are left; see unconstrained/nogoods.py.

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
from gpu_wordle.solver.question import Question
from gpu_wordle.tunables import (
    LOST_BUDGET,
    LOST_PART_BUDGET,
    MAX_BRIEF,
    NOGOOD_BUDGET,
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
    for state in sorted(states, key=len):
        for suspect in suspects(engine.game, state):
            if is_lost(engine, Question(suspect, question.revealed, guesses_left)):
                return True
            if engine.counters[STOPPED]:
                return False
    return False


def is_lost(engine: Engine, question: Question) -> bool:
    """Whether a state is seen to be lost. False says nothing."""
    last = int(engine.counters[EXPANDED]) + LOST_BUDGET
    if engine.costs.is_linear(question.guesses_left):
        found = search_briefly(engine, question.within(NO_LIMIT), LOST_BUDGET)
        if found is None or found[1] <= question.guesses_left:
            return False
    found = search_briefly(engine, question, MAX_BRIEF)
    if found is not None:
        return found[0] >= INFEASIBLE
    if engine.counters[STOPPED]:
        return False
    lineup = line_up(engine, question.state)
    waiting = lineup.order[lineup.parts[lineup.order] > 1]
    made = 0
    while len(waiting):
        nogood = lost_part(engine, question, int(waiting[0]))
        if nogood is None or engine.counters[EXPANDED] > last:
            return False
        if made < SMALL_NOGOODS:
            nogood = made_small(engine, question, nogood)
        made += 1
        waiting = waiting[1:]
        waiting = waiting[~leaves_together(engine.game, waiting, nogood)]
    return True


def lost_part(engine: Engine, question: Question, guess: int) -> State | None:
    """The first part that a guess leaves and that is seen to be lost, from the largest down."""
    for part in sorted(parts_of(engine.game, question.state, guess), key=len, reverse=True):
        if is_soon_lost(engine, question, part, LOST_PART_BUDGET):
            return part
        if engine.counters[STOPPED]:
            break
    return None


def is_soon_lost(engine: Engine, question: Question, part: State, budget: int) -> bool:
    """Whether a part is seen to be lost with a guess less, in so many states."""
    guesses_left = question.guesses_left - 1
    found = search_briefly(engine, Question(part, question.revealed, guesses_left), budget)
    return found is not None and found[0] >= INFEASIBLE


def made_small(engine: Engine, question: Question, nogood: State) -> State:
    """A nogood without some of its answers: halves are dropped first, then ever fewer."""
    dropped = len(nogood) // 2
    while dropped:
        begin = 0
        while begin < len(nogood):
            rest = np.delete(nogood, slice(begin, begin + dropped))
            if len(rest) and is_soon_lost(engine, question, rest, NOGOOD_BUDGET):
                nogood = rest
            else:
                begin += dropped
        dropped //= 2
    return nogood


def leaves_together(game: Game, guesses: NDArray[np.int64], nogood: State) -> NDArray[np.bool_]:
    """Which of the guesses leave all answers of a nogood in one part."""
    patterns = game.patterns.values[np.ix_(nogood, guesses)]
    return np.asarray((patterns == patterns[0]).all(axis=0))
