"""What guesses make of a state: its parts by their keys, and each distinct partition once."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import njit

from gpu_wordle.experiments.noise.machine.context import (
    CANDIDATES,
    DRAWS,
    HARD,
    MAX_PARTS,
    NOTHING_REVEALED,
    RULE,
    SOLVED,
    ULTRA_HARD,
)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
CELLS_BLOCK = 64
"""Guesses that are looked at together, a guess a lane."""

MAX_PAIRED = 24
"""Answers of a state up to which partitions are told by pairs; 255 at most."""


@njit
def mixed(word):
    """A word of 64 bits stirred; see model.mixed."""
    word = word * _GOLDEN
    return word ^ (word >> _SHIFT)


@njit
def chain_of(c, path_0, path_1):
    """What the keys of parts are joined with to draw by, where visits have draws of their own.

    It is two words, told by the path to the state, or 0 where each state has one draw.
    """
    if c.settings[DRAWS] == 0:
        return np.uint64(0), np.uint64(0)
    return mixed(path_0), mixed(path_1)


@njit
def revealed_key(revealed):
    """A key of what is revealed; 0 where that is nothing."""
    key = np.uint64(0)
    for k in range(revealed.size):
        if revealed[k] != 0:
            key ^= mixed(revealed[k] + np.uint64(k + 1))
    return key


@njit
def reveal(c, revealed, guess, answer, into):
    """What is revealed once a guess was made and an answer may be hidden; into uint64[W]."""
    rule = c.settings[RULE]
    own = c.guess_of_answer[answer]
    for k in range(into.size):
        into[k] = revealed[k]
        if rule == HARD:
            into[k] |= c.traits[guess, k] & c.traits[own, k]
        elif rule == ULTRA_HARD:
            into[k] |= c.traits[guess, k]


@njit
def legal_columns(c, answers, revealed, guesses):
    """Places of the guesses that the rule allows on a state, ascending."""
    rule = c.settings[RULE]
    kept = np.empty(guesses.size, np.int32)
    count = 0
    own = c.guess_of_answer[answers[0]]
    for column in range(guesses.size):
        g = guesses[column]
        is_legal = True
        if rule == CANDIDATES:
            place = np.searchsorted(answers, c.answer_of_guess[g])
            is_legal = place < answers.size and answers[place] == c.answer_of_guess[g]
        elif rule != NOTHING_REVEALED:
            for k in range(revealed.size):
                if (c.traits[g, k] ^ c.traits[own, k]) & revealed[k] != 0:
                    is_legal = False
        if is_legal:
            kept[count] = column
            count += 1
    return kept[:count]


@njit
def hash_by_pairs(cells, rows, columns, hashes, parts, squares):
    """Hash, parts and sum of squares of the partitions by columns, of a state of few answers.

    A partition is known by the pairs of answers that it leaves together. Each pair has a random
    word, and those of the pairs that are left together are combined by exclusive or, byte by byte,
    for many columns at once.

    Args:
        cells: uint8[..., ...], patterns: a row for each answer, a column for each guess.
        rows: int32[n], the rows of the state.
        columns: int32[m], the columns.
        hashes: uint64[m], filled in.
        parts: int32[m], filled in: ALL_GREEN counts as well.
        squares: int64[m], filled in.
    """
    n = rows.size
    block = np.zeros((n, CELLS_BLOCK), np.uint8)
    planes = np.empty((8, CELLS_BLOCK), np.uint8)
    repeated = np.empty(CELLS_BLOCK, np.uint8)
    distinct_ones = np.empty(CELLS_BLOCK, np.uint8)
    together = np.empty(CELLS_BLOCK, np.uint16)
    for start in range(0, columns.size, CELLS_BLOCK):
        width = min(CELLS_BLOCK, columns.size - start)
        for i in range(n):
            row = cells[rows[i]]
            for k in range(width):
                block[i, k] = row[columns[start + k]]
        planes[:] = 0
        together[:] = 0
        distinct_ones[:] = 0
        for i in range(n):
            mine = block[i]
            repeated[:] = 0
            for j in range(i):
                other = block[j]
                word = mixed(np.uint64(i * n + j + 1))
                for k in range(CELLS_BLOCK):
                    is_same = np.uint8(mine[k] == other[k])
                    repeated[k] |= is_same
                    together[k] += is_same
                for b in range(8):
                    byte = np.uint8((word >> np.uint64(8 * b)) & np.uint64(0xFF))
                    plane = planes[b]
                    for k in range(CELLS_BLOCK):
                        plane[k] ^= byte if mine[k] == other[k] else np.uint8(0)
            for k in range(CELLS_BLOCK):
                distinct_ones[k] += np.uint8(repeated[k] == 0)
        for k in range(width):
            total = np.uint64(0)
            for b in range(8):
                total |= np.uint64(planes[b, k]) << np.uint64(8 * b)
            hashes[start + k] = total
            parts[start + k] = distinct_ones[k]
            squares[start + k] = n + 2 * np.int64(together[k])


@njit
def hash_by_parts(c, answers, revealed, cells, rows, guesses, columns, hashes, parts, squares):
    """The same of any state, and under any rule, by the parts themselves."""
    n = rows.size
    labels = np.empty(n, np.uint8)
    place = np.full(MAX_PARTS, -1, np.int16)
    part_of = np.empty(n, np.int16)
    sizes = np.empty(n, np.int64)
    keys = np.empty((n, 2), np.uint64)
    firsts = np.empty(n, np.int32)
    after = np.empty_like(revealed)
    reveals = c.settings[RULE] == HARD or c.settings[RULE] == ULTRA_HARD
    for j in range(columns.size):
        labels_of(cells, rows, columns[j], labels)
        made, is_candidate = partition(c, answers, labels, place, part_of, sizes, keys, firsts)
        total = np.uint64(0)
        square = np.int64(is_candidate)
        for p in range(made):
            key = keys[p, 0]
            if reveals:
                reveal(c, revealed, guesses[columns[j]], firsts[p], after)
                key ^= revealed_key(after)
            total += mixed(key)
            square += sizes[p] * sizes[p]
        hashes[j] = total
        parts[j] = made + np.int64(is_candidate)
        squares[j] = square


@njit
def labels_of(cells, rows, column, labels):
    """The patterns of a guess, a column, on the answers of a state, into uint8[n]."""
    for i in range(rows.size):
        labels[i] = cells[rows[i], column]


@njit
def partition(c, answers, labels, place, part_of, sizes, keys, firsts):
    """The parts that a guess makes, ALL_GREEN left out: their number, and whether it is there.

    Args:
        c: context.
        answers: int32[n], the state.
        labels: uint8[n], their patterns.
        place: int16[256], scratch, -1 throughout before and after.
        part_of: int16[n], filled in: the part of each answer, -1 for the one that is found.
        sizes: int64[n], filled in: answers of each part.
        keys: uint64[n, 2], filled in: their keys.
        firsts: int32[n], filled in: the first of them.
    """
    parts = 0
    is_candidate = False
    for i in range(answers.size):
        label = labels[i]
        if label == c.settings[SOLVED]:
            is_candidate = True
            part_of[i] = -1
            continue
        p = np.int64(place[label])
        a = answers[i]
        if p < 0:
            p = parts
            place[label] = p
            parts += 1
            sizes[p] = 0
            keys[p, 0] = 0
            keys[p, 1] = 0
            firsts[p] = a
        part_of[i] = p
        sizes[p] += 1
        keys[p, 0] ^= c.zobrist[a, 0]
        keys[p, 1] ^= c.zobrist[a, 1]
    for i in range(answers.size):
        place[labels[i]] = -1
    return parts, is_candidate


@njit
def distinct(c, answers, revealed, guesses, cells, rows):
    """Each distinct partition of a state once, by the first legal guess that makes it.

    Guesses that leave the same states, revealed traits included, are alike; the same ones of them
    find an answer.

    Args:
        c: context.
        answers: int32[n], the state.
        revealed: uint64[W], what is revealed.
        guesses: int32[m], what to choose from, ascending.
        cells: uint8[..., m], their patterns.
        rows: int32[n], the rows of the answers.

    Returns four arrays, a row for each partition: column, parts without ALL_GREEN, whether the
    guess is a candidate, sum of the squares of the sizes.
    """
    columns = legal_columns(c, answers, revealed, guesses)
    hashes = np.empty(columns.size, np.uint64)
    parts = np.empty(columns.size, np.int32)
    squares = np.empty(columns.size, np.int64)
    if answers.size <= MAX_PAIRED and c.settings[RULE] in (NOTHING_REVEALED, CANDIDATES):
        hash_by_pairs(cells, rows, columns, hashes, parts, squares)
    else:
        hash_by_parts(c, answers, revealed, cells, rows, guesses, columns, hashes, parts, squares)
    is_candidate = np.zeros(columns.size, np.bool_)
    for a in answers:
        own = c.guess_of_answer[a]
        column = np.searchsorted(guesses, own)
        if column < guesses.size and guesses[column] == own:
            j = np.searchsorted(columns, column)
            if j < columns.size and columns[j] == column:
                is_candidate[j] = True
                hashes[j] += mixed(np.uint64(own + 1))
                parts[j] -= 1
    mask = 63
    while mask < 2 * columns.size:
        mask = 2 * mask + 1
    slots = np.full(mask + 1, -1, np.int32)
    kept = np.empty(columns.size, np.int32)
    count = 0
    for j in range(columns.size):
        slot = np.int64(mixed(hashes[j]) >> np.uint64(20)) & mask
        while slots[slot] >= 0 and hashes[slots[slot]] != hashes[j]:
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot] = j
            kept[count] = j
            count += 1
    kept = kept[:count]
    return columns[kept], parts[kept], is_candidate[kept], squares[kept]
