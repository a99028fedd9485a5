"""Families: answers that are alike, and lose every state in which they are together.

Words that share a letter in one place are hard to tell apart, those like _I__S, say. Whatever wins
a state wins each part of it: a family that cannot be won loses the state, however many other
answers there are. A search of the state would meet it again and again, each time in other company.
Asked about alone, it is settled once. A family that can be won is mostly seen to be so at once.
Which families are asked about is a guess, and costs no more than time.
"""

from __future__ import annotations

from collections import defaultdict

import numpy as np

from gpu_wordle.game.game import Game, Rule, State
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.engine import Engine, parts_of, search_briefly
from gpu_wordle.solver.memory.arenas import STOPPED
from gpu_wordle.solver.memory.stage_costs import MAY_LOSE
from gpu_wordle.solver.question import Question
from gpu_wordle.tunables import FAMILY_BUDGET, MAX_FAMILIES, MIN_FAMILIAL


def loses_a_family(engine: Engine, question: Question) -> bool:
    """Whether a family is seen to lose the question. False says nothing.

    Where candidates alone may be guessed, a state has guesses that a family lacks; then, and where
    answers may be lost, no family is asked about.
    """
    if engine.game.rule is not Rule.NORMAL or engine.costs.terms[MAY_LOSE]:
        return False
    states = [question.state]
    guesses_left = question.guesses_left
    if question.guess is not None:
        states = parts_of(engine.game, question.state, question.guess)
        guesses_left -= 1
    for state in sorted(states, key=len, reverse=True):
        if len(state) < MIN_FAMILIAL:
            break
        for family in families(engine.game, state):
            if is_lost(engine, Question(family, question.revealed, guesses_left)):
                return True
            if engine.counters[STOPPED]:
                return False
    return False


def families(game: Game, state: State) -> list[State]:
    """The largest sets of answers, but not the whole state, with the same letter in one place."""
    alike: dict[tuple[int, str], list[int]] = defaultdict(list)
    for answer in state.tolist():
        for place, letter in enumerate(game.words.answers.words[answer]):
            alike[place, letter].append(answer)
    fewer = [family for family in alike.values() if len(family) < len(state)]
    largest = sorted(fewer, key=len, reverse=True)[:MAX_FAMILIES]
    return [np.array(family, state.dtype) for family in largest]


def is_lost(engine: Engine, question: Question) -> bool:
    """Whether a state is soon seen to be lost, without the limit first, as in limited.py."""
    found = search_briefly(engine, question.within(NO_LIMIT), FAMILY_BUDGET)
    if found is not None and found[1] > question.guesses_left:
        found = search_briefly(engine, question, FAMILY_BUDGET)
    return found is not None and found[0] >= INFEASIBLE
