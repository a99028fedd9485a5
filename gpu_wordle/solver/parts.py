"""The parts of a partition, and how their bounds are raised without search.

The stages, cheapest first: the sizes of the parts; what the table knows of them; their own answers
as guesses; and for each part the most parts that any guess makes of it.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit, types

from gpu_wordle.objective import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.counting import COUNTABLE_MOST, PAIRWISE_MOST, most_in_square, most_parts
from gpu_wordle.solver.covers import LEAST_COVERED, add_cover, most_by_covers
from gpu_wordle.solver.limits import most_winnable
from gpu_wordle.solver.linking import linked
from gpu_wordle.solver.signatures import BOOL, INT, NOTHING
from gpu_wordle.solver.simd import LANES, byte_at, prefetch, splat, store, store_byte
from gpu_wordle.solver.sliced import (
    most_parts_sliced,
    parts_of_column,
    saving,
    slice_columns,
)
from gpu_wordle.solver.table import COUNTED, limited_key, probe, record, slot_of
from gpu_wordle.solver.tariff import (
    LINEAR,
    MAY_LOSE,
    NO_THIRD,
    SHIFT,
    WEIGHTED,
    charge,
    charge_late,
    heaviest,
    least_charge,
    most_refuted,
    part_limit,
    weigh,
)
from gpu_wordle.solver.workspace import (
    AT,
    COVERS,
    COVERS_AT,
    HEIGHT,
    HOME_AT,
    HOME_SIZE,
    KEY_0,
    KEY_1,
    LOWER,
    MARKS,
    MINE,
    OPEN,
    SIZE,
    SLICED,
    TABLE_HITS,
    WORK,
    WORKSPACE,
)

SMALL_MOST = 12
"""Answers of a part up to which its own answers are tried before anything is counted."""

MIDDLE_MOST = 45
"""Answers of a part from which on counting yields less for its time than on smaller parts."""

OWN_MOST = MIDDLE_MOST
"""Answers of a part up to which its own answers are tried as guesses."""

SLICING = 3000
"""Cycles for an answer and 512 columns that it takes to lay labels out."""


@njit(BOOL(WORKSPACE, INT, INT), cache=True, nogil=True)
def heaviest_splits(w, at, k):
    """Whether an answer as heavy as any splits the state completely."""
    top = heaviest(w, at)
    for j in range(k):
        if w.weight[w.answers[at + j]] < top:
            return False
        if parts_of_column(w.rows, at, k, np.int64(w.pos[at + j]), 0, w.seen) == k:
            return True
    return False


@njit(INT(WORKSPACE, INT, INT), cache=True, nogil=True)
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


@njit(NOTHING(WORKSPACE, INT, INT), cache=True, nogil=True)
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
    is_linear = left <= w.terms[LINEAR] or left >= NO_LIMIT
    if is_linear:  # what was learned without a limit holds here too
        lower, upper, height, marks = probe(w.table, key_0, key_1)
        free = lower
        free_marks = marks
    if left < NO_LIMIT and not (is_linear and lower == upper and height <= left):
        key_0 = limited_key(key_0, left + w.terms[SHIFT] * NO_LIMIT)
        lower, upper, height, marks = probe(w.table, key_0, key_1)
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


@njit(NOTHING(WORKSPACE, INT, INT, INT, INT, INT, INT), cache=True, nogil=True)
def keep(w, p, left, lower, upper, height, marks):
    """Set the bound of part ``p`` and enter it in the table."""
    part = w.parts
    if left < NO_LIMIT and lower > weigh(w, part[p, AT], part[p, SIZE]) * w.dearest[left]:
        lower = INFEASIBLE
    if lower >= INFEASIBLE:
        lower = INFEASIBLE
        upper = INFEASIBLE
    part[p, LOWER] = max(part[p, LOWER], lower)
    part[p, MARKS] = marks
    if lower == upper:
        part[p, OPEN] = 0
        part[p, HEIGHT] = height
    key_0 = np.uint64(part[p, KEY_0])
    if left < NO_LIMIT:
        key_0 = limited_key(key_0, left + w.terms[SHIFT] * NO_LIMIT)
    record(
        w.table, key_0, np.uint64(part[p, KEY_1]), part[p, SIZE],
        part[p, LOWER], upper, height, marks,
    )  # fmt: skip


@linked(NOTHING(WORKSPACE, INT, INT))
def try_candidates(w, p, left):
    """Raise the bound of part ``p`` by its own answers as guesses.

    The heaviest one, if it splits the part completely, costs least of all. Of answers of one
    weight, one that leaves a single pair comes next, but for a complete split by a guess that is no
    candidate, where that is cheaper.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    weight = weigh(w, at, k)
    mine = best_candidate(w, at, k)
    part[p, MINE] = mine
    own = least_charge(w, at, k, left) + charge_late(w, at + k, k - mine, left)
    others = charge(w, left, weight, weight)
    is_weighted = w.terms[WEIGHTED] != 0
    if mine == k and (not is_weighted or heaviest_splits(w, at, k)):
        keep(w, p, left, own, own, 2, COUNTED)
    elif mine == k - 1 and not is_weighted and own <= others:
        keep(w, p, left, own, own, min(3, left), COUNTED)
    elif w.candidates_only[0] != 0:
        keep(w, p, left, own, INFEASIBLE, 0, COUNTED)
    elif part[p, LOWER] < min(own, others):
        keep(w, p, left, min(own, others), INFEASIBLE, 0, 0)


