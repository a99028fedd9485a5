"""Splitting a state by a guess: labels, sizes, a bound by sizes, and the parts to be searched."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.jit.cache import callee
from gpu_wordle.solver.bounds.by_size import least_cost, most_winnable, two_stage_cost
from gpu_wordle.solver.machine.signatures import INT, NOTHING
from gpu_wordle.solver.machine.simd import byte_at, prefetch
from gpu_wordle.solver.machine.templates import inlined_template, linked_template
from gpu_wordle.solver.memory.arenas import (
    ARENA_MARKS,
    AT,
    HEIGHT,
    KEY_0,
    KEY_1,
    LEFT,
    LOWER,
    MARKS,
    MINE,
    OPEN,
    SIZE,
    TRIAL,
)
from gpu_wordle.solver.memory.stage_costs import MAY_LOSE, WEIGHTED
from gpu_wordle.solver.memory.table import ENTRY_BYTES, slot_of
from gpu_wordle.solver.search.hooks import (
    STATE,
    WORKSPACE,
    copy_answer,
    first_limit,
    key_of,
    reveal,
)


@callee
def label_answers(w, at, n, trial, guesses_left):
    """Label the answers of a state by the patterns of a guess, and bound the guess by sizes.

    ``w.labels`` gets the labels, ``w.found`` those that occur, and ``w.tally`` the size of each
    part. ``guesses_left`` counts the guesses left for the parts.

    Returns ``(number, total, height)``: the number of labels, a lower bound on the value of the
    guess, and the height of parts of one or two. The bound is by the sizes of the parts, or by
    their weights.
    """
    column, _, self_row, max_parts = trial
    count = w.tally
    labels = w.labels
    found = w.found
    number = 0
    for i in range(n):
        label = byte_at(w.rows[at + i] + column)
        labels[i] = label
        # Written always and counted only if it is new: a branch here would be unpredictable.
        found[number] = label
        number += count[label] == 0
        count[label] += 1
    # Labels may be numbered anew, so ALL_GREEN is known by the row of the guess itself.
    own = np.int64(labels[self_row]) if self_row >= 0 else -1
    next_step = w.marginal_costs[guesses_left + 2]
    second = w.marginal_costs[guesses_left + 1]
    third = w.marginal_costs[guesses_left]
    may_lose = w.terms[MAY_LOSE] != 0
    # More answers than that in one part cannot all be found in time.
    winnable = (
        INFEASIBLE
        if guesses_left >= NO_LIMIT or may_lose
        else most_winnable(max_parts, guesses_left)
    )
    # Every answer pays for the guess itself.
    total = w.marginal_costs[guesses_left + 3] * n
    height = 0
    for q in range(number):
        label = np.int64(found[q])
        k = np.int64(count[label])
        if k == 1:
            if label != own:
                total += next_step
                height = max(height, 1)
        elif k == 2:
            total += 2 * next_step + second
            height = 2
        else:
            # At most one answer is found next, and one in each of at most max_parts parts after
            # that: 3k - max_parts - 1 where each guess costs one.
            total += next_step * k + second * (k - 1) + third * max(0, k - max_parts)
            height = max(height, 1)
        # One part that cannot be won in time loses the guess.
        if k > winnable or (guesses_left < 1 and label != own and not may_lose):
            total = INFEASIBLE
    if w.terms[WEIGHTED] != 0:
        weighted = weighted_cost(w, at, n, number, own, guesses_left)
        # Whether a guess is in time does not depend on weights.
        total = INFEASIBLE if total >= INFEASIBLE else weighted
    return number, min(total, INFEASIBLE), min(height, guesses_left)


@callee
def weighted_cost(w, at, n, number, own, guesses_left):
    """Least cost of a guess whose parts are labelled, by the weights of their answers.

    The next guess finds at best the heaviest answer of a part, which is the first with its label.
    """
    weight = np.int64(0)
    found_now = np.int64(0)
    found_next = np.int64(0)
    for q in range(number):
        w.start[w.found[q]] = 0
    for i in range(n):
        label = np.int64(w.labels[i])
        one = w.weight[w.answers[at + i]]
        weight += one
        if label == own:
            found_now = one
        elif w.start[label] == 0:
            w.start[label] = 1
            found_next += one
    rest = weight - found_now
    return w.marginal_costs[guesses_left + 3] * weight + two_stage_cost(
        w, guesses_left, rest, rest - found_next
    )


@callee
def drop_labels(w, number):
    """Undo the tally of :func:`label_answers`, of which ``number`` labels occur."""
    # All other entries are zero, as the whole tally is between uses.
    for q in range(number):
        w.tally[w.found[q]] = 0


@callee
def place_parts(w, number, guesses_left, top_state, top_part):
    """Give labelled parts room in the arenas, smallest first; returns how many got it.

    The labels are dropped. Parts of one or two answers need no room, nor do parts that no guess is
    left to tell apart. For each other part, ``w.parts`` gets its size and place, and ``w.start`` of
    its label gets the place. ``w.start`` of other labels is -1.
    """
    part = w.parts
    open_parts = 0
    free = top_state
    for q in range(number):
        label = np.int64(w.found[q])
        k = np.int64(w.tally[label])
        w.tally[label] = 0
        w.start[label] = -1
        if k > 2 and guesses_left > 1:
            # Insertion keeps parts in the order of their sizes, equal ones as they come.
            p = top_part + open_parts
            while p > top_part and part[p - 1, SIZE] > k:
                part[p, SIZE] = part[p - 1, SIZE]
                part[p, AT] = part[p - 1, AT]
                p -= 1
            part[p, SIZE] = k
            part[p, AT] = free
            w.start[label] = free
            free += k
            open_parts += 1
    return open_parts


@inlined_template(NOTHING(WORKSPACE, INT, INT, INT))
def enter_part(w, p, guesses_left, max_parts):
    """Set bound, key and state of part ``p`` by its answers and by what is revealed on it.

    ``guesses_left`` counts the guesses left for it, and ``max_parts`` bounds the parts that any
    legal guess makes of it.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    part[p, LOWER] = least_cost(w, at, k, guesses_left)
    if w.terms[WEIGHTED] == 0:
        part[p, LOWER] += w.marginal_costs[guesses_left] * max(0, k - max_parts)
    key_0, key_1 = key_of(w, p)
    for t in range(at, at + k):
        key_0 ^= w.zobrist[w.answers[t], 0]
        key_1 ^= w.zobrist[w.answers[t], 1]
    part[p, KEY_0] = np.int64(key_0)
    part[p, KEY_1] = np.int64(key_1)
    part[p, MINE] = 0
    part[p, HEIGHT] = 0
    part[p, MARKS] = 0
    part[p, OPEN] = 1
    part[p, LEFT] = first_limit(w, guesses_left, k)


