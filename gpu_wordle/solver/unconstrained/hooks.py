"""The hooks of the search under the rules without constraints.

A state is looked up in a matrix of the guesses that matter there. A part is bounded by the table,
by states counted before, and by counting parts: in SIMD lanes or in bit slices, whichever is the
faster.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.bounds.by_size import is_linear, late_cost, least_cost, part_limit
from gpu_wordle.solver.bounds.overlaps import add_overlap, most_by_overlaps
from gpu_wordle.solver.bounds.part_bounds import key_with_limit, learn
from gpu_wordle.solver.counting.pairwise import MAX_COUNTABLE, most_parts
from gpu_wordle.solver.counting.sliced import most_parts_sliced, saving, slice_columns
from gpu_wordle.solver.guesses import generate, tree_lists
from gpu_wordle.solver.guesses.measures import measure
from gpu_wordle.solver.machine.layout import Columns, Rows
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, PAIR, WORD
from gpu_wordle.solver.machine.templates import instantiate
from gpu_wordle.solver.memory.arenas import (
    ARENA_MARKS,
    AT,
    HEIGHT,
    KEY_0,
    KEY_1,
    LEFT,
    LOWER,
    MARKS,
    MINE,
    OPEN,
    SIZE,
)
from gpu_wordle.solver.memory.stage_costs import MAY_LOSE, NO_THIRD
from gpu_wordle.solver.memory.table import COUNTED, probe
from gpu_wordle.solver.memory.workspace import (
    ARRAYS,
    HOME_AT,
    HOME_SIZE,
    OVERLAPS,
    OVERLAPS_AT,
    SLICED,
    STATE,
    WORK,
    WORKSPACE,
    State,
)
from gpu_wordle.solver.search.hooks import filled_by
from gpu_wordle.solver.search.split import TEMPLATES as SPLITTING
from gpu_wordle.tunables import MIN_OVERLAPPED, SLICING_CYCLES


@inlined(INT(WORKSPACE, INT))
def answer_row(w, t):
    """Address of the row of answer t, which begins with the state's answers as guesses."""
    return w.rows[t]


@inlined(INT(WORKSPACE, INT))
def answer_place(w, t):
    """Offset of answer t, as a guess, in the rows of its matrix."""
    return np.int64(w.pos[t])


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def has_room(w, state, marks):
    """True if the arenas have room for the guesses and parts of a state, and for a copy of it."""
    return (
        marks.state + 2 * state.n <= w.answers.size
        and marks.column + 2 * state.columns <= w.guess.size
    )


@inlined(PAIR(WORKSPACE, STATE, INT))
def look_up(w, state, number):
    """``(place, guess)`` of column ``number``."""
    return state.first + number, np.int64(w.guess[state.info + number])


@inlined(INT(WORKSPACE, STATE, INT))
def look_up_answer(w, state, j):
    """The place of answer j of the state as a guess."""
    return np.int64(w.pos[state.at + j])


@inlined(INT(WORKSPACE, STATE, INT))
def number_of(w, state, move):
    """The column of a move."""
    return w.source[move] - state.first


@inlined(INT(WORKSPACE, STATE, INT))
def keep_rows(w, state, since):
    """Nothing to set again: rows are never dropped."""
    return since


@inlined(NOTHING(WORKSPACE, INT, INT, INT))
def note_refuted(w, move, guesses_left, lower):
    """Remember that the guess of a move costs at least ``lower``.

    Only a bound without a limit is kept: it holds under every limit.
    """
    if guesses_left >= NO_LIMIT:
        w.proven[move] = lower


@inlined(NOTHING(WORKSPACE, INT, INT))
def copy_answer(w, t, i):
    """Copy answer i of the arena of states to place t, with its row and its own column."""
    w.answers[t] = w.answers[i]
    w.pos[t] = w.pos[i]
    w.rows[t] = w.rows[i]


@inlined(NOTHING(WORKSPACE, INT, STATE, INT))
def reveal(w, p, state, guess):
    """Nothing is set: what the feedback reveals forbids no guess."""


@inlined(types.UniTuple(WORD, 2)(WORKSPACE, INT))
def key_of(w, p):
    """No words beside those of the answers: they alone make the state."""
    return np.uint64(0), np.uint64(0)


@inlined(STATE(WORKSPACE, STATE, INT))
def child(w, state, p):
    """Part p of a state, looked up in the matrix of the state."""
    return State(w.parts[p, AT], w.parts[p, SIZE], state.first, state.columns, state.info)


@inlined(NOTHING(WORKSPACE, STATE))
def measure_all(w, state):
    """Set ``w.column_parts`` and ``w.column_pairs`` of all guesses on a state."""
    measure(w, state.at, state.n, state.first, state.columns)


@inlined(INT(WORKSPACE, INT, INT))
def first_limit(w, guesses_left, k):
    """NO_LIMIT where the value without a limit is a bound that the search can use, else the limit.

    Most values without a limit hold under it too, and those that do not are close to it. With two
    guesses left counting decides, and where answers may be lost the two are far apart.
    """
    if is_linear(w, guesses_left) and guesses_left > NO_THIRD and w.terms[MAY_LOSE] == 0:
        return np.int64(NO_LIMIT)
    return part_limit(w, guesses_left, k)


