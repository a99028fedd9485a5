"""Games other than Wordle: Mastermind, Bulls and Cows, and any game given by its feedback.

A game is a list of guesses, a list of answers, and the feedback of each pair; one feedback means
that the guess is the answer. Everything that needs no letters works on such a game: statistics,
solver, proof, ranking, checker, files and command line, under the rules ``normal`` and
``candidates``. (In Mastermind a guess that agrees with all feedback is a candidate.)

On the command line a game is named like word lists, as in ``--guesses mastermind:4x6``.
"""

from __future__ import annotations

import csv
import hashlib
import io
import re
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, permutations, product
from math import perm
from pathlib import Path

import numpy as np
from numpy.typing import ArrayLike, NDArray

from gpu_wordle.errors import UserError, counted, is_control, quoted
from gpu_wordle.game import random_words, symmetry
from gpu_wordle.game.feedback import Feedback, Lists
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.game.numbers import natural_number
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.game.reading import MIB, read_text
from gpu_wordle.game.spelling import normalise
from gpu_wordle.game.word_list import WordList
from gpu_wordle.game.words import MAX_ANSWERS, GameWords

SYMBOLS = "0123456789abcdefghijklmnopqrstuvwxyz"
"""The symbols of codes, in order; Mastermind begins with 1."""

MAX_PEGS = 15
"""Most pegs; with one more, two colours would make more codes than the answers allowed."""

MAX_FEEDBACK = 65_535
"""Largest number in a feedback matrix."""

MAX_GAME_BYTES = 512 * MIB
MAX_CELLS = 1 << 27
"""Largest feedback matrix in a file: 11,585 guesses by as many answers."""


def mastermind(
    pegs: int = 4,
    colours: int = 6,
    *,
    rule: Rule = Rule.NORMAL,
    objective: Objective | None = None,
) -> Game:
    """Mastermind: every code of ``pegs`` pegs in ``colours`` colours is a guess and an answer.

    Codes are written as in ``1123``. Feedback is written ``1B2W`` or ``12``: black pegs, of the
    right colour in the right place, then white ones, of a right colour in a wrong place.

    Args:
        pegs: places in a code, 1 to 15.
        colours: at least 1 and at most 35; codes are written in 1 to 9, then a to z.
        rule: NORMAL or CANDIDATES.
        objective: the mean without a limit on the guesses, if not given.

    Raises:
        UserError: sizes out of range, more than 65,535 codes, or another rule.
    """
    return _game(_mastermind(pegs, colours), rule, objective)


def bulls_and_cows(
    digits: int = 4,
    symbols: int = 10,
    *,
    rule: Rule = Rule.NORMAL,
    objective: Objective | None = None,
) -> Game:
    """Bulls and Cows: codes of distinct digits, as guesses and as answers; 5,040 in the classic.

    Feedback is written ``1B2C`` or ``12``: bulls, digits in the right place, then cows, digits of
    the answer in a wrong place.

    Args:
        digits: places in a code, at least 1.
        symbols: number of digits to choose from, at least ``digits`` and at most 36; they are
            written 0 to 9, then a to z.
        rule: NORMAL or CANDIDATES.
        objective: the mean without a limit on the guesses, if not given.

    Raises:
        UserError: sizes out of range, more than 65,535 codes, or another rule.
    """
    return _game(_bulls_and_cows(digits, symbols), rule, objective)


def from_feedback(
    guesses: Sequence[str],
    answers: Sequence[str],
    feedback: ArrayLike,
    solved: int,
    *,
    symmetries: Sequence[Sequence[str]] = (),
    rule: Rule = Rule.NORMAL,
    objective: Objective | None = None,
    source: str = "the feedback matrix",
) -> Game:
    """Any game, given by its feedback matrix.

    Args:
        guesses: G distinct names without blanks, of any length, case-insensitive.
        answers: A distinct names of the same kind. They need not be names of guesses: the matrix
            says which guess is which answer.
        feedback: integers [G, A] from 0 to 65,535; ``feedback[g, a]`` is the feedback to guess g if
            answer a is hidden. Only equality of the numbers matters.
        solved: the feedback which means that the guess is the answer. Each answer has exactly one
            such guess, and each guess at most one such answer.
        symmetries: known symmetries, each as the image of every guess, in the order of ``guesses``.
            They save time and are verified; see symmetry.py.
        rule: NORMAL or CANDIDATES.
        objective: the mean without a guess limit, if not given.
        source: name of the game in errors.

    Raises:
        UserError: an argument is invalid; names the first guess or answer at fault.
    """
    words = _from_feedback(guesses, answers, feedback, solved, source)
    assert isinstance(words.feedback, MatrixFeedback)
    stated = tuple(_numbered(words.guesses, names) for names in symmetries)
    words = replace(words, definition=replace(words.feedback, stated=stated))
    game = _game(words, rule, objective)
    for permutation in stated:
        symmetry.verified(words, game.patterns.values, permutation)
    return game


