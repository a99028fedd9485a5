"""Greedy rules: each scores guesses by letters, by the partition they make, or by both.

Rules of letters need a game of words, and use the letter counts of game/letters.py.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game
from gpu_wordle.game.letters import LetterScores, LetterTable, Spelling
from gpu_wordle.states.partition import ENTROPY_FRACTION_BITS, Criterion
from gpu_wordle.strategies.machine import sum_letters
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Pool, Scores

LetterRule = Callable[[LetterTable], LetterScores]
"""The score of each letter by place; the score of a guess is the sum over its letters."""
GreenWeight = Callable[[Positions], NDArray[np.float64] | float]
"""The weight of green tiles beside information, from 0 to 1, by position."""


class Letters:
    """Letter counts of the states of one game. Raises UserError if it is no game of words.

    Attributes:
        spelling: the letters of the guesses.
    """

    def __init__(self, name: str, game: Game) -> None:
        if not game.words.feedback.is_of_words:
            raise UserError(
                f"the strategy {name} needs letters, and {game.words.guesses.source} is a game "
                "without words; choose entropy, parts or max-part"
            )
        self._game = game
        self.spelling = Spelling(game.words)

    def table(self, state: NDArray[np.uint16]) -> LetterTable:
        """Return the letter counts of a state."""
        return LetterTable(self._game.words, state, self.spelling)

    def scores(self, rule: LetterRule) -> Callable[[Positions], Scores]:
        """Return a function that scores every guess in each state by a letter rule, int64[B, G]."""

        def scores(positions: Positions) -> Scores:
            states = positions.states
            table = LetterTable(self._game.words, states.answers, self.spelling, states.indptr)
            totals = np.empty((len(positions), positions.game.guess_count), np.int64)
            sum_letters(table.rows(rule(table)), self.spelling.keys, totals)
            return totals

        return scores


def letter_frequency(name: str, game: Game, choice: Choice, *, is_updated: bool) -> Greedy:
    """Make the rule that sums, over the letters of a guess, the answers with that letter there.

    It counts all answers of the game, as Hayes does ("Words for the Wordle-Weary", 2022), or with
    ``is_updated`` the answers left.
    """
    letters = Letters(name, game)
    if is_updated:
        return Greedy(name, letters.scores(lambda table: table.greens), choice)
    start = letters.table(game.root())
    fixed = start.total(start.greens)

    def scores(positions: Positions) -> Scores:
        return np.broadcast_to(fixed, (len(positions), len(fixed)))

    return Greedy(name, scores, choice)


def by_worth(name: str, game: Game, choice: Choice, rule: LetterRule) -> Greedy:
    """Make the greedy rule with the highest sum of letter scores, counted over the answers left."""
    return Greedy(name, Letters(name, game).scores(rule), choice)


def refine(name: str, game: Game, choice: Choice) -> Greedy:
    """Make the rule that plays the answer left whose letters occur in most answers left.

    It does so even if only two are left (Erkin, "Solving Wordle", 2022).
    """
    own = replace(choice, pool=Pool.CANDIDATES, survivors=1)
    return by_worth(name, game, own, lambda table: table.common)


def in_rounds(name: str, game: Game, choice: Choice, rule: LetterRule, rounds: int) -> Greedy:
    """Make the rule of the highest sum of letter scores. At first only new letters count.

    The first ``rounds`` guesses ignore feedback: they count letters over all answers of the game,
    and letters of earlier guesses score zero (Erkin, "Solving Wordle", 2022). Later guesses count
    letters over the answers left.
    """
    letters = Letters(name, game)
    start, spelled = letters.table(game.root()), letters.spelling.guess_letters
    fixed, adapted = start.by_place(rule(start)), letters.scores(rule)

    def scores(positions: Positions) -> Scores:
        if positions.turns_made >= rounds:
            return adapted(positions)
        guesses, which = np.unique(positions.turns[:, :, 0], axis=0, return_inverse=True)
        used = (spelled[made] for made in guesses)
        worth = np.stack([np.where(np.isin(spelled, some), 0, fixed).sum(axis=1) for some in used])
        return worth[which.ravel()]

    return Greedy(name, scores, choice, recalls_turns=rounds > 1)


def greens_then_yellows(table: LetterTable) -> LetterScores:
    """Return letter scores for the most expected greens; ties by the most expected yellows."""
    return table.greens * (_above_yellows(table) - 1) + table.coloured


def greens_then_naive_yellows(table: LetterTable) -> LetterScores:
    """Return letter scores for the most greens; ties by the most naive yellows.

    This is the rule of "Optimal Wordle strategies". A letter counts as yellow for each answer that
    has it in other places only, regardless of repeated letters in the guess.
    """
    return table.greens * (_above_yellows(table) - 1) + table.held


def _above_yellows(table: LetterTable) -> NDArray[np.int64]:
    """Return for each state a factor above any count of yellows, so that greens count first."""
    answers = table.in_place[..., :1, :].sum(axis=-1, keepdims=True)
    return table.in_place.shape[-2] * answers[..., np.newaxis] + 1


def by_criterion(name: str, criterion: Criterion, choice: Choice) -> Greedy:
    """Make the greedy rule that minimises a statistic of the partition."""

    def scores(positions: Positions) -> Scores:
        return -positions.statistics().criterion(criterion)

    return Greedy(name, scores, choice, criterion)


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


def gathered(positions: Positions) -> NDArray[np.float64]:
    """Return the share of the information that is gathered so far, [B, 1].

    It is 1 - log2(answers left) / log2(all answers).
    """
    all_bits = np.log2(max(2, positions.game.answer_count))
    return 1 - np.log2(positions.states.sizes[:, np.newaxis]) / all_bits


def places_entropy(name: str, game: Game, choice: Choice, weight: GreenWeight) -> Greedy:
    """Make the rule that mixes entropy and expected green tiles, each as a fraction of its maximum.

    The maximum entropy is log2 of the number of answers left; the maximum of greens is the word
    length. ``weight`` is the weight of the greens in the mean, [B, 1] or one number.

    "Wordle AI" (2022) proposes the mixture without a figure, and wants greens to count more when
    fewer answers are left, as by the weight ``gathered``.
    """
    letters = Letters(name, game)
    green_tiles = letters.scores(lambda table: table.greens)

    def scores(positions: Positions) -> Scores:
        statistics = positions.statistics()
        sizes = positions.states.sizes[:, np.newaxis]
        share_of_bits = statistics.entropy_bits / np.maximum(np.log2(sizes), 1)
        share_of_green = green_tiles(positions) / (sizes * game.words.length)
        of_greens = weight(positions)
        return of_greens * share_of_green + (1 - of_greens) * share_of_bits

    return Greedy(name, scores, choice)
