"""Exact values of many guesses of one position: of all of them, or of the best and some others."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.suggest import Guesses, search
from gpu_wordle.game.game import Position
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.solving import Advance
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool
from gpu_wordle.solver.solver import SolveOptions, Solver

UNKNOWN = -1
"""The value of a guess that is not known."""

MAX_ANSWERS_COMPARED = 64
"""Most answers whose parts are compared; guesses split more answers in ways of their own."""

FEW_ANSWERS, FEW_GUESSES = 15, 500
"""Most answers, and most guesses of different kinds, that are all solved where the best will do."""


def kinds_of(position: Position, guesses: Guesses) -> tuple[Guesses, NDArray[np.intp]]:
    """Return a guess of each kind, intp[K], and the kind of each guess, intp[n].

    Guesses of one kind have equal values: they make the same parts, and can find the same answer.
    Where a guess changes what is legal, and with more than MAX_ANSWERS_COMPARED answers, each is of
    its own.
    """
    state, game = position.state, position.game
    if len(state) > MAX_ANSWERS_COMPARED or game.rule.is_constrained:
        return guesses, np.arange(len(guesses))
    told = game.patterns.values[state][:, guesses]
    is_found = game.words.answer_of_guess[guesses] == state[:, np.newaxis]
    key = np.where(is_found.any(axis=0), is_found.argmax(axis=0) + 1, 0)
    used = bits = len(state).bit_length()
    for row in told:
        if used + bits >= 64:
            key = np.unique(key, return_inverse=True)[1].reshape(-1)
            used = len(guesses).bit_length()
        key = key << bits | (told == row).argmax(axis=0)  # the first answer of the part
        used += bits
    _, first, kind = np.unique(key, return_index=True, return_inverse=True)
    return guesses[first], kind.reshape(-1)


def values_of_all(solver: Solver, position: Position) -> NDArray[np.int64]:
    """Return the values of all legal guesses, int64[G]; UNKNOWN for the others."""
    values = np.full(position.game.guess_count, UNKNOWN, np.int64)
    legal = np.flatnonzero(position.choices)
    firsts, kind = kinds_of(position, legal)
    values[legal] = _solved(solver, position, firsts)[kind]
    return values


def values_by_pool(
    pool: SolverPool,
    position: Position,
    stop_token: StopToken,
    advance: Advance,
) -> NDArray[np.int64]:
    """Return the values of all legal guesses, int64[G], found on all threads of a pool.

    The best guess is found first. UNKNOWN stands for illegal guesses and for those that an early
    end left open; all are UNKNOWN if the best is not known by then.
    """
    values = np.full(position.game.guess_count, UNKNOWN, np.int64)
    found = search(pool, position, 1, stop_token)
    if found.value is None:
        return values
    is_known = found.is_exact & position.choices
    values[is_known] = found.lower[is_known]
    waiting = np.flatnonzero(position.choices & ~is_known)
    firsts, kind = kinds_of(position, waiting)
    with stop_token.of(pool.stop):
        results = pool.solve_guesses(position, firsts.tolist(), **asked_of_many(pool))
        for done, (guess, result) in enumerate(results, start=1):
            if result.is_exact:
                values[guess] = result.lower
            advance(done, len(firsts))
    values[waiting] = values[firsts][kind]
    return values


def values_of_best(
    solver: Solver, position: Position, count: int, wanted: Guesses
) -> NDArray[np.int64]:
    """Return the values of the ``count`` best legal guesses, of all as good, and of others.

    Guesses are solved in the order of their lower bounds, then refuted by the value of the
    ``count``-th best. After a stop of the solver some values are missing or too low.

    Args:
        solver: a solver of the game.
        position: the position.
        count: number of best guesses.
        wanted: legal guesses whose values are needed in any case.

    Returns:
        int64[G]; UNKNOWN for guesses that are neither.
    """
    legal = np.flatnonzero(position.choices)
    values = np.full(position.game.guess_count, UNKNOWN, np.int64)
    if len(position.state) <= FEW_ANSWERS:
        firsts, kind = kinds_of(position, legal)
        if len(firsts) <= FEW_GUESSES:
            values[legal] = _solved(solver, position, firsts)[kind]
            return values
    moves = solver.root_moves(position)
    waiting = legal[np.argsort(moves.bound[legal], kind="stable")]
    for guess in np.union1d(waiting[:count], wanted).tolist():
        values[guess] = solver.solve(position, guess, max_parts=moves.max_parts).lower
    while True:
        known = np.sort(values[values != UNKNOWN])
        worst = int(known[count - 1]) if len(known) >= count else INFEASIBLE
        waiting = waiting[(moves.bound[waiting] <= worst) & (values[waiting] == UNKNOWN)]
        if len(waiting) == 0 or solver.engine.stop.is_set():
            return values
        cutoffs = np.full(len(waiting), worst + 1)
        found = solver.solve_in_turn(position, waiting, cutoffs, moves.max_parts)
        for guess, bound in zip(waiting.tolist(), found, strict=False):
            if bound.is_exact and bound.lower <= worst:
                values[guess] = bound.lower
        waiting = waiting[len(found) :]


def asked_of_many(solver: Solver | SolverPool) -> SolveOptions:
    """Return what to ask about many guesses: strategies where they make one call of the search."""
    game = solver.game
    is_plain = game.objective.aim is not Aim.COST and game.symmetry.is_trivial
    return {"tree": True} if is_plain and not solver.is_wide else {}


def _solved(solver: Solver, position: Position, guesses: Guesses) -> NDArray[np.int64]:
    """Return the values of guesses, int64[n]; UNKNOWN for those that a stop left out."""
    values = np.full(len(guesses), UNKNOWN, np.int64)
    results = solver.solve_many(position, guesses.tolist(), **asked_of_many(solver))
    for place, result in enumerate(results):
        values[place] = result.lower
    return values
