"""Greedy rules that score both the partition and the coloured tiles of a guess."""

from __future__ import annotations

import numpy as np

from gpu_wordle.game.game import Game
from gpu_wordle.states.partition import ENTROPY_FRACTION_BITS
from gpu_wordle.strategies.by_letters import Letters
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Scores


def shrinkage(name: str, choice: Choice) -> Greedy:
    """Make the rule that eliminates most answers in expectation.

    A found answer counts as eliminated.

    Hayes, "Words for the Wordle-Weary", 2022, names the rule without a formula. In this reading it
    is expected-part, except that a solved answer leaves nothing. As an expected factor, shrinkage
    would rank guesses by their number of parts; in bits, by entropy.
    """

    def scores(positions: Positions) -> Scores:
        statistics = positions.statistics()
        return statistics.is_candidate - statistics.sum_squares.astype(np.int64)

    return Greedy(name, scores, choice)


def colour_bias(name: str, game: Game, choice: Choice, bias_bits: float) -> Greedy:
    """Make the rule of the highest entropy, plus ``bias_bits`` for each expected coloured tile.

    Hayes, "Words for the Wordle-Weary", 2022: "Even tiny amounts of bias are detrimental."
    """
    letters = Letters(name, game)
    tiles = letters.scores(lambda table: table.coloured)
    bias = round(bias_bits * 2**ENTROPY_FRACTION_BITS)

    def scores(positions: Positions) -> Scores:
        return bias * tiles(positions) - positions.statistics().sum_nlog2n

    return Greedy(name, scores, choice)


def places_entropy(name: str, game: Game, choice: Choice, weight: float | None) -> Greedy:
    """Make the rule that mixes entropy and expected green tiles, each as a fraction of its maximum.

    The maximum entropy is log2 of the number of answers left; the maximum of greens is the word
    length. ``weight`` is the weight of the greens in the mean.

    "Wordle AI" (2022) proposes the mixture without a figure, and wants greens to count more when
    fewer answers are left. Without a weight it is therefore the share of information gathered so
    far: 1 - log2(answers left) / log2(all answers).
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