def load(guesses: str, answers: str | None = None) -> GameWords | None:
    """Load the game that ``guesses`` names; None if it must be a word list.

    Names are ``mastermind``, ``mastermind:4x6`` (pegs by colours), ``bulls-and-cows`` and
    ``bulls-and-cows:4x10`` (places by digits to choose from). Names that begin with ``random`` are
    read by random_words.py, and files whose names end in ``.csv`` by :func:`read_feedback`.

    Raises UserError for sizes out of range, and if ``answers`` are given too.
    """
    found = re.fullmatch(
        r"(mastermind|bulls-and-cows)(?::([0-9]{1,3})x([0-9]{1,3}))?", guesses.lower()
    )
    is_file = guesses.lower().endswith(".csv")
    is_random = re.match(r"random(:|$)", guesses.lower()) is not None
    if not (found or is_file or is_random):
        if re.match(r"(mastermind|bulls-and-cows)\b", guesses.lower()):
            raise UserError(f"{quoted(guesses)}: sizes are written as in mastermind:4x6")
        return None
    if answers is not None:
        raise UserError(f"{guesses} has answers of its own; leave out --answers")
    if is_random:
        return random_words.load(guesses)
    if not found:
        return read_feedback(Path(guesses))
    build = _mastermind if found[1] == "mastermind" else _bulls_and_cows
    return build(*map(int, found.groups()[1:])) if found[2] else build()


def read_feedback(path: Path) -> GameWords:
    """Read a game from a CSV file.

    The first row has the number that means solved, then the names of the answers. Each further row
    has the name of a guess, then its feedback for each of these answers.

    Raises UserError as :func:`from_feedback` does, and for a file that cannot be read or exceeds
    MAX_GAME_BYTES or MAX_CELLS.
    """
    text = read_text(path, MAX_GAME_BYTES, "", "save the game as UTF-8")
    reader = csv.reader(io.StringIO(text, newline=""), strict=True)
    names: list[str] = []
    rows: list[NDArray[np.int32]] = []
    try:
        head = next(reader, [""])
        (solved,) = _feedback_of(head[:1] or [""], f"{path}, line 1")
        for row in reader:
            where = f"{path}, line {reader.line_num}"
            if len(row) != len(head):
                width = f"the first line has {len(head):,}"
                raise UserError(f"{where} has {counted(len(row), 'cell')}; {width}")
            if (len(rows) + 1) * len(head) > MAX_CELLS:
                raise UserError(f"{where}: more than {MAX_CELLS:,} cells; give a smaller game")
            names.append(row[0])
            rows.append(_feedback_of(row[1:], where))
    except csv.Error as error:
        raise UserError(f"{path}, line {reader.line_num}: not CSV ({error})") from None
    if not rows:
        raise UserError(f"{path}: give a row of answers, then a row for each guess")
    return _from_feedback(names, head[1:], np.stack(rows), int(solved), str(path))


def _feedback_of(cells: Sequence[str], where: str) -> NDArray[np.int32]:
    """Read the numbers in some cells. Raises UserError for the first that is none."""
    numbers = [natural_number(cell) for cell in cells]
    for cell, number in zip(cells, numbers, strict=True):
        if number is None or number > MAX_FEEDBACK:
            allowed = f"whole number from 0 to {MAX_FEEDBACK:,}"
            raise UserError(f"{where}: feedback {quoted(cell)} is no {allowed}")
    return np.array(numbers, dtype=np.int32)


