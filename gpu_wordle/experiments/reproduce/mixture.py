"""Wordle AI, 2022: its proposed mixture of two rules, with weights that are optimised.

The source proposes a weighted score of information and green tiles. The weights may depend on the
number of rounds, on the answers left and on the green letters found, and may be optimised. Here
they are optimised on half of the answers, and judged on the other half.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import astuple, dataclass, fields
from math import sqrt

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.reproduce.bench import WITHOUT_PAIRS, Bench
from gpu_wordle.experiments.reproduce.item import (
    Printed,
    Reproduced,
    Table,
    beside,
    item,
    table_of,
)
from gpu_wordle.experiments.reproduce.wordle_ai import REMOVED
from gpu_wordle.experiments.simulate import simulate
from gpu_wordle.game.game import Game
from gpu_wordle.game.letters import LetterTable, Spelling
from gpu_wordle.strategies.by_score import gathered, places_entropy
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice

SHOWN = 20
"""Number of schemes in the table."""
MIN_EXPONENT = -3
"""Drawn coefficients are 0, or 10 to a power from this one to 0."""


@dataclass(frozen=True)
class Weights:
    """Coefficients of the weight of green tiles, which is their sum, cut off at 1.

    Attributes:
        constant: the weight at the start.
        by_turn: what each turn adds.
        by_size: what is added once a single answer is left; see ``gathered``.
        by_greens: what is added for each place in which all answers left have the same letter.
    """

    constant: float = 0
    by_turn: float = 0
    by_size: float = 0
    by_greens: float = 0

    def __str__(self) -> str:
        """Return the coefficients that are not 0."""
        named = zip((each.name for each in fields(self)), astuple(self), strict=True)
        return ", ".join(f"{name} {value:.4f}" for name, value in named if value) or "none"

    def of(self, positions: Positions) -> NDArray[np.float64]:
        """Return the weight of green tiles in each position, [B, 1]."""
        turns = self.by_turn * positions.turns_made
        size = self.by_size * gathered(positions)
        greens = self.by_greens * settled_places(positions)[:, np.newaxis]
        return np.minimum(self.constant + turns + size + greens, 1)


def settled_places(positions: Positions) -> NDArray[np.int64]:
    """Return the number of places in which all answers left have the same letter, int64[B]."""
    words, states = positions.game.words, positions.states
    table = LetterTable(words, states.answers, Spelling(words), states.indptr)
    most: NDArray[np.int64] = table.in_place.max(axis=2)
    return np.sum(most == states.sizes[:, np.newaxis], axis=1)


def drawn_weights(count: int, seed: int) -> list[Weights]:
    """Draw coefficients: each is 0, or 10 to a uniform power."""
    rng = np.random.default_rng(seed)
    values = 10 ** rng.uniform(MIN_EXPONENT, 0, (count, len(fields(Weights))))
    values[rng.random(values.shape) < 0.5] = 0
    return [Weights(*row) for row in values.tolist()]


def turns_by(
    bench: Bench, game: Game, weights: Weights, choice: Choice = WITHOUT_PAIRS
) -> NDArray[np.int64]:
    """Return the turn on which the mixture finds each answer, int64[A]."""
    strategy = places_entropy("mixture", game, choice, weights.of)
    (played,) = simulate(strategy, bench.start(game), [None])
    return played.turns.astype(np.int64)


def learning_half(count: int, seed: int) -> NDArray[np.bool_]:
    """Return which answers the weights are optimised on, bool[A]: a random half."""
    is_learned = np.zeros(count, np.bool_)
    is_learned[np.random.default_rng(seed).permutation(count)[: count // 2]] = True
    return is_learned


@item("wordle-ai/mixture")
def mixture(bench: Bench, printed: Printed) -> Reproduced:
    """Optimise the weights of the proposed mixture on half of the answers, and test the best."""
    game, seed = bench.without(REMOVED), int(printed["seed"])
    schemes = [Weights(), *drawn_weights(int(printed["draws"]), seed)]
    turns = np.array([turns_by(bench, game, weights) for weights in schemes])
    is_learned = learning_half(game.answer_count, seed)
    learned, tested = turns[:, is_learned].mean(axis=1), turns[:, ~is_learned].mean(axis=1)
    order = np.argsort(learned, kind="stable")
    best = int(order[0])
    favouring = turns_by(bench, game, Weights(), Choice())
    gain = (favouring - turns[best])[~is_learned]
    error = 2 * gain.std(ddof=1) / sqrt(len(gain))
    lines = beside(
        printed,
        f"{is_learned.sum():,} and {(~is_learned).sum():,}",
        f"{learned[0]:.4f} and {tested[0]:.4f}",
        f"{favouring[is_learned].mean():.4f} and {favouring[~is_learned].mean():.4f}",
        f"{learned[best]:.4f} and {tested[best]:.4f}",
        str(schemes[best]),
        f"{gain.mean():+.4f} plus or minus {error:.4f}",
        f"{int((tested < tested[best]).sum())} of {len(schemes)}",
        f"{turns[best].mean():.4f}, {int((turns[best] > game.objective.max_guesses).sum())}",
    )
    return Reproduced(lines, _table(schemes, order, learned, tested))


def _table(
    schemes: Sequence[Weights],
    order: NDArray[np.intp],
    learned: NDArray[np.float64],
    tested: NDArray[np.float64],
) -> Table:
    """Return the schemes that are best on the learning half, with their means, as columns."""
    rows = [
        (*astuple(schemes[i]), float(learned[i]), float(tested[i])) for i in order[:SHOWN].tolist()
    ]
    names = (*(each.name for each in fields(Weights)), "mean_learned", "mean_held_out")
    return table_of(names, rows)
