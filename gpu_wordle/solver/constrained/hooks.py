"""The hooks of the search under the constrained rules.

States are looked up in lines of the legal guesses, or in the rows of the whole game. A part is
bounded by the table, and by counting the parts that legal guesses make.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.bounds.by_size import part_limit
from gpu_wordle.solver.bounds.part_bounds import key_with_limit, learn
from gpu_wordle.solver.constrained.generate import line_up_again, measure_in_game
from gpu_wordle.solver.constrained.legal import key_of_legal, line_up, set_of_state
from gpu_wordle.solver.constrained.legal import reveal as reveal_traits
from gpu_wordle.solver.constrained.workspace import GENERATION, STATE, WORKSPACE, State
from gpu_wordle.solver.counting.pairwise import repetitions
from gpu_wordle.solver.counting.sliced import most_parts_sliced
from gpu_wordle.solver.machine.layout import Columns, Rows
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, PAIR, WORD
from gpu_wordle.solver.machine.simd import LANES, least_lane
from gpu_wordle.solver.memory.arenas import (
    ARENA_MARKS,
    AT,
    KEY_0,
    KEY_1,
    SIZE,
)
from gpu_wordle.solver.memory.stage_costs import LINEAR, MAY_LOSE, NO_THIRD
from gpu_wordle.solver.memory.table import probe
from gpu_wordle.tunables import PAIR_CYCLES


@inlined(NOTHING(WORKSPACE, STATE))
def use_game_rows(w, state):
    """Set the rows of a state to the patterns of all guesses, in the game's own matrix."""
    for t in range(state.at, state.at + state.n):
        w.rows[t] = w.game_rows[0] + w.game_rows[1] * w.answers[t] + w.game_rows[2]


@inlined(INT(WORKSPACE, INT))
def answer_row(w, t):
    """Address of the game's row of answer t, which begins with all answers as guesses."""
    return w.game_rows[0] + w.game_rows[1] * w.answers[t]


@inlined(INT(WORKSPACE, INT))
def answer_place(w, t):
    """Offset of answer t, as a guess, in a row of the game."""
    return np.int64(w.answers[t])


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def has_room(w, state, marks):
    """True if the arenas have room for the guesses of a state and for its parts."""
    return (
        marks.state + state.n <= w.answers.size
        and marks.column + w.guess_of_column.size <= w.guess.size
    )


@inlined(PAIR(WORKSPACE, STATE, INT))
def look_up(w, state, number):
    """``(place, guess)`` of column ``number`` of the game's matrix; sets the rows to the game's."""
    use_game_rows(w, state)
    return number, np.int64(w.guess_of_column[number])


@inlined(INT(WORKSPACE, STATE, INT))
def look_up_answer(w, state, j):
    """The place of answer j of the state as a guess; sets the rows to the game's."""
    use_game_rows(w, state)
    return np.int64(w.place[w.own_guess[w.answers[state.at + j]]])


@inlined(INT(WORKSPACE, STATE, INT))
def number_of(w, state, move):
    """The column of the game's matrix that holds the guess of a move."""
    return np.int64(w.place[w.guess[move]])


@inlined(INT(WORKSPACE, STATE, INT))
def keep_rows(w, state, since):
    """Set the rows again if the memory of lines has been emptied since then; the time now."""
    if since >= 0 and w.used[GENERATION] != since:
        line_up_again(w, state)
    return w.used[GENERATION]


@inlined(NOTHING(WORKSPACE, INT, INT, INT))
def note_refuted(w, move, guesses_left, lower):
    """Nothing is remembered: moves are listed anew each time."""


@inlined(NOTHING(WORKSPACE, INT, INT))
def copy_answer(w, t, i):
    """Copy answer i of the arena of states to place t; rows are set when they are needed."""
    w.answers[t] = w.answers[i]


@inlined(NOTHING(WORKSPACE, INT, STATE, INT))
def reveal(w, p, state, guess):
    """Set what is revealed on part p of a state after a guess; guess -1 adds nothing."""
    if guess < 0:
        for trait in range(w.revealed.shape[1]):
            w.revealed[p, trait] = w.revealed[state.revealed, trait]
    else:
        reveal_traits(w, p, state.revealed, guess, w.answers[w.parts[p, AT]])


@inlined(types.UniTuple(WORD, 2)(WORKSPACE, INT))
def key_of(w, p):
    """The two words that stand for the legal guesses of part p in its key."""
    return key_of_legal(w, p, w.answers[w.parts[p, AT]])