@dataclass(frozen=True)
class PegFeedback(Feedback):
    """Feedback of Mastermind and Bulls and Cows: places that agree, and other common symbols.

    A symbol is common as often as both guess and answer have it.

    Attributes:
        name: identity of the feedback.
        places: number of places of a code.
        letters: the two letters of the counts, as in ``BW``.
        example: a guess and its feedback as a user writes them.
    """

    name: str
    places: int
    letters: str
    example: str

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """The meaning of each pattern: places that agree, and other common symbols."""
        n = self.places
        both = [(b, w) for b in range(n + 1) for w in range(n + 1 - b)]
        return [pair for pair in both if pair != (n - 1, 1)]  # impossible: the last would agree too

    @property
    def pattern_count(self) -> int:
        """Number of patterns."""
        return len(self.pairs)

    def patterns(
        self, words: Lists, guesses: NDArray[np.integer], answers: NDArray[np.integer]
    ) -> NDArray[np.uint16]:
        """Patterns of pairs of a guess and an answer, of the shape that both broadcast to."""
        g, a = words.guesses.codes[guesses], words.answers.codes[answers]
        shape = np.broadcast_shapes(g.shape, a.shape)[:-1]
        fitting, common = np.zeros(shape, np.uint16), np.zeros(shape, np.uint16)
        for i in range(self.places):
            fitting += g[..., i] == a[..., i]
        for symbol in np.unique(words.guesses.codes):
            held = ((codes == symbol).sum(axis=-1, dtype=np.uint16) for codes in (g, a))
            common += np.minimum(*held)
        number = np.zeros((self.places + 1, self.places + 1), np.uint16)
        number[tuple(np.array(self.pairs).T)] = np.arange(len(self.pairs))
        # Row ``fitting`` and column ``common - fitting`` of a table of places + 1 columns.
        return number.ravel()[fitting * np.uint16(self.places) + common]

    def symmetries(self, words: Lists) -> Sequence[NDArray[np.int32]]:
        """Claimed symmetries: swaps of neighbouring places, and of neighbouring symbols."""
        codes = words.guesses.codes
        symbols = np.unique(codes)
        renamed: list[NDArray[np.generic]] = []
        for i in range(self.places - 1):
            order = np.arange(self.places)
            order[[i, i + 1]] = i + 1, i
            renamed.append(codes[:, order])
        for one, other in pairwise(symbols):
            swapped = np.where(codes == one, other, np.where(codes == other, one, codes))
            renamed.append(swapped)
        digits = len(symbols) ** np.arange(self.places)
        number = np.searchsorted(symbols, codes) @ digits
        index = dict(zip(number.tolist(), range(len(codes)), strict=True))
        images = (np.searchsorted(symbols, other) @ digits for other in renamed)
        found = ([index.get(number, -1) for number in image.tolist()] for image in images)
        return [np.array(image, np.int32) for image in found if -1 not in image]

    def parse(self, text: str) -> int:
        """Read a pattern such as ``1B2W`` or ``12``. Raises UserError for any other text."""
        first, second = tuple(self.letters)
        sizes = rf"([0-9]{{1,2}}){first}([0-9]{{1,2}}){second}|([0-9])([0-9])"
        found = re.fullmatch(sizes, text.upper())
        pair = tuple(int(number) for number in found.groups() if number) if found else None
        if pair not in self.pairs:
            raise UserError(
                f"feedback {quoted(text)}: give two numbers as in 1{first}2{second} or 12, "
                f"{self.places} at most in all and not {self.places - 1}{first}1{second}"
            )
        return self.pairs.index(pair)

    def format(self, pattern: int) -> str:
        """Write a pattern, as in ``1B2W``."""
        fitting, besides = self.pairs[pattern]
        return f"{fitting}{self.letters[0]}{besides}{self.letters[1]}"


@dataclass(frozen=True, eq=False)
class MatrixFeedback(Feedback):
    """Feedback given by a matrix.

    Attributes:
        name: identity of the feedback, by a hash of the matrix.
        values: uint16[G, A], the pattern of each guess for each answer.
        numbers: the user's number of each pattern; the last one means solved.
        stated: int32[G] each, permutations of the guesses that claim to keep all feedback.
    """

    name: str
    values: NDArray[np.uint16]
    numbers: tuple[int, ...]
    stated: tuple[NDArray[np.int32], ...] = ()

    example = "NAME NUMBER"

    def __repr__(self) -> str:
        return f"MatrixFeedback({self.name}, {self.pattern_count:,} patterns)"

    @property
    def pattern_count(self) -> int:
        """Number of patterns."""
        return len(self.numbers)

    def patterns(
        self, words: Lists, guesses: NDArray[np.integer], answers: NDArray[np.integer]
    ) -> NDArray[np.uint16]:
        """Patterns of pairs of a guess and an answer, of the shape that both broadcast to."""
        return self.values[guesses, answers]

    def symmetries(self, words: Lists) -> Sequence[NDArray[np.int32]]:
        """The claimed symmetries."""
        return self.stated

    def parse(self, text: str) -> int:
        """Read a number of the matrix. Raises UserError for any other text."""
        number = natural_number(text)
        if number not in self.numbers:
            few = ", ".join(map(str, sorted(self.numbers)[:10]))
            more = ", ..." if len(self.numbers) > 10 else ""
            raise UserError(f"feedback {quoted(text)}: this game's is one of {few}{more}")
        return self.numbers.index(number)

    def format(self, pattern: int) -> str:
        """Write a pattern as its number in the matrix."""
        return str(self.numbers[pattern])

    def guess_of_answer(self, words: Lists) -> NDArray[np.int32]:
        """The guess that is each answer, int32[A]: the one whose feedback is ``solved``."""
        return (self.values == self.solved).argmax(axis=0).astype(np.int32)


def _game(words: GameWords, rule: Rule, objective: Objective | None) -> Game:
    return Game(words, PatternMatrix.by_definition(words), rule, objective or Objective(None))


