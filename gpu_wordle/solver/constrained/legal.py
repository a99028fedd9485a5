"""What a guess reveals, the key of that, and the legal guesses, kept with their patterns.

No list of guesses is filtered to look a state up: what is revealed stands for the legal guesses.
Where they are needed, they are the intersection of a few sets of columns. Some thousands of such
sets occur for an opener, and dozens of parts ask for each. So a set is kept with the list of its
columns, and with the patterns of its guesses side by side. There is a *line* for each answer, made
when it is first asked for. When the memory is full, everything is dropped.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.constrained.workspace import COLUMNS, GENERATION, LINES, SETS, WORKSPACE
from gpu_wordle.solver.machine.bitslice import lowest_bit
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, NOTHING, WORD
from gpu_wordle.solver.machine.simd import LANES, byte_at, store_byte

_ONE = np.uint64(1)
_SHIFT = np.uint64(29)
_TURN = np.uint64(32)
_MIX_0 = np.uint64(0xBF58476D1CE4E5B9)
_MIX_1 = np.uint64(0x94D049BB133111EB)


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT))
def reveal(w, into, before, guess, answer):
    """Set row ``into`` to what row ``before`` revealed and what ``guess`` adds on ``answer``."""
    own = w.own_guess[answer]
    for j in range(w.traits.shape[1]):
        # By the rule, a guess reveals its traits that the answer has, or all of its traits.
        shown = w.traits[guess, j] & (w.traits[own, j] | w.reveals_all[0])
        w.revealed[into, j] = w.revealed[before, j] | shown


@inlined(types.UniTuple(WORD, 2)(WORKSPACE, INT, INT))
def key_of_legal(w, row, answer):
    """128 bits that stand for the guesses that agree with ``answer`` on what is revealed.

    Multiplications and shifts mix in which revealed traits the answer has; SplitMix64 does
    likewise.
    """
    own = w.own_guess[answer]
    key_0 = np.uint64(0)
    key_1 = np.uint64(0)
    for j in range(w.traits.shape[1]):
        revealed = w.revealed[row, j]
        key_0 = (key_0 ^ revealed) * _MIX_0
        key_0 ^= key_0 >> _SHIFT
        key_1 = (key_1 + (w.traits[own, j] & revealed)) * _MIX_1
        key_1 ^= key_1 >> _TURN
        key_1 += key_0
    return key_0 * _MIX_1, key_1 * _MIX_0


@inlined(INT(WORKSPACE, INT, INT, INT))
def list_legal(w, revealed, answer, into):
    """List the legal columns, ascending, at ``w.columns[into:]``; returns their number."""
    own = w.own_guess[answer]
    number = 0
    for j in range(w.traits.shape[1]):
        waiting = w.revealed[revealed, j]
        while waiting != 0:
            bit = lowest_bit(waiting)
            waiting &= waiting - _ONE
            has = (w.traits[own, j] >> np.uint64(bit)) & _ONE
            w.wanted[number] = 64 * j + bit
            w.flip[number] = has - _ONE  # all bits if the answer has it not
            number += 1
    guesses = w.guess_of_column.size
    listed = 0
    for t in range(w.holders.shape[1]):
        agree = ~np.uint64(0)
        if guesses - 64 * t < 64:
            agree = (_ONE << np.uint64(guesses - 64 * t)) - _ONE
        for q in range(number):
            # A guess is legal if it has just those revealed traits that the answer has: 64 guesses
            # a step.
            agree &= w.holders[w.wanted[q], t] ^ w.flip[q]
        while agree != 0:
            w.columns[into + listed] = 64 * t + lowest_bit(agree)
            listed += 1
            agree &= agree - _ONE
    return listed


@inlined(INT(WORKSPACE, INT, INT))
def set_of_legal(w, revealed, answer):
    """Number of the set of the guesses that agree with ``answer``; a new set is listed first."""
    key_0, key_1 = key_of_legal(w, revealed, answer)
    mask = w.set_slots.size - 1
    t = np.int64(key_0 >> _TURN) & mask
    while w.set_slots[t] != 0:
        number = np.int64(w.set_slots[t]) - 1
        if w.set_keys[number, 0] == key_0 and w.set_keys[number, 1] == key_1:
            return number
        t = (t + 1) & mask
    number = w.used[SETS]
    begin = w.used[COLUMNS]
    w.used[SETS] += 1
    w.set_slots[t] = number + 1
    w.set_keys[number, 0] = key_0
    w.set_keys[number, 1] = key_1
    w.set_columns[number] = begin
    w.set_sizes[number] = list_legal(w, revealed, answer, begin)
    w.used[COLUMNS] += w.set_sizes[number]
    w.places[number] = 0
    return number


@inlined(INT(WORKSPACE, INT, INT, INT))
def set_of_state(w, at, n, revealed):
    """Number of the set of the legal guesses of a state, with room for its lines.

    If there may be too little room, all sets and lines are dropped first.
    """
    needed = n * ((w.guess_of_column.size + LANES - 1) // LANES + 1)
    if (
        w.used[SETS] == w.set_sizes.size
        or w.used[COLUMNS] + w.guess_of_column.size > w.columns.size
        or (w.used[LINES] + needed + 1) * LANES > w.lines[1]
    ):
        w.set_slots[:] = 0
        w.used[SETS] = 0
        w.used[COLUMNS] = 0
        w.used[LINES] = 0
        # Rows that point to dropped lines are set again by this count; see keep_rows.
        w.used[GENERATION] += 1
    return set_of_legal(w, revealed, w.answers[at])


@linked(NOTHING(WORKSPACE, INT, INT, INT))
def line_up(w, at, n, number):
    """Set ``w.line[:n]`` to the lines of a state; lines that are missing are made.

    ``number`` is that of the set of its legal guesses, from set_of_state.

    Line i holds, from address ``w.line[i]`` on, the patterns of the legal guesses on answer i of
    the state, and zeros up to a whole vector. Lines are valid until the memory is emptied, which
    ``w.used[GENERATION]`` counts.
    """
    size = np.int64(w.set_sizes[number])
    begin = w.set_columns[number]
    whole = size == w.guess_of_column.size
    for i in range(n):
        answer = np.int64(w.answers[at + i])
        row = w.game_rows[0] + w.game_rows[1] * answer + w.game_rows[2]
        if whole:
            # If all guesses are legal, the row of the game is the line.
            w.line[i] = row
            continue
        place = np.int64(w.places[number, answer])
        if place == 0:
            place = w.used[LINES] + 1
            w.places[number, answer] = place
            line = w.lines[0] + place * LANES
            for c in range(size):
                store_byte(line + c, byte_at(row + w.columns[begin + c]))
            end = (size + LANES - 1) // LANES
            for c in range(size, end * LANES):
                store_byte(line + c, 0)
            w.used[LINES] += end
        w.line[i] = w.lines[0] + place * LANES
