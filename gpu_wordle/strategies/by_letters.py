"""Rules by letters: how often the letters of a guess occur in the answers that are left.

All need a game of words. Their figures are those of game/letters.py.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game
from gpu_wordle.game.letters import LetterTable, Spelling, Worth
from gpu_wordle.strategies.letter_sums import sum_letters
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Scores

LetterRule = Callable[[LetterTable], Worth]
"""What a rule holds a letter to be worth; a guess is worth what its letters are together."""


class Letters:
    """Letter counts of the states of one game; UserError if it is no game of words.

    Attributes:
        spelling: how its guesses are spelled.
    """

    def __init__(self, name: str, game: Game) -> None:
        if not game.words.feedback.is_of_words:
            raise UserError(
                f"the strategy {name} looks at letters, and {game.words.guesses.source} is "
                "another game; choose entropy, parts or max-part"
            )
        self._game = game
        self.spelling = Spelling(game.words)

    def table(self, state: NDArray[np.uint16]) -> LetterTable:
        """The counts of a state."""
        return LetterTable(self._game.words, state, self.spelling)

    def scores(self, rule: LetterRule) -> Callable[[Positions], Scores]:
        """Score guesses by what their letters are worth in each state."""

        def scores(positions: Positions) -> Scores:
            states = positions.states
            table = LetterTable(self._game.words, states.answers, self.spelling, states.indptr)
            totals = np.empty((len(positions), positions.game.guess_count), np.int64)
            sum_letters(table.rows(rule(table)), self.spelling.keys, totals)
            return totals

        return scores


def letter_frequency(name: str, game: Game, choice: Choice, *, is_updated: bool) -> Greedy:
    """Answers with each letter of the guess in its place: of all answers, or of those left.

    Hayes, "Words for the Wordle-Weary", 2022: the table is made once and never updated.
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
    """The greedy rule that goes by what letters are worth among the answers left."""
    return Greedy(name, Letters(name, game).scores(rule), choice)


def in_rounds(name: str, game: Game, choice: Choice, rule: LetterRule, rounds: int) -> Greedy:
    """The best sum of what the letters are worth; first in rounds that share no letters.

    So many guesses, the first one included, go by all answers, whatever the feedback: a letter of
    an earlier guess is worth nothing any more (Erkin, "Solving Wordle", 2022). From then on, the
    rule goes by the answers that are left.
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


def greens_then_yellows(table: LetterTable) -> Worth:
    """Most greens; of equal guesses, most yellows."""
    return table.greens * (_above_yellows(table) - 1) + table.coloured


def greens_then_naive_yellows(table: LetterTable) -> Worth:
    """Most greens; of equal guesses, most yellows in a naive sense (Optimal Wordle strategies).

    A place counts as yellow for each answer that holds its letter somewhere and not in that place,
    whatever copies of it the guess has.
    """
    return table.greens * (_above_yellows(table) - 1) + table.held


def _above_yellows(table: LetterTable) -> NDArray[np.int64]:
    """More than the yellow tiles that any guess can have, naive ones included; of each state."""
    answers = table.in_place[..., :1, :].sum(axis=-1, keepdims=True)
    return table.in_place.shape[-2] * answers[..., np.newaxis] + 1
