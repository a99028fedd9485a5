"""A share grid alone, colours without words: what it says of the opener and of the answer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game


@dataclass(frozen=True, eq=False)
class Consistent:
    """What agrees with a chart if any guess may be made on any turn.

    Attributes:
        answers: the answers for which every row can come about, ascending.
        games: sequences of guesses that give the chart, summed over those answers.
        openers: the first guesses of those games, those that leave most answers first.
        left: int64, answers that agree with each opener and the other rows.
    """

    answers: NDArray[np.intp]
    games: int
    openers: NDArray[np.intp]
    left: NDArray[np.int64]


def consistent(game: Game, rows: Sequence[int], answer: int | None = None) -> Consistent:
    """What agrees with the patterns of a game; UserError if nothing does.

    ``answer`` is what was hidden, if that is known. No row but the last says that it is found.
    """
    solved = game.words.feedback.solved
    if not rows or solved in rows[:-1]:
        raise UserError("no row of colours but the last can say that the answer is found")
    patterns = game.patterns.values
    ways = np.stack([(patterns == row).sum(axis=1) for row in rows])
    is_open = np.ones(game.answer_count, np.bool_)
    if answer is not None:
        is_open = np.arange(game.answer_count) == answer
    answers = np.flatnonzero(is_open & (ways > 0).all(axis=0))
    if len(answers) == 0:
        raise UserError("no game gives these colours; check them, and the list")
    games = sum(int(np.prod(ways[:, a].astype(object))) for a in answers.tolist())
    left = (patterns[answers] == rows[0]).sum(axis=0)
    openers = np.argsort(-left, kind="stable")[: int((left > 0).sum())]
    return Consistent(answers, games, openers, left[openers].astype(np.int64))
