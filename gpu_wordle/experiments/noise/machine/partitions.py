"""Partitions of a state by guesses: parts with their keys, and each distinct partition once."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.backends.cpu.measures import Block, make_room, measuring
from gpu_wordle.experiments.noise.machine.context import (
    CANDIDATES,
    CONTEXT,
    DRAWS,
    HARD,
    MAX_PARTS,
    NOTHING_REVEALED,
    RULE,
    SOLVED,
    ULTRA_HARD,
)
from gpu_wordle.experiments.noise.machine.signatures import (
    ANSWERS,
    CELLS,
    GUESSES,
    REVEALED,
    ROWS,
)
from gpu_wordle.jit.cache import callee
from gpu_wordle.solver.machine.linking import linked
from gpu_wordle.solver.machine.signatures import INT32S, INT64S

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
PARTITIONS = types.Tuple((INT32S, INT32S, types.boolean[::1], INT64S))
"""numba's type of the result of :func:`distinct`."""

MAX_PAIRED = 24
"""Answers of the largest state whose partitions are found by pairs; at most 255."""


@callee
def mixed(word):
    """Mix a word of 64 bits; see model.mixed."""
    word = word * _GOLDEN
    return word ^ (word >> _SHIFT)


@callee
def chain_of(c, path_0, path_1):
    """Return the two words by which the path changes the keys of parts.

    They make draws depend on the path, if visits have draws of their own. Both are 0 if each state
    has one draw.
    """
    if c.settings[DRAWS] == 0:
        return np.uint64(0), np.uint64(0)
    return mixed(path_0), mixed(path_1)


@callee
def revealed_key(revealed):
    """Return a key of what is revealed; 0 if nothing is."""
    key = np.uint64(0)
    for k in range(revealed.size):
        if revealed[k] != 0:
            key ^= mixed(revealed[k] + np.uint64(k + 1))
    return key


@callee
def reveal(c, revealed, guess, answer, into):
    """Write what a guess reveals if ``answer`` may be hidden, with all earlier, into uint64[W]."""
    rule = c.settings[RULE]
    own = c.guess_of_answer[answer]
    for k in range(into.size):
        into[k] = revealed[k]
        if rule == HARD:
            into[k] |= c.traits[guess, k] & c.traits[own, k]
        elif rule == ULTRA_HARD:
            into[k] |= c.traits[guess, k]


@callee
def legal_columns(c, answers, revealed, guesses):
    """Return the indices of the guesses that the rule allows on a state, ascending."""
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


@measuring
def _describe(sums, i, cells, earlier, first):
    """Add one answer to hash, parts and sum of squares; labels are first answers."""
    hashes, parts, squares = sums
    for k in range(parts.size):
        hashes[k] += (np.uint64(first[k]) + np.uint64(1)) * mixed(np.uint64(i + 1))
        parts[k] += np.int32(earlier[k] == 0)
        squares[k] += 2 * np.int64(earlier[k]) + 1


@callee
def describe(cells, rows, columns, into):
    """Write hash, parts and sum of squares of the partitions by columns, if nothing is revealed.

    Args:
        cells: uint8[..., ...], patterns: a row for each answer, a column for each guess.
        rows: int32[n], the rows of the state.
        columns: int32[m], the columns.
        into: hashes, uint64[m]; parts, int32[m], where ALL_GREEN counts too; squares, int64[m].
    """
    hashes, parts, squares = into
    hashes[:] = 0
    parts[:] = 0
    squares[:] = 0
    room = make_room(cells, MAX_PARTS, rows.size, MAX_PAIRED, np.uint32)
    for start in range(0, columns.size, room.width):
        stop = min(start + room.width, columns.size)
        sums = hashes[start:stop], parts[start:stop], squares[start:stop]
        _describe(Block(cells, rows, columns, start, stop - start), room, sums)


@callee
def describe_revealing(c, answers, revealed, choice, columns, into):
    """Do as :func:`describe`, if guesses of one partition may reveal different traits."""
    guesses, cells, rows = choice
    hashes, parts, squares = into
    n = rows.size
    labels = np.empty(n, np.uint8)
    place = np.full(MAX_PARTS, -1, np.int16)
    part_of = np.empty(n, np.int16)
    sizes = np.empty(n, np.int64)
    keys = np.empty((n, 2), np.uint64)
    firsts = np.empty(n, np.int32)
    after = np.empty_like(revealed)
    for j in range(columns.size):
        labels_of(cells, rows, columns[j], labels)
        made, is_candidate = partition(c, answers, labels, place, part_of, sizes, keys, firsts)
        total = np.uint64(0)
        square = np.int64(is_candidate)
        for p in range(made):
            reveal(c, revealed, guesses[columns[j]], firsts[p], after)
            total += mixed(keys[p, 0] ^ revealed_key(after))
            square += sizes[p] * sizes[p]
        hashes[j] = total
        parts[j] = made + np.int64(is_candidate)
        squares[j] = square


@callee
def labels_of(cells, rows, column, labels):
    """Write the patterns of a guess, a column, on the answers of a state into uint8[n]."""
    for i in range(rows.size):
        labels[i] = cells[rows[i], column]


@callee
def partition(c, answers, labels, place, part_of, sizes, keys, firsts):
    """Split a state by a guess. Returns the number of parts without ALL_GREEN, and if that occurs.

    Args:
        c: context.
        answers: int32[n], the state.
        labels: uint8[n], their patterns.
        place: int16[256], scratch; all -1 before and after.
        part_of: int16[n], output: the part of each answer, -1 for the one that is found.
        sizes: int64[n], output: answers of each part.
        keys: uint64[n, 2], output: the key of each part.
        firsts: int32[n], output: the first answer of each part.
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


@linked(PARTITIONS(CONTEXT, ANSWERS, REVEALED, GUESSES, CELLS, ROWS))
def distinct(c, answers, revealed, guesses, cells, rows):
    """Return each distinct partition of a state once, by the first legal guess that makes it.

    Guesses with equal parts, revealed traits included, are equal in all lanes. They also find the
    same answer, if any.

    Args:
        c: context.
        answers: int32[n], the state.
        revealed: uint64[W], what is revealed.
        guesses: int32[m], the guesses to choose from, ascending.
        cells: uint8[..., m], their patterns.
        rows: int32[n], the rows of the answers.

    Returns four arrays, a row for each partition: column, ascending; parts without ALL_GREEN;
    whether the guess is a candidate; sum of the squares of the sizes.
    """
    columns = legal_columns(c, answers, revealed, guesses)
    hashes = np.empty(columns.size, np.uint64)
    parts = np.empty(columns.size, np.int32)
    squares = np.empty(columns.size, np.int64)
    if c.settings[RULE] in (NOTHING_REVEALED, CANDIDATES):
        describe(cells, rows, columns, (hashes, parts, squares))
    else:
        choice, into = (guesses, cells, rows), (hashes, parts, squares)
        describe_revealing(c, answers, revealed, choice, columns, into)
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
    count = 0
    for j in range(columns.size):
        slot = np.int64(mixed(hashes[j]) >> np.uint64(20)) & mask
        while slots[slot] >= 0 and hashes[slots[slot]] != hashes[j]:
            slot = (slot + 1) & mask
        if slots[slot] < 0:
            slots[slot] = count
            hashes[count], columns[count] = hashes[j], columns[j]
            parts[count], squares[count] = parts[j], squares[j]
            is_candidate[count] = is_candidate[j]
            count += 1
    return columns[:count], parts[:count], is_candidate[:count], squares[:count]
