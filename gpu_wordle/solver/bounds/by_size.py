"""Bounds on a state by its size and weight, and by its guess limit.

See memory/stage_costs.py for what the next guesses cost. The functions that take a workspace take
that of either search.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.game import values
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.jit.cache import callee
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, INT32S, INT64S
from gpu_wordle.solver.memory.stage_costs import LINEAR, MAY_LOSE, NO_THIRD, WEIGHTED
from gpu_wordle.states import bounds

least_excess = inlined(INT(INT, INT, INT, INT))(bounds.least_excess)
"""Lower bound on the answers of all parts beyond what one guess tells apart; see bounds.md."""


@inlined(INT(INT, INT))
def most_winnable(max_parts, guesses_left):
    """The most answers that guesses of at most ``max_parts`` parts surely find in time."""
    result = 1
    for _ in range(guesses_left - 1):
        result *= max_parts
        # No state is larger, and the product must not overflow.
        if result > 1 << 20:
            break
    return result


@linked(INT(INT64S, INT32S, INT, INT))
def sum_of_weights(weight, answers, begin, end):
    """The weight of ``answers[begin:end]``."""
    total = 0
    for t in range(begin, end):
        total += weight[answers[t]]
    return total


after = inlined(INT(INT))(values.after)


@callee
def weigh(w, at, n):
    """The weight of a state."""
    return n if w.terms[WEIGHTED] == 0 else sum_of_weights(w.weight, w.answers, at, at + n)


@callee
def heaviest(w, at):
    """The weight of the heaviest answer of a state."""
    return np.int64(1) if w.terms[WEIGHTED] == 0 else w.weight[w.answers[at]]


@callee
def two_stage_cost(w, guesses_left, weight, second):
    """Cost of the next guess for ``weight`` and of the one after it for ``second`` of that."""
    return w.marginal_costs[guesses_left + 2] * weight + w.marginal_costs[guesses_left + 1] * second


@callee
def least_cost(w, at, n, guesses_left):
    """Lower bound on a state by its weight: only its heaviest answer is found by the next guess."""
    weight = weigh(w, at, n)
    return two_stage_cost(w, guesses_left, weight, weight - heaviest(w, at))


@callee
def round_up(w, weight, guesses_left, bound):
    """The least possible value of a state of that weight from ``bound`` on; INFEASIBLE if none.

    To lose an answer costs more than to find all of them on the last turn. So above what that
    costs, some weight is lost and pays for it in full, and so on for all that is lost.
    """
    if guesses_left >= NO_LIMIT:
        return bound
    # Nothing costs an answer more than the last guess, or being lost.
    if bound > weight * w.dearest[guesses_left]:
        return np.int64(INFEASIBLE)
    # Only losing answers costs more than finding all on the last turn: at least this much weight is
    # lost then.
    above = bound - weight * (w.dearest[guesses_left] - w.marginal_costs[2])
    if w.terms[MAY_LOSE] == 0 or above <= 0:
        return bound
    lost = (above + w.marginal_costs[2] - 1) // w.marginal_costs[2]
    return max(
        bound, lost * w.dearest[guesses_left] + (weight - lost) * w.marginal_costs[guesses_left + 2]
    )


@callee
def round_down(w, weight, guesses_left, cutoff):
    """The least cutoff below which a state of that weight has the same possible values."""
    if guesses_left >= NO_LIMIT:
        return cutoff
    cutoff = min(cutoff, weight * w.dearest[guesses_left] + 1)
    latest = weight * (w.dearest[guesses_left] - w.marginal_costs[2])
    if (
        w.terms[MAY_LOSE] == 0
        or cutoff <= latest
        or round_up(w, weight, guesses_left, cutoff) == cutoff
    ):
        return cutoff
    return latest + (cutoff - latest - 1) // w.marginal_costs[2] * w.marginal_costs[2] + 1


@callee
def late_cost(w, end, late, guesses_left):
    """Least cost of the third guess for ``late`` answers of a state that ends at ``end``.

    INFEASIBLE if there is no third guess and no answer may be lost.
    """
    if late <= 0:
        return np.int64(0)
    if guesses_left <= NO_THIRD and w.terms[MAY_LOSE] == 0:
        return np.int64(INFEASIBLE)
    # Answers are held heaviest first: no others weigh less than the last ones.
    return w.marginal_costs[guesses_left] * weigh(w, end - late, late)


@callee
def most_refuted(w, at, n, guesses_left, missing):
    """The most parts that a guess may make and still pay at least ``missing`` for the third guess.

    At most n; 0 or less if no guess pays that much.
    """
    # Every guess pays that much.
    if missing <= 0:
        return n
    if guesses_left <= NO_THIRD and w.terms[MAY_LOSE] == 0:
        return n - 1
    step = w.marginal_costs[guesses_left]
    if w.terms[WEIGHTED] == 0 and step == 1:
        return n - missing
    if step == 0:
        return np.int64(0)
    return n - fewest_late(w.weight, w.answers, at, n, (missing + step - 1) // step)


@linked(INT(INT64S, INT32S, INT, INT, INT))
def fewest_late(weight, answers, at, n, missing):
    """How many of the last answers of a state weigh ``missing`` together; n if all do not."""
    for late in range(1, n):
        missing -= weight[answers[at + n - late]]
        if missing <= 0:
            return late
    return n


@callee
def set_late_costs(w, at, n, guesses_left):
    """Set ``w.late[late]``, for 0 to n late answers, to :func:`late_cost`."""
    step = w.marginal_costs[guesses_left]
    w.late[0] = 0
    if guesses_left <= NO_THIRD and w.terms[MAY_LOSE] == 0:
        w.late[1 : n + 1] = INFEASIBLE
    elif w.terms[WEIGHTED] == 0:
        for late in range(1, n + 1):
            w.late[late] = step * late
    else:
        for late in range(1, n + 1):
            w.late[late] = w.late[late - 1] + step * w.weight[w.answers[at + n - late]]


@callee
def is_linear(w, guesses_left):
    """True if every guess costs one from here on."""
    return guesses_left <= w.terms[LINEAR] or guesses_left >= NO_LIMIT


@callee
def part_limit(w, guesses_left, k):
    """``guesses_left``, or NO_LIMIT where k answers cannot need more and each guess costs one.

    So states met with different limits share one entry of the table.
    """
    if guesses_left >= k and is_linear(w, guesses_left):
        return np.int64(NO_LIMIT)
    return guesses_left