@inlined(STATE(WORKSPACE, STATE, INT))
def child(w, state, p):
    """Part p of a state, with what is revealed on it."""
    return State(w.parts[p, AT], w.parts[p, SIZE], p)


@inlined(NOTHING(WORKSPACE, STATE))
def measure_all(w, state):
    """Set ``w.column_parts`` and ``w.column_pairs`` of all guesses on a state."""
    measure_in_game(w, state.at, state.n)


@inlined(INT(WORKSPACE, INT, INT, INT, INT))
def most_in_game(w, at, k, number, floor):
    """The result of :func:`most_legal` for set ``number``, by the bit slices of the whole game."""
    # The slices hold all guesses; the mask leaves out those that are not legal.
    w.legal[:] = 0
    begin = w.set_columns[number]
    for column in w.columns[begin : begin + w.set_sizes[number]]:
        w.legal[column >> 6] |= np.uint64(1) << np.uint64(column & 63)
    for i in range(k):
        w.line[i] = w.game_rows[0] + w.game_rows[1] * w.answers[at + i]
    rows = Rows(w.line, np.int64(0), k)
    columns = Columns(w.game_rows[2], w.guess_of_column.size, w.ceiling, np.int64(0))
    scratch = w.slices, w.seen
    return most_parts_sliced(rows, columns, floor, scratch, w.legal.ctypes.data)


@linked(INT(WORKSPACE, INT, INT, INT, INT))
def most_legal(w, at, k, revealed, floor):
    """``max(floor, most parts that a legal guess makes of a state)``, k at most MAX_COUNTABLE."""
    number = set_of_state(w, at, k, revealed)
    size = np.int64(w.set_sizes[number])
    # Slices take time for every guess, and pairs for the legal ones: the cheaper estimate wins.
    if PAIR_CYCLES * k * size > w.slice_cost[0] * w.guess_of_column.size:
        return most_in_game(w, at, k, number, floor)
    line_up(w, at, k, number)
    best = floor
    for start in range(0, size, LANES):
        if best == k:
            break
        least = least_lane(repetitions(w.line, 0, k, start, k - best - 1))
        best = max(best, k - least)
    return best


@inlined(INT(WORKSPACE, INT, INT))
def first_limit(w, guesses_left, k):
    """The limit: it does the work of bounds that do not hold under these rules."""
    return part_limit(w, guesses_left, k)


@inlined(NOTHING(WORKSPACE, INT, INT))
def restrict(w, p, guesses_left):
    """Nothing is to be done: every part is under the limit from the first."""


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT, INT))
def is_lost(w, state, marks, guesses_left, missing):
    """False: no proof is tried under these rules."""
    return False


@inlined(NOTHING(WORKSPACE, INT, INT))
def recall(w, p, guesses_left):
    """Raise the bound of part ``p`` by its entries with these guesses left, and with one more.

    With one guess more the value is no greater, and the same if its tree does without that guess.
    """
    part = w.parts
    key_0 = np.uint64(part[p, KEY_0])
    key_1 = np.uint64(part[p, KEY_1])
    lower, upper, height, marks = probe(w.table, key_with_limit(w, key_0, guesses_left), key_1)
    if lower < upper and guesses_left < w.terms[LINEAR] and w.terms[MAY_LOSE] == 0:
        # Each guess left more can only lower the value, so that bound holds here, too.
        more = probe(w.table, key_with_limit(w, key_0, guesses_left + 1), key_1)
        lower = max(lower, more[0])
        if more[0] == more[1] and more[2] <= guesses_left:
            upper, height = more[1], more[2]
        if guesses_left > NO_THIRD:
            marks |= more[3]
    learn(w, p, lower, upper, height, marks)


@inlined(INT(WORKSPACE, STATE, INT, INT))
def count_most(w, state, p, floor):
    """``max(floor, most parts that a legal guess makes of part p)``."""
    return most_legal(w, w.parts[p, AT], w.parts[p, SIZE], p, floor)


@inlined(INT(WORKSPACE, STATE, INT, INT, INT, PAIR))
def look_at_overlaps(w, state, guesses_left, cutoff, total, parts):
    """The total as it is: what was counted with other legal guesses bounds nothing here."""
    return total


@inlined(BOOL(WORKSPACE))
def only_candidates(w):
    """False: the answers of a state are legal, and never alone."""
    return False


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT, INT, BOOL, INT))
def is_some_part_lost(w, state, marks, parts, guesses_left, thoroughly, missing):
    """False: no proof is tried under these rules."""
    return False
