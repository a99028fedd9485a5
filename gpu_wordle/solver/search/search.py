"""The exact search: depth first, branch and bound, one core, for every rule.

A guess splits a state S of n answers into parts P, ALL_GREEN left out. It costs n plus the sum of
V(P), and the value V(S) is the least cost of any guess. A guess is refuted when n plus the sum of
lower bounds of its parts reaches the cutoff. Bounds are raised from the cheapest to the dearest;
see refute.py. Search is the last of them.

All of it is fail-soft: below the cutoff a value is exact, otherwise it is a lower bound that is at
least the cutoff. A value comes with the height of a tree that reaches it; height 0 marks a bound.
With a limit on the guesses left, a state may be INFEASIBLE, which is an exact value of height 0. A
strategy for n answers in r guesses costs at most n * r, so the cutoff need not be above that. A
greater lower bound proves the state INFEASIBLE or, where answers may be lost, that one is lost.

Where a guess is close to being refuted, its parts share the work. In rounds each is raised by a
step and expands a ration of states, both twice as large in the next round. So a family of words
that are hard to tell apart holds up nothing, and is left alone where the other parts suffice.

The rules differ in the hooks alone; see hooks.py.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.bounds.by_size import (
    after,
    least_cost,
    part_limit,
    round_down,
    round_up,
    weigh,
)
from gpu_wordle.solver.bounds.part_bounds import keep
from gpu_wordle.solver.guesses.ordering import pop_key, slot_of_key
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, PAIR
from gpu_wordle.solver.machine.templates import inlined_template, linked_template
from gpu_wordle.solver.memory.arenas import (
    ARENA_MARKS,
    ASKED,
    AT,
    BUDGET,
    EXPANDED,
    GENERATED,
    HEIGHT,
    LEFT,
    LOWER,
    OPEN,
    OVERFLOW,
    PRUNED,
    SIZE,
    STOPPED,
    ArenaMarks,
    Asked,
    Trial,
)
from gpu_wordle.solver.memory.stage_costs import MAY_LOSE
from gpu_wordle.solver.memory.table import COUNTED
from gpu_wordle.solver.search.hooks import (
    MAX_SHALLOW,
    STATE,
    WORKSPACE,
    child,
    first_limit,
    generate,
    has_room,
    is_lost,
    is_some_part_lost,
    keep_rows,
    look_up,
    note_refuted,
    restrict,
    reveal,
)
from gpu_wordle.solver.search.refute import raise_bounds
from gpu_wordle.solver.search.split import enter_part, split
from gpu_wordle.tunables import MAX_STEPPED, RATION

ANY_GUESS = np.int64(-1)
"""``forced`` if no guess is forced. A plain -1 in the recursive call would be a literal type to
numba, another signature, and a crash when loaded from the cache."""


@inlined_template(BOOL(WORKSPACE, STATE, ARENA_MARKS))
def must_stop(w, state, marks):
    """Count a frame; True if the budget is spent, a stop is asked for, or an arena is full."""
    w.counters[EXPANDED] += 1
    # A spent ration sets STOPPED just as a stop does; goes_on tells them apart.
    if w.counters[EXPANDED] > w.counters[BUDGET] or w.stop[0] != 0:
        w.counters[STOPPED] = 1
    # Machine code checks no index, so a full arena has to be noticed before it is written to.
    elif not has_room(w, state, marks):
        w.counters[OVERFLOW] = 1
        w.counters[STOPPED] = 1
    return w.counters[STOPPED] != 0


@inlined_template(BOOL(WORKSPACE, INT))
def goes_on(w, budget):
    """True if a search may go on after a part has ended; restores the budget of the search.

    A part that has only spent its ration is to be searched again.
    """
    w.counters[BUDGET] = budget
    has_stopped = w.stop[0] != 0 or w.counters[OVERFLOW] != 0
    return w.counters[STOPPED] == 0 or not (has_stopped or w.counters[EXPANDED] > budget)


@inlined_template(INT(WORKSPACE, INT, INT, INT))
def row_of_guess(w, at, n, guess):
    """Which answer of a state a guess is, or -1 if it is none."""
    answer = w.answer_of_guess[guess]
    for i in range(n):
        if w.answers[at + i] == answer:
            return i
    return -1


@inlined_template(BOOL(WORKSPACE, INT, INT))
def is_restricted(w, p, limit):
    """True if part ``p`` is searched under its limit where its value without one would do, too.

    Either that value is known, or the table has a bound under the limit. The part may be
    unwinnable, which shows whatever the goal is.
    """
    return w.parts[p, LEFT] < first_limit(w, limit, w.parts[p, SIZE])


@inlined_template(NOTHING(WORKSPACE, INT, INT, INT, INT, INT))
def settle(w, p, limit, goal, found, height):
    """Record what a search of part ``p`` has found: below the goal its value, else a lower bound.

    The value without a limit holds if the tree has no more turns than the limit of the part.
    """
    left = w.parts[p, LEFT]
    keep(w, p, left, found, found if found < goal else INFEASIBLE, height, COUNTED)
    if found < goal and left > limit and height > limit:
        restrict(w, p, limit)


@linked_template(PAIR(WORKSPACE, STATE, ARENA_MARKS, ASKED))
def search(w, state, marks, asked):
    """``(value, height)`` of a state of three answers or more, or of one guess on it.

    The arenas are free from ``marks`` on. A stopped search sets ``counters[STOPPED]`` and returns a
    lower bound that may be below the cutoff.
    """
    cutoff, guesses_left, forced, max_parts, known_lower = asked
    n = state.n
    # A stopped search returns the least cost: a lower bound that needs nothing to be finished.
    weight = weigh(w, state.at, n)
    least = least_cost(w, state.at, n, guesses_left)
    if must_stop(w, state, marks):
        return least, 0
    # r guesses cost n * r at most, so a bound above that proves INFEASIBLE for any cutoff.
    cutoff = round_down(w, weight, guesses_left, cutoff)
    if forced < 0:
        moves, waiting, max_parts, bound, state, marks = generate(
            w, state, marks, guesses_left, cutoff
        )
        bound = max(bound, known_lower)
        # Guesses that were left out cost the cutoff or more, so it bounds them all.
        floor = cutoff
        # Costs refute guesses slowly on a state that cannot be won in time, so that is asked first.
        if is_lost(w, state, marks, guesses_left, cutoff - known_lower):
            return np.int64(INFEASIBLE), 0
        # numba needs them on both branches; each move sets them.
        place = guess = self_row = np.int64(0)
    else:
        moves, waiting, bound, floor = np.int64(0), 1, 0, INFEASIBLE
        place, guess = look_up(w, state, forced)
        self_row = row_of_guess(w, state.at, n, guess)
    rows_set = keep_rows(w, state, np.int64(-1))

    best = cutoff
    best_height = 0
    guesses_after = after(guesses_left)
    while waiting > 0:
        waiting -= 1
        move = moves
        if forced < 0:
            move += slot_of_key(pop_key(w.heap, moves, waiting))
            # Guesses come by promise, not by bound: those behind this one may still cost less.
            if w.one_ply[move] >= best:
                floor = min(floor, w.one_ply[move])
                continue
            place = np.int64(w.source[move])
            guess = np.int64(w.guess[move])
            self_row = np.int64(w.self_row[move])
            # The search of a part may have emptied the memory that holds the rows.
            rows_set = keep_rows(w, state, rows_set)
        w.counters[GENERATED] += 1
        trial = Trial(place, guess, self_row, max_parts)
        total, height, parts = split(w, state, marks, trial, guesses_after, best)
        # All parts together have n answers at most.
        above = ArenaMarks(marks.state + n, marks.column, marks.part + parts, marks.byte)
        # No cost refutes a forced guess whose cutoff is above all possible costs, but one part that
        # cannot be won does. So that is asked before any part is counted.
        lacks_cutoff = forced >= 0 and best > weight * w.dearest[guesses_left]
        if (
            total < best
            and lacks_cutoff
            and is_some_part_lost(w, state, above, parts, guesses_after, True, best - total)
        ):
            total = np.int64(INFEASIBLE)
        # n and lower bounds of all parts add up to a lower bound: at any time total <= value.
        if total < best and parts > 0:
            total = raise_bounds(w, state, guesses_after, best, total, (marks.part, parts))
        # Costs refute other guesses sooner. Of those that are left, a lost part refutes some.
        if (
            total < best
            and not lacks_cutoff
            and is_some_part_lost(w, state, above, parts, guesses_after, False, best - total)
        ):
            total = np.int64(INFEASIBLE)
        # If less is missing than one more guess for each answer, most guesses fall before all
        # their parts are solved. So the parts share the work in small steps.
        is_close = best - total < w.marginal_costs[guesses_after] * weight
        # A step is one more guess for one answer of mean weight.
        step = max(1, w.marginal_costs[guesses_after] * weight // n)
        ration = np.int64(RATION)
        is_waiting = True
        while is_waiting and total < best:
            is_waiting = False
            for p in range(marks.part, marks.part + parts):  # smallest first: soonest refuted
                if total >= best:
                    break
                if w.parts[p, OPEN] == 0:
                    continue
                k = w.parts[p, SIZE]
                lower = w.parts[p, LOWER]
                limit = part_limit(w, guesses_after, k)
                left = w.parts[p, LEFT]
                # The other parts pay total - lower by now, so reaching this goal refutes.
                goal = lower + best - total
                # Below a shallow part nothing is searched, so it is cheap to search to the end.
                is_deep = left > MAX_SHALLOW
                # Large parts (timed) and parts under their limit do not repay steps: each step
                # looks at most of their guesses anew.
                is_stepped = is_close or (k < MAX_STEPPED and not is_restricted(w, p, limit))
                if is_deep and is_stepped:
                    goal = min(goal, lower + step)
                budget = w.counters[BUDGET]
                # Without a ration, words that are hard to tell apart would hold up the other parts.
                if is_deep and is_close:
                    w.counters[BUDGET] = min(budget, w.counters[EXPANDED] + ration)
                wanted = Asked(goal, np.int64(left), ANY_GUESS, max_parts, lower)
                found, found_height = search(w, child(w, state, p), above, wanted)
                if not goes_on(w, budget):
                    return least, 0
                if w.counters[STOPPED] != 0:
                    # Only the ration is spent; the table holds what the part has found by then.
                    w.counters[STOPPED] = 0
                    is_waiting = True
                    continue
                settle(w, p, limit, goal, found, found_height)
                is_waiting = is_waiting or w.parts[p, OPEN] != 0
                total += w.parts[p, LOWER] - lower
            # By doubling, all rounds so far together have had less than the next one gets.
            step *= 2
            ration *= 2
        if total >= best:
            w.counters[PRUNED] += 1
            if forced < 0:
                # The state may come back with a higher cutoff that this bound still reaches.
                note_refuted(w, move, guesses_left, total)
            # The least bound of any refuted guess bounds the state from below.
            floor = min(floor, total)
            continue
        best = total
        for p in range(marks.part, marks.part + parts):
            height = max(height, w.parts[p, HEIGHT])
        best_height = height + 1
        if best <= bound:  # no guess costs less than the least one-ply bound
            break

    if best < cutoff:
        return best, best_height
    # All guesses are refuted, each by a bound of the floor or more.
    return min(round_up(w, weight, guesses_left, floor), INFEASIBLE), 0


@linked_template(PAIR(WORKSPACE, STATE, ARENA_MARKS, INT, INT))
def value(w, state, marks, cutoff, guesses_left):
    """``(value, height)`` of a state of any size; fail-soft as search."""
    n = state.n
    if guesses_left < min(n, 2) and (guesses_left < 1 or w.terms[MAY_LOSE] == 0):
        return INFEASIBLE, 0
    if n <= 2 or guesses_left < 2:
        return least_cost(w, state.at, n, guesses_left), min(n, guesses_left)
    guesses_left = part_limit(w, guesses_left, n)
    # The state is entered as a part, so that table and counting are asked before it is searched.
    part = w.parts
    p = marks.part
    part[p, AT] = state.at
    part[p, SIZE] = n
    reveal(w, p, state, ANY_GUESS)
    enter_part(w, p, guesses_left, np.int64(PATTERNS))
    raise_bounds(w, state, guesses_left, cutoff, part[p, LOWER], (p, np.int64(1)))
    above = ArenaMarks(marks.state, marks.column, p + 1, marks.byte)
    # At most two turns: without a limit, and under the limit if that tree is too high.
    while part[p, OPEN] != 0 and part[p, LOWER] < cutoff:
        left = np.int64(part[p, LEFT])
        asked = Asked(cutoff, left, ANY_GUESS, np.int64(PATTERNS), part[p, LOWER])
        found, height = search(w, state, above, asked)
        if w.counters[STOPPED] != 0:
            break
        settle(w, p, guesses_left, cutoff, found, height)
    return part[p, LOWER], part[p, HEIGHT]


@linked_template(PAIR(WORKSPACE, STATE, ARENA_MARKS, ASKED))
def bound_guess(w, state, marks, asked):
    """Two lower bounds on a guess without search: by sizes alone, and by every stage of refute.py.

    The second is raised until it reaches the cutoff. If the first reaches it, both are equal.
    """
    place, guess = look_up(w, state, asked.forced)
    trial = Trial(place, guess, row_of_guess(w, state.at, state.n, guess), asked.max_parts)
    cutoff, guesses_after = asked.cutoff, after(asked.guesses_left)
    by_sizes, _, parts = split(w, state, marks, trial, guesses_after, cutoff)
    if parts == 0 or by_sizes >= cutoff:
        return by_sizes, by_sizes
    total = raise_bounds(w, state, guesses_after, cutoff, by_sizes, (marks.part, parts))
    return by_sizes, total


TEMPLATES = (must_stop, goes_on, row_of_guess, is_restricted, settle, search, value, bound_guess)
