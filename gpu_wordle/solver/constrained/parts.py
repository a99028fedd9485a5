"""The parts of a partition under a constrained rule, and how their bounds are raised.

The stages are those of the normal search: sizes, table, own answers as guesses, and for each part
the most parts that any guess makes of it that will be legal there.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit, types

from gpu_wordle.objective import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.constrained.legal import key_of_legal, line_up, reveal
from gpu_wordle.solver.constrained.workspace import STATE, WORKSPACE
from gpu_wordle.solver.counting import COUNTABLE_MOST, PAIRWISE_MOST, most_in_square, repetitions
from gpu_wordle.solver.limits import most_winnable
from gpu_wordle.solver.linking import linked
from gpu_wordle.solver.signatures import BOOL, INT, NOTHING
from gpu_wordle.solver.simd import LANES, byte_at, least_lane, prefetch, splat, store, store_byte
from gpu_wordle.solver.table import COUNTED, limited_key, probe, record, slot_of
from gpu_wordle.solver.tariff import (
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
    HEIGHT,
    KEY_0,
    KEY_1,
    LOWER,
    MARKS,
    MINE,
    OPEN,
    SIZE,
    TABLE_HITS,
)

SMALL_MOST = 12
"""Answers of a part up to which its own answers are tried before anything is counted."""

OWN_MOST = 45
"""Answers of a part up to which its own answers are tried as guesses."""


@njit(INT(WORKSPACE, INT, INT), cache=True, nogil=True)
def best_candidate(w, at, k):
    """The most parts that an answer of the state makes as a guess, k at most OWN_MOST."""
    square = w.square_rows
    empty = splat(0)
    for i in range(k):
        row = square[i]
        store(row, empty)
        own = w.ground[0] + w.ground[1] * w.answers[at + i]
        for j in range(k):
            store_byte(row + j, byte_at(own + w.answers[at + j]))
    return most_in_square(square, k)


@njit(BOOL(WORKSPACE, INT, INT), cache=True, nogil=True)
def heaviest_splits(w, at, k):
    """Whether an answer as heavy as any splits the state completely."""
    top = heaviest(w, at)
    for j in range(k):
        if w.weight[w.answers[at + j]] < top:
            return False
        own = w.ground[0] + w.answers[at + j]
        parts = 0
        for i in range(k):
            label = byte_at(own + w.ground[1] * w.answers[at + i])
            parts += w.tally[label] == 0
            w.tally[label] = 1
        for i in range(k):
            w.tally[byte_at(own + w.ground[1] * w.answers[at + i])] = 0
        if parts == k:
            return True
    return False


@linked(INT(WORKSPACE, INT, INT, INT, INT))
def most_legal(w, at, k, revealed, floor):
    """``max(floor, most parts that a legal guess makes of a state)``, k at most COUNTABLE_MOST."""
    number = line_up(w, at, k, revealed)
    best = floor
    for start in range(0, w.set_sizes[number], LANES):
        if best == k:
            break
        least = least_lane(repetitions(w.line, 0, k, start, k - best - 1))
        best = max(best, k - least)
    return best


@njit(NOTHING(WORKSPACE, INT, INT), cache=True, nogil=True)
def recall(w, p, left):
    """Raise the bound of part ``p`` by what the table knows of it."""
    part = w.parts
    key_0 = limited_key(np.uint64(part[p, KEY_0]), left + w.terms[SHIFT] * NO_LIMIT)
    lower, upper, height, marks = probe(w.table, key_0, np.uint64(part[p, KEY_1]))
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
    key_0 = limited_key(np.uint64(part[p, KEY_0]), left + w.terms[SHIFT] * NO_LIMIT)
    record(
        w.table, key_0, np.uint64(part[p, KEY_1]), part[p, SIZE],
        part[p, LOWER], upper, height, marks,
    )  # fmt: skip


@linked(NOTHING(WORKSPACE, INT, INT))
def try_candidates(w, p, left):
    """Raise the bound of part ``p`` by its own answers as guesses, which are always legal.

    See the normal search for what they cost.
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
    elif part[p, LOWER] < min(own, others):
        keep(w, p, left, min(own, others), INFEASIBLE, 0, 0)