def _mastermind(pegs: int = 4, colours: int = 6) -> GameWords:
    name = f"mastermind:{pegs}x{colours}"
    if not (1 <= pegs <= MAX_PEGS and 1 <= colours < len(SYMBOLS)):
        raise UserError(f"{name}: give 1 to {MAX_PEGS} pegs and 1 to {len(SYMBOLS) - 1} colours")
    codes = _codes(name, colours**pegs, lambda: product(SYMBOLS[1 : colours + 1], repeat=pegs))
    return GameWords(codes, codes, PegFeedback(name, pegs, "BW", "1123 1B2W"))


def _bulls_and_cows(digits: int = 4, symbols: int = 10) -> GameWords:
    name = f"bulls-and-cows:{digits}x{symbols}"
    if not 1 <= digits <= symbols <= len(SYMBOLS):
        raise UserError(
            f"{name}: give 1 digit or more, of at least as many and at most {len(SYMBOLS)} symbols"
        )
    codes = _codes(name, perm(symbols, digits), lambda: permutations(SYMBOLS[:symbols], digits))
    return GameWords(codes, codes, PegFeedback(name, digits, "BC", "0123 1B2C"))


def _codes(name: str, count: int, make: Callable[[], Iterable[tuple[str, ...]]]) -> WordList:
    if count > MAX_ANSWERS:
        raise UserError(f"{name} has more than {MAX_ANSWERS:,} codes; choose a smaller game")
    return WordList(tuple("".join(code) for code in make()), name)


def _from_feedback(
    guesses: Sequence[str], answers: Sequence[str], feedback: ArrayLike, solved: int, source: str
) -> GameWords:
    """Lists and feedback of a matrix, validated as :func:`from_feedback` says."""
    lists = _names(guesses, f"{source} (guesses)"), _names(answers, f"{source} (answers)")
    try:
        matrix = np.asarray(feedback)
    except ValueError:
        matrix = np.empty(0)  # rows differ in length; the shape is refused below
    shape = len(guesses), len(answers)
    if matrix.shape != shape:
        raise UserError(
            f"{source} has shape {matrix.shape}; it takes {shape}, a row for each guess and a "
            "column for each answer"
        )
    if matrix.dtype.kind not in "iu":
        raise UserError(f"{source} holds {matrix.dtype}; feedback is given as integers")
    for g, a in np.argwhere((matrix < 0) | (matrix > MAX_FEEDBACK))[:1]:
        raise UserError(
            f"{source}: guess {quoted(guesses[g])} receives {matrix[g, a]} "
            f"for answer {quoted(answers[a])}; "
            f"feedback is 0 to {MAX_FEEDBACK:,}"
        )
    finds = matrix == solved
    for axis, names, kind, most in (
        (0, answers, "answer {} is found by {} guesses; exactly one must receive {}", (1, 1)),
        (1, guesses, "guess {} finds {} answers; it may receive {} for one at most", (0, 1)),
    ):
        counts = finds.sum(axis=axis)
        for i in np.flatnonzero((counts < most[0]) | (counts > most[1]))[:1]:
            raise UserError(f"{source}: {kind.format(quoted(names[i]), counts[i], solved)}")
    ranked = np.where(finds, MAX_FEEDBACK + 1, matrix.astype(np.int64))
    numbers, values = np.unique(ranked, return_inverse=True)
    known = (*numbers[:-1].tolist(), int(solved))
    patterns = values.reshape(shape).astype(np.uint16)
    name = f"matrix {hashlib.sha256(ranked.tobytes()).hexdigest()[:32]} {solved}"
    return GameWords(*lists, MatrixFeedback(name, patterns, known))


def _numbered(guesses: WordList, names: Sequence[str]) -> NDArray[np.int32]:
    """Indices of guesses by name. Raises UserError for an unknown one."""
    return np.array([guesses.find(str(name)) for name in names], np.int32)


def _names(names: Sequence[str], source: str) -> WordList:
    """Make a list of names.

    Raises UserError for a name that is empty, has a blank or a control character, or occurs twice.
    Control characters would move the cursor, or change the order in which text is shown.
    """
    if not names:
        raise UserError(f"{source}: the list is empty")
    spelled = [normalise(str(name)) for name in names]
    seen: set[str] = set()
    for name in spelled:
        if not name or re.search(r"\s", name):
            raise UserError(f"{source}: {quoted(name)} is no name; give one without blanks")
        if not name.isprintable() and any(map(is_control, name)):
            raise UserError(f"{source}: {quoted(name)} holds a control character; take it out")
        if name in seen:
            raise UserError(f"{source}: {quoted(name)} occurs twice; case is of no matter")
        seen.add(name)
    return WordList(tuple(spelled), source)
