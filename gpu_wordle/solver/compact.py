"""The guesses of a state, each distinct partition once, in a matrix for the states below it.

On a small state most of all guesses split it like another one, or not at all. The survey hashes
the partition that each column makes, keeps one column for each distinct partition, sorts them by
their number of parts and copies them into a compact matrix that the children of the state inherit.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit, types

from gpu_wordle.objective import INFEASIBLE
from gpu_wordle.solver.counting import PAIRWISE_MOST, count_parts, measure_pairwise
from gpu_wordle.solver.covers import block_bytes
from gpu_wordle.solver.dominance import LEAST_ANSWERS, undominated
from gpu_wordle.solver.ground import PATTERNS
from gpu_wordle.solver.linking import linked
from gpu_wordle.solver.ordering import heapify, order_key
from gpu_wordle.solver.signatures import INT, NOTHING, PAIR
from gpu_wordle.solver.simd import (
    LANES,
    add_high_product,
    add_low,
    add_low_zeros,
    byte_at,
    load_words,
    no_words,
    store_byte,
    store_words,
)
from gpu_wordle.solver.sliced import (
    SLICEABLE_MOST,
    columns_of_many_parts,
    saving,
    sliced_at,
    sliced_bytes,
)
from gpu_wordle.solver.surveys import LEAST_KEPT, find_survey, keep_survey, recall_survey
from gpu_wordle.solver.tariff import (
    WEIGHTED,
    charge,
    charge_each_late,
    heaviest,
    most_refuted,
    weigh,
)
from gpu_wordle.solver.workspace import (
    COVER_BLOCKS,
    COVERS,
    COVERS_AT,
    HOME_AT,
    HOME_SIZE,
    SLICED,
    WORK,
    WORKSPACE,
)

_SHIFT = np.uint32(16)
_LOW = np.uint32(0xFFFF)


@linked(NOTHING(WORKSPACE, INT, INT, INT, INT))
def measure_listed(w, at, n, first, number):
    """Parts, pairs and hash of the partitions that the columns in ``w.kept[:number]`` make.

    An answer's label is the number of the first answer with the same pattern, so the hash, a sum
    of labels times random 64-bit numbers, does not depend on what the patterns are called. Pairs
    are those of answers that the column does not tell apart: the squares of the sizes of the parts
    sum to n + 2 * pairs.
    """
    seen = w.first_seen
    entries = w.entries
    for start in range(0, number, LANES):
        width = min(LANES, number - start)
        for t in range(width * PATTERNS):
            seen[t] = 0
        parts = no_words()
        pairs = no_words()
        low = no_words()
        high = no_words()
        for i in range(n):
            row = w.rows[at + i] + first
            new = np.uint32(i) << _SHIFT
            for lane in range(width):
                t = lane * PATTERNS + byte_at(row + w.kept[start + lane])
                entry = seen[t]  # the label, and the number of answers that have it so far
                if entry == 0:
                    entry = new
                seen[t] = entry + np.uint32(1)
                entries[lane] = entry
            vector = load_words(entries.ctypes.data)
            random = np.int64(w.randoms[i])
            parts = add_low_zeros(parts, vector)
            pairs = add_low(pairs, vector)
            low = add_high_product(low, vector, random)
            high = add_high_product(high, vector, random >> 32)
        for result, vector in (
            (w.column_parts, parts), (w.column_pairs, pairs), (w.hash_0, low), (w.hash_1, high),
        ):  # fmt: skip
            store_words(entries.ctypes.data, vector)
            for lane in range(width):
                result[w.kept[start + lane]] = entries[lane]


@linked(NOTHING(WORKSPACE, INT, INT, INT, INT))
def measure(w, at, n, first, columns):
    """What :func:`measure_listed` finds out, of all columns."""
    if n <= PAIRWISE_MOST:
        measure_pairwise(
            w.rows, at, n, first, columns, w.randoms,
            w.column_parts, w.column_pairs, w.hash_0, w.hash_1,
        )  # fmt: skip
        return
    for c in range(columns):
        w.kept[c] = c
    measure_listed(w, at, n, first, columns)


@njit(NOTHING(WORKSPACE, INT, INT, INT, INT), cache=True, nogil=True)
def measure_column(w, at, n, c, column):
    """What :func:`measure_listed` finds out, of column number ``c`` at offset ``column``."""
    seen = w.first_seen
    parts = np.uint32(0)
    pairs = np.uint32(0)
    low = np.uint32(0)
    high = np.uint32(0)
    for i in range(n):
        seen[byte_at(w.rows[at + i] + column)] = 0
    for i in range(n):
        t = byte_at(w.rows[at + i] + column)
        entry = seen[t]
        if entry == 0:
            entry = np.uint32(i) << _SHIFT
            parts += np.uint32(1)
        label = entry >> _SHIFT
        pairs += entry & _LOW
        low += np.uint32(w.randoms[i]) * label
        high += np.uint32(w.randoms[i] >> np.uint64(32)) * label
        seen[t] = entry + np.uint32(1)
    w.column_parts[c] = parts
    w.column_pairs[c] = pairs
    w.hash_0[c] = low
    w.hash_1[c] = high


@linked(PAIR(WORKSPACE, INT, INT, INT, INT, INT, INT, INT, INT))
def promising(w, at, n, first, columns, info, left, cutoff, limit):
    """Columns whose one-ply bound is below ``cutoff``, into ``w.kept``.

    Returns ``(number, most)``; number is ``limit + 1`` if there are more than ``limit``, and most
    is the most parts of any column, promising or not, if there is a promising one.
    """
    candidates_only = w.candidates_only[0] != 0
    weight = weigh(w, at, n)
    base = charge(w, left, weight, weight)
    second = w.steps[left + 1]
    missing = cutoff - base + second * heaviest(w, at)
    refuted = most_refuted(w, at, n, left, missing)
    least = max(2, refuted + 1)
    listed = INFEASIBLE
    # Nearly all that make so many parts are promising, so a few more than the limit will do.
    if saving(n) > 0 and w.matrix[info, WORK] == SLICED and refuted >= 0:
        listed = columns_of_many_parts(
            w.rows, at, n, first, columns, w.ceiling, info, least,
            w.slices, w.seen, w.slots, w.column_parts, 2 * limit,
        )  # fmt: skip
    if listed > 2 * limit:
        if n > PAIRWISE_MOST:
            return limit + 1, 0
        count_parts(w.rows, at, n, first, columns, least, w.part_bytes)
        listed = 0
        for c in range(columns):
            if w.part_bytes[c] >= least:
                w.slots[listed] = c
                w.column_parts[c] = w.part_bytes[c]
                listed += 1
    number = 0
    most = 0
    for k in range(listed):
        c = np.int64(w.slots[k])
        parts = np.int64(w.column_parts[c])
        answer = w.answer_of_guess[w.guess[info + c]]
        mine = answer >= 0 and w.member[answer] > 0
        if candidates_only and not mine:
            continue
        most = max(most, parts)
        own = second * w.weight[answer] if mine else 0
        if base - own + w.late[n - parts] < cutoff:
            if number == limit:
                return number + 1, most
            w.kept[number] = c
            number += 1
    return number, most


@njit(INT(WORKSPACE, INT), cache=True, nogil=True)
def candidate_weight(w, guess):
    """The weight of a guess that is an answer of the state, -1 if it is none."""
    answer = w.answer_of_guess[guess]
    return w.weight[answer] if answer >= 0 and w.member[answer] > 0 else np.int64(-1)


@linked(PAIR(WORKSPACE, INT, INT))
def distinct(w, info, number):
    """Thin ``w.kept[:number]`` to one column for each partition, and the other candidates.

    Of equal columns a candidate's is preferred, the heaviest's, then that of the lowest guess.
    Further candidates with the same partition need not be tried here; but in a state below, which
    may hold them and not the one that was preferred, each of them saves a guess. They come last.

    Returns ``(distinct, kept)``: how many partitions there are, and how many columns in all.
    """
    mask = LANES - 1
    while mask < 2 * number:
        mask = 2 * mask + 1
    for t in range(mask + 1):
        w.slots[t] = 0
    kept = 0
    others = 0
    for k in range(number):
        c = w.kept[k]
        guess = w.guess[info + c]
        t = np.int64(w.hash_0[c]) & mask
        while w.slots[t] != 0:
            rival = w.kept[w.slots[t] - 1]
            if w.hash_0[rival] == w.hash_0[c] and w.hash_1[rival] == w.hash_1[c]:
                break
            t = (t + 1) & mask
        if w.slots[t] == 0:
            w.slots[t] = kept + 1
            w.kept[kept] = c
            kept += 1
        else:
            mine = candidate_weight(w, guess)
            rival = w.kept[w.slots[t] - 1]
            rival_guess = w.guess[info + rival]
            rival_mine = candidate_weight(w, rival_guess)
            is_better = mine > rival_mine or (mine == rival_mine and guess < rival_guess)
            if min(mine, rival_mine) >= 0:
                w.others[others] = rival if is_better else c
                others += 1
            if is_better:
                w.kept[w.slots[t] - 1] = c
    for k in range(others):
        w.kept[kept + k] = w.others[k]
    return kept, kept + others


@linked(PAIR(WORKSPACE, INT, INT, INT, INT, INT))
def survey_of_all(w, at, n, first, columns, info):
    """List the columns of a state that matter in ``w.kept``, measured; see :func:`distinct`."""
    is_kept = info == 0 and n >= LEAST_KEPT  # matrix 0 is that of the game
    if is_kept:
        place = find_survey(w, at, n)
        if place >= 0:
            return recall_survey(w, place)
    candidates_only = w.candidates_only[0] != 0
    listed = columns
    if n >= LEAST_ANSWERS and w.guess_letters.size > 0 and not candidates_only:
        listed = undominated(w, at, n, columns, info)
        measure_listed(w, at, n, first, listed)
    else:
        for c in range(columns):
            w.kept[c] = c
        measure(w, at, n, first, columns)
    number = 0
    for k in range(listed):
        c = w.kept[k]
        if w.column_parts[c] < 2:
            continue
        if candidates_only:
            answer = w.answer_of_guess[w.guess[info + c]]
            if answer < 0 or w.member[answer] == 0:
                continue
        w.kept[number] = c
        number += 1
    tried, kept = distinct(w, info, number)
    if is_kept:
        keep_survey(w, tried, kept)
    return tried, kept


@linked(INT(WORKSPACE, INT, INT, INT))
def late_weight(w, at, n, column):
    """The weight of the answers that are not the heaviest of their part, under one guess."""
    w.seen[PATTERNS] += np.uint64(1)
    stamp = w.seen[PATTERNS]
    late = np.int64(0)
    for i in range(at, at + n):
        label = byte_at(w.rows[i] + column)
        if w.seen[label] == stamp:
            late += w.weight[w.answers[i]]
        w.seen[label] = stamp
    return late


@linked(types.UniTuple(INT, 9)(WORKSPACE, INT, INT, INT, INT, INT, INT, INT, INT, INT, INT))
def survey(w, at, n, first, columns, info, top_state, top_column, top_byte, left, cutoff):
    """Keep the distinct partitions of a state and line them up to be tried.

    Room for the columns is taken from ``top_column`` on. Where few guesses are promising, that is
    all; otherwise the state is entered once more at ``top_state``, with rows in a compact matrix
    at address ``top_byte``.

    Returns ``(at, kept, tries, most, bound, first, columns, info, byte)``: where the state is
    entered; columns kept; those in the heap; the most parts of any; the least one-ply bound; then
    the matrix for the children and the end of its memory.
    """
    for i in range(n):
        w.member[w.answers[at + i]] = i + 1
    charge_each_late(w, at, n, left)
    few = False
    most = np.int64(0)
    if n <= SLICEABLE_MOST:
        number, most = promising(w, at, n, first, columns, info, left, cutoff, w.few[0])
        few = number <= w.few[0]
    if few:
        for k in range(number):
            c = w.kept[k]
            measure_column(w, at, n, c, first + c)
        tried, kept = distinct(w, info, number)
    else:
        tried, kept = survey_of_all(w, at, n, first, columns, info)

    # Counting sort by parts, descending.
    for t in range(PATTERNS + 1):
        w.slots[t] = 0
    for k in range(kept):
        parts = np.int64(w.column_parts[w.kept[k]])
        w.slots[PATTERNS - parts] += 1
        most = max(most, parts)
    total = 0
    for t in range(PATTERNS):
        size = w.slots[t]
        w.slots[t] = total
        total += size

    weight = weigh(w, at, n)
    base = charge(w, left, weight, weight)
    second = w.steps[left + 1]
    is_weighted = w.terms[WEIGHTED] != 0
    tries = 0
    bound = INFEASIBLE
    for k in range(kept):
        c = w.kept[k]
        parts = np.int64(w.column_parts[c])
        slot = w.slots[PATTERNS - parts]
        w.slots[PATTERNS - parts] += 1
        guess = w.guess[info + c]
        answer = w.answer_of_guess[guess]
        mine = w.member[answer] if answer >= 0 else 0
        w.guess[top_column + slot] = guess
        w.ceiling[top_column + slot] = parts
        w.self_row[top_column + slot] = mine - 1
        w.source[top_column + slot] = first + c
        own = second * w.weight[answer] if mine > 0 else 0
        one_ply = base - own + w.late[n - parts]
        if is_weighted and one_ply < cutoff and n <= PAIRWISE_MOST:
            one_ply = base - own + w.steps[left] * late_weight(w, at, n, first + c)
        w.one_ply[top_column + slot] = one_ply
        bound = min(bound, one_ply)
        if one_ply < cutoff and k < tried:
            squares = n + 2 * np.int64(w.column_pairs[c])
            w.heap[top_column + tries] = order_key(n, parts, squares, mine > 0, guess, slot)
            tries += 1
    heapify(w.heap, top_column, tries)

    for i in range(n):
        w.member[w.answers[at + i]] = 0
    new_first = (n + LANES - 1) // LANES * LANES
    labels = sliced_at(new_first, kept)
    stride = labels + sliced_bytes(kept)
    if stride % 4096 < LANES:
        stride += LANES
    covers = top_byte + stride * n
    end = covers + COVER_BLOCKS * block_bytes(n)
    if few or bound >= cutoff or end > w.byte_end[0]:
        return at, kept, tries, most, bound, first, columns, info, top_byte
    for i in range(n):
        old = w.rows[at + i]
        new = top_byte + i * stride
        for j in range(n):
            store_byte(new + j, byte_at(old + w.pos[at + j]))
        for slot in range(kept):
            store_byte(new + new_first + slot, byte_at(old + w.source[top_column + slot]))
        for slot in range(new_first + kept, labels):
            store_byte(new + slot, 0)  # whole vectors are read
        w.answers[top_state + i] = w.answers[at + i]
        w.rows[top_state + i] = new
        w.pos[top_state + i] = i
    for slot in range(kept):
        w.source[top_column + slot] = new_first + slot
    matrix = w.matrix[top_column]
    matrix[WORK] = 0
    matrix[HOME_AT] = top_state
    matrix[HOME_SIZE] = n
    matrix[COVERS_AT] = covers
    matrix[COVERS] = 0
    return top_state, kept, tries, most, bound, new_first, kept, top_column, end
