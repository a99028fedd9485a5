"""What a state costs at least by its size and weight, and what a guess limit says of it.

See memory/stage_costs.py for what the next guesses cost. The functions that take a workspace take
that of either search.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import njit

from gpu_wordle.game import values
from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, INT32S, INT64S
from gpu_wordle.solver.memory.stage_costs import LINEAR, MAY_LOSE, NO_THIRD, WEIGHTED
from gpu_wordle.states import bounds

least_excess = inlined(INT(INT, INT, INT, INT))(bounds.least_excess)
"""By how much the parts of a guess are larger than what one guess tells apart."""


@inlined(INT(INT, INT))
def most_winnable(max_parts, guesses_left):
    """Answers that guesses of at most ``max_parts`` parts surely find in ``guesses_left`` turns."""
    result = 1
    for _ in range(guesses_left - 1):
        result *= max_parts
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


@njit
def weigh(w, at, n):
    """The weight of a state."""
    return n if w.terms[WEIGHTED] == 0 else sum_of_weights(w.weight, w.answers, at, at + n)


@njit
def heaviest(w, at):
    """The weight of the heaviest answer of a state."""
    return np.int64(1) if w.terms[WEIGHTED] == 0 else w.weight[w.answers[at]]


@njit
def two_stage_cost(w, guesses_left, weight, second):
    """What ``weight`` pays for the next guess and ``second`` of it for the one after that."""
    return w.marginal_costs[guesses_left + 2] * weight + w.marginal_costs[guesses_left + 1] * second


@njit
def least_cost(w, at, n, guesses_left):
    """What a state pays at least: only its heaviest answer is found by the next guess."""
    weight = weigh(w, at, n)
    return two_stage_cost(w, guesses_left, weight, weight - heaviest(w, at))


@njit
def round_up(w, weight, guesses_left, bound):
    """The least value from ``bound`` on that a state of that weight may have; INFEASIBLE if none.

    To lose an answer costs more than to find all of them on the last turn. So above what that
    costs, some weight is lost and pays for it in full, and so on for all that is lost.
    """
    if guesses_left >= NO_LIMIT:
        return bound
    if bound > weight * w.dearest[guesses_left]:
        return np.int64(INFEASIBLE)
    above = bound - weight * (w.dearest[guesses_left] - w.marginal_costs[2])
    if w.terms[MAY_LOSE] == 0 or above <= 0:
        return bound
    lost = (above + w.marginal_costs[2] - 1) // w.marginal_costs[2]
    return max(
        bound, lost * w.dearest[guesses_left] + (weight - lost) * w.marginal_costs[guesses_left + 2]
    )


@njit
def round_down(w, weight, guesses_left, cutoff):
    """The least cutoff below which a state of that weight may have the same values."""
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


@njit
def late_cost(w, end, late, guesses_left):
    """What the ``late`` last answers of a state that ends at ``end`` pay for the third guess.

    INFEASIBLE if there is no third guess and no answer may be lost.
    """
    if late <= 0:
        return np.int64(0)
    if guesses_left <= NO_THIRD and w.terms[MAY_LOSE] == 0:
        return np.int64(INFEASIBLE)
    return w.marginal_costs[guesses_left] * weigh(w, end - late, late)


@njit
def most_refuted(w, at, n, guesses_left, missing):
    """The most parts that a guess may make and still be charged ``missing`` for the third guess.

    At most n; if no guess is charged that much, 0 or less.
    """
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
    """How many of the last answers of a state weigh ``missing`` together; n if not all do."""
    for late in range(1, n):
        missing -= weight[answers[at + n - late]]
        if missing <= 0:
            return late
    return n


@njit
def set_late_costs(w, at, n, guesses_left):
    """Set ``w.late[late]``, for 0 to n, as :func:`late_cost` would."""
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


@njit
def is_linear(w, guesses_left):
    """What StageCosts.is_linear tells: whether every guess costs one from here on."""
    return guesses_left <= w.terms[LINEAR] or guesses_left >= NO_LIMIT


@njit
def part_limit(w, guesses_left, k):
    """``guesses_left``, or NO_LIMIT where k answers cannot need more and each guess costs one."""
    if guesses_left >= k and is_linear(w, guesses_left):
        return np.int64(NO_LIMIT)
    return guesses_left
