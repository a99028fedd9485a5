"""The optimal tree of a state, top down from the values that the search has proved.

At every node the tree takes the first guess, in the order of ordering.py, that reaches the value
under the guesses left; where a candidate tells all answers apart, or all but two, it takes the
first such candidate. Both depend on the state, its value and the guesses left, and on nothing
else: so the tree is the same whatever the table holds, whichever threads have filled it, and
whatever was solved before.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.bounds.part_bounds import parts_of_first_choice
from gpu_wordle.solver.guesses.generate import generate
from gpu_wordle.solver.guesses.ordering import sift_down, slot_of_key
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, INT32_ROWS
from gpu_wordle.solver.machine.simd import byte_at
from gpu_wordle.solver.memory.stage_costs import part_limit
from gpu_wordle.solver.memory.workspace import NODES, STATE, STOPPED, TOPS, WORKSPACE, State, Tops
from gpu_wordle.solver.search.search import search, value

GUESS, PARENT, ANSWER = range(3)
"""Columns of the extracted nodes; ANSWER is some answer for which the node is reached."""

ANY_GUESS = np.int64(-1)


@inlined(INT(WORKSPACE, INT32_ROWS, INT, INT, INT))
def add_node(w, nodes, guess, parent, answer):
    """Append a node; its number."""
    node = w.counters[NODES]
    w.counters[NODES] += 1
    nodes[node, GUESS] = guess
    nodes[node, PARENT] = parent
    nodes[node, ANSWER] = answer
    return node


@linked(INT(WORKSPACE, INT, INT, INT))
def splitting_candidate(w, at, n, wanted):
    """The first answer of the state that makes ``wanted`` parts as a guess; -1 if there is none."""
    seen = w.seen
    for j in range(n):
        column = np.int64(w.pos[at + j])
        seen[PATTERNS] += np.uint64(1)
        stamp = seen[PATTERNS]
        repeated = 0
        for i in range(at, at + n):
            pattern = byte_at(w.rows[i] + column)
            repeated += seen[pattern] == stamp
            seen[pattern] = stamp
            if repeated > n - wanted:
                break
        if repeated == n - wanted:
            return j
    return -1


@linked(types.Tuple((INT, INT, STATE, TOPS))(WORKSPACE, STATE, TOPS, INT, INT))
def first_optimal(w, state, tops, total, left):
    """The first guess whose value is ``total``.

    Returns ``(column, guess, state, tops)``: the offset of its column in a row and its index, both
    -1 if the search was stopped; then the state with the matrix that it was found in.
    """
    at, n, first, columns, info = state
    below, heap, kept, tries, most, _, first, columns, info, byte = generate(
        w, at, n, first, columns, info, tops.state, tops.column, tops.byte, left, total + 1
    )
    again = State(below, n, first, columns, info)
    above = Tops(tops.state + n, tops.column + kept, tops.part, byte)
    while tries > 0:
        slot = slot_of_key(w.heap[heap])
        tries -= 1
        w.heap[heap] = w.heap[heap + tries]
        sift_down(w.heap, heap, tries, 0)
        number = w.source[heap + slot] - first
        found, _ = search(w, again, above, total + 1, left, number, most, total)
        if w.counters[STOPPED] != 0:
            break
        if found == total:
            return w.source[heap + slot], np.int64(w.guess[heap + slot]), again, above
    return np.int64(-1), np.int64(-1), again, above


@linked(BOOL(WORKSPACE, STATE, TOPS, INT, INT, INT, INT, INT32_ROWS))
def grow(w, state, tops, left, forced, parent, answer, nodes):
    """Append the tree of a state to ``nodes``; False if the search was stopped.

    Args:
        w: workspace; ``counters[NODES]`` counts the nodes so far.
        state: the state, with a value that is feasible in ``left`` guesses.
        tops: first free entries of the arenas.
        left: guesses left, NO_LIMIT for any number.
        forced: the first guess, as a number of a column; -1 for the best one.
        parent: number of the node above, -1 if there is none.
        answer: some answer of the state.
        nodes: int32[..., 3], the result, with the columns named above.
    """
    at, n, first, columns, info = state
    here = state
    if forced < 0:
        if n <= 2 or left == 1:
            node = add_node(w, nodes, w.own_guess[w.answers[at]], parent, answer)
            if n == 2 and left > 1:
                second = w.answers[at + 1]
                add_node(w, nodes, w.own_guess[second], node, second)
            return True
        left = part_limit(w, left, n)
        total, _ = value(w, state, tops, INFEASIBLE, left)
        if w.counters[STOPPED] != 0:
            return False
        j = np.int64(-1)
        wanted = parts_of_first_choice(w, n, total, left)
        if wanted > 0:
            j = splitting_candidate(w, at, n, wanted)
        if j >= 0:
            column = np.int64(w.pos[at + j])
            guess = np.int64(w.own_guess[w.answers[at + j]])
        else:
            column, guess, here, tops = first_optimal(w, state, tops, total, left)
            if guess < 0:
                return False
    else:
        column = first + forced
        guess = np.int64(w.guess[info + forced])
    node = add_node(w, nodes, guess, parent, answer)

    # Parts in the order of their patterns, each after the other.
    at, n, first, columns, info = here
    for i in range(n):
        w.tally[byte_at(w.rows[at + i] + column)] += 1
    free = tops.state
    for label in range(PATTERNS):
        w.start[label] = free
        free += w.tally[label]
        w.tally[label] = 0
    for i in range(n):
        label = byte_at(w.rows[at + i] + column)
        t = w.start[label]
        w.start[label] += 1
        w.answers[t] = w.answers[at + i]
        w.pos[t] = w.pos[at + i]
        w.rows[t] = w.rows[at + i]
    top = Tops(free, tops.column, tops.part, tops.byte)
    begin = tops.state
    while begin < free:
        label = byte_at(w.rows[begin] + column)
        end = begin + 1
        while end < free and byte_at(w.rows[end] + column) == label:
            end += 1
        some = np.int64(w.answers[begin])
        if left > 1 and (end - begin > 1 or w.own_guess[some] != guess):
            part = State(begin, end - begin, first, columns, info)
            below = left if left >= NO_LIMIT else left - 1
            if not grow(w, part, top, below, ANY_GUESS, node, some, nodes):
                return False
        begin = end
    return True
