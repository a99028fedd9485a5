"""Rows of watched games."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

from gpu_wordle.experiments.analyse import Analysed
from gpu_wordle.experiments.values import Values
from gpu_wordle.experiments.watch import Move
from gpu_wordle.report import keys
from gpu_wordle.report.analysed import TurnRow, describe_game
from gpu_wordle.report.keys import Key, schema


@schema
class WatchedRow(TurnRow):
    """A turn of a strategy."""

    strategy: keys.Strategy
    solved: keys.Solved
    tied: Annotated[
        int | None, Key("number of guesses with an equal score; null if the strategy has no scores")
    ]
    tied_guesses: Annotated[list[str] | None, Key("the first guesses with an equal score")]
    considered: Annotated[list[str], Key("the best guesses by the strategy's score, best first")]
    considered_worth: Annotated[list[float | None], Key("their scores")]


MAX_TIED = 24
"""Most tied guesses that are named; all are counted."""

MAX_BEST = 12
"""Most best guesses that are named."""

MAX_LEFT_NAMED = 200
"""Most remaining answers of a turn that are named."""


def describe_watched(
    strategy: str, moves: Sequence[Move], analysed: Analysed, values: Values
) -> list[dict[str, Any]]:
    """A row for each move of a strategy with its value; None for unknown ones.

    ``analysed`` is the whole game, which ends with these moves.
    """
    rows = describe_game(analysed)[-len(moves) :]
    for row, move in zip(rows, moves, strict=True):
        game = move.position.game
        left = game.part(move.position.state, move.guess, move.pattern)
        row |= {
            "strategy": strategy,
            "solved": move.pattern == game.words.feedback.solved,
            "remaining": [game.words.answers.words[a] for a in left[:MAX_LEFT_NAMED]],
            "tied": None if move.tied is None else len(move.tied),
            "tied_guesses": None if move.tied is None else game.spell(move.tied[:MAX_TIED]),
            "considered": game.spell(move.considered),
            "considered_worth": [float(worth) for worth in move.worth],
            "optimal_guesses": game.spell(values.best(move.position)[:MAX_BEST]),
        }
    return rows
