"""Exact totals beside simulated games: published ones, and those computed here."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from gpu_wordle.api import jobs
from gpu_wordle.api.files import published_openers
from gpu_wordle.api.pairs import solve_fixed
from gpu_wordle.api.session import Session
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.simulations import INFEASIBLE_TOTAL, Fixed
from gpu_wordle.game.game import Game
from gpu_wordle.ranking.openers import Status
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolveResult

MAX_SOLVED = 12
"""Most openings whose unpublished totals are computed."""

Known = Callable[[Fixed], int | None]
"""Returns the exact total after fixed guesses; INFEASIBLE_TOTAL, or None if it is unknown."""


def published(game: Game) -> Known:
    """Return the published totals of the first guesses of a game."""
    openers = published_openers(game)

    def known(fixed: Fixed) -> int | None:
        if openers is None or len(fixed) > 1:
            return None
        (guess,) = fixed
        if openers.status[guess] == Status.INFEASIBLE:
            return INFEASIBLE_TOTAL
        return int(openers.lower[guess]) if openers.status[guess] == Status.EXACT else None

    return known


def worked_out(session: Session, openings: Sequence[Fixed], stop_token: StopToken) -> Known:
    """Search the totals of openings, as far as time allows.

    An opening with a repeated guess is skipped.
    """
    found: dict[Fixed, int | None] = {}
    singles = [fixed[0] for fixed in openings if len(fixed) == 1]
    if singles:
        solved = jobs.solve(session, singles, stop_token)
        found |= {(each.guess,): _total(each.result) for each in solved if each.guess is not None}
    for fixed in openings:
        if len(fixed) > 1 and not stop_token.is_due():
            try:
                found[fixed] = _total(solve_fixed(session, fixed, stop_token).result)
            except UserError:
                found[fixed] = None
    return found.get


def _total(result: SolveResult) -> int | None:
    """Return the total of a search, if it came to its end."""
    if result.is_infeasible:
        return INFEASIBLE_TOTAL
    return result.upper if result.is_exact else None