@linked(NOTHING(WORKSPACE, INT, INT, INT))
def count_part(w, p, need, left):
    """Raise the bound of part ``p`` by counting parts, to ``need`` or as far as that goes.

    See the normal search. With two guesses left and no answer to be lost the part must be split
    completely, and that is decided here.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    weight = weigh(w, at, k)
    mine = part[p, MINE]
    end = at + k
    base = least_charge(w, at, k, left)
    own = base + charge_late(w, end, k - mine, left)
    if mine > 0:
        base = charge(w, left, weight, weight)
    floor = most_refuted(w, at, k, left, need - base)
    floor = min(max(floor, mine, 1), k - 1)
    most = most_legal(w, at, k, p, floor)
    others = base + charge_late(w, end, k - most, left)
    is_known = most > floor
    is_even = w.terms[WEIGHTED] == 0
    if mine == 0:  # unknown
        keep(w, p, left, others, INFEASIBLE, 0, COUNTED if is_known else 0)
    elif is_known and others <= own and (most == k or (most == k - 1 and is_even)):
        keep(w, p, left, others, others, min(2 + k - most, left), COUNTED)
    elif left == NO_THIRD and is_even and (is_known or own <= others or w.terms[MAY_LOSE] == 0):
        exact = min(own, others)
        keep(w, p, left, exact, exact, 2, COUNTED)
    else:
        marks = COUNTED if is_known or floor == mine else 0
        keep(w, p, left, min(own, others), INFEASIBLE, 0, marks)


@njit(NOTHING(WORKSPACE, INT, INT, INT), cache=True, nogil=True)
def enter_part(w, p, left, most):
    """Set what is known of part ``p`` by its answers and what is revealed.

    ``left`` counts the guesses left for it, and ``most`` bounds the parts that a guess makes of it.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    part[p, LOWER] = least_charge(w, at, k, left)
    if w.terms[WEIGHTED] == 0:
        part[p, LOWER] += w.steps[left] * max(0, k - most)
    key_0, key_1 = key_of_legal(w, p, w.answers[part[p, AT]])
    for t in range(part[p, AT], part[p, AT] + part[p, SIZE]):
        key_0 ^= w.zobrist[w.answers[t], 0]
        key_1 ^= w.zobrist[w.answers[t], 1]
    part[p, KEY_0] = np.int64(key_0)
    part[p, KEY_1] = np.int64(key_1)
    part[p, MINE] = 0
    part[p, HEIGHT] = 0
    part[p, MARKS] = 0
    part[p, OPEN] = 1
    prefetch(w.table, slot_of(w.table, key_0))


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


@linked(types.UniTuple(INT, 3)(WORKSPACE, STATE, INT, INT, INT, INT, INT, INT, INT, INT))
def split(w, state, column, guess, self_row, most, left, cutoff, top_state, top_part):
    """Split a state by a guess; enter its parts of three and more, smallest first.

    ``w.rows`` of the state hold the guess's patterns at place ``column``; ``most`` bounds the parts
    that any legal guess makes of the state; ``left`` counts the guesses left for the parts.

    Returns ``(total, settled height, parts entered)``: a lower bound on the value of the guess, and
    the height of the small parts. If the total reaches the cutoff by sizes alone, no part is
    entered.
    """
    at = state.at
    n = state.n
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
    for p in range(top_part, top_part + open_parts):
        reveal(w, p, state.revealed, guess, w.answers[part[p, AT]])
        enter_part(w, p, left, most)
    return total, height, open_parts


@linked(INT(WORKSPACE, INT, INT, INT, INT, INT))
def raise_bounds(w, left, cutoff, total, top_part, open_parts):
    """Raise the bounds of parts without search until the guess is refuted; the new total.

    After the table, small parts try their own answers as guesses, which is cheap. Then parts are
    counted, from the middle sizes down, then up.
    """
    part = w.parts
    for p in range(top_part, top_part + open_parts):
        before = part[p, LOWER]
        recall(w, p, part_limit(w, left, part[p, SIZE]))
        total += part[p, LOWER] - before
    for stage in range(3):
        for q in range(open_parts):
            if total >= cutoff:
                break
            p = top_part + (open_parts - 1 - q if stage == 1 else q)
            k = part[p, SIZE]
            if part[p, OPEN] == 0 or part[p, MARKS] & COUNTED:
                continue
            if k > (SMALL_MOST, OWN_MOST, COUNTABLE_MOST)[stage]:
                continue
            # On a large part counting is dear; without a cutoff it could not refute the guess.
            if k > PAIRWISE_MOST and cutoff >= INFEASIBLE:
                continue
            before = part[p, LOWER]
            need = before + cutoff - total
            limit = part_limit(w, left, k)
            if stage == 0 or SMALL_MOST < k <= OWN_MOST:
                try_candidates(w, p, limit)
            if stage > 0 and part[p, OPEN] != 0:
                count_part(w, p, need, limit)
            total += part[p, LOWER] - before
    return min(total, INFEASIBLE)
