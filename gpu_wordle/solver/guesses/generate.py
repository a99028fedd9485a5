"""The guesses of a state, each distinct partition once, lined up to be tried.

On a small state most guesses split it like another one, or not at all. So the partition that each
column makes is hashed, and one column is kept for each distinct partition. They are sorted by their
number of parts, and copied into a compact matrix that the children of the state inherit.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.bounds.by_size import (
    after,
    heaviest,
    is_linear,
    late_cost,
    least_excess,
    most_refuted,
    set_late_costs,
    two_stage_cost,
    weigh,
)
from gpu_wordle.solver.counting.pairwise import count_parts
from gpu_wordle.solver.counting.sliced import MAX_SLICEABLE, columns_of_many_parts, saving
from gpu_wordle.solver.guesses.compact import copy_columns, enter_home, matrix_bytes, padded
from gpu_wordle.solver.guesses.dominance import undominated
from gpu_wordle.solver.guesses.kept_lists import (
    columns_at,
    find_list,
    keep_list,
    name_matrix,
    name_of_list,
    next_place,
    next_room,
    recall_columns,
    remember_columns,
)
from gpu_wordle.solver.guesses.measures import measure, measure_column, measure_listed
from gpu_wordle.solver.guesses.membership import mark, unmark
from gpu_wordle.solver.guesses.ordering import NEVER, heapify, order_key
from gpu_wordle.solver.machine.layout import PATTERNS, Columns, Rows
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, INT32S, NOTHING, PAIR
from gpu_wordle.solver.machine.simd import LANES, byte_at
from gpu_wordle.solver.memory.arenas import ARENA_MARKS, ArenaMarks
from gpu_wordle.solver.memory.move_cache import read_shortlist
from gpu_wordle.solver.memory.stage_costs import WEIGHTED
from gpu_wordle.solver.memory.workspace import (
    KEPT_COLUMNS,
    REMEMBERED,
    SLICED,
    STATE,
    WHOLE,
    WORK,
    WORKSPACE,
    State,
)
from gpu_wordle.tunables import MAX_PAIRWISE, MIN_DOMINATED

MOVES = types.Tuple((INT, INT, INT, INT, STATE, ARENA_MARKS))
"""Type of what generate returns; see search/hooks.py."""


@inlined(PAIR(WORKSPACE, STATE, INT, INT, INT, INT))
def promising_of(w, state, guesses_left, cutoff, listed, limit):
    """Thin the columns ``w.slots[:listed]``, whose parts are counted, as :func:`promising` does."""
    at, n, _, _, info = state
    candidates_only = w.candidates_only[0] != 0
    weight = weigh(w, at, n)
    base = two_stage_cost(w, guesses_left, weight, weight)
    second = w.marginal_costs[guesses_left + 1]
    number = 0
    max_parts = 0
    for k in range(listed):
        c = np.int64(w.slots[k])
        parts = np.int64(w.column_parts[c])
        answer = w.answer_of_guess[w.guess[info + c]]
        is_candidate = answer >= 0 and w.member[answer] > 0
        if candidates_only and not is_candidate:
            continue
        max_parts = max(max_parts, parts)
        # A candidate that is the answer does not pay for the guess after it.
        own = second * w.weight[answer] if is_candidate else 0
        if base - own + w.late[n - parts] < cutoff:
            if number == limit:
                return number + 1, max_parts
            w.move_columns[number] = c
            number += 1
    return number, max_parts


@linked(PAIR(WORKSPACE, STATE, INT, INT, INT))
def promising(w, state, guesses_left, cutoff, limit):
    """Columns whose one-ply bound is below ``cutoff``, into ``w.move_columns``.

    Returns ``(number, max_parts)``; number is ``limit + 1`` if there are more than ``limit``. If
    there is a promising one, max_parts is the most parts of any column, promising or not.
    """
    at, n, first, columns, info = state
    weight = weigh(w, at, n)
    base = two_stage_cost(w, guesses_left, weight, weight)
    second = w.marginal_costs[guesses_left + 1]
    missing = cutoff - base + second * heaviest(w, at)
    refuted = most_refuted(w, at, n, guesses_left, missing)
    # Even the heaviest candidate costs the cutoff or more if it makes only ``refuted`` parts. A
    # guess of one part tells nothing.
    least = max(2, refuted + 1)
    rows, counted = Rows(w.rows, at, n), Columns(first, columns, w.ceiling, info)
    listed = INFEASIBLE
    # Nearly all columns of ``least`` parts or more are promising: twice the limit is enough.
    if saving(n) > 0 and w.matrix[info, WORK] == SLICED and refuted >= 0:
        into = w.slots, w.column_parts
        listed = columns_of_many_parts(rows, counted, least, (w.slices, w.seen), into, 2 * limit)
    if listed > 2 * limit:
        # Too many are no danger: all guesses are listed then.
        if n > MAX_PAIRWISE:
            return limit + 1, 0
        if listed < INFEASIBLE:
            number, _ = promising_of(w, state, guesses_left, cutoff, 2 * limit, limit)
            if number > limit:
                return number, 0
        count_parts(rows, counted, least, w.part_bytes)
        listed = 0
        for c in range(columns):
            if w.part_bytes[c] >= least:
                w.slots[listed] = c
                w.column_parts[c] = w.part_bytes[c]
                listed += 1
    return promising_of(w, state, guesses_left, cutoff, listed, limit)


@inlined(BOOL(WORKSPACE, STATE, INT, INT, INT))
def keeps_many(w, state, kept_at, guesses_left, cutoff):
    """True if a kept list alone shows that more than ``max_uncompacted`` columns are promising.

    Otherwise :func:`promising` has to count them. ``kept_at`` is -1 if no list is kept.
    """
    limit = w.max_uncompacted[0]
    if kept_at < 0 or w.lists[kept_at, KEPT_COLUMNS] <= limit:
        return False
    weight = weigh(w, state.at, state.n)
    # Columns with most parts come first. A candidate is promising wherever another guess is.
    parts = np.int64(w.ceiling[columns_at(w, kept_at) + limit])
    return two_stage_cost(w, guesses_left, weight, weight) + w.late[state.n - parts] < cutoff


@inlined(PAIR(WORKSPACE, STATE, INT))
def shortlisted(w, state, cutoff):
    """Write a state's columns that may cost less than the cutoff to ``w.move_columns``.

    They come from the shortlist of the state, as columns of the game's matrix. Returns ``(number,
    max_parts)`` as :func:`promising` does; number is -1 without a shortlist.
    """
    key_0 = np.uint64(0)
    key_1 = np.uint64(0)
    for i in range(state.at, state.at + state.n):
        key_0 ^= w.zobrist[w.answers[i], 0]
        key_1 ^= w.zobrist[w.answers[i], 1]
    found = read_shortlist(w.move_cache, key_0, key_1, cutoff, w.move_columns)
    if found < 0:
        return np.int64(-1), np.int64(0)
    return found & 0xFFFF, found >> 32


@inlined(INT(WORKSPACE, INT))
def candidate_weight(w, guess):
    """The weight of a guess that is an answer of the state, -1 if it is none."""
    answer = w.answer_of_guess[guess]
    return w.weight[answer] if answer >= 0 and w.member[answer] > 0 else np.int64(-1)


@linked(PAIR(WORKSPACE, INT, INT))
def distinct(w, info, number):
    """Thin ``w.move_columns[:number]`` to one column for each partition, and the other candidates.

    Of equal columns the heaviest candidate's is preferred, then that of the lowest guess. Further
    candidates with the same partition need not be tried here. But a state below may hold them and
    not the preferred one, and there each of them saves a guess. They come last.

    Returns ``(distinct, kept)``: the number of partitions, and the number of all columns.
    """
    mask = LANES - 1
    # At most half of the hash table is in use, so that chains stay short.
    while mask < 2 * number:
        mask = 2 * mask + 1
    for t in range(mask + 1):
        w.slots[t] = 0
    kept = 0
    others = 0
    for k in range(number):
        c = w.move_columns[k]
        guess = w.guess[info + c]
        t = np.int64(w.hash_0[c]) & mask
        while w.slots[t] != 0:
            rival = w.move_columns[w.slots[t] - 1]
            if w.hash_0[rival] == w.hash_0[c] and w.hash_1[rival] == w.hash_1[c]:
                break
            t = (t + 1) & mask
        if w.slots[t] == 0:
            w.slots[t] = kept + 1
            w.move_columns[kept] = c
            kept += 1
        else:
            weight = candidate_weight(w, guess)
            rival = w.move_columns[w.slots[t] - 1]
            rival_guess = w.guess[info + rival]
            rival_weight = candidate_weight(w, rival_guess)
            is_better = weight > rival_weight or (weight == rival_weight and guess < rival_guess)
            if min(weight, rival_weight) >= 0:
                w.others[others] = rival if is_better else c
                others += 1
            if is_better:
                w.move_columns[w.slots[t] - 1] = c
    for k in range(others):
        w.move_columns[kept + k] = w.others[k]
    return kept, kept + others


@linked(PAIR(WORKSPACE, STATE))
def list_all(w, state):
    """List and measure the columns that matter in ``w.move_columns``; see :func:`distinct`."""
    at, n, first, columns, info = state
    candidates_only = w.candidates_only[0] != 0
    listed = columns
    for c in range(columns):
        w.move_columns[c] = c
    if n >= MIN_DOMINATED and w.guess_letters.size > 0 and not candidates_only:
        listed = undominated(w, at, n, columns, info)
        measure_listed(w, at, n, first, listed)
    else:
        measure(w, at, n, first, columns)
    number = 0
    for k in range(listed):
        c = w.move_columns[k]
        # A guess that leaves all answers together tells nothing, and uses up a turn.
        if w.column_parts[c] < 2:
            continue
        if candidates_only:
            answer = w.answer_of_guess[w.guess[info + c]]
            if answer < 0 or w.member[answer] == 0:
                continue
        w.move_columns[number] = c
        number += 1
    return distinct(w, info, number)


@inlined(PAIR(WORKSPACE, STATE))
def list_or_recall(w, state):
    """List the columns that :func:`list_all` lists, from memory if they are remembered."""
    if state.n < w.least_kept[REMEMBERED]:
        return list_all(w, state)
    name = name_of_list(w, state)
    tried, kept = recall_columns(w, name)
    if kept < 0:
        tried, kept = list_all(w, state)
        remember_columns(w, name, tried, kept)
    return tried, kept


@linked(INT(WORKSPACE, INT, INT, INT))
def late_weight(w, at, n, column):
    """The weight of the answers that are not the heaviest of their part, under one guess."""
    w.seen[PATTERNS] += np.uint64(1)
    stamp = w.seen[PATTERNS]
    late = np.int64(0)
    for i in range(at, at + n):
        label = byte_at(w.rows[i] + column)
        # Answers come heaviest first, so the first with a label is the heaviest of its part.
        if w.seen[label] == stamp:
            late += w.weight[w.answers[i]]
        w.seen[label] = stamp
    return late


@inlined(NOTHING(WORKSPACE, INT32S, INT))
def find_begins(w, begins, number):
    """Find where the columns of each number of parts begin in ``w.move_columns[:number]``.

    Most parts come first. Columns of p parts begin at ``begins[PATTERNS - p]``, where ``begins`` is
    int32[PATTERNS] or longer.
    """
    for t in range(PATTERNS):
        begins[t] = 0
    for k in range(number):
        begins[PATTERNS - np.int64(w.column_parts[w.move_columns[k]])] += 1
    total = 0
    for t in range(PATTERNS):
        size = begins[t]
        begins[t] = total
        total += size


@inlined(NOTHING(WORKSPACE, STATE, INT, INT, INT, INT))
def line_up(w, state, tried, kept, max_parts, top_column):
    """Enter ``w.move_columns[:kept]`` from ``top_column`` on, those of most parts first.

    The first ``tried`` of them are to be tried, in the order of ``w.rank``. No column makes more
    parts than ``max_parts``, or than the first of them.
    """
    n, first, info = state.n, state.first, state.info
    # In this order, a count on a state below ends at the first column that cannot beat the best.
    find_begins(w, w.slots, kept)
    for k in range(kept):
        max_parts = max(max_parts, np.int64(w.column_parts[w.move_columns[k]]))
    for k in range(kept):
        c = w.move_columns[k]
        parts = np.int64(w.column_parts[c])
        squares = n + 2 * np.int64(w.column_pairs[c])
        slot = w.slots[PATTERNS - parts]
        w.slots[PATTERNS - parts] += 1
        guess = w.guess[info + c]
        answer = w.answer_of_guess[guess]
        place = w.member[answer] if answer >= 0 else 0  # in the state, from 1
        w.guess[top_column + slot] = guess
        w.ceiling[top_column + slot] = parts
        w.excess[top_column + slot] = least_excess(n, parts, squares, max_parts)
        # Nothing was proved of these columns yet; searches raise it while the list is kept.
        w.proven[top_column + slot] = 0
        w.self_row[top_column + slot] = place - 1
        w.source[top_column + slot] = first + c
        rank = order_key(n, parts, squares, place > 0, guess, slot)
        w.rank[top_column + slot] = rank if k < tried else NEVER


@inlined(PAIR(WORKSPACE, INT, INT, INT, INT, INT, INT))
def rate(w, at, n, column, kept, guesses_left, cutoff):
    """Bound the columns of a state; a heap of those whose bound is below the cutoff.

    Returns ``(tries, bound)``: columns in the heap, and the least bound of all columns.
    """
    weight = weigh(w, at, n)
    base = two_stage_cost(w, guesses_left, weight, weight)
    second = w.marginal_costs[guesses_left + 1]
    is_weighted = w.terms[WEIGHTED] != 0
    guesses_after = after(guesses_left)
    uses_proven = is_linear(w, guesses_left)
    tries = 0
    bound = np.int64(INFEASIBLE)
    for slot in range(column, column + kept):
        self_row = w.self_row[slot]
        own = second * w.weight[w.answers[at + self_row]] if self_row >= 0 else 0
        one_ply = base - own + w.late[n - w.ceiling[slot]]
        # By the number of parts alone, the lightest answers may be late. The parts tell which are.
        if is_weighted and one_ply < cutoff and n <= MAX_PAIRWISE:
            one_ply = (
                base - own + w.marginal_costs[guesses_left] * late_weight(w, at, n, w.source[slot])
            )
        if one_ply < cutoff:
            # In a part of more answers than any guess makes parts, some need a third guess after
            # this one.
            one_ply += late_cost(w, at + n, np.int64(w.excess[slot]), guesses_after)
        if uses_proven:
            # A bound proved without a limit holds under it if each guess costs one, as there.
            one_ply = max(one_ply, w.proven[slot])
        w.one_ply[slot] = one_ply
        bound = min(bound, one_ply)
        if one_ply < cutoff and w.rank[slot] != NEVER:
            w.heap[column + tries] = w.rank[slot]
            tries += 1
    heapify(w.heap, column, tries)
    return tries, bound


@linked(MOVES(WORKSPACE, STATE, ARENA_MARKS, INT, INT, BOOL))
def find_guesses(w, state, marks, guesses_left, cutoff, may_be_short):
    """List the guesses of a state, each distinct partition once, to be tried; see hooks.py.

    ``may_be_short`` tells whether a shortlist will do. Room for the columns is taken from
    ``marks.column`` on. If only few guesses are promising, no matrix is made. Otherwise the state
    is entered once more at ``marks.state``, with rows in a compact matrix at address
    ``marks.byte``. Columns and matrix of a large state lie elsewhere, see kept_lists.py.
    """
    at, n, first, _, info = state
    again = marks.state
    mark(w, at, n)
    set_late_costs(w, at, n, guesses_left)
    number, max_parts = np.int64(-1), np.int64(0)
    is_large = info == 0 and n >= w.least_kept[WHOLE]  # matrix 0 is that of the game
    if is_large and may_be_short:
        number, max_parts = shortlisted(w, state, cutoff)
    kept_at = find_list(w, at, n) if is_large else np.int64(-1)
    is_uncounted = number < 0 and n <= MAX_SLICEABLE
    if is_uncounted and not keeps_many(w, state, kept_at, guesses_left, cutoff):
        number, max_parts = promising(w, state, guesses_left, cutoff, w.max_uncompacted[0])
    # A compact matrix is not worth its making for a few guesses.
    is_short = 0 <= number <= w.max_uncompacted[0]
    is_large = is_large and not is_short
    is_known = is_large and kept_at >= 0
    if is_large and not is_known:
        kept_at = next_place(w)
    column = columns_at(w, kept_at) if is_large else marks.column
    if is_known:
        kept = w.lists[kept_at, KEPT_COLUMNS]
        enter_home(w, at, n, column, kept, again)
    else:
        if is_short:
            for k in range(number):
                measure_column(w, at, n, w.move_columns[k], first + w.move_columns[k])
            tried, kept = distinct(w, info, number)
        else:
            tried, kept = list_or_recall(w, state)
        line_up(w, state, tried, kept, max_parts, column)
    unmark(w, at, n)
    # The columns of a kept list lie in its own matrix, whose rows only the copy of the state has.
    tries, bound = rate(w, again if is_known else at, n, column, kept, guesses_left, cutoff)
    if kept > 0:
        max_parts = max(max_parts, np.int64(w.ceiling[column]))
    top_column = marks.column + kept
    if is_known:
        home = State(again, n, padded(n), kept, column)
        above = ArenaMarks(again + n, top_column, marks.part, marks.byte)
        return column, tries, max_parts, bound, home, above

    size = matrix_bytes(n, kept)
    # Without a guess to try, nothing below looks at the matrix. Without room for it, the states
    # below use the matrix of this one: slower, and just as right.
    if is_short or bound >= cutoff or marks.byte + size > w.byte_end[0]:
        above = ArenaMarks(marks.state, top_column, marks.part, marks.byte)
        return column, tries, max_parts, bound, state, above
    top_byte = marks.byte
    begin = next_room(w, size) if is_large else np.int64(0)
    if begin > 0:
        keep_list(w, kept_at, state, kept, begin, begin + size)
    else:
        begin = top_byte
        top_byte += size
    copy_columns(w, at, n, column, kept, begin)
    name_matrix(w, column, name_of_list(w, state))
    enter_home(w, at, n, column, kept, again)
    home = State(again, n, padded(n), kept, column)
    return (
        column,
        tries,
        max_parts,
        bound,
        home,
        ArenaMarks(again + n, top_column, marks.part, top_byte),
    )


@linked(MOVES(WORKSPACE, STATE, ARENA_MARKS, INT, INT))
def generate(w, state, marks, guesses_left, cutoff):
    """List the guesses of a state; a shortlist will do. See find_guesses and search/hooks.py."""
    return find_guesses(w, state, marks, guesses_left, cutoff, True)
