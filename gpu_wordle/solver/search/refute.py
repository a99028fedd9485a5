"""Raising the bounds of a guess's parts without search, until the guess is refuted.

The stages, cheapest first:

- the sizes of the parts (split.py);
- the entries of the parts in the table;
- states that were counted before;
- the answers of each part, as guesses on it;
- for each part, the most parts that any legal guess makes of it.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver.bounds.by_size import part_limit
from gpu_wordle.solver.bounds.part_bounds import bound_by_candidates, bound_by_count, floor_of_count
from gpu_wordle.solver.counting.pairwise import MAX_COUNTABLE, most_in_square
from gpu_wordle.solver.machine.signatures import INT, NOTHING, PAIR
from gpu_wordle.solver.machine.simd import LANES, byte_at, splat, store, store_byte
from gpu_wordle.solver.machine.templates import inlined_template, linked_template
from gpu_wordle.solver.memory.arenas import AT, LEFT, LOWER, MARKS, OPEN, SIZE
from gpu_wordle.solver.memory.table import COUNTED
from gpu_wordle.solver.search.hooks import (
    STATE,
    WORKSPACE,
    answer_place,
    answer_row,
    count_most,
    look_at_overlaps,
    only_candidates,
    recall,
)
from gpu_wordle.tunables import MAX_OWN, MAX_PAIRWISE, MAX_SMALL


@inlined_template(INT(WORKSPACE, INT, INT))
def best_candidate(w, at, k):
    """The most parts that any of k answers makes as a guess on them, k at most MAX_PAIRWISE.

    The patterns of the state's answers among themselves are gathered into one or two vectors a row.
    """
    square = w.square_rows
    empty = splat(0)
    for i in range(k):
        row = square[i]
        # Zeros beyond the k answers make a single part, so they never raise the maximum.
        store(row, empty)
        if k > LANES:
            store(row + LANES, empty)
        old = answer_row(w, at + i)
        for j in range(k):
            store_byte(row + j, byte_at(old + answer_place(w, at + j)))
    return most_in_square(square, k)


@linked_template(NOTHING(WORKSPACE, INT, INT))
def try_candidates(w, p, guesses_left):
    """Raise the bound of part ``p`` by its own answers as guesses; see part_bounds.py."""
    max_parts = best_candidate(w, w.parts[p, AT], w.parts[p, SIZE])
    bound_by_candidates(w, p, guesses_left, max_parts, only_candidates(w))


@linked_template(NOTHING(WORKSPACE, STATE, INT, INT, INT))
def count_part(w, state, p, need, guesses_left):
    """Raise the bound of part ``p`` by counting parts, to ``need`` or as far as counting can."""
    # A guess of no more parts than the floor costs need or more, or no less than the best
    # candidate. So how many fewer it makes is of no matter.
    floor = floor_of_count(w, p, guesses_left, need)
    bound_by_count(w, p, guesses_left, count_most(w, state, p, floor), floor)


@linked_template(INT(WORKSPACE, STATE, INT, INT, INT, PAIR))
def raise_bounds(w, state, guesses_left, cutoff, total, parts):
    """Raise the bounds of parts without search until the guess is refuted; returns the new total.

    ``parts`` are the first part and their number.

    After the table and the overlaps, small parts try their own answers as guesses, which is cheap.
    Then parts are counted in the order of what that yields for its time: from the middle sizes
    down, then up.
    """
    part = w.parts
    first, number = parts
    for p in range(first, first + number):
        before = part[p, LOWER]
        recall(w, p, part_limit(w, guesses_left, part[p, SIZE]))
        total += part[p, LOWER] - before
    total = look_at_overlaps(w, state, guesses_left, cutoff, total, parts)
    for stage in range(3):
        for q in range(number):
            if total >= cutoff:
                break
            p = first + (number - 1 - q if stage == 1 else q)
            k = part[p, SIZE]
            # A part that was counted has its one-ply bound already.
            if part[p, OPEN] == 0 or part[p, MARKS] & COUNTED:
                continue
            if k > (MAX_SMALL, MAX_OWN, MAX_COUNTABLE)[stage]:
                continue
            # On a large part counting is dear; without a cutoff it could not refute the guess.
            if k > MAX_PAIRWISE and cutoff >= INFEASIBLE:
                continue
            before = part[p, LOWER]
            # With this bound the part refutes the guess alone, so counting stops there.
            need = before + cutoff - total
            limit = part[p, LEFT]
            if stage == 0 or MAX_SMALL < k <= MAX_OWN:
                try_candidates(w, p, limit)
            if stage > 0 and part[p, OPEN] != 0 and part[p, MARKS] & COUNTED == 0:
                count_part(w, state, p, need, limit)
            total += part[p, LOWER] - before
    return min(total, INFEASIBLE)


TEMPLATES = (best_candidate, try_candidates, count_part, raise_bounds)
