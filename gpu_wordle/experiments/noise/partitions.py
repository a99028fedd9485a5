"""What guesses make of a state: its parts by their keys, and each distinct partition once."""

# mypy: disable-error-code="no-untyped-def, no-untyped-call"

from __future__ import annotations

import numpy as np
from numba import njit

from gpu_wordle.experiments.noise.context import (
    CANDIDATES,
    HARD,
    MAX_PARTS,
    NOTHING_REVEALED,
    RULE,
    SOLVED,
    ULTRA_HARD,
)

_GOLDEN = np.uint64(0x9E3779B97F4A7C15)
_SHIFT = np.uint64(29)
BLOCK = 64
"""Guesses whose patterns are copied together, so that rows of the matrix are read in lines."""


@njit
def mixed(word):
    """A word of 64 bits stirred; see model.mixed."""
    word = word * _GOLDEN
    return word ^ (word >> _SHIFT)


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
def legal_guesses(c, answers, revealed, guesses):
    """Those of the guesses that the rule allows on a state, in their order."""
    rule = c.settings[RULE]
    if rule == NOTHING_REVEALED:
        return guesses
    kept = np.empty(guesses.size, np.int32)
    count = 0
    own = c.guess_of_answer[answers[0]]
    for g in guesses:
        is_legal = True
        if rule == CANDIDATES:
            answer = c.answer_of_guess[g]
            place = np.searchsorted(answers, answer)
            is_legal = place < answers.size and answers[place] == answer
        else:
            for k in range(revealed.size):
                if (c.traits[g, k] ^ c.traits[own, k]) & revealed[k] != 0:
                    is_legal = False
        if is_legal:
            kept[count] = g
            count += 1
    return kept[:count]


@njit
def labels_of(c, answers, guesses):
    """Patterns of guesses, a row for each, uint8[guesses, n]."""
    labels = np.empty((guesses.size, answers.size), np.uint8)
    for start in range(0, guesses.size, BLOCK):
        stop = min(start + BLOCK, guesses.size)
        for i in range(answers.size):
            row = c.patterns[answers[i]]
            for j in range(start, stop):
                labels[j, i] = row[guesses[j]]
    return labels


@njit
def split(c, answers, labels, place, part_of, sizes, keys, firsts):
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
def distinct(c, answers, revealed, guesses):
    """Each distinct partition of a state once, by the first legal guess that makes it.

    Guesses that leave the same states, revealed traits included, are alike; the same ones of them
    find an answer. Returns five arrays, a row for each: guess, labels, parts, whether it is a
    candidate, sum of the squares of the sizes.
    """
    legal = legal_guesses(c, answers, revealed, guesses)
    labels = labels_of(c, answers, legal)
    n = answers.size
    mask = 63
    while mask < 2 * legal.size:
        mask = 2 * mask + 1
    slots = np.full(mask + 1, -1, np.int32)
    hashes = np.empty(legal.size, np.uint64)
    kept = np.empty(legal.size, np.int32)
    parts = np.empty(legal.size, np.int32)
    is_candidate = np.empty(legal.size, np.bool_)
    squares = np.empty(legal.size, np.int64)
    place = np.full(MAX_PARTS, -1, np.int16)
    part_of = np.empty(n, np.int16)
    sizes = np.empty(n, np.int64)
    keys = np.empty((n, 2), np.uint64)
    firsts = np.empty(n, np.int32)
    after = np.empty_like(revealed)
    reveals = c.settings[RULE] == HARD or c.settings[RULE] == ULTRA_HARD
    count = 0
    for j in range(legal.size):
        made, mine = split(c, answers, labels[j], place, part_of, sizes, keys, firsts)
        total = np.uint64(0)
        square = 0
        for p in range(made):
            key = keys[p, 0]
            if reveals:
                reveal(c, revealed, legal[j], firsts[p], after)
                key ^= revealed_key(after)
            total += mixed(key)
            square += sizes[p] * sizes[p]
        slot = np.int64(mixed(total) >> np.uint64(20)) & mask
        while slots[slot] >= 0 and hashes[slots[slot]] != total:
            slot = (slot + 1) & mask
        if slots[slot] >= 0:
            continue
        slots[slot] = count
        hashes[count] = total
        kept[count] = j
        parts[count] = made
        is_candidate[count] = mine
        squares[count] = square
        count += 1
    kept = kept[:count]
    return legal[kept], labels[kept], parts[:count], is_candidate[:count], squares[:count]
