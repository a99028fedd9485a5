"""Exact values as functions: of positions and guesses, and of games played."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache
from math import inf
from typing import Annotated

from gpu_wordle.api import analysing
from gpu_wordle.api.games import Game, Here, position_of
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.values import Values
from gpu_wordle.options.declared import Option, checked
from gpu_wordle.options.reading import WORD

MAX_VALUED_GAMES = 4
"""Games whose values are kept; the least recently used one makes room."""


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
        raise UserError(
            "no guess has a value here, since none is a guaranteed win; load the game with "
            "max_guesses=0"
        )
    return inf if own is None else own - best


@lru_cache(MAX_VALUED_GAMES)
def kept_values(game: Game) -> Values:
    """Return the values of a game, including those found before.

    Guesses that are no guaranteed win are valued without the guess limit, where one can do so.
    """
    values = analysing.values_of(game._inner)
    if values.can_do_without_limit:
        values.without_limit = analysing.values_of(game._inner.without_limit())
    return values
