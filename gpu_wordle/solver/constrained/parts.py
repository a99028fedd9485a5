"""The parts of a partition under a constrained rule, and how their bounds are raised.

The stages are those of the normal search: sizes, table, own answers as guesses, and for each part
the most parts that any guess makes of it that will be legal there.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.bounds.part_bounds import (
    bound_by_candidates,
    bound_by_count,
    floor_of_count,
    key_with_limit,
)
from gpu_wordle.solver.constrained.legal import (
    key_of_legal,
    line_up,
    reveal,
    set_of_state,
)
from gpu_wordle.solver.constrained.workspace import STATE, WORKSPACE
from gpu_wordle.solver.counting.pairwise import (
    COUNTABLE_MOST,
    PAIRWISE_MOST,
    most_in_square,
    repetitions,
)
from gpu_wordle.solver.counting.sliced import most_parts_sliced
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, NOTHING
from gpu_wordle.solver.machine.simd import (
    LANES,
    byte_at,
    least_lane,
    prefetch,
    splat,
    store,
    store_byte,
)
from gpu_wordle.solver.memory.stage_costs import (
    LINEAR,
    MAY_LOSE,
    NO_THIRD,
    WEIGHTED,
    least_cost,
    part_limit,
)
from gpu_wordle.solver.memory.table import COUNTED, probe, slot_of
from gpu_wordle.solver.memory.workspace import (
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
from gpu_wordle.solver.search.splitting import drop_labels, label_answers, place_parts

SMALL_MOST = 12
"""Answers of a part up to which its own answers are tried before anything is counted."""

OWN_MOST = 45
"""Answers of a part up to which its own answers are tried as guesses."""

PAIR_COST = 4
"""Cycles that counting k answers by pairs takes for 512 columns, divided by k * k.

Slices are those of all guesses, legal or not: still they take less time where both are many."""


@inlined(INT(WORKSPACE, INT, INT))
def best_candidate(w, at, k):
    """The most parts that an answer of the state makes as a guess, k at most OWN_MOST."""
    square = w.square_rows
    empty = splat(0)
    for i in range(k):
        row = square[i]
        store(row, empty)
        own = w.game_rows[0] + w.game_rows[1] * w.answers[at + i]
        for j in range(k):
            store_byte(row + j, byte_at(own + w.answers[at + j]))
    return most_in_square(square, k)


@inlined(INT(WORKSPACE, INT, INT, INT, INT))
def most_in_ground(w, at, k, number, floor):
    """What :func:`most_legal` finds of set ``number``, in the bit slices of the whole game."""
    w.legal[:] = 0
    begin = w.set_columns[number]
    for column in w.columns[begin : begin + w.set_sizes[number]]:
        w.legal[column >> 6] |= np.uint64(1) << np.uint64(column & 63)
    for i in range(k):
        w.line[i] = w.game_rows[0] + w.game_rows[1] * w.answers[at + i]
    return most_parts_sliced(
        w.line, 0, k, w.game_rows[2], w.guess_of_column.size, w.ceiling, 0, floor,
        w.slices, w.seen, w.legal.ctypes.data,
    )  # fmt: skip


@linked(INT(WORKSPACE, INT, INT, INT, INT))
def most_legal(w, at, k, revealed, floor):
    """``max(floor, most parts that a legal guess makes of a state)``, k at most COUNTABLE_MOST."""
    number = set_of_state(w, at, k, revealed)
    size = np.int64(w.set_sizes[number])
    if PAIR_COST * k * size > w.slice_cost[0] * w.guess_of_column.size:
        return most_in_ground(w, at, k, number, floor)
    line_up(w, at, k, number)
    best = floor
    for start in range(0, size, LANES):
        if best == k:
            break
        least = least_lane(repetitions(w.line, 0, k, start, k - best - 1))
        best = max(best, k - least)
    return best


@inlined(NOTHING(WORKSPACE, INT, INT))
def recall(w, p, left):
    """Raise the bound of part ``p`` by what the table knows of it, also with a guess more left.

    The value is no less then, and the same if there is a tree that does without the guess.
    """
    part = w.parts
    key_0 = np.uint64(part[p, KEY_0])
    key_1 = np.uint64(part[p, KEY_1])
    lower, upper, height, marks = probe(w.table, key_with_limit(w, key_0, left), key_1)
    if lower < upper and left < w.terms[LINEAR] and w.terms[MAY_LOSE] == 0:
        more = probe(w.table, key_with_limit(w, key_0, left + 1), key_1)
        lower = max(lower, more[0])
        if more[0] == more[1] and more[2] <= left:
            upper, height = more[1], more[2]
        if left > NO_THIRD:
            marks |= more[3]
    if lower > 0 or lower == upper:
        w.counters[TABLE_HITS] += 1
        part[p, MARKS] = marks
        if lower == upper:
            part[p, OPEN] = 0
            part[p, HEIGHT] = height
        part[p, LOWER] = max(part[p, LOWER], lower)


@linked(NOTHING(WORKSPACE, INT, INT))
def try_candidates(w, p, left):
    """Raise the bound of part ``p`` by its own answers as guesses, which are always legal."""
    at = w.parts[p, AT]
    k = w.parts[p, SIZE]
    bound_by_candidates(w, p, left, best_candidate(w, at, k), False)


@linked(NOTHING(WORKSPACE, INT, INT, INT))
def count_part(w, p, need, left):
    """Raise the bound of part ``p`` by counting parts, to ``need`` or as far as that goes."""
    floor = floor_of_count(w, p, left, need)
    most = most_legal(w, w.parts[p, AT], w.parts[p, SIZE], p, floor)
    bound_by_count(w, p, left, most, floor)


@inlined(NOTHING(WORKSPACE, INT, INT, INT))
def enter_part(w, p, left, most):
    """Set what is known of part ``p`` by its answers and what is revealed.

    ``left`` counts the guesses left for it, and ``most`` bounds the parts that a guess makes of it.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    part[p, LOWER] = least_cost(w, at, k, left)
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
            if stage > 0 and part[p, OPEN] != 0 and part[p, MARKS] & COUNTED == 0:
                count_part(w, p, need, limit)
            total += part[p, LOWER] - before
    return min(total, INFEASIBLE)
