"""Rules by letters: how often the letters of a guess occur in the answers that are left.

All need a game of words. Their figures are those of game/letters.py.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game
from gpu_wordle.game.letters import LetterStats, LetterTable, Spelling
from gpu_wordle.strategies.positions import Positions
from gpu_wordle.strategies.strategy import Choice, Greedy, Scores

Column = NDArray[np.int64]
"""A figure of every guess, int64[G]."""


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

    def scores(self, column: Callable[[LetterTable], Column]) -> Callable[[Positions], Scores]:
        """Score guesses by a figure of the table of each state."""

        def scores(positions: Positions) -> Scores:
            states = (positions.states.state(b) for b in range(len(positions)))
            return np.stack([column(self.table(state)) for state in states])

        return scores


def letter_frequency(name: str, game: Game, choice: Choice, *, is_updated: bool) -> Greedy:
    """Answers with each letter of the guess in its place: of all answers, or of those left.

    Hayes, "Words for the Wordle-Weary", 2022: the table is made once and never updated.
    """
    letters = Letters(name, game)
    if is_updated:
        return Greedy(name, letters.scores(lambda table: table.stats.greens), choice)
    fixed = letters.table(game.root()).stats.greens

    def scores(positions: Positions) -> Scores:
        return np.broadcast_to(fixed, (len(positions), len(fixed)))

    return Greedy(name, scores, choice)


def by_colours(
    name: str, game: Game, choice: Choice, worth: Callable[[LetterStats], Column]
) -> Greedy:
    """The greedy rule that goes by the coloured tiles to be expected."""
    letters = Letters(name, game)
    return Greedy(name, letters.scores(lambda table: worth(table.stats)), choice)


def in_rounds(
    name: str, game: Game, choice: Choice, worth: Callable[[LetterTable], Column], rounds: int
) -> Greedy:
    """The best sum of what the letters are worth, [G, L]; first in rounds that share no letters.

    So many guesses, the first one included, go by all answers, whatever the feedback: a letter of
    an earlier guess is worth nothing any more (Erkin, "Solving Wordle", 2022). From then on, the
    rule goes by the answers that are left.
    """
    letters = Letters(name, game)
    fixed, spelled = worth(letters.table(game.root())), letters.spelling.guess_letters
    adapted = letters.scores(lambda table: worth(table).sum(axis=1))

    def scores(positions: Positions) -> Scores:
        if positions.turns_made >= rounds:
            return adapted(positions)
        used = (spelled[guesses] for guesses in positions.turns[:, :, 0])
        return np.stack([np.where(np.isin(spelled, some), 0, fixed).sum(axis=1) for some in used])

    return Greedy(name, scores, choice, recalls_turns=rounds > 1)


def greens_then_naive_yellows(name: str, game: Game, choice: Choice) -> Greedy:
    """Most greens; of equal guesses, most yellows in a naive sense (Optimal Wordle strategies).

    A place counts as yellow for each answer that holds its letter somewhere and not in that place,
    whatever copies of it the guess has.
    """

    def worth(table: LetterTable) -> Column:
        held = table.with_copies[1, table.guess_letters].sum(axis=1)
        greens = table.place_frequency.sum(axis=1)
        return greens * _above(held) + held - greens

    letters = Letters(name, game)
    return Greedy(name, letters.scores(worth), choice)


def greens_then_yellows(stats: LetterStats) -> Column:
    """Most greens; of equal guesses, most yellows."""
    return stats.greens * _above(stats.yellows) + stats.yellows


def _above(column: Column) -> int:
    """More than any entry of the column."""
    return int(column.max()) + 1
