"""A game of words: its letters by place, and its pattern matrix."""

from __future__ import annotations

from dataclasses import replace
from math import ceil, sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.feedback import LetterFeedback
from gpu_wordle.game.game import Game
from gpu_wordle.game.letters import LetterTable
from gpu_wordle.game.spelling import capitals
from gpu_wordle.report.content import Figures, Picture, Section
from gpu_wordle.report.plots import draw_letters, draw_matrix, full_matrix, matrix_pixels
from gpu_wordle.report.sections.source import Source
from gpu_wordle.report.table import Column

if TYPE_CHECKING:
    from matplotlib.figure import Figure

PIXELS = 90_000
"""Most pixels of the picture of a matrix."""
MAX_LETTERS = 80
"""Most letters of an alphabet for which a heat map is readable."""

FIGURES = Figures(
    {
        "letters": "How often each letter stands in each place of an answer",
        "matrix-answers": "The patterns of the answers as guesses, each in the mean of its colours",
        "matrix": "The patterns of all guesses, each in the mean of its colours",
    }
)


def game_sections(source: Source) -> list[Section]:
    """The sections on letters and patterns of a file's game; none for games without words."""
    game = source.game
    if not isinstance(game.words.feedback, LetterFeedback):
        return []
    letters = _letters(game)
    pictures = [_matrix("matrix", game, np.arange(game.guess_count), 2.9)]
    if game.guess_count > game.answer_count:
        answers = np.asarray(game.words.guess_of_answer)
        pictures.insert(0, _matrix("matrix-answers", game, answers, 6.2))
    said = (
        "Rows are answers, columns are guesses, both in alphabetical order. Where a pixel stands "
        "for many patterns, it has the mean of their colours, with more contrast."
    )
    sections = [Section("Letters and places", [letters])] if letters else []
    return [*sections, Section("The pattern matrix", [said, *pictures])]


def _letters(game: Game) -> Picture | None:
    """A heat map of the letters; None if the alphabet is too large to be readable."""
    table = LetterTable(game.words, game.root())
    occurs = np.flatnonzero(table.in_place.sum(axis=0))
    if len(occurs) > MAX_LETTERS:
        return None
    counts = table.in_place[:, occurs].T
    spelled = game.words.guesses.alphabet.spelled
    letters = [capitals(spelled(chr(table.alphabet[i]))) for i in occurs]
    title = f"Letters of {game.answer_count:,} answers"
    places = [Column(str(i + 1), by_letter.tolist()) for i, by_letter in enumerate(counts.T)]
    columns = [Column("letter", letters), *places]
    return FIGURES.picture("letters", lambda: draw_letters(counts, letters, title), columns)


def _matrix(name: str, game: Game, guesses: NDArray[np.integer], height: float) -> Picture:
    """A picture of the patterns of some guesses and all answers; ``height`` is in inches."""
    block = ceil(sqrt(len(guesses) * game.answer_count / PIXELS))
    block = min(block, game.answer_count, len(guesses))
    words = game.words
    spelled = [words.guesses.words[g] for g in guesses]

    def draw() -> Figure:
        patterns = game.patterns.values[:, guesses]
        pixels = matrix_pixels(patterns, block, words.feedback)
        return draw_matrix(pixels, patterns.shape, (7.5, height), FIGURES[name])

    picture = replace(
        FIGURES.picture(name, draw, [Column("guess", spelled)]),
        pixels=lambda: full_matrix(game.patterns.values[:, guesses], words.feedback),
    )
    if not words.feedback.is_by_letters or not words.guesses.alphabet.is_plain:
        return picture  # a page computes feedback sign by sign
    return replace(picture, words={"guesses": spelled, "answers": words.answers.words})