@inlined(NOTHING(WORKSPACE, INT, INT))
def recall(w, p, guesses_left):
    """Raise the bound of part ``p`` by its entries in the table, without a limit and under it.

    A bound without a limit holds under it, too. An entry under the limit is of use even if the
    value without one is not known.
    """
    part = w.parts
    key_0 = np.uint64(part[p, KEY_0])
    key_1 = np.uint64(part[p, KEY_1])
    free = np.int64(0)
    free_marks = np.int64(0)
    if is_linear(w, guesses_left):
        free, upper, height, free_marks = probe(w.table, key_0, key_1)
        # A value without a limit is the value under it if its tree keeps the limit.
        if guesses_left >= NO_LIMIT or (free == upper and height <= guesses_left):
            learn(w, p, free, upper, height, free_marks)
            return
        # The value without a limit is known and its tree too high, so the limit is searched at
        # once.
        if free == upper:
            part[p, LEFT] = guesses_left
    limited = key_with_limit(w, key_0, guesses_left)
    lower, upper, height, marks = probe(w.table, limited, key_1)
    if lower > 0:
        part[p, LEFT] = guesses_left
    lower = max(lower, free)
    # With two guesses left, counting says more than it did without a limit: it decides.
    if guesses_left > NO_THIRD:
        marks |= free_marks
    learn(w, p, lower, upper, height, marks)


@inlined(NOTHING(WORKSPACE, INT, INT))
def restrict(w, p, guesses_left):
    """Reopen part ``p`` under the limit, with its entry there."""
    part = w.parts
    part[p, OPEN] = 1
    part[p, HEIGHT] = 0
    part[p, LEFT] = guesses_left
    limited = key_with_limit(w, np.uint64(part[p, KEY_0]), guesses_left)
    lower, upper, height, marks = probe(w.table, limited, np.uint64(part[p, KEY_1]))
    # Three guesses or more are left, with which counting says no more than without a limit.
    learn(w, p, lower, upper, height, marks | COUNTED)


@inlined(INT(WORKSPACE, STATE, INT, INT, INT))
def most_of_all(w, state, at, k, floor):
    """``max(floor, most parts that any column of a state makes of k answers at ``at``)``.

    A matrix is given labels once they would have saved as much as it takes to lay them out.
    """
    info = state.info
    rows = Rows(w.rows, at, k)
    columns = Columns(state.first, state.columns, w.ceiling, info)
    gain = saving(k)
    # Few answers are counted faster by comparing pairs.
    if gain <= 0:
        return most_parts(rows, columns, floor)
    matrix = w.matrix[info]
    # Waiting so long costs at most twice what the better choice would have cost.
    if matrix[WORK] != SLICED:
        matrix[WORK] += gain
        if matrix[WORK] < SLICING_CYCLES * matrix[HOME_SIZE]:
            return most_parts(rows, columns, floor)
        home = Rows(w.rows, matrix[HOME_AT], matrix[HOME_SIZE])
        slice_columns(home, state.first, state.columns, w.first_seen, w.entries)
        matrix[WORK] = SLICED
    return most_parts_sliced(rows, columns, floor, (w.slices, w.seen), 0)


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT))
def enter_overlap(w, at, k, info, max_parts):
    """Enter k answers, of which no guess makes more than ``max_parts`` parts, as an overlap."""
    matrix = w.matrix[info]
    add_overlap(matrix[OVERLAPS_AT], matrix[OVERLAPS], matrix[HOME_SIZE], w.pos, at, k, max_parts)
    matrix[OVERLAPS] += 1


@inlined(INT(WORKSPACE, INT, INT, INT))
def bound_by_overlaps(w, at, k, info):
    """A bound on the parts that any guess makes of k answers; see overlaps.most_by_overlaps."""
    matrix = w.matrix[info]
    return most_by_overlaps(matrix[OVERLAPS_AT], matrix[OVERLAPS], matrix[HOME_SIZE], w.pos, at, k)


@inlined(INT(WORKSPACE, STATE, INT, INT, INT, PAIR))
def look_at_overlaps(w, state, guesses_left, cutoff, total, parts):
    """Raise the bounds of parts by states counted before, the largest part first; the new total."""
    part = w.parts
    info = state.info
    if w.matrix[info, OVERLAPS] == 0:
        return total
    first, number = parts
    for p in range(first + number - 1, first - 1, -1):
        k = part[p, SIZE]
        if total >= cutoff or k < MIN_OVERLAPPED:
            break
        if part[p, OPEN] == 0 or part[p, MARKS] & COUNTED or k > MAX_COUNTABLE:
            continue
        at = part[p, AT]
        # Of k answers in at most m parts, k - m need a third guess or more.
        late = k - bound_by_overlaps(w, at, k, info)
        lower = least_cost(w, at, k, guesses_left)
        lower += late_cost(w, at + k, late, part[p, LEFT])
        lower = min(lower, INFEASIBLE)
        if lower > part[p, LOWER]:
            total += lower - part[p, LOWER]
            part[p, LOWER] = lower
    return total


@inlined(INT(WORKSPACE, STATE, INT, INT))
def count_most(w, state, p, floor):
    """``max(floor, most parts that a guess makes of part p)``; enters the count as an overlap."""
    at = w.parts[p, AT]
    k = w.parts[p, SIZE]
    max_parts = most_of_all(w, state, at, k, floor)
    # A count near k bounds hardly any other state.
    if w.parts[p, MINE] == 0 or max_parts < k - 1:
        enter_overlap(w, at, k, state.info, max_parts)
    return max_parts


@inlined(BOOL(WORKSPACE))
def only_candidates(w):
    """True under the rule candidates."""
    return w.candidates_only[0] != 0


RULE = "unconstrained"
SUPPLIED = {
    **filled_by(globals(), vars(generate), vars(tree_lists)),  # in the end generate is a hook
    "WORKSPACE": WORKSPACE,
    "ARRAYS": ARRAYS,
    "STATE": STATE,
    "MAX_SHALLOW": 0,
}
SUPPLIED |= instantiate(RULE, SPLITTING, SUPPLIED)
"""All that the search is compiled with, except the hooks that are made of these; see winnable.py.
"""
