"""Greedy rules that count how often the letters of a guess occur in the answers left.

They need a game of words, and use the letter counts of game/letters.py.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game
from gpu_wordle.game.letters import LetterScores, LetterTable, Spelling
from gpu_wordle.strategies.letter_sums import sum_letters
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Scores

LetterRule = Callable[[LetterTable], LetterScores]
"""The score of each letter by place; the score of a guess is the sum over its letters."""


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
