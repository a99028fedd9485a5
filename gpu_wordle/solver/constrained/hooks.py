"""The hooks of the search as the constrained rules fill them.

States are looked up in lines of the legal guesses, or in the rows of the whole game. What is known
of a part comes from the table, and from counting the parts that legal guesses make.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.solver.bounds.by_size import part_limit
from gpu_wordle.solver.bounds.part_bounds import key_with_limit
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
    HEIGHT,
    KEY_0,
    KEY_1,
    LOWER,
    MARKS,
    OPEN,
    SIZE,
    TABLE_HITS,
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
    """See search/hooks.py; the columns of the answers come first in a row of the game."""
    return w.game_rows[0] + w.game_rows[1] * w.answers[t]


@inlined(INT(WORKSPACE, INT))
def answer_place(w, t):
    """See search/hooks.py."""
    return np.int64(w.answers[t])


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def has_room(w, state, marks):
    """See search/hooks.py."""
    return (
        marks.state + state.n <= w.answers.size
        and marks.column + w.guess_of_column.size <= w.guess.size
    )


@inlined(PAIR(WORKSPACE, STATE, INT))
def look_up(w, state, number):
    """See search/hooks.py; the number is that of a column of the game's matrix."""
    use_game_rows(w, state)
    return number, np.int64(w.guess_of_column[number])


@inlined(INT(WORKSPACE, STATE, INT))
def look_up_answer(w, state, j):
    """See search/hooks.py."""
    use_game_rows(w, state)
    return np.int64(w.place[w.own_guess[w.answers[state.at + j]]])


@inlined(INT(WORKSPACE, STATE, INT))
def number_of(w, state, move):
    """See search/hooks.py."""
    return np.int64(w.place[w.guess[move]])


@inlined(INT(WORKSPACE, STATE, INT))
def keep_rows(w, state, since):
    """See search/hooks.py; lines are dropped when their memory is emptied."""
    if since >= 0 and w.used[GENERATION] != since:
        line_up_again(w, state)
    return w.used[GENERATION]


@inlined(NOTHING(WORKSPACE, INT, INT, INT))
def note_refuted(w, move, guesses_left, lower):
    """See search/hooks.py; moves are not kept."""


@inlined(NOTHING(WORKSPACE, INT, INT))
def copy_answer(w, t, i):
    """See search/hooks.py; rows are set when they are needed."""
    w.answers[t] = w.answers[i]


@inlined(NOTHING(WORKSPACE, INT, STATE, INT))
def reveal(w, p, state, guess):
    """See search/hooks.py."""
    if guess < 0:
        w.revealed[p] = w.revealed[state.revealed]
    else:
        reveal_traits(w, p, state.revealed, guess, w.answers[w.parts[p, AT]])


@inlined(types.UniTuple(WORD, 2)(WORKSPACE, INT))
def key_of(w, p):
    """See search/hooks.py; what is revealed stands for the legal guesses."""
    return key_of_legal(w, p, w.answers[w.parts[p, AT]])


@inlined(STATE(WORKSPACE, STATE, INT))
def child(w, state, p):
    """See search/hooks.py."""
    return State(w.parts[p, AT], w.parts[p, SIZE], p)


@inlined(NOTHING(WORKSPACE, STATE))
def measure_all(w, state):
    """See search/hooks.py."""
    measure_in_game(w, state.at, state.n)


@inlined(INT(WORKSPACE, INT, INT, INT, INT))
def most_in_game(w, at, k, number, floor):
    """What :func:`most_legal` finds of set ``number``, in the bit slices of the whole game."""
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
    """See search/hooks.py; the limit does the work of bounds that do not hold here."""
    return part_limit(w, guesses_left, k)


@inlined(NOTHING(WORKSPACE, INT, INT))
def restrict(w, p, guesses_left):
    """See search/hooks.py; every part is under the limit from the first."""


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT, INT))
def is_lost(w, state, marks, guesses_left, missing):
    """See search/hooks.py; not looked for."""
    return False


@inlined(NOTHING(WORKSPACE, INT, INT))
def recall(w, p, guesses_left):
    """Raise the bound of part ``p`` by what the table knows of it, also with one guess more.

    The value is no less then, and the same if there is a tree that does without the guess.
    """
    part = w.parts
    key_0 = np.uint64(part[p, KEY_0])
    key_1 = np.uint64(part[p, KEY_1])
    lower, upper, height, marks = probe(w.table, key_with_limit(w, key_0, guesses_left), key_1)
    if lower < upper and guesses_left < w.terms[LINEAR] and w.terms[MAY_LOSE] == 0:
        more = probe(w.table, key_with_limit(w, key_0, guesses_left + 1), key_1)
        lower = max(lower, more[0])
        if more[0] == more[1] and more[2] <= guesses_left:
            upper, height = more[1], more[2]
        if guesses_left > NO_THIRD:
            marks |= more[3]
    if lower > 0 or lower == upper:
        w.counters[TABLE_HITS] += 1
        part[p, MARKS] = marks
        if lower == upper:
            part[p, OPEN] = 0
            part[p, HEIGHT] = height
        part[p, LOWER] = max(part[p, LOWER], lower)


@inlined(INT(WORKSPACE, STATE, INT, INT))
def count_most(w, state, p, floor):
    """See search/hooks.py."""
    return most_legal(w, w.parts[p, AT], w.parts[p, SIZE], p, floor)


@inlined(INT(WORKSPACE, STATE, INT, INT, INT, PAIR))
def look_at_overlaps(w, state, guesses_left, cutoff, total, parts):
    """See search/hooks.py; what was counted with other legal guesses bounds nothing here."""
    return total


@inlined(BOOL(WORKSPACE))
def only_candidates(w):
    """See search/hooks.py; the answers of a state are legal, and never alone."""
    return False


@inlined(BOOL(WORKSPACE, STATE, ARENA_MARKS, INT, INT, BOOL, INT))
def is_some_part_lost(w, state, marks, parts, guesses_left, thoroughly, missing):
    """See search/hooks.py; not looked for."""
    return False
