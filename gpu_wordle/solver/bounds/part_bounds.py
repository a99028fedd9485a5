"""Lower bounds and values of a part by the parts that guesses make of it.

The functions take the workspace of either search.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.jit.cache import callee
from gpu_wordle.solver.bounds.by_size import (
    late_cost,
    least_cost,
    most_refuted,
    round_up,
    two_stage_cost,
    weigh,
)
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.linking import linked
from gpu_wordle.solver.machine.signatures import INT, INT32S, INT64S, PAIR, UINT64S
from gpu_wordle.solver.machine.simd import byte_at
from gpu_wordle.solver.memory.arenas import (
    AT,
    HEIGHT,
    KEY_0,
    KEY_1,
    LOWER,
    MARKS,
    MINE,
    OPEN,
    OWN,
    SIZE,
    TABLE_HITS,
)
from gpu_wordle.solver.memory.stage_costs import MAY_LOSE, NO_THIRD, SHIFT, WEIGHTED
from gpu_wordle.solver.memory.table import COUNTED, limited_key, record


@callee
def key_with_limit(w, key_0, guesses_left):
    """First key word of a state with ``guesses_left`` guesses left, under the limit of the game.

    Without a limit the word stays as it is.
    """
    if guesses_left >= NO_LIMIT:
        return key_0
    return limited_key(key_0, guesses_left + w.terms[SHIFT] * NO_LIMIT)


@callee
def learn(w, p, lower, upper, height, marks):
    """Raise the bound of part ``p`` by an entry of the table."""
    part = w.parts
    # A state without an entry has lower 0; but where turns cost nothing, 0 may be a value.
    if lower > 0 or lower == upper:
        w.counters[TABLE_HITS] += 1
        part[p, MARKS] = marks
        if lower == upper:
            part[p, OPEN] = 0
            part[p, HEIGHT] = height
        part[p, LOWER] = max(part[p, LOWER], lower)


@callee
def keep(w, p, guesses_left, lower, upper, height, marks):
    """Raise the bound of part ``p`` to ``lower``, and enter it in the table."""
    part = w.parts
    if guesses_left < NO_LIMIT:
        weight = weigh(w, part[p, AT], part[p, SIZE])
        # Some values are impossible where answers may be lost; a bound among them rises.
        lower = round_up(w, weight, guesses_left, lower)
    if lower >= INFEASIBLE:
        lower = np.int64(INFEASIBLE)
        upper = np.int64(INFEASIBLE)
        height = np.int64(0)
    part[p, LOWER] = max(part[p, LOWER], lower)
    part[p, MARKS] = marks
    if lower == upper:
        part[p, OPEN] = 0
        part[p, HEIGHT] = height
    record(
        w.table,
        key_with_limit(w, np.uint64(part[p, KEY_0]), guesses_left),
        np.uint64(part[p, KEY_1]),
        part[p, SIZE],
        part[p, LOWER],
        upper,
        height,
        marks,
    )


@linked(PAIR(INT64S, INT32S, INT64S, UINT64S, INT, INT, INT, INT, INT))
def best_by_weight(weight, answers, rows, seen, at, k, now, second, third):
    """The least one-ply bound of a state's answers as guesses, of different weights.

    Byte j of row i is the pattern of answer i if answer j is guessed. ``seen`` is scratch,
    uint64[PATTERNS + 1]. Returns ``(bound, height)``: if the guess leaves no more than pairs
    together the bound is exact, and the height that of its tree; otherwise the height is 0.
    """
    total = 0
    for i in range(k):
        total += weight[answers[at + i]]
    best = np.int64(INFEASIBLE)
    best_height = 0
    for j in range(k):
        first = seen[PATTERNS] + np.uint64(1)  # seen once before, and twice
        seen[PATTERNS] += np.uint64(2)
        late = 0
        height = 2
        for i in range(k):
            label = byte_at(rows[i] + j)
            if seen[label] < first:
                seen[label] = first
            else:
                height = 3 if seen[label] == first and height > 0 else 0
                seen[label] = first + np.uint64(1)
                # Answers come heaviest first, so all but the heaviest of each part are late.
                late += weight[answers[at + i]]
        bound = now * total + second * (total - weight[answers[at + j]]) + third * late
        is_lower = height > 0 and (best_height == 0 or height < best_height)
        if bound < best or (bound == best and is_lower):
            best = bound
            best_height = height
    return best, best_height


@callee
def bound_by_candidates(w, p, guesses_left, mine, only):
    """Bound part ``p`` by its own answers as guesses, of which the best makes ``mine`` parts.

    A candidate that leaves no more than pairs together has the value of its bound. That is the
    value of the part if no other candidate costs less, nor a complete split by another guess.

    Args:
        w: workspace; ``w.square_rows`` hold the patterns of the answers among themselves.
        p: the part.
        guesses_left: guesses left for it.
        mine: the most parts that any of its answers makes.
        only: whether no other guesses are legal.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    weight = weigh(w, at, k)
    own = least_cost(w, at, k, guesses_left) + late_cost(w, at + k, k - mine, guesses_left)
    height = 2 + k - mine if mine >= k - 1 else 0
    if w.terms[WEIGHTED] != 0 and own < INFEASIBLE:
        # By weight, the candidate of most parts need not be the best one: each is looked at.
        own, height = best_by_weight(
            w.weight, w.answers, w.square_rows, w.seen, at, k,
            w.marginal_costs[guesses_left + 2], w.marginal_costs[guesses_left + 1],
            w.marginal_costs[guesses_left],
        )  # fmt: skip
        if guesses_left <= NO_THIRD and w.terms[MAY_LOSE] == 0:
            height = 0  # the guess may be too late for a pair, and another one in time
    part[p, MINE] = mine
    part[p, OWN] = own
    # A guess that is no candidate leaves every answer at least two guesses to pay.
    others = two_stage_cost(w, guesses_left, weight, weight)
    if height > 0 and own <= others:
        keep(w, p, guesses_left, own, own, min(height, guesses_left), COUNTED)
    elif only:
        keep(w, p, guesses_left, own, INFEASIBLE, 0, COUNTED)
    elif part[p, LOWER] < min(own, others):
        keep(w, p, guesses_left, min(own, others), INFEASIBLE, 0, 0)


