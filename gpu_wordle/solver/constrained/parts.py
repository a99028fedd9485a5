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
from gpu_wordle.solver.limits import most_winnable, part_limit
from gpu_wordle.solver.linking import linked
from gpu_wordle.solver.signatures import INT, NOTHING
from gpu_wordle.solver.simd import LANES, byte_at, least_lane, prefetch, splat, store, store_byte
from gpu_wordle.solver.table import COUNTED, limited_key, probe, record, slot_of
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
    key_0 = limited_key(np.uint64(part[p, KEY_0]), left)
    lower, upper, height, marks = probe(w.table, key_0, np.uint64(part[p, KEY_1]))
    if lower > 0:
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
    if left < NO_LIMIT and lower > part[p, SIZE] * left:
        lower = INFEASIBLE
    if lower >= INFEASIBLE:
        upper = INFEASIBLE
    part[p, LOWER] = max(part[p, LOWER], lower)
    part[p, MARKS] = marks
    if lower == upper:
        part[p, OPEN] = 0
        part[p, HEIGHT] = height
    key_0 = limited_key(np.uint64(part[p, KEY_0]), left)
    record(
        w.table, key_0, np.uint64(part[p, KEY_1]), part[p, SIZE],
        part[p, LOWER], upper, height, marks,
    )  # fmt: skip


@linked(NOTHING(WORKSPACE, INT, INT))
def try_candidates(w, p, left):
    """Raise the bound of part ``p`` by its own answers as guesses, which are always legal.

    One that splits the part completely costs 2k - 1, one that leaves a single pair 2k if there
    are guesses enough, and nothing else that little but a complete split by no candidate.
    """
    part = w.parts
    k = part[p, SIZE]
    mine = best_candidate(w, part[p, AT], k)
    part[p, MINE] = mine
    if mine == k:
        keep(w, p, left, 2 * k - 1, 2 * k - 1, 2, COUNTED)
    elif mine == k - 1 and left > 2:
        keep(w, p, left, 2 * k, 2 * k, 3, COUNTED)
    elif part[p, LOWER] < 2 * k:
        keep(w, p, left, 2 * k, INFEASIBLE, 0, 0)


@linked(NOTHING(WORKSPACE, INT, INT, INT))
def count_part(w, p, need, left):
    """Raise the bound of part ``p`` by counting parts, to ``need`` or as far as that goes.

    A guess of m parts costs at least 3k - m, one less if it is a candidate. The bound is exact if
    no part of the guess is larger than two and there is a guess for each. With two guesses left
    the part must be split completely, and that is decided here.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    mine = part[p, MINE]
    floor = 3 * k - need - (mine == 0)
    floor = k - 1 if left == 2 else min(max(floor, mine, 1), k - 1)
    most = most_legal(w, at, k, p, floor)
    if left == 2 and most < k:
        keep(w, p, left, INFEASIBLE, INFEASIBLE, 0, COUNTED)
    elif mine == 0:  # unknown
        keep(w, p, left, 3 * k - most - 1, INFEASIBLE, 0, COUNTED if most > floor else 0)
    elif most == k:
        keep(w, p, left, 2 * k, 2 * k, 2, COUNTED)
    elif most == k - 1 and most > floor:
        keep(w, p, left, 2 * k + 1, 2 * k + 1, 3, COUNTED)
    else:
        lower = min(3 * k - most, 3 * k - mine - 1)
        marks = COUNTED if most > floor or floor == mine else 0
        keep(w, p, left, lower, INFEASIBLE, 0, marks)


@njit(NOTHING(WORKSPACE, INT, INT), cache=True, nogil=True)
def enter_part(w, p, lower):
    """Set the key of part ``p`` by its answers and what is revealed, and all else to unknown."""
    part = w.parts
    key_0, key_1 = key_of_legal(w, p, w.answers[part[p, AT]])
    for t in range(part[p, AT], part[p, AT] + part[p, SIZE]):
        key_0 ^= w.zobrist[w.answers[t], 0]
        key_1 ^= w.zobrist[w.answers[t], 1]
    part[p, KEY_0] = np.int64(key_0)
    part[p, KEY_1] = np.int64(key_1)
    part[p, LOWER] = lower
    part[p, MINE] = 0
    part[p, HEIGHT] = 0
    part[p, MARKS] = 0
    part[p, OPEN] = 1
    prefetch(w.table, slot_of(w.table, key_0))


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
    total = n
    height = 0
    room = INFEASIBLE if left >= NO_LIMIT else most_winnable(most, left)
    for q in range(number):
        label = np.int64(found[q])
        k = np.int64(count[label])
        if k == 1:
            if label != own:
                total += 1
                height = max(height, 1)
        elif k == 2:
            total += 3
            height = 2
        else:
            total += max(2 * k - 1, 3 * k - most - 1)
        if k > room or (k == 2 and left < 2) or (left < 1 and label != own):
            total = INFEASIBLE
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
        if k > 2:
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
        enter_part(w, p, max(2 * part[p, SIZE] - 1, 3 * part[p, SIZE] - most - 1))
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
        recall(w, p, part_limit(left, part[p, SIZE]))
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
            limit = part_limit(left, k)
            if stage == 0 or SMALL_MOST < k <= OWN_MOST:
                try_candidates(w, p, limit)
            if stage > 0 and part[p, OPEN] != 0:
                count_part(w, p, need, limit)
            total += part[p, LOWER] - before
    return min(total, INFEASIBLE)