@linked_template(types.UniTuple(INT, 3)(WORKSPACE, STATE, ARENA_MARKS, TRIAL, INT, INT))
def split(w, state, marks, trial, guesses_left, cutoff):
    """Split a state by a guess; enter its parts of three answers and more, smallest first.

    Args:
        w: workspace.
        state: the state.
        marks: first free entries of the arenas.
        trial: the guess.
        guesses_left: guesses left for the parts.
        cutoff: values of the guess from here on need not be exact.

    Returns ``(total, settled height, parts entered)``: a lower bound on the value of the guess, and
    the height of the small parts. If the total reaches the cutoff by sizes alone, no part is
    entered.
    """
    at = state.at
    n = state.n
    number, total, height = label_answers(w, at, n, trial, guesses_left)
    if total >= cutoff:
        drop_labels(w, number)
        return total, height, 0
    top_part = marks.part
    parts = place_parts(w, number, guesses_left, marks.state, top_part)
    for i in range(n):
        # In the order of the state, so that each part is heaviest first, too.
        label = np.int64(w.labels[i])
        t = w.start[label]
        if t >= 0:
            w.start[label] = t + 1
            copy_answer(w, t, at + i)
    for p in range(top_part, top_part + parts):
        reveal(w, p, state, trial.guess)
        enter_part(w, p, guesses_left, trial.max_parts)
    # The table is far larger than the caches. Its lines are asked for together, so that the
    # processor translates their addresses side by side.
    for p in range(top_part, top_part + parts):
        slot = slot_of(w.table, np.uint64(w.parts[p, KEY_0]))
        prefetch(w.table.ctypes.data + ENTRY_BYTES * slot)
    return total, height, parts


TEMPLATES = (enter_part, split)
