"""The legal guesses of a state, measured, and in a matrix for the states below it.

Guesses that leave all answers together are dropped: below they would tell nothing apart either.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit, types

from gpu_wordle.objective import INFEASIBLE
from gpu_wordle.solver.constrained.legal import index_columns, legal_columns
from gpu_wordle.solver.constrained.workspace import (
    INDEX_AT,
    REVEALED,
    STATE,
    TOPS,
    WORKSPACE,
    State,
    Tops,
)
from gpu_wordle.solver.counting import PAIRWISE_MOST
from gpu_wordle.solver.linking import linked
from gpu_wordle.solver.ordering import heapify, order_key
from gpu_wordle.solver.signatures import INT, NOTHING
from gpu_wordle.solver.simd import (
    LANES,
    add_bytes,
    add_equal,
    add_zeros,
    byte_at,
    load,
    no_shorts,
    splat,
    store_byte,
    store_words,
)
from gpu_wordle.solver.workspace import PATTERNS


@njit(INT(WORKSPACE, INT, INT, INT, INT, INT), cache=True, nogil=True)
def gather(w, at, n, first, start, number):
    """Columns ``w.legal[start : start + LANES]`` of a state side by side in ``w.block``.

    Returns how many there are, ``number`` being the length of the list; the lanes beyond are zero.
    """
    width = min(LANES, number - start)
    for i in range(n):
        row = w.rows[at + i] + first
        line = w.block_rows[i]
        for lane in range(width):
            store_byte(line + lane, byte_at(row + w.legal[start + lane]))
        for lane in range(width, LANES):
            store_byte(line + lane, 0)
    return width


@linked(NOTHING(WORKSPACE, INT, INT, INT, INT))
def measure_listed(w, at, n, first, number):
    """Parts and pairs of the columns ``w.legal[:number]``, by their places in the list.

    Pairs are those of answers that the column does not tell apart: the squares of the sizes of the
    parts sum to n + 2 * pairs.
    """
    seen = w.first_seen
    for start in range(0, number, LANES):
        width = gather(w, at, n, first, start, number)
        if n <= PAIRWISE_MOST:
            new = splat(0)
            pairs = no_shorts()
            for i in range(n):
                row = load(w.block_rows[i])
                equal = splat(0)
                for j in range(i):
                    equal = add_equal(equal, row, load(w.block_rows[j]))
                new = add_zeros(new, equal)
                pairs = add_bytes(pairs, equal)
            store_words(w.column_parts.ctypes.data + 4 * start, new)
            store_words(w.column_pairs.ctypes.data + 4 * start, pairs)
            continue
        for t in range(width * PATTERNS):
            seen[t] = 0
        for lane in range(width):
            w.column_parts[start + lane] = 0
            w.column_pairs[start + lane] = 0
        for i in range(n):
            for lane in range(width):
                t = lane * PATTERNS + byte_at(w.block_rows[i] + lane)
                w.column_parts[start + lane] += np.uint32(seen[t] == 0)
                w.column_pairs[start + lane] += seen[t]
                seen[t] += np.uint32(1)


@linked(NOTHING(WORKSPACE, INT, INT, INT, INT))
def measure(w, at, n, first, columns):
    """What :func:`measure_listed` finds out, of all columns."""
    for c in range(columns):
        w.legal[c] = c
    measure_listed(w, at, n, first, columns)


@njit(NOTHING(WORKSPACE, INT), cache=True, nogil=True)
def sort_by_parts(w, number):
    """Turn ``w.column_parts[:number]`` into places in descending order, in ``w.column_pairs``' way.

    Afterwards ``w.slots[PATTERNS - parts]`` is the first place of those of so many parts.
    """
    for t in range(PATTERNS + 1):
        w.slots[t] = 0
    for k in range(number):
        w.slots[PATTERNS - np.int64(w.column_parts[k])] += 1
    total = 0
    for t in range(PATTERNS + 1):
        size = w.slots[t]
        w.slots[t] = total
        total += size


@linked(types.Tuple((INT, INT, INT, INT, STATE, TOPS))(WORKSPACE, STATE, TOPS, INT))
def survey(w, state, tops, cutoff):
    """Line up the legal guesses of a state whose one-ply bound is below the cutoff.

    Returns ``(kept, tries, most, bound, state, tops)``: legal guesses that split the state; those
    in the heap; the most parts of any; the least one-ply bound; then the state, in a matrix of its
    own if there is anything to try and room for it, and what is free behind it all. The heap and
    what goes with it begin at the given ``tops.column``.
    """
    at, n, first, columns, info, revealed = state
    number = legal_columns(w, columns, info, revealed, w.answers[at], 1)
    measure_listed(w, at, n, first, number)
    for i in range(n):
        w.member[w.answers[at + i]] = i + 1
    sort_by_parts(w, number)
    kept = np.int64(w.slots[PATTERNS - 1])
    top = tops.column
    tries = 0
    most = 1
    bound = INFEASIBLE
    for k in range(number):
        parts = np.int64(w.column_parts[k])
        if parts < 2:
            continue
        slot = np.int64(w.slots[PATTERNS - parts])
        w.slots[PATTERNS - parts] += 1
        c = np.int64(w.legal[k])
        guess = np.int64(w.guess[info + c])
        answer = w.answer_of_guess[guess]
        mine = np.int64(w.member[answer]) if answer >= 0 else 0
        w.guess[top + slot] = guess
        w.ceiling[top + slot] = parts
        w.self_row[top + slot] = mine - 1
        w.source[top + slot] = first + c
        most = max(most, parts)
        one_ply = 3 * n - parts - (mine > 0)
        bound = min(bound, one_ply)
        if one_ply < cutoff:
            squares = n + 2 * np.int64(w.column_pairs[k])
            w.heap[top + tries] = order_key(n, one_ply, squares, mine > 0, guess, slot)
            tries += 1
    heapify(w.heap, top, tries)
    for i in range(n):
        w.member[w.answers[at + i]] = 0

    new_first = (n + LANES - 1) // LANES * LANES
    stride = new_first + (kept + LANES - 1) // LANES * LANES
    if stride % 4096 < LANES:
        stride += LANES
    byte_end = tops.byte + stride * n
    index_end = tops.holders + 64 * w.traits.shape[1] * ((kept + 63) // 64)
    if tries == 0 or byte_end > w.byte_end[0] or index_end > w.holders.size:
        above = Tops(tops.state, top + kept, tops.part, tops.byte, tops.holders)
        return kept, tries, most, bound, state, above
    for i in range(n):
        old = w.rows[at + i]
        new = tops.byte + i * stride
        for j in range(n):
            store_byte(new + j, byte_at(old + w.pos[at + j]))
        new += new_first
        for slot in range(kept):
            store_byte(new + slot, byte_at(old + w.source[top + slot]))
        w.answers[tops.state + i] = w.answers[at + i]
        w.rows[tops.state + i] = new - new_first
        w.pos[tops.state + i] = i
    for slot in range(kept):
        w.source[top + slot] = new_first + slot
    index_columns(w, top, kept, tops.holders)
    w.matrix[top, INDEX_AT] = tops.holders
    w.matrix[top, REVEALED] = revealed
    again = State(tops.state, n, new_first, kept, top, revealed)
    above = Tops(tops.state + n, top + kept, tops.part, byte_end, index_end)
    return kept, tries, most, bound, again, above
