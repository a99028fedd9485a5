"""Reproducing the move lists that a tree inherits, without building them.

The states below a listed state inherit its guesses. So which of the guesses that split such a state
alike a tree takes depends on what was listed above: one guess for each partition, candidates, and
no superfluous one. A search needs those lists, and the compact matrices that go with them. A tree
looks at few states below each, and at few guesses there. For it, a list is only noted. It is asked
whether it would hold the guesses that are promising below.

The promising guesses alone are enough to tell. Guesses that split a state alike split its subsets
alike, so they are promising together. The exceptions are candidates, which promise more and are
always listed. A guess that makes another superfluous tells apart whatever that one does, so it is
promising, too.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.bounds.by_size import set_late_costs
from gpu_wordle.solver.counting.sliced import MAX_SLICEABLE
from gpu_wordle.solver.guesses.dominance import undominated
from gpu_wordle.solver.guesses.generate import (
    candidate_weight,
    distinct,
    find_begins,
    find_guesses,
    line_up,
    promising,
    rate,
    shortlisted,
)
from gpu_wordle.solver.guesses.kept_lists import find_list
from gpu_wordle.solver.guesses.measures import measure_column, measure_listed
from gpu_wordle.solver.guesses.membership import mark, unmark
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, PAIR
from gpu_wordle.solver.machine.simd import LANES, add_equal, byte_at, load, splat, store
from gpu_wordle.solver.memory.arenas import ARENA_MARKS, ArenaMarks
from gpu_wordle.solver.memory.workspace import (
    LISTED_AT,
    LISTED_CUTOFF,
    LISTED_LEFT,
    LISTED_SIZE,
    LISTED_WHOLE,
    STATE,
    WHOLE,
    WORKSPACE,
    State,
)
from gpu_wordle.tunables import MIN_DOMINATED

TREE_MOVES = types.Tuple((INT, INT, INT, STATE, ARENA_MARKS, INT))
"""Type of what generate_for_tree returns; see search/hooks.py."""

UNKNOWN = -1
"""LISTED_WHOLE of a list for which it has not been found out yet."""


@inlined(NOTHING(WORKSPACE, INT))
def put_in_order(w, number):
    """Put ``w.move_columns[:number]`` in the order of a list: those first that make most parts."""
    find_begins(w, w.start, number)
    for k in range(number):
        t = PATTERNS - np.int64(w.column_parts[w.move_columns[k]])
        w.slots[w.start[t]] = w.move_columns[k]
        w.start[t] += 1
    for k in range(number):
        w.move_columns[k] = w.slots[k]


@linked(PAIR(WORKSPACE, STATE, INT, BOOL, BOOL))
def thin(w, state, number, is_whole, is_below):
    """Measure ``w.move_columns[:number]`` and thin it to the state's list; see distinct.

    Args:
        w: workspace; ``w.member`` marks the answers of the state.
        state: the state.
        number: columns, all that are promising in some subset of the state.
        is_whole: whether it is a list of all guesses, without superfluous ones.
        is_below: whether the columns are from a list above, and measured on its state.
    """
    at, n, first, _, info = state
    if is_whole and n >= MIN_DOMINATED and w.guess_letters.size > 0 and w.candidates_only[0] == 0:
        # Of equal columns the first is kept, so they have to come as the list above had them.
        if is_below:
            put_in_order(w, number)
        number = undominated(w, at, n, number, info)
    # measure_listed clears all patterns of a column and fills whole vectors: that takes many.
    if number >= LANES and n >= LANES // 2:
        measure_listed(w, at, n, first, number)
    else:
        for k in range(number):
            measure_column(w, at, n, w.move_columns[k], first + w.move_columns[k])
    return distinct(w, info, number)


@inlined(BOOL(WORKSPACE, INT, INT, INT, INT, INT))
def is_alike(w, at, n, place, pairs, parts):
    """True if a column leaves the pairs in ``w.slots`` together and makes ``parts`` parts."""
    for t in range(pairs):
        row = w.rows[at + w.slots[2 * t]]
        if byte_at(row + place) != byte_at(w.rows[at + w.slots[2 * t + 1]] + place):
            return False
    seen = w.seen
    seen[PATTERNS] += np.uint64(1)
    stamp = seen[PATTERNS]
    made = 0
    for i in range(at, at + n):
        pattern = byte_at(w.rows[i] + place)
        made += seen[pattern] != stamp
        seen[pattern] = stamp
    return made == parts


@linked(INT(WORKSPACE, STATE, INT))
def list_alike(w, state, column):
    """List columns that split a state as ``column`` does in ``w.move_columns``; their number."""
    at, n, first, columns, info = state
    seen = w.seen
    seen[PATTERNS] += np.uint64(1)
    stamp = seen[PATTERNS]
    pairs = 0  # answers that the column does not tell apart
    for i in range(n):
        pattern = byte_at(w.rows[at + i] + first + column)
        if seen[pattern] == stamp:
            w.slots[2 * pairs] = w.start[pattern]
            w.slots[2 * pairs + 1] = i
            pairs += 1
        else:
            seen[pattern] = stamp
            w.start[pattern] = i
    # Each answer but the first of its part is linked to one of the same part: n - parts pairs. A
    # column that leaves these together and makes as many parts makes the same partition.
    parts = n - pairs
    some = min(pairs, LANES)
    number = 0
    for start in range(0, columns, LANES):
        if w.ceiling[info + start] < parts:
            break  # this column and those that follow make fewer parts
        base = first + start
        equal = splat(0)
        for t in range(some):
            row = load(w.rows[at + w.slots[2 * t]] + base)
            equal = add_equal(equal, row, load(w.rows[at + w.slots[2 * t + 1]] + base))
        store(w.part_bytes.ctypes.data, equal)
        for lane in range(min(LANES, columns - start)):
            if w.part_bytes[lane] == some and is_alike(w, at, n, base + lane, pairs, parts):
                w.move_columns[number] = start + lane
                number += 1
    return number


@inlined(types.Tuple((INT, INT, BOOL))(WORKSPACE, STATE, INT, INT))
def all_promising(w, state, guesses_left, cutoff):
    """List what ``promising`` lists without a limit, or all columns if it cannot tell.

    Returns ``(number, max_parts, is_counted)``.
    """
    number, max_parts = np.int64(0), np.int64(0)
    if state.n <= MAX_SLICEABLE:
        number, max_parts = promising(w, state, guesses_left, cutoff, state.columns)
    is_counted = state.n <= MAX_SLICEABLE and number <= state.columns
    if not is_counted:
        number = np.int64(0)
        for c in range(state.columns):
            if w.candidates_only[0] == 0 or candidate_weight(w, w.guess[state.info + c]) >= 0:
                w.move_columns[number] = c
                number += 1
    return number, max_parts, is_counted


@linked(INT(WORKSPACE, STATE, INT, INT))
def is_whole(w, state, guesses_left, cutoff):
    """LISTED_WHOLE of a state: 1 if a search lists all guesses, since many are promising.

    ``w.member`` marks the answers of the state.
    """
    if state.n > MAX_SLICEABLE:
        return 1
    set_late_costs(w, state.at, state.n, guesses_left)
    number, _ = promising(w, state, guesses_left, cutoff, w.max_uncompacted[0])
    return np.int64(number > w.max_uncompacted[0])


@linked(types.UniTuple(INT, 3)(WORKSPACE, STATE, INT, INT, INT))
def list_shortlisted(w, state, guesses_left, cutoff, number):
    """List the shortlist ``w.move_columns[:number]`` as the list of the state names it.

    A shortlist has a guess of each partition that reaches the value: its candidates, or the lowest
    guess. So has a list, except that without superfluous guesses it may have another one of those
    that ask the same. Returns ``(tried, kept)`` as distinct does, and LISTED_WHOLE.
    """
    whole = np.int64(UNKNOWN)
    mark(w, state.at, state.n)
    if state.n >= MIN_DOMINATED:
        for k in range(number):
            w.found[k] = w.move_columns[k]
        for k in range(number):
            column = np.int64(w.found[k])
            if candidate_weight(w, w.guess[state.info + column]) >= 0:
                continue
            alike = list_alike(w, state, column)
            if alike > 1 and whole == UNKNOWN:
                whole = is_whole(w, state, guesses_left, cutoff)
                alike = list_alike(w, state, column)
            if alike > 1 and whole == 1:
                thin(w, state, alike, True, False)
                w.found[k] = w.move_columns[0]
        for k in range(number):
            w.move_columns[k] = w.found[k]
    tried, kept = thin(w, state, number, False, False)
    unmark(w, state.at, state.n)
    return tried, kept, whole


@inlined(STATE(WORKSPACE, STATE, INT))
def noted(w, state, k):
    """The state of a noted list, looked up where this one is."""
    at, n = w.listed[k, LISTED_AT], w.listed[k, LISTED_SIZE]
    return State(at, n, state.first, state.columns, state.info)


@linked(types.UniTuple(INT, 4)(WORKSPACE, STATE, INT, INT, INT))
def list_promising(w, state, guesses_left, cutoff, lists):
    """List the promising guesses of a state that ``lists`` noted lists hold.

    Returns ``(tried, kept)`` as distinct does, the most parts of any guess or 0, and LISTED_WHOLE.
    """
    for k in range(lists):
        # A shortlist does not tell, so it is found out here, where it matters for the first time.
        if w.listed[k, LISTED_WHOLE] == UNKNOWN:
            above = noted(w, state, k)
            mark(w, above.at, above.n)
            w.listed[k, LISTED_WHOLE] = is_whole(
                w, above, w.listed[k, LISTED_LEFT], w.listed[k, LISTED_CUTOFF]
            )
            unmark(w, above.at, above.n)
    mark(w, state.at, state.n)
    set_late_costs(w, state.at, state.n, guesses_left)
    number, max_parts, is_counted = all_promising(w, state, guesses_left, cutoff)
    unmark(w, state.at, state.n)
    # From the top down: each list is made from what the list above it holds.
    is_below = False
    for k in range(lists):
        if w.listed[k, LISTED_WHOLE] == 1:
            above = noted(w, state, k)
            mark(w, above.at, above.n)
            _, number = thin(w, above, number, True, is_below)
            unmark(w, above.at, above.n)
            is_below = True
    mark(w, state.at, state.n)
    whole = np.int64(not is_counted or number > w.max_uncompacted[0])
    tried, kept = thin(w, state, number, whole == 1, is_below)
    unmark(w, state.at, state.n)
    return tried, kept, max_parts, whole


@linked(TREE_MOVES(WORKSPACE, STATE, ARENA_MARKS, INT, INT, INT))
def generate_for_tree(w, state, marks, guesses_left, cutoff, lists):
    """List the guesses that a tree may take at a state; see search/hooks.py.

    ``w.listed[:lists]`` are the states above whose lists are noted. A list that a search has made
    and kept is taken as it is, with its matrix.
    """
    at, n, _, _, info = state
    is_large = info == 0 and lists == 0 and n >= w.least_kept[WHOLE]
    number, max_parts = shortlisted(w, state, cutoff) if is_large else (np.int64(-1), np.int64(0))
    if info != 0 or (is_large and number < 0 and find_list(w, at, n) >= 0):
        moves, tries, max_parts, _, home, above = find_guesses(
            w, state, marks, guesses_left, cutoff, False
        )
        return moves, tries, max_parts, home, above, np.int64(0)
    if number >= 0:
        tried, kept, whole = list_shortlisted(w, state, guesses_left, cutoff, number)
    else:
        tried, kept, max_parts, whole = list_promising(w, state, guesses_left, cutoff, lists)
    mark(w, at, n)
    line_up(w, state, tried, kept, max_parts, marks.column)
    unmark(w, at, n)
    set_late_costs(w, at, n, guesses_left)
    tries, _ = rate(w, at, n, marks.column, kept, guesses_left, cutoff)
    if kept > 0:
        max_parts = max(max_parts, np.int64(w.ceiling[marks.column]))
    if whole != 0 and lists < len(w.listed):
        w.listed[lists, LISTED_AT] = at
        w.listed[lists, LISTED_SIZE] = n
        w.listed[lists, LISTED_LEFT] = guesses_left
        w.listed[lists, LISTED_CUTOFF] = cutoff
        w.listed[lists, LISTED_WHOLE] = whole
        lists += 1
    above = ArenaMarks(marks.state, marks.column + kept, marks.part, marks.byte)
    return marks.column, tries, max_parts, state, above, lists
