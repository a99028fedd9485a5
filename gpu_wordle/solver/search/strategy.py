"""The optimal tree of a state, top down from the values that the search has proved.

At every node the tree takes the first guess, in the order of ordering.py, that reaches the value
under the guesses left. Where a candidate tells all answers apart, or all but two, it takes the
first such candidate. The choice depends on the state, its value, the guesses left, and the lists of
the states above.

Of the guesses that split a state alike, its list holds the candidates or, if there are none, one
other guess. So on a state below, the first guess of that list may differ from the first of all
guesses. The states above are those of the tree. So the tree does not depend on what the table
holds, which threads have filled it, or what was solved before.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.bounds.by_size import after, part_limit
from gpu_wordle.solver.bounds.part_bounds import parts_of_first_choice
from gpu_wordle.solver.guesses.ordering import pop_key, slot_of_key
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.signatures import BOOL, INT, INT32_ROWS
from gpu_wordle.solver.machine.simd import byte_at
from gpu_wordle.solver.machine.templates import inlined_template, linked_template
from gpu_wordle.solver.memory.arenas import (
    ARENA_MARKS,
    AT,
    BRANCH,
    NODES,
    SIZE,
    STOPPED,
    ArenaMarks,
    Asked,
    Branch,
)
from gpu_wordle.solver.search.hooks import (
    STATE,
    WORKSPACE,
    answer_place,
    answer_row,
    child,
    copy_answer,
    generate_for_tree,
    look_up,
    look_up_answer,
    number_of,
    reveal,
)
from gpu_wordle.solver.search.search import ANY_GUESS, search, value

GUESS, PARENT, ANSWER = range(3)
"""Columns of the extracted nodes; ANSWER is some answer for which the node is reached."""


@inlined_template(INT(WORKSPACE, INT32_ROWS, INT, INT, INT))
def add_node(w, nodes, guess, parent, answer):
    """Append a node; returns its number."""
    node = w.counters[NODES]
    w.counters[NODES] += 1
    nodes[node, GUESS] = guess
    nodes[node, PARENT] = parent
    nodes[node, ANSWER] = answer
    return node


@linked_template(INT(WORKSPACE, INT, INT, INT))
def splitting_candidate(w, at, n, wanted):
    """The first answer of the state that makes ``wanted`` parts as a guess; -1 if there is none."""
    seen = w.seen
    for j in range(n):
        place = answer_place(w, at + j)
        seen[PATTERNS] += np.uint64(1)
        stamp = seen[PATTERNS]
        repeated = 0
        for i in range(at, at + n):
            pattern = byte_at(answer_row(w, i) + place)
            # Each repetition is a part less than there are answers.
            repeated += seen[pattern] == stamp
            seen[pattern] = stamp
            if repeated > n - wanted:
                break
        if repeated == n - wanted:
            return j
    return -1


@linked_template(
    types.Tuple((INT, STATE, ARENA_MARKS, INT))(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT)
)
def first_optimal(w, state, marks, total, guesses_left, lists):
    """``(number, state, marks, lists)``: the first guess whose value is ``total``, by its number.

    The number is -1 if the search was stopped. It is meant in the rows of the state that is
    returned, which may be a copy with other rows. ``lists`` is what to hand to the states below;
    see generate_for_tree.
    """
    # With a cutoff just above the value, each guess either reaches the value or is refuted.
    moves, waiting, max_parts, state, marks, lists = generate_for_tree(
        w, state, marks, guesses_left, total + 1, lists
    )
    above = ArenaMarks(marks.state + state.n, marks.column, marks.part, marks.byte)
    while waiting > 0:
        waiting -= 1
        move = moves + slot_of_key(pop_key(w.heap, moves, waiting))
        number = number_of(w, state, move)
        asked = Asked(total + 1, guesses_left, number, max_parts, total)
        found, _ = search(w, state, above, asked)
        if w.counters[STOPPED] != 0:
            break
        # The cutoff is total + 1, so a refuted guess returns more.
        if found == total:
            return number, state, above, lists
    return np.int64(-1), state, above, lists


@linked_template(BOOL(WORKSPACE, STATE, ARENA_MARKS, BRANCH, INT32_ROWS))
def extract_tree(w, state, marks, branch, nodes):
    """Append the tree of a state to ``nodes``; False if the search was stopped.

    Args:
        w: workspace; ``counters[NODES]`` counts the nodes so far.
        state: the state, with a value that is feasible in the guesses left.
        marks: first free entries of the arenas.
        branch: the first guess, if forced, and where the tree hangs; see Branch.
        nodes: int32[..., 3], the result, with the columns named above.
    """
    guesses_left, lists, number, parent, answer = branch
    forced = number
    n = state.n
    j = np.int64(-1)
    if forced < 0:
        if n <= 2 or guesses_left == 1:
            # Answers are held heaviest first, and the heaviest is to be found first.
            node = add_node(w, nodes, w.own_guess[w.answers[state.at]], parent, answer)
            if n == 2 and guesses_left > 1:
                second = w.answers[state.at + 1]
                add_node(w, nodes, w.own_guess[second], node, second)
            return True
        guesses_left = part_limit(w, guesses_left, n)
        total, _ = value(w, state, marks, INFEASIBLE, guesses_left)
        if w.counters[STOPPED] != 0:
            return False
        # A candidate of so many parts has the value without search, so no guess list is needed.
        wanted = parts_of_first_choice(w, n, total, guesses_left)
        if wanted > 0:
            j = splitting_candidate(w, state.at, n, wanted)
        if j < 0:
            number, state, marks, lists = first_optimal(w, state, marks, total, guesses_left, lists)
            if number < 0:
                return False
    if j >= 0:
        place = look_up_answer(w, state, j)
        guess = np.int64(w.own_guess[w.answers[state.at + j]])
    else:
        place, guess = look_up(w, state, number)
    node = add_node(w, nodes, guess, parent, answer)

    # Children come in the order of their patterns: a counting sort lays the parts out so.
    at = state.at
    for i in range(at, at + n):
        w.tally[byte_at(w.rows[i] + place)] += 1
    end = marks.state
    for label in range(PATTERNS):
        w.start[label] = end
        end += w.tally[label]
        w.tally[label] = 0
    for i in range(at, at + n):
        label = byte_at(w.rows[i] + place)
        t = w.start[label]
        w.start[label] += 1
        copy_answer(w, t, i)
        # Under some rules copy_answer leaves the rows out, and the labels are read again below.
        w.rows[t] = w.rows[i]
    p = marks.part
    above = ArenaMarks(end, marks.column, p + 1, marks.byte)
    guesses_after = after(guesses_left)
    begin = marks.state
    while begin < end:
        label = byte_at(w.rows[begin] + place)
        size = np.int64(1)
        while begin + size < end and byte_at(w.rows[begin + size] + place) == label:
            size += 1
        some = np.int64(w.answers[begin])
        # ALL_GREEN has no child, nor has any part when no guess is left for it.
        if guesses_left > 1 and (size > 1 or w.own_guess[some] != guess):
            w.parts[p, AT] = begin
            w.parts[p, SIZE] = size
            reveal(w, p, state, guess)
            part = child(w, state, p)
            below = Branch(guesses_after, lists, ANY_GUESS, node, some)
            if not extract_tree(w, part, above, below, nodes):
                return False
        begin += size
    return True


TEMPLATES = (add_node, splitting_candidate, first_optimal, extract_tree)