@callee
def parts_of_first_choice(w, n, total, guesses_left):
    """Parts that a candidate of a state of n makes if it surely reaches ``total``; 0 if none does.

    It tells all answers apart, or all but two.
    """
    if w.terms[WEIGHTED] == 0:
        least = two_stage_cost(w, guesses_left, n, n - 1)
        if total == least:
            return n
        if total == least + w.marginal_costs[guesses_left] and guesses_left > NO_THIRD:
            return n - 1
    return np.int64(0)


@callee
def floor_of_count(w, p, guesses_left, need):
    """The most parts that a guess can make and still cost ``need`` or more.

    It is enough to know whether a guess makes more parts; see :func:`bound_by_count`.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    mine = part[p, MINE]
    weight = weigh(w, at, k)
    base = (
        least_cost(w, at, k, guesses_left)
        if mine == 0
        else two_stage_cost(w, guesses_left, weight, weight)
    )
    floor = most_refuted(w, at, k, guesses_left, need - base)
    # No fewer than the best candidate makes, whose bound is known; and fewer than k, since a
    # complete split gives the value.
    return min(max(floor, mine, 1), k - 1)


@callee
def bound_by_count(w, p, guesses_left, max_parts, floor):
    """Raise the bound of part ``p`` by the most parts that any guess makes of it.

    ``max_parts`` is not less than ``floor``; if both are equal, the most parts may be fewer. The
    more parts a guess makes, the fewer answers pay for a third guess; see stage_costs.py. The bound
    is exact if no part of the guess is larger than two. That is sure if only one pair is left
    together, and if there is no third guess.
    """
    part = w.parts
    at = part[p, AT]
    k = part[p, SIZE]
    mine = part[p, MINE]
    weight = weigh(w, at, k)
    late = late_cost(w, at + k, k - max_parts, guesses_left)
    is_known = max_parts > floor
    if mine == 0:  # it is not known what its own answers make of it
        least = least_cost(w, at, k, guesses_left) + late
        keep(w, p, guesses_left, least, INFEASIBLE, 0, COUNTED if is_known else 0)
        return
    own = part[p, OWN]
    others = two_stage_cost(w, guesses_left, weight, weight) + late
    # A guess is a candidate or not, so the lesser of both bounds holds for all guesses.
    least = min(own, others)
    is_even = w.terms[WEIGHTED] == 0
    if is_known and others <= own and (max_parts == k or (max_parts == k - 1 and is_even)):
        keep(w, p, guesses_left, others, others, min(2 + k - max_parts, guesses_left), COUNTED)
    elif (
        guesses_left == NO_THIRD
        and is_even
        and (is_known or own <= others or w.terms[MAY_LOSE] == 0)
    ):
        keep(w, p, guesses_left, least, least, 2, COUNTED)
    else:
        keep(w, p, guesses_left, least, INFEASIBLE, 0, COUNTED if is_known or floor == mine else 0)
