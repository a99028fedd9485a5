"""Exact values as functions: of positions and guesses, and of games played."""

from __future__ import annotations

import copyreg
from collections.abc import Callable
from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.api import analysing, pools
from gpu_wordle.api.games import Game, Here, position_of
from gpu_wordle.api.session import Machine, open_session
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.guess_values import UNKNOWN, values_by_pool
from gpu_wordle.experiments.values import Values
from gpu_wordle.game import game as inner
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.options.declared import Option, checked
from gpu_wordle.options.reading import WORD
from gpu_wordle.options.shared import OnProgress, Stop, Threads, TimeLimit
from gpu_wordle.options.telling import teller
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.strategies.positions import is_over
from gpu_wordle.tunables import SOLVE_TABLE_MIB

MAX_VALUED_GAMES = 4
"""Games whose values are kept; the least recently used one makes room."""

MAX_ALONE = 24
"""Most answers of a position whose guesses are all solved on one thread, which takes moments."""

NO_VALUE = (
    "no guess has a value here, since none is a guaranteed win; load the game with max_guesses=0"
)


@checked
def value(position: Here) -> Fraction | float:
    """Return the mean cost of an answer from a position on, with the best play.

    For the usual objectives the cost is the number of guesses. The value is exact, and infinite if
    no strategy finds every answer in time; ``max_guesses=0`` gives every position a value. Results
    are kept.

    Raises UserError for objectives that are no sum of guesses, such as ``worst``.
    """
    at = position_of(position)
    found = kept_values(Game(at.game)).mean(at)
    return inf if found is None else found


@checked
def regret(
    position: Here, guess: Annotated[str, Option("The next guess.", WORD)]
) -> Fraction | float:
    """Return how much more a guess costs than the best one, on average: zero for optimal guesses.

    It is infinite if the guess gives a guaranteed win away.

    Raises UserError for a guess that is unknown or illegal, and if no guess has a value.
    """
    at = position_of(position)
    asked = at.game.words.guesses.find(guess)
    at.check_legal(asked)
    values = kept_values(Game(at.game))
    if not values.allows(at, asked):
        raise UserError(f"{guess!r} cannot be the answer, and the rule allows only candidates")
    best, own = values.mean(at), values.mean_of(at, asked)
    if best is None:
        raise UserError(NO_VALUE)
    return inf if own is None else own - best


@checked
def regrets(
    position: Here,
    *,
    time_limit: TimeLimit = None,
    stop: Stop = None,
    threads: Threads = None,
    progress: OnProgress = None,
) -> NDArray[np.float64]:
    """Return how much more each guess costs than the best one, on average.

    The array is float64[G], in the order of ``game.guesses`` and in guesses, or in prices under
    ``cost``. It is 0 for optimal guesses, infinite for those that give a guaranteed win away, and
    NaN for illegal ones. Each number is the float nearest to the exact fraction.

    A position of ten answers takes ten milliseconds, and one of 300 a minute of CPU time. After an
    early end, guesses that are not solved are NaN; all are if the best is not known. Positions of
    few answers ignore the time limit.

    Raises UserError if no guess has a value, and for objectives that are no sum of guesses.
    """
    at = position_of(position)
    values = kept_values(Game(at.game))
    weight = int(at.game.objective.weights_of(at.state).sum())
    if weight == 0 or is_over(at):
        raise UserError(NO_VALUE)
    if values.is_ranked(at) or len(at.state) <= MAX_ALONE:
        totals = values.totals(at)
    else:
        stop_token = StopToken.of_call(time_limit, stop)
        session = open_session(at, Machine(threads=threads))
        pool = pools.batched_pool(session, int(at.choices.sum()), SOLVE_TABLE_MIB)
        with pool:
            totals = values_by_pool(pool, at, stop_token, teller(progress, "solving"))
        if stop_token.reason is Reason.INTERRUPTED:
            raise KeyboardInterrupt
    is_known = totals != UNKNOWN
    found = np.full(len(totals), np.nan)
    if not is_known.any():
        return found
    least = totals[is_known].min()
    if least >= INFEASIBLE:
        raise UserError(NO_VALUE)
    found[is_known] = (totals[is_known] - least) / weight
    found[totals >= INFEASIBLE] = inf
    return found


@lru_cache(MAX_VALUED_GAMES)
def kept_values(game: Game) -> Values:
    """Return the values of a game, including those found before.

    Guesses that are no guaranteed win are valued without the guess limit, where one can do so.
    """
    values = analysing.values_of(game._inner)
    if values.can_do_without_limit:
        values.without_limit = analysing.values_of(game._inner.without_limit())
    return values


def _sent(values: Values) -> tuple[Callable[[inner.Game], Values], tuple[inner.Game]]:
    """Pickle values as their game: they hold locks, and the receiver may have found more."""
    return _received, (values.game,)


def _received(game: inner.Game) -> Values:
    return kept_values(Game(game))


copyreg.pickle(Values, _sent)
