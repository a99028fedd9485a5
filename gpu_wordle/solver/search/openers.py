"""Many guesses of one state in one call, for a search may take less time than to ask from Python.

Values, least worst cases and strategies are found as ``Solver.solve`` finds them of one guess, for
games in which every guess costs one and no answer may be lost. To search in turn is for all games.
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
    BUDGET,
    NO_BUDGET,
    NODES,
    NODES_END,
    STOPPED,
    TOTAL,
    WORK,
    WORK_COUNTERS,
)
from gpu_wordle.solver.search.hooks import STATE, WORKSPACE
from gpu_wordle.solver.search.search import search
from gpu_wordle.solver.search.strategy import extract_tree

INT64_ROWS = types.int64[:, ::1]


@linked_template(PAIR(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT, INT))
def search_opener(w, state, marks, cutoff, guesses_left, number, max_parts):
    """Value and height of a guess on a state, as in search.py."""
    guesses_left = part_limit(w, guesses_left, state.n + 1)
    return search(w, state, marks, cutoff, guesses_left, number, max_parts, 0)


@linked_template(PAIR(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT, INT, INT))
def search_freely_first(w, state, marks, cutoff, guesses_left, without_limit, number, max_parts):
    """The same, after what is learned with ``without_limit`` guesses left.

    That is NO_LIMIT, or the same.
    """
    total, height = search_opener(w, state, marks, cutoff, without_limit, number, max_parts)
    if height > guesses_left:
        total, height = search_opener(w, state, marks, cutoff, guesses_left, number, max_parts)
    return total, height


@linked_template(PAIR(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT))
def least_height(w, state, marks, guesses_left, without_limit, number):
    """Value of a guess, and the least height of a tree that reaches it; 0 if there is none."""
    most = np.int64(PATTERNS)
    total, height = search_freely_first(
        w, state, marks, INFEASIBLE, guesses_left, without_limit, number, most
    )
    while height > 1:
        found, lower = search_opener(w, state, marks, total + 1, height - 1, number, most)
        if found != total or lower == 0:
            break
        height = min(lower, height - 1)
    return total, height


@linked_template(
    INT(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT, INT64S, INT64_ROWS, INT32_ROWS),
)
def solve_openers(w, state, marks, guesses_left, without_limit, answer, numbers, found, nodes):
    """Solve guesses in their order; how many were done before a stop was asked for.

    Args:
        w: workspace.
        state: the state.
        marks: first free entries of the arenas.
        guesses_left: guesses left, NO_LIMIT for any number.
        without_limit: see search_freely_first.
        answer: some answer of the state.
        numbers: the guesses, by the numbers that look_up takes.
        found: int64[..., FOUND_FIELDS], the result, with the columns of arenas.py.
        nodes: int32[..., 3], their trees one after the other, with the columns of strategy.py;
            parents are counted from the first tree on.
    """
    end = np.int64(0)
    for i in range(len(numbers)):
        number = numbers[i]
        w.counters[:] = 0
        w.counters[BUDGET] = NO_BUDGET
        total, height = least_height(w, state, marks, guesses_left, without_limit, number)
        if w.counters[STOPPED] != 0:
            return i
        if height > 0:
            w.counters[NODES] = end
            no_lists, no_parent = np.int64(0), np.int64(-1)
            if not extract_tree(
                w, state, marks, height, no_lists, number, no_parent, answer, nodes
            ):
                return i
            end = w.counters[NODES]
        found[i, TOTAL] = total
        found[i, NODES_END] = end
        for k in range(len(WORK_COUNTERS)):
            found[i, WORK + k] = w.counters[WORK_COUNTERS[k]]
    return len(numbers)


@linked_template(INT(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT, INT64S, INT64S, INT64_ROWS))
def search_in_turn(
    w, state, marks, guesses_left, without_limit, max_parts, numbers, cutoffs, values
):
    """Search guesses in their order, up to the first that is below its cutoff if one is.

    Returns how many were done before that or a stop, with the one that is below its cutoff.

    Args:
        w: workspace.
        state: the state.
        marks: first free entries of the arenas.
        guesses_left: guesses left, NO_LIMIT for any number.
        without_limit: see search_freely_first.
        max_parts: a bound on the parts that any legal guess makes of the state.
        numbers: the guesses, by the numbers that look_up takes.
        cutoffs: int64[...], from where on the value of each is of no interest.
        values: int64[..., 2], the values or bounds, and heights.
    """
    w.counters[:] = 0
    w.counters[BUDGET] = NO_BUDGET
    for i in range(len(numbers)):
        total, height = search_freely_first(
            w, state, marks, cutoffs[i], guesses_left, without_limit, numbers[i], max_parts
        )
        if w.counters[STOPPED] != 0:
            return i
        values[i, 0] = total
        values[i, 1] = height
        if height > 0:
            return i + 1
    return len(numbers)


TEMPLATES = (search_opener, search_freely_first, least_height, solve_openers, search_in_turn)
