"""A strategy watched at play on one answer: its guesses, what it weighed up, and what was equal.

Many guesses may be as good as the one that a rule plays: they are its tied class. Which of them is
played is up to the rule for ties (Hayes, "Words for the Wordle-Weary", 2022).
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
"""Guesses under evaluation that are told of a move."""

MAX_WATCHED = 12
"""Turns after which a game without a limit is watched no longer."""

TOO_LONG = ("q-learning", "value-iteration")
"""Strategies that learn for minutes before they play."""

OPTIMAL = "optimal"

STATISTICS = {
    Criterion.ENTROPY: "entropy_bits",
    Criterion.PARTS: "parts",
    Criterion.MAX_PART: "max_part",
    Criterion.SUM_SQUARES: "expected_part_size",
}
"""What a rule that goes by the partition rates guesses by, as it is known elsewhere."""


@dataclass(frozen=True)
class Move:
    """One turn of a strategy.

    Attributes:
        position: where it was made.
        guess: its index.
        pattern: what it received.
        tied: guesses that are as good by the strategy, this one among them; None if it does not
            tell.
        considered: the best guesses by the strategy, the best first.
        worth: the statistic that it rates each of those by; empty if it has none.
    """

    position: Position
    guess: int
    pattern: int
    tied: tuple[int, ...] | None = None
    considered: tuple[int, ...] = ()
    worth: tuple[float, ...] = ()


def strategies_of(names: list[str], game: Game, choice: Choice) -> list[Strategy]:
    """The strategies of these names; UserError for those that are none, or learn for too long."""
    for name in names:
        if name.split(":")[0].strip().lower() in TOO_LONG:
            raise UserError(f"{name} learns for minutes before it plays; simulate plays it")
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

    The optimum is played by the values that are known; of equal guesses it takes those first that
    can be the answer. Raises StoppedError if the stop is set.
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
    """The best guess by value; the first answer left where none surely wins in time."""
    best = values.best(position)
    return Move(position, hint(values, position), 0, best or None, best[:MAX_CONSIDERED])


def _move(strategy: Strategy, positions: Positions, position: Position) -> Move:
    """What a strategy plays, and what it thinks of other guesses if it is one that rates them."""
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
    """What a rule rates all guesses by, [G]: its statistic, or else its scores."""
    if strategy.criterion is None:
        return scores
    return np.asarray(getattr(positions.statistics(), STATISTICS[strategy.criterion])[0])
