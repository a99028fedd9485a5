"""Whether what is said of openers can be true: columns that agree with each other and the rules."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status
from gpu_wordle.verify import VerificationError

TOLERANCE = 1e-9
"""Of statistics that are no whole numbers, relative: systems differ in the last digits of a
logarithm."""


def check_statistics(
    held: dict[str, NDArray[Any]], computed: dict[str, NDArray[Any]], game: Game
) -> None:
    """VerificationError, naming the guess, where statistics are not those of the game.

    ``held`` may lack some, as older files do.
    """
    for name, values in held.items():
        if name not in computed:
            raise VerificationError(f"the game has no statistic {name}")
        expected = computed[name]
        same = values == expected
        if expected.dtype.kind == "f":
            same |= np.isclose(values, expected, rtol=TOLERANCE, atol=TOLERANCE)
        for guess in np.flatnonzero(~same)[:1]:
            raise VerificationError(
                f"{game.words.guesses.shown(guess)}: its {name} is said to be "
                f"{values[guess]}; it is {expected[guess]}"
            )


def check_openers(openers: Openers, game: Game, position: Position) -> None:
    """VerificationError, naming the guess, where the columns contradict each other or the rules."""
    state, made = position.state, position.turns_made
    exact = openers.status == Status.EXACT
    infeasible = openers.status == Status.INFEASIBLE
    possible = infeasible & position.legal
    counts, weights = openers.distribution, openers.weight_distribution
    latest = (np.arange(1, counts.shape[1] + 1) * (counts > 0)).max(axis=1)
    lost = openers.weight_lost(game, state)
    weight_of_answer = game.objective.weights_of(state)
    most = weight_of_answer.sum() - weight_of_answer.min()  # where some answer is lost
    values = game.prices.value(weights, lost=lost, worst=openers.worst, made=made)
    unlikely = (weights < 0) | ((weights > 0) & (counts == 0))
    if game.objective.weights is None:
        unlikely = weights != counts
    faults = {
        "its lower bound is above its upper bound": openers.lower > openers.upper,
        "it has an unknown status": ~np.isin(openers.status, [s.value for s in Status]),
        "it is exact but its bounds differ": exact & (openers.lower != openers.upper),
        "its distribution does not add up to its value": exact & (values != openers.upper),
        "its distribution does not cover every answer": exact
        & (counts.sum(axis=1) + openers.failures != len(state)),
        "its weights are not those of its distribution": exact
        & (unlikely.any(axis=1) | (lost < 0) | ((lost > 0) & (openers.failures == 0))),
        "it loses answers": (openers.failures != 0) & (not game.objective.allows_failure),
        "its worst case is not the last turn of its distribution": exact
        & (latest != openers.worst),
        "its worst case is over the limit": exact & (openers.worst > game.objective.after(made)),
        "it is infeasible but has a strategy": infeasible & (openers.upper < INFEASIBLE),
        "its solvable answers are not those that its strategy finds": exact
        & (openers.solvable != weights.sum(axis=1)),
        "it is infeasible but can solve every answer": possible & (openers.solvable > most),
        "its solvable answers are fewer than none": openers.solvable < UNKNOWN,
        "its solvable answers cannot be known": ~(exact | possible) & (openers.solvable != UNKNOWN),
    }
    for fault, where in faults.items():
        if where.any():
            guess = game.words.guesses.words[int(np.flatnonzero(where)[0])]
            raise VerificationError(f"{capitals(guess)}: {fault}")