@njit(INT(WORKSPACE, INT, INT, INT, INT, INT, INT), cache=True, nogil=True)
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
        w.rows, at, k, first, columns, w.ceiling, info, floor, w.slices, w.seen
    )


@njit(NOTHING(WORKSPACE, INT, INT, INT, INT), cache=True, nogil=True)
def enter_cover(w, at, k, info, most):
    """See covers.add_cover."""
    matrix = w.matrix[info]
    add_cover(matrix[COVERS_AT], matrix[COVERS], matrix[HOME_SIZE], w.pos, at, k, most)
    matrix[COVERS] += 1


@njit(INT(WORKSPACE, INT, INT, INT), cache=True, nogil=True)
def covered(w, at, k, info):
    """See covers.most_by_covers."""
    matrix = w.matrix[info]
    return most_by_covers(matrix[COVERS_AT], matrix[COVERS], matrix[HOME_SIZE], w.pos, at, k)


@linked(NOTHING(WORKSPACE, INT, INT, INT, INT, INT, INT))
def count_part(w, p, first, columns, info, need, left):
    """Raise the bound of part ``p`` by counting parts, to ``need`` or as far as that goes.

    The more parts a guess makes, the fewer answers pay for a third guess; see tariff.py. The bound
    is exact if no part of the guess is larger than two, which is sure if only one pair is left
    together, and if there is no third guess.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    weight = weigh(w, at, k)
    mine = part[p, MINE]
    end = at + k
    base = least_charge(w, at, k, left)
    if mine == 0:  # unknown
        floor = most_refuted(w, at, k, left, need - base)
        floor = min(max(floor, 1), k)
        most = most_of_all(w, at, k, first, columns, info, floor)
        enter_cover(w, at, k, info, most)
        lower = base + charge_late(w, end, k - most, left)
        keep(w, p, left, lower, INFEASIBLE, 0, COUNTED if most > floor else 0)
        return
    own = base + charge_late(w, end, k - mine, left)
    base = charge(w, left, weight, weight)
    floor = most_refuted(w, at, k, left, need - base)
    floor = min(max(floor, mine), k - 1)
    most = most_of_all(w, at, k, first, columns, info, floor)
    if most < k - 1:
        enter_cover(w, at, k, info, most)
    others = base + charge_late(w, end, k - most, left)
    is_known = most > floor
    is_even = w.terms[WEIGHTED] == 0
    if is_known and others <= own and (most == k or (most == k - 1 and is_even)):
        keep(w, p, left, others, others, min(2 + k - most, left), COUNTED)
    elif left == NO_THIRD and is_even and (is_known or own <= others or w.terms[MAY_LOSE] == 0):
        exact = min(own, others)
        keep(w, p, left, exact, exact, 2, COUNTED)
    else:
        marks = COUNTED if is_known or floor == mine else 0
        keep(w, p, left, min(own, others), INFEASIBLE, 0, marks)


@linked(INT(WORKSPACE, INT, INT, INT, INT, INT))
def charge_weights(w, at, n, number, own, left):
    """What a guess costs by the weights of its parts, labelled by a split; see there.

    An answer is found next if it is the heaviest of its part, so the first with its label.
    """
    weight = np.int64(0)
    found_now = np.int64(0)
    found_next = np.int64(0)
    for q in range(number):
        w.start[w.found[q]] = 0
    for i in range(n):
        label = np.int64(w.labels[i])
        one = w.weight[w.answers[at + i]]
        weight += one
        if label == own:
            found_now = one
        elif w.start[label] == 0:
            w.start[label] = 1
            found_next += one
    rest = weight - found_now
    return w.steps[left + 3] * weight + charge(w, left, rest, rest - found_next)


@linked(types.UniTuple(INT, 3)(WORKSPACE, INT, INT, INT, INT, INT, INT, INT, INT, INT))
def split(w, at, n, column, self_row, most, left, cutoff, top_state, top_part):
    """Split a state by a column; enter its parts of three and more, smallest first.

    ``most`` bounds the parts that any guess makes of the state, ``left`` counts the guesses left
    for the parts. Returns ``(total, settled height, parts entered)``: a lower bound on the value
    of the guess, and the height of the small parts. If the total reaches the cutoff by sizes
    alone, no part is entered.
    """
    count = w.tally
    labels = w.labels
    found = w.found
    number = 0
    for i in range(n):
        label = byte_at(w.rows[at + i] + column)
        labels[i] = label
        found[number] = label
        number += count[label] == 0
        count[label] += 1
    own = np.int64(labels[self_row]) if self_row >= 0 else -1
    now = w.steps[left + 3]
    next_step = w.steps[left + 2]
    second = w.steps[left + 1]
    third = w.steps[left]
    total = now * n
    height = 0
    may_lose = w.terms[MAY_LOSE] != 0
    room = INFEASIBLE if left >= NO_LIMIT or may_lose else most_winnable(most, left)
    for q in range(number):
        label = np.int64(found[q])
        k = np.int64(count[label])
        if k == 1:
            if label != own:
                total += next_step
                height = max(height, 1)
        elif k == 2:
            total += 2 * next_step + second
            height = 2
        else:
            height = max(height, 1)
            total += next_step * k + second * (k - 1) + third * max(0, k - most)
        if k > room or (left < 1 and label != own and not may_lose):
            total = INFEASIBLE
    height = min(height, left)
    if w.terms[WEIGHTED] != 0:
        weighted = charge_weights(w, at, n, number, own, left)
        total = INFEASIBLE if total >= INFEASIBLE else weighted
    if total >= cutoff:
        for q in range(number):
            count[found[q]] = 0
        return min(total, INFEASIBLE), height, 0

    part = w.parts
    open_parts = 0
    free = top_state
    for q in range(number):
        label = np.int64(found[q])
        k = np.int64(count[label])
        count[label] = 0
        w.start[label] = -1
        if k > 2 and left > 1:
            # Insertion keeps parts in the order of their sizes, equal ones as they come.
            p = top_part + open_parts
            while p > top_part and part[p - 1, SIZE] > k:
                part[p, SIZE] = part[p - 1, SIZE]
                part[p, AT] = part[p - 1, AT]
                p -= 1
            part[p, SIZE] = k
            part[p, AT] = free
            w.start[label] = free
            free += k
            open_parts += 1
    for i in range(n):
        label = np.int64(labels[i])
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
        part[p, LOWER] = next_step * k + second * (k - 1) + third * max(0, k - most)
        if w.terms[WEIGHTED] != 0:
            part[p, LOWER] = least_charge(w, part[p, AT], k, left)
        part[p, MINE] = 0
        part[p, HEIGHT] = 0
        part[p, MARKS] = 0
        part[p, OPEN] = 1
        prefetch(w.table, slot_of(w.table, key_0))
    return total, height, open_parts


@njit(INT(WORKSPACE, INT, INT, INT, INT, INT, INT), cache=True, nogil=True)
def look_at_covers(w, info, left, cutoff, total, top_part, open_parts):
    """Raise the bounds of parts, from the largest down, by the covers; the new total."""
    part = w.parts
    if w.matrix[info, COVERS] == 0:
        return total
    for p in range(top_part + open_parts - 1, top_part - 1, -1):
        k = part[p, SIZE]
        if total >= cutoff or k < LEAST_COVERED:
            break
        if part[p, OPEN] == 0 or part[p, MARKS] & COUNTED or k > COUNTABLE_MOST:
            continue
        at = part[p, AT]
        late = k - covered(w, at, k, info)
        lower = least_charge(w, at, k, left)
        lower += charge_late(w, at + k, late, part_limit(w, left, k))
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
    total = look_at_covers(w, info, left, cutoff, total, top_part, open_parts)
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
            if stage > 0 and part[p, OPEN] != 0:
                count_part(w, p, first, columns, info, need, limit)
            total += part[p, LOWER] - before
    return min(total, INFEASIBLE)
