"""The legal guesses of a state, measured and lined up to be tried.

Guesses that leave all answers together are dropped: they tell nothing, and use up a guess. So are
those that leave a part too large to be won in the guesses that remain.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.bounds.by_size import (
    after,
    late_cost,
    least_excess,
    most_winnable,
    set_late_costs,
    two_stage_cost,
    weigh,
)
from gpu_wordle.solver.constrained.legal import line_up, set_of_state
from gpu_wordle.solver.constrained.remembered import (
    name_of_state,
    recall_measures,
    remember_measures,
)
from gpu_wordle.solver.constrained.workspace import STATE, WORKSPACE
from gpu_wordle.solver.guesses.ordering import heapify, order_key
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, NOTHING
from gpu_wordle.solver.machine.simd import (
    LANES,
    add_bytes,
    add_equal,
    add_zeros,
    byte_at,
    greater,
    load,
    no_shorts,
    splat,
    store_words,
)
from gpu_wordle.solver.memory.arenas import ARENA_MARKS, ArenaMarks
from gpu_wordle.solver.memory.stage_costs import MAY_LOSE
from gpu_wordle.tunables import HISTOGRAM_BYTES, MAX_PAIRWISE, MIN_REMEMBERED

COUNTED_TOGETHER = max(1, min(LANES, HISTOGRAM_BYTES // (4 * PATTERNS)))
"""Columns whose answers are counted together: their counters fit the L1 cache."""


@inlined(NOTHING(WORKSPACE, INT, INT, INT))
def measure_counted(w, n, first, width):
    """Measure ``width`` columns from ``first`` on by counting the answers of each pattern.

    Counting writes nothing but counters; what they say is read off in vectors at the end.
    """
    counts = w.first_seen
    for t in range(width * PATTERNS):
        counts[t] = 0
    for i in range(n):
        row = w.line[i] + first
        for lane in range(width):
            counts[lane * PATTERNS + byte_at(row + lane)] += np.uint32(1)
    for lane in range(width):
        parts = np.uint32(0)
        largest = np.uint32(0)
        squares = np.uint32(0)
        for t in range(lane * PATTERNS, (lane + 1) * PATTERNS):
            count = counts[t]
            parts += np.uint32(count != 0)
            largest = max(largest, count)
            squares += count * count
        w.column_parts[first + lane] = parts
        w.column_largest[first + lane] = largest - np.uint32(1)
        w.column_pairs[first + lane] = (squares - np.uint32(n)) >> np.uint32(1)


@linked(NOTHING(WORKSPACE, INT, INT))
def measure(w, n, columns):
    """Parts, pairs and largest part, less one, of the columns of the lines ``w.line[:n]``.

    Pairs are those of answers that the column does not tell apart: the squares of the sizes of the
    parts sum to n + 2 * pairs.
    """
    if n > MAX_PAIRWISE:
        for first in range(0, columns, COUNTED_TOGETHER):
            measure_counted(w, n, first, min(COUNTED_TOGETHER, columns - first))
        return
    for start in range(0, columns, LANES):
        # An answer of a part is equal to all earlier ones of it. So those equal to none are the
        # parts, their sum is the pairs, and their maximum is the largest part, less one.
        new = splat(0)
        max_parts = splat(0)
        pairs = no_shorts()
        for i in range(n):
            row = load(w.line[i] + start)
            equal = splat(0)
            for j in range(i):
                equal = add_equal(equal, row, load(w.line[j] + start))
            new = add_zeros(new, equal)
            max_parts = greater(max_parts, equal)
            pairs = add_bytes(pairs, equal)
        store_words(w.column_parts.ctypes.data + 4 * start, new)
        store_words(w.column_pairs.ctypes.data + 4 * start, pairs)
        store_words(w.column_largest.ctypes.data + 4 * start, max_parts)


@linked(NOTHING(WORKSPACE, INT, INT))
def measure_in_game(w, at, n):
    """Measure all guesses on a state as :func:`measure` does, in the order of the game's matrix."""
    for i in range(n):
        w.line[i] = w.game_rows[0] + w.game_rows[1] * w.answers[at + i] + w.game_rows[2]
    measure(w, n, w.guess_of_column.size)


