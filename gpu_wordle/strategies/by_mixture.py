"""Rules by the partition and the colours at once."""

from __future__ import annotations

import numpy as np

from gpu_wordle.game.game import Game
from gpu_wordle.states.partition import ENTROPY_FRACTION_BITS
from gpu_wordle.strategies.by_letters import Letters
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Scores


def shrinkage(name: str, choice: Choice) -> Greedy:
    """Most answers struck out, as expected, the one that is found among them.

    Hayes, "Words for the Wordle-Weary", 2022, tried it and gives no formula. Counted so, it is the
    rule expected-part, but that a guess that may be the answer has one part less. As a factor,
    shrinkage ranks guesses as their number of parts does, and in bits as entropy does.
    """

    def scores(positions: Positions) -> Scores:
        statistics = positions.statistics()
        return statistics.is_candidate - statistics.sum_squares.astype(np.int64)

    return Greedy(name, scores, choice)


def colour_bias(name: str, game: Game, choice: Choice, bias_bits: float) -> Greedy:
    """Most information expected, with so many bits more for each coloured tile expected.

    Hayes, "Words for the Wordle-Weary", 2022: "Even tiny amounts of bias are detrimental."
    """
    letters = Letters(name, game)
    tiles = letters.scores(lambda table: table.coloured)
    bias = round(bias_bits * 2**ENTROPY_FRACTION_BITS)

    def scores(positions: Positions) -> Scores:
        return bias * tiles(positions) - positions.statistics().sum_nlog2n

    return Greedy(name, scores, choice)


def places_entropy(name: str, game: Game, choice: Choice, weight: float | None) -> Greedy:
    """A weighted mean of information and green tiles, each as a share of the most there can be.

    The most information is that which tells all answers left apart; green can be all their tiles.

    ``weight`` is that of the green tiles. "Wordle AI" (2022) proposes the mixture without a figure:
    greens are to count more on later turns, and the fewer answers are left. None does so: then the
    weight is the share of the information on the answer that has been gathered, which is
    1 - log2(answers left) / log2(all answers).
    """
    letters = Letters(name, game)
    green_tiles = letters.scores(lambda table: table.greens)
    all_bits = np.log2(max(2, game.answer_count))

    def scores(positions: Positions) -> Scores:
        statistics = positions.statistics()
        sizes = positions.states.sizes[:, np.newaxis]
        left_bits = np.log2(sizes)
        share_of_bits = statistics.entropy_bits / np.maximum(left_bits, 1)
        share_of_green = green_tiles(positions) / (sizes * game.words.length)
        green_weight = 1 - left_bits / all_bits if weight is None else weight
        return green_weight * share_of_green + (1 - green_weight) * share_of_bits

    return Greedy(name, scores, choice)
