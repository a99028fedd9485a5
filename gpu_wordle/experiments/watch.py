"""Traces a strategy on one answer: its guesses, the best alternatives, and the tied guesses.

Many guesses may score as high as the one that a rule plays: its tied class. The tie rule decides
which of them is played (Hayes, "Words for the Wordle-Weary", 2022).
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends import Evaluator
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.play import hint
from gpu_wordle.experiments.values import Values
from gpu_wordle.game.game import Game, Position
from gpu_wordle.solver import Stop
from gpu_wordle.states.partition import Criterion
from gpu_wordle.strategies.named import make_strategy
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Strategy

MAX_CONSIDERED = 12
"""Most alternatives reported for a move."""

MAX_WATCHED = 12
"""Turns after which the trace of a game without a guess limit ends."""

TOO_LONG = ("q-learning", "value-iteration")
"""Strategies that train for minutes before they play."""

OPTIMAL = "optimal"

STATISTICS = {
    Criterion.ENTROPY: "entropy_bits",
    Criterion.PARTS: "parts",
    Criterion.MAX_PART: "max_part",
    Criterion.SUM_SQUARES: "expected_part_size",
}
"""The column of PartitionStats that shows a rule's criterion to users."""


@dataclass(frozen=True)
class Move:
    """One turn of a strategy.

    Attributes:
        position: the position before the turn.
        guess: index of the guess.
        pattern: its feedback.
        tied: the guesses of equal score, this one included; None if the strategy gives no scores.
        considered: the best guesses by score, the best first.
        worth: for each of ``considered``, its statistic or score; empty if there is none.
    """

    position: Position
    guess: int
    pattern: int
    tied: tuple[int, ...] | None = None
    considered: tuple[int, ...] = ()
    worth: tuple[float, ...] = ()


def strategies_of(names: list[str], game: Game, choice: Choice) -> list[Strategy]:
    """Make strategies by name.

    Raises UserError for unknown names, names given twice, and strategies that train for minutes.
    """
    for name in names:
        if name.split(":")[0].strip().lower() in TOO_LONG:
            raise UserError(f"{name} learns for minutes before it plays; use simulate")
    made = [make_strategy(name, game, choice) for name in names]
    if len({each.name for each in made}) < len(made):
        raise UserError("a strategy is named twice; leave one out")
    return made


def watch(
    strategy: Strategy,
    start: Position,
    answer: int,
    values: Values,
    evaluator: Evaluator,
    stop: Stop,
    opener: int | None = None,
) -> list[Move]:
    """The moves of a strategy until the answer is found or no guess is left.

    ``opener`` replaces the first guess. Optimal play uses ``values``, and ties favour candidates.
    Raises StoppedError if the stop is set.
    """
    game, position, moves = start.game, start, list[Move]()
    last = game.objective.max_guesses or MAX_WATCHED
    while position.turns_made < last:
        if opener is not None and not moves:
            move = Move(position, opener, 0)
        elif strategy.name == OPTIMAL:
            move = _best_move(position, values)
        else:
            move = _move(strategy, replace(Positions.of(position, evaluator), stop=stop), position)
        pattern = int(game.patterns.values[answer, move.guess])
        moves.append(replace(move, pattern=pattern))
        if pattern == game.words.feedback.solved:
            break
        position = position.after(move.guess, pattern)
    return moves


def _best_move(position: Position, values: Values) -> Move:
    """The best guess by value; the first answer left if there is no guaranteed win."""
    best = values.best(position)
    return Move(position, hint(values, position), 0, best or None, best[:MAX_CONSIDERED])


def _move(strategy: Strategy, positions: Positions, position: Position) -> Move:
    """A strategy's guess and, if the strategy gives scores, its alternatives."""
    positions.raise_if_stopped()
    guess = int(strategy.choose(positions)[0])
    is_rated = isinstance(strategy, Greedy) and len(position.state) > strategy.choice.survivors
    if not isinstance(strategy, Greedy) or not is_rated:
        return Move(position, guess, 0)
    scores = strategy.allowed_scores(positions, positions.candidates())[0]
    ranked = strategy.ranked(positions, MAX_CONSIDERED)[0]
    ranked = ranked[ranked >= 0]
    return Move(
        position,
        guess,
        0,
        tuple(np.flatnonzero(scores == scores[guess]).tolist()),
        tuple(ranked.tolist()),
        tuple(_rated(strategy, positions, scores)[ranked].tolist()),
    )


def _rated(strategy: Greedy, positions: Positions, scores: NDArray[Any]) -> NDArray[Any]:
    """The statistic or, without one, the score of every guess, [G]."""
    if strategy.criterion is None:
        return scores
    return np.asarray(getattr(positions.statistics(), STATISTICS[strategy.criterion])[0])
