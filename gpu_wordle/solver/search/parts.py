"""The parts of a partition, and how their bounds are raised without search.

The stages, cheapest first: the sizes of the parts; what the table knows of them; their own answers
as guesses; and for each part the most parts that any guess makes of it.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.bounds.overlaps import MIN_OVERLAPPED, add_overlap, most_by_overlaps
from gpu_wordle.solver.bounds.part_bounds import (
    bound_by_candidates,
    bound_by_count,
    floor_of_count,
    key_with_limit,
)
from gpu_wordle.solver.counting.pairwise import (
    COUNTABLE_MOST,
    PAIRWISE_MOST,
    most_in_square,
    most_parts,
)
from gpu_wordle.solver.counting.sliced import most_parts_sliced, saving, slice_columns
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, NOTHING
from gpu_wordle.solver.machine.simd import LANES, byte_at, prefetch, splat, store, store_byte
from gpu_wordle.solver.memory.stage_costs import (
    WEIGHTED,
    is_linear,
    late_cost,
    least_cost,
    part_limit,
)
from gpu_wordle.solver.memory.table import COUNTED, probe, slot_of
from gpu_wordle.solver.memory.workspace import (
    AT,
    HEIGHT,
    HOME_AT,
    HOME_SIZE,
    KEY_0,
    KEY_1,
    LOWER,
    MARKS,
    MINE,
    OPEN,
    OVERLAPS,
    OVERLAPS_AT,
    SIZE,
    SLICED,
    TABLE_HITS,
    WORK,
    WORKSPACE,
)
from gpu_wordle.solver.search.splitting import drop_labels, label_answers, place_parts

SMALL_MOST = 12
"""Answers of a part up to which its own answers are tried before anything is counted."""

MIDDLE_MOST = 45
"""Answers of a part from which on counting yields less for its time than on smaller parts."""

OWN_MOST = MIDDLE_MOST
"""Answers of a part up to which its own answers are tried as guesses."""

SLICING = 3000
"""Cycles for an answer and 512 columns that it takes to lay labels out."""


@inlined(INT(WORKSPACE, INT, INT))
def best_candidate(w, at, k):
    """The most parts that an answer of the state makes as a guess, k at most PAIRWISE_MOST.

    The patterns of the state's answers among themselves are gathered into one or two vectors a row.
    """
    square = w.square_rows
    empty = splat(0)
    for i in range(k):
        row = square[i]
        store(row, empty)
        if k > LANES:
            store(row + LANES, empty)
        old = w.rows[at + i]
        for j in range(k):
            store_byte(row + j, byte_at(old + w.pos[at + j]))
    return most_in_square(square, k)


@inlined(NOTHING(WORKSPACE, INT, INT))
def recall(w, p, left):
    """Raise the bound of part ``p`` by what the table knows of it."""
    part = w.parts
    key_0 = np.uint64(part[p, KEY_0])
    key_1 = np.uint64(part[p, KEY_1])
    free = np.int64(0)
    free_marks = np.int64(0)
    lower = np.int64(0)
    upper = np.int64(INFEASIBLE)
    height = np.int64(0)
    marks = np.int64(0)
    has_free = is_linear(w, left)
    if has_free:  # what was learned without a limit holds here too
        lower, upper, height, marks = probe(w.table, key_0, key_1)
        free = lower
        free_marks = marks
    if left < NO_LIMIT and not (has_free and lower == upper and height <= left):
        lower, upper, height, marks = probe(w.table, key_with_limit(w, key_0, left), key_1)
        lower = max(lower, free)
        if left > 2:
            marks |= free_marks
    if lower > 0 or lower == upper:
        w.counters[TABLE_HITS] += 1
        part[p, MARKS] = marks
        if lower == upper:
            part[p, OPEN] = 0
            part[p, HEIGHT] = height
        part[p, LOWER] = max(part[p, LOWER], lower)


@linked(NOTHING(WORKSPACE, INT, INT))
def try_candidates(w, p, left):
    """Raise the bound of part ``p`` by its own answers as guesses; see rating.py."""
    at = w.parts[p, AT]
    k = w.parts[p, SIZE]
    bound_by_candidates(w, p, left, best_candidate(w, at, k), w.candidates_only[0] != 0)


@inlined(INT(WORKSPACE, INT, INT, INT, INT, INT, INT))
def most_of_all(w, at, k, first, columns, info, floor):
    """``max(floor, most parts of any column)``, by whichever way of counting is the faster.

    A matrix is given labels once they would have saved as much as it takes to lay them out.
    """
    gain = saving(k)
    if gain <= 0:
        return most_parts(w.rows, at, k, first, columns, w.ceiling, info, floor)
    matrix = w.matrix[info]
    if matrix[WORK] != SLICED:
        matrix[WORK] += gain
        if matrix[WORK] < SLICING * matrix[HOME_SIZE]:
            return most_parts(w.rows, at, k, first, columns, w.ceiling, info, floor)
        slice_columns(
            w.rows, matrix[HOME_AT], matrix[HOME_SIZE], first, columns, w.first_seen, w.entries
        )
        matrix[WORK] = SLICED
    return most_parts_sliced(
        w.rows, at, k, first, columns, w.ceiling, info, floor, w.slices, w.seen, 0
    )


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT))
def enter_overlap(w, at, k, info, most):
    """See covers.add_overlap."""
    matrix = w.matrix[info]
    add_overlap(matrix[OVERLAPS_AT], matrix[OVERLAPS], matrix[HOME_SIZE], w.pos, at, k, most)
    matrix[OVERLAPS] += 1


@inlined(INT(WORKSPACE, INT, INT, INT))
def bound_by_overlaps(w, at, k, info):
    """See covers.most_by_overlaps."""
    matrix = w.matrix[info]
    return most_by_overlaps(matrix[OVERLAPS_AT], matrix[OVERLAPS], matrix[HOME_SIZE], w.pos, at, k)


@linked(NOTHING(WORKSPACE, INT, INT, INT, INT, INT, INT))
def count_part(w, p, first, columns, info, need, left):
    """Raise the bound of part ``p`` by counting parts, to ``need`` or as far as that goes."""
    at = w.parts[p, AT]
    k = w.parts[p, SIZE]
    floor = floor_of_count(w, p, left, need)
    most = most_of_all(w, at, k, first, columns, info, floor)
    if w.parts[p, MINE] == 0 or most < k - 1:
        enter_overlap(w, at, k, info, most)
    bound_by_count(w, p, left, most, floor)


@linked(types.UniTuple(INT, 3)(WORKSPACE, INT, INT, INT, INT, INT, INT, INT, INT, INT))
def split(w, at, n, column, self_row, most, left, cutoff, top_state, top_part):
    """Split a state by a column; enter its parts of three and more, smallest first.

    ``most`` bounds the parts that any guess makes of the state, ``left`` counts the guesses left
    for the parts. Returns ``(total, settled height, parts entered)``: a lower bound on the value
    of the guess, and the height of the small parts. If the total reaches the cutoff by sizes
    alone, no part is entered.
    """
    number, total, height = label_answers(w, at, n, column, self_row, most, left)
    if total >= cutoff:
        drop_labels(w, number)
        return total, height, 0
    open_parts = place_parts(w, number, left, top_state, top_part)
    part = w.parts
    for i in range(n):
        label = np.int64(w.labels[i])
        t = w.start[label]
        if t >= 0:
            w.start[label] = t + 1
            w.answers[t] = w.answers[at + i]
            w.pos[t] = w.pos[at + i]
            w.rows[t] = w.rows[at + i]
    for p in range(top_part, top_part + open_parts):
        k = part[p, SIZE]
        key_0 = np.uint64(0)
        key_1 = np.uint64(0)
        for t in range(part[p, AT], part[p, AT] + k):
            key_0 ^= w.zobrist[w.answers[t], 0]
            key_1 ^= w.zobrist[w.answers[t], 1]
        part[p, KEY_0] = np.int64(key_0)
        part[p, KEY_1] = np.int64(key_1)
        part[p, LOWER] = least_cost(w, part[p, AT], k, left)
        if w.terms[WEIGHTED] == 0:
            part[p, LOWER] += w.steps[left] * max(0, k - most)
        part[p, MINE] = 0
        part[p, HEIGHT] = 0
        part[p, MARKS] = 0
        part[p, OPEN] = 1
        prefetch(w.table, slot_of(w.table, key_0))
    return total, height, open_parts


@inlined(INT(WORKSPACE, INT, INT, INT, INT, INT, INT))
def look_at_overlaps(w, info, left, cutoff, total, top_part, open_parts):
    """Raise the bounds of parts, from the largest down, by the covers; the new total."""
    part = w.parts
    if w.matrix[info, OVERLAPS] == 0:
        return total
    for p in range(top_part + open_parts - 1, top_part - 1, -1):
        k = part[p, SIZE]
        if total >= cutoff or k < MIN_OVERLAPPED:
            break
        if part[p, OPEN] == 0 or part[p, MARKS] & COUNTED or k > COUNTABLE_MOST:
            continue
        at = part[p, AT]
        late = k - bound_by_overlaps(w, at, k, info)
        lower = least_cost(w, at, k, left)
        lower += late_cost(w, at + k, late, part_limit(w, left, k))
        lower = min(lower, INFEASIBLE)
        if lower > part[p, LOWER]:
            total += lower - part[p, LOWER]
            part[p, LOWER] = lower
    return total


@linked(INT(WORKSPACE, INT, INT, INT, INT, INT, INT, INT, INT))
def raise_bounds(w, first, columns, info, left, cutoff, total, top_part, open_parts):
    """Raise the bounds of parts without search until the guess is refuted; the new total.

    After the table and the covers, small parts try their own answers as guesses, which is cheap.
    Then parts are counted in the order of what that yields for its time: from the middle sizes
    down, then up.
    """
    part = w.parts
    for p in range(top_part, top_part + open_parts):
        before = part[p, LOWER]
        recall(w, p, part_limit(w, left, part[p, SIZE]))
        total += part[p, LOWER] - before
    total = look_at_overlaps(w, info, left, cutoff, total, top_part, open_parts)
    for stage in range(3):
        for q in range(open_parts):
            if total >= cutoff:
                break
            p = top_part + (open_parts - 1 - q if stage == 1 else q)
            k = part[p, SIZE]
            if part[p, OPEN] == 0 or part[p, MARKS] & COUNTED:
                continue
            if k > (SMALL_MOST, MIDDLE_MOST, COUNTABLE_MOST)[stage]:
                continue
            before = part[p, LOWER]
            need = before + cutoff - total
            # On a large part counting is dear; without a cutoff it could not refute the guess.
            if k > PAIRWISE_MOST and cutoff >= INFEASIBLE:
                continue
            limit = part_limit(w, left, k)
            if stage == 0 or SMALL_MOST < k <= OWN_MOST:
                try_candidates(w, p, limit)
            if stage > 0 and part[p, OPEN] != 0 and part[p, MARKS] & COUNTED == 0:
                count_part(w, p, first, columns, info, need, limit)
            total += part[p, LOWER] - before
    return min(total, INFEASIBLE)
