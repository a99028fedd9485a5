"""Many guesses of one state in one call: a search may take less time than a call from Python.

``solve_openers`` finds values, least worst cases and strategies as ``Solver.solve`` does for one
guess. It is for games in which every guess costs one and no answer may be lost. ``search_in_turn``
is for all games.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.bounds.by_size import part_limit
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.signatures import INT, INT32_ROWS, INT64S, PAIR
from gpu_wordle.solver.machine.templates import linked_template
from gpu_wordle.solver.memory.arenas import (
    ARENA_MARKS,
    ASKED,
    BUDGET,
    NO_BUDGET,
    NODES,
    NODES_END,
    STOPPED,
    TOTAL,
    WORK,
    WORK_COUNTERS,
    Asked,
    Branch,
)
from gpu_wordle.solver.search.hooks import STATE, WORKSPACE
from gpu_wordle.solver.search.search import search
from gpu_wordle.solver.search.strategy import extract_tree

INT64_ROWS = types.int64[:, ::1]
SOLVED = types.Tuple([INT64_ROWS, INT32_ROWS])
TURNS = types.Tuple([INT64S, INT64S, INT64_ROWS])


@linked_template(PAIR(WORKSPACE, STATE, ARENA_MARKS, ASKED))
def search_opener(w, state, marks, asked):
    """Value and height of a guess on a state, fail-soft as in search.py."""
    cutoff, guesses_left, number, max_parts, known_lower = asked
    # A forced guess that is no answer may cost one turn more than there are answers.
    limit = part_limit(w, guesses_left, state.n + 1)
    return search(w, state, marks, Asked(cutoff, limit, number, max_parts, known_lower))


@linked_template(PAIR(WORKSPACE, STATE, ARENA_MARKS, INT, INT))
def least_height(w, state, marks, guesses_left, number):
    """Value of a guess, and the least height of a tree that reaches it; 0 if there is none."""
    most, nothing = np.int64(PATTERNS), np.int64(0)
    asked = Asked(np.int64(INFEASIBLE), guesses_left, number, most, nothing)
    total, height = search_opener(w, state, marks, asked)
    # Below total + 1 a result is exact, so the limit falls until the total would rise.
    while height > 1:
        asked = Asked(total + 1, height - 1, number, most, nothing)
        found, lower = search_opener(w, state, marks, asked)
        if found != total or lower == 0:
            break
        height = min(lower, height - 1)
    return total, height


@linked_template(INT(WORKSPACE, STATE, ARENA_MARKS, INT, INT64S, SOLVED))
def solve_openers(w, state, marks, guesses_left, numbers, into):
    """Solve guesses in their order; returns how many were solved before a stop.

    Args:
        w: workspace.
        state: the state.
        marks: first free entries of the arenas.
        guesses_left: guesses left, NO_LIMIT for any number.
        numbers: the guesses, by the numbers that look_up takes.
        into: the results, int64[..., FOUND_FIELDS] with the columns of arenas.py; and the nodes of
            their trees, int32[..., 3] with the columns of strategy.py. Trees follow each other, and
            parents are counted from the first tree on.
    """
    found, nodes = into
    answer = np.int64(w.answers[state.at])
    end = np.int64(0)
    for i in range(len(numbers)):
        number = numbers[i]
        w.counters[:] = 0
        w.counters[BUDGET] = NO_BUDGET
        total, height = least_height(w, state, marks, guesses_left, number)
        if w.counters[STOPPED] != 0:
            return i
        if height > 0:
            # Counters begin at zero for each guess, but its nodes follow those of the guess before.
            w.counters[NODES] = end
            no_lists, no_parent = np.int64(0), np.int64(-1)
            branch = Branch(height, no_lists, number, no_parent, answer)
            if not extract_tree(w, state, marks, branch, nodes):
                return i
            end = w.counters[NODES]
        found[i, TOTAL] = total
        found[i, NODES_END] = end
        for k in range(len(WORK_COUNTERS)):
            found[i, WORK + k] = w.counters[WORK_COUNTERS[k]]
    return len(numbers)


@linked_template(INT(WORKSPACE, STATE, ARENA_MARKS, INT, INT, TURNS))
def search_in_turn(w, state, marks, guesses_left, max_parts, turns):
    """Search guesses in their order, up to the first whose value is below its cutoff.

    Returns how many were searched, that guess included, before it or a stop ended the search.

    Args:
        w: workspace.
        state: the state.
        marks: first free entries of the arenas.
        guesses_left: see solve_openers.
        max_parts: a bound on the parts that any legal guess makes of the state.
        turns: the guesses, by the numbers that look_up takes; their cutoffs; and the results,
            int64[..., 2], values or bounds, and heights.
    """
    numbers, cutoffs, values = turns
    w.counters[:] = 0
    w.counters[BUDGET] = NO_BUDGET
    for i in range(len(numbers)):
        asked = Asked(cutoffs[i], guesses_left, numbers[i], max_parts, np.int64(0))
        total, height = search_opener(w, state, marks, asked)
        if w.counters[STOPPED] != 0:
            return i
        values[i, 0] = total
        values[i, 1] = height
        # Height 0 marks a bound. A value lets the caller lower the cutoffs of the others.
        if height > 0:
            return i + 1
    return len(numbers)


TEMPLATES = (search_opener, least_height, solve_openers, search_in_turn)
