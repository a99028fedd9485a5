"""SearchMatrix: the matrix of a whole game, laid out for the search, and what goes with it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import Patterns
from gpu_wordle.game.rule import Rule
from gpu_wordle.solver.counting.sliced import parts_of_columns, slice_columns
from gpu_wordle.solver.machine.layout import PATTERNS, Rows, padded, sliced_at, sliced_bytes
from gpu_wordle.solver.machine.simd import LANES
from gpu_wordle.states.batch import zobrist


class TooManyPartsError(ValueError):
    """A guess makes more parts of all answers than a byte can number; see wide.py."""


def one_byte_labels(patterns: Patterns) -> NDArray[np.uint8]:
    """Patterns as bytes, [A, G]: as they are, or each guess's own renumbered in their order.

    Raises TooManyPartsError if a guess makes more parts than a byte can tell apart.
    """
    if patterns.dtype == np.uint8:
        return patterns.astype(np.uint8, copy=False)
    from gpu_wordle.solver.memory.labels import number_patterns  # compiled for such games only

    labels = np.empty(patterns.shape, dtype=np.uint8)
    most = number_patterns(np.array(patterns, dtype=np.uint16), labels)
    if most > PATTERNS:
        raise TooManyPartsError(f"a guess makes {most} parts; a byte tells {PATTERNS} apart")
    return labels


@dataclass(frozen=True, eq=False)
class SearchMatrix:
    """The matrix of the whole game, in the layout of the search, with what belongs to it.

    A row is ``[patterns of the answers as guesses | patterns of all guesses | their labels]``, the
    first two padded to whole vectors; see sliced.py for the labels. The guesses are in the order of
    their parts, those of the most parts first.

    Attributes:
        repeats: bool[G], whether a guess has a letter more than once.
        order: int64[G], the guesses in the order of a row.
        place: int64[G], where each guess is in a row.
        ceiling: int32[G], the parts that each guess of the order makes of all answers.
    """

    cells: NDArray[np.uint8]
    zobrist: NDArray[np.uint64]
    randoms: NDArray[np.uint64]
    answer_of_guess: NDArray[np.int32]
    own_guess: NDArray[np.int32]
    guess_letters: NDArray[np.uint8]
    repeats: NDArray[np.bool_]
    answer_letters: NDArray[np.uint8]
    question_random: NDArray[np.uint64]
    candidates_only: bool
    order: NDArray[np.int64]
    place: NDArray[np.int64]
    ceiling: NDArray[np.int32]

    @classmethod
    def of(cls, game: Game) -> SearchMatrix:
        """Lay out the patterns of ``game``; TooManyPartsError if bytes do not tell them apart."""
        labels = one_byte_labels(game.patterns.values)
        parts = np.empty(game.guess_count, np.int32)
        parts_of_columns(labels, parts)
        matrix = cls.unlabelled(game, parts)
        matrix.label(slice(None), labels)
        return matrix

    @classmethod
    def unlabelled(cls, game: Game, parts: NDArray[np.int32]) -> SearchMatrix:
        """Lay out the matrix of a game without patterns, which :meth:`label` enters later.

        ``parts``, int32[G], are the parts that each guess makes of all answers. Letters are laid
        out where the feedback is to them, so that superfluous guesses can be told by their letters
        (see dominance.py).
        """
        answers, guesses = game.answer_count, game.guess_count
        # A count over columns in this order stops at the first that cannot beat the best.
        order = np.argsort(-parts, kind="stable")
        first = padded(answers)
        stride = sliced_at.py_func(first, guesses) + sliced_bytes.py_func(guesses)
        if stride % 4096 < 128:  # rows must not compete for the same few lines of the cache
            stride += 192
        raw = np.zeros(answers * stride + LANES, dtype=np.uint8)
        skip = -raw.ctypes.data % LANES
        matrix = raw[skip : skip + answers * stride].reshape(answers, stride)
        has_letters = game.words.feedback.is_by_letters
        codes = game.words.guesses.codes if has_letters else np.zeros((guesses, 1), np.uint32)
        renumbered = np.unique(codes, return_inverse=True)[1]
        letters = renumbered.reshape(guesses, -1).astype(np.uint8)
        questions = (int(letters.max()) + 1) * 2 * letters.shape[1]
        ordered = np.sort(letters, axis=1)
        return cls(
            matrix,
            zobrist(answers).copy(),
            zobrist(answers + 1)[::-1, 0].copy(),
            game.words.answer_of_guess,
            game.words.guess_of_answer,
            letters if has_letters and renumbered.max() < PATTERNS else letters[:0],
            (ordered[:, 1:] == ordered[:, :-1]).any(axis=1),
            letters[game.words.guess_of_answer],
            zobrist(questions)[:, 1].copy(),
            game.rule is Rule.CANDIDATES,
            order,
            np.argsort(order),
            parts[order],
        )

    def label(self, answers: NDArray[np.uint16] | slice, labels: NDArray[np.uint8]) -> None:
        """Write the rows of ``answers``, whose patterns are ``labels``, uint8[n, G]."""
        first = padded(self.answers)
        self.cells[answers, first : first + self.guesses] = labels.take(self.order, axis=1)
        self.cells[answers, : self.answers] = labels.take(self.own_guess, axis=1)
        places = np.arange(self.answers, dtype=np.int64)[answers]
        rows = self.cells.ctypes.data + self.cells.shape[1] * places
        scratch = np.empty(LANES * PATTERNS, np.uint32), np.empty(2 * LANES, np.uint32)
        slice_columns.from_python(Rows(rows, 0, len(rows)), first, self.guesses, *scratch)

    @classmethod
    def empty(cls) -> SearchMatrix:
        """A game of one word, of which only the types of the arrays matter."""
        words = np.zeros(1, np.uint64)
        index = np.zeros(1, np.int32)
        place = np.zeros(1, np.int64)
        letters = np.zeros((1, 1), np.uint8)
        return cls(
            np.zeros((1, 2 * LANES), np.uint8),
            np.zeros((1, 2), np.uint64),
            words,
            index,
            index,
            letters,
            np.zeros(1, np.bool_),
            letters,
            words,
            False,
            place,
            place,
            index,
        )

    @property
    def answers(self) -> int:
        """A, the number of answers."""
        return len(self.cells)

    @property
    def guesses(self) -> int:
        """G, the number of guesses."""
        return len(self.answer_of_guess)
