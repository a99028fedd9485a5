"""The optimal tree of a state under a constrained rule, top down from proven values.

It is chosen as under the normal rule: at every node the first guess, in the order of ordering.py,
that reaches the value under the guesses left; where a candidate tells all answers apart, or all
but two, the first such candidate. So the tree depends on the state and the guesses left alone.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.bounds.part_bounds import parts_of_first_choice
from gpu_wordle.solver.constrained.generate import generate
from gpu_wordle.solver.constrained.legal import reveal
from gpu_wordle.solver.constrained.search import search, use_ground_rows, value
from gpu_wordle.solver.constrained.workspace import STATE, TOPS, WORKSPACE, State, Tops
from gpu_wordle.solver.guesses.ordering import sift_down, slot_of_key
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, INT32_ROWS
from gpu_wordle.solver.machine.simd import byte_at
from gpu_wordle.solver.memory.stage_costs import part_limit
from gpu_wordle.solver.memory.workspace import NODES, STOPPED

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


@inlined(INT(WORKSPACE, INT, INT))
def pattern_of(w, answer, guess):
    """The pattern of an answer of the game as a guess when another one is hidden."""
    return byte_at(w.game_rows[0] + w.game_rows[1] * answer + guess)


@linked(INT(WORKSPACE, INT, INT, INT))
def splitting_candidate(w, at, n, wanted):
    """The first answer of the state that makes ``wanted`` parts as a guess; -1 if there is none."""
    for j in range(n):
        parts = 0
        for i in range(n):
            label = pattern_of(w, w.answers[at + i], w.answers[at + j])
            parts += w.tally[label] == 0
            w.tally[label] += 1
        for i in range(n):
            w.tally[pattern_of(w, w.answers[at + i], w.answers[at + j])] = 0
        if parts == wanted:
            return np.int64(w.answers[at + j])
    return -1


@linked(INT(WORKSPACE, STATE, TOPS, INT, INT))
def first_optimal(w, state, tops, total, left):
    """The first legal guess whose value is ``total``, as a column; -1 if the search was stopped."""
    tries, most, _, above = generate(w, state, tops, total + 1, left)
    heap = tops.column
    while tries > 0:
        slot = slot_of_key(w.heap[heap])
        tries -= 1
        w.heap[heap] = w.heap[heap + tries]
        sift_down(w.heap, heap, tries, 0)
        column = np.int64(w.place[w.guess[heap + slot]])
        found, _ = search(w, state, above, total + 1, left, column, most, total)
        if w.counters[STOPPED] != 0:
            break
        if found == total:
            return column
    return np.int64(-1)


@linked(BOOL(WORKSPACE, STATE, TOPS, INT, INT, INT, INT, INT32_ROWS))
def grow(w, state, tops, left, forced, parent, answer, nodes):
    """Append the tree of a state to ``nodes``; False if the search was stopped.

    Args:
        w: workspace; ``counters[NODES]`` counts the nodes so far.
        state: the state, with a value that is feasible in ``left`` guesses.
        tops: first free entries of the arenas.
        left: guesses left, NO_LIMIT for any number.
        forced: the first guess, as a column of the game's matrix; -1 for the best one.
        parent: number of the node above, -1 if there is none.
        answer: some answer of the state.
        nodes: int32[..., 3], the result, with the columns named above.
    """
    at, n, revealed = state
    column = forced
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
        chosen = np.int64(-1)
        wanted = parts_of_first_choice(w, n, total, left)
        if wanted > 0:
            chosen = splitting_candidate(w, at, n, wanted)
        if chosen >= 0:
            column = np.int64(w.place[w.own_guess[chosen]])
        else:
            column = first_optimal(w, state, tops, total, left)
            if column < 0:
                return False
    guess = np.int64(w.guess_of_column[column])
    node = add_node(w, nodes, guess, parent, answer)

    # Parts in the order of their patterns, each after the other.
    use_ground_rows(w, state)
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
        w.rows[t] = w.rows[at + i]
    top = Tops(free, tops.column, tops.part + 1)
    begin = tops.state
    while begin < free:
        label = byte_at(w.rows[begin] + column)
        end = begin + 1
        while end < free and byte_at(w.rows[end] + column) == label:
            end += 1
        some = np.int64(w.answers[begin])
        if left > 1 and (end - begin > 1 or w.own_guess[some] != guess):
            reveal(w, tops.part, revealed, guess, some)
            part = State(begin, end - begin, tops.part)
            below = left if left >= NO_LIMIT else left - 1
            if not grow(w, part, top, below, ANY_GUESS, node, some, nodes):
                return False
        begin = end
    return True