@inlined(NOTHING(WORKSPACE, STATE, INT))
def measure_or_recall(w, state, columns):
    """Set the measures of the legal guesses of a state, from memory if they are remembered.

    The lines of the state are set.
    """
    if state.n < MIN_REMEMBERED:
        measure(w, state.n, columns)
        return
    name = name_of_state(w, state)
    if not recall_measures(w, name, columns):
        measure(w, state.n, columns)
        remember_measures(w, name, columns)


MOVES = types.Tuple((INT, INT, INT, INT, STATE, ARENA_MARKS))
"""Type of what generate returns; see search/hooks.py."""
TREE_MOVES = types.Tuple((INT, INT, INT, STATE, ARENA_MARKS, INT))
"""Type of what generate_for_tree returns; see search/hooks.py."""


@linked(MOVES(WORKSPACE, STATE, ARENA_MARKS, INT, INT))
def generate(w, state, marks, guesses_left, cutoff):
    """List the legal guesses of a state whose one-ply bound is below the cutoff; see hooks.py.

    The moves begin at ``marks.column``; ``w.rows`` of the state are set to its lines.
    """
    at, n, revealed = state
    number = set_of_state(w, at, n, revealed)
    line_up(w, at, n, number)
    begin = w.set_columns[number]
    size = np.int64(w.set_sizes[number])
    measure_or_recall(w, state, size)
    max_parts = np.int64(1)
    for c in range(size):
        max_parts = max(max_parts, np.int64(w.column_parts[c]))
    for i in range(n):
        w.member[w.answers[at + i]] = i + 1
        w.rows[at + i] = w.line[i]
    # The largest part has one guess less. A guess that leaves more than can be won is dropped.
    winnable = most_winnable(max_parts, guesses_left - 1)
    if guesses_left >= NO_LIMIT or w.terms[MAY_LOSE] != 0:
        winnable = np.int64(INFEASIBLE)
    weight = weigh(w, at, n)
    base = two_stage_cost(w, guesses_left, weight, weight)
    second = w.marginal_costs[guesses_left + 1]
    guesses_after = after(guesses_left)
    set_late_costs(w, at, n, guesses_left)
    top = marks.column
    tries = 0
    bound = INFEASIBLE
    for c in range(size):
        parts = np.int64(w.column_parts[c])
        # A guess of one part tells nothing. What it reveals only forbids guesses, so it never
        # helps.
        if parts < 2 or np.int64(w.column_largest[c]) + 1 > winnable:
            continue
        guess = np.int64(w.guess_of_column[w.columns[begin + c]])
        answer = w.answer_of_guess[guess]
        place = np.int64(w.member[answer]) if answer >= 0 else 0  # in the state, from 1
        one_ply = base + w.late[n - parts]
        if place > 0:
            # A candidate that is the answer does not pay for the guess after it.
            one_ply -= second * w.weight[answer]
        # In a part of more answers than any guess makes parts, some need a third guess after this
        # one.
        squares = n + 2 * np.int64(w.column_pairs[c])
        excess = least_excess(n, parts, squares, max_parts)
        one_ply += late_cost(w, at + n, excess, guesses_after)
        bound = min(bound, one_ply)
        if one_ply < cutoff:
            w.guess[top + tries] = guess
            w.one_ply[top + tries] = one_ply
            w.self_row[top + tries] = place - 1
            w.source[top + tries] = c
            w.heap[top + tries] = order_key(n, parts, squares, place > 0, guess, tries)
            tries += 1
    heapify(w.heap, top, tries)
    for i in range(n):
        w.member[w.answers[at + i]] = 0
    above = ArenaMarks(marks.state, top + tries, marks.part, marks.byte)
    return top, tries, max_parts, bound, state, above


@linked(NOTHING(WORKSPACE, STATE))
def line_up_again(w, state):
    """Set ``w.rows`` of a state again, after the memory of lines has been emptied."""
    number = set_of_state(w, state.at, state.n, state.revealed)
    line_up(w, state.at, state.n, number)
    for i in range(state.n):
        w.rows[state.at + i] = w.line[i]


@linked(TREE_MOVES(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT))
def generate_for_tree(w, state, marks, guesses_left, cutoff, lists):
    """List the guesses that a tree may take at a state, as for a search; see search/hooks.py.

    No list of a state above binds it: guesses are not collapsed under these rules.
    """
    moves, number, max_parts, _, entered, above = generate(w, state, marks, guesses_left, cutoff)
    return moves, number, max_parts, entered, above, lists
