"""Games other than Wordle: Mastermind, Bulls and Cows, and any game given by its feedback.

A game is a list of guesses, a list of answers, and the feedback to each guess when each answer is
hidden; one feedback says that the answer is found. Everything that does not look at letters works
on such a game: statistics, solver, proof, ranking, checker, files and command line, under the rules
``normal`` and ``candidates``. (In Mastermind a guess that agrees with all feedback is a candidate.)

On the command line a game is named where word lists are, as in ``--guesses mastermind:4x6``.
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
"""What codes are written in; the colours of Mastermind begin with 1."""

MAX_PEGS = 15
"""Pegs with which two colours already make half as many codes as there may be answers."""

MAX_FEEDBACK = 65_535
"""The greatest number in a matrix of feedback."""

MAX_GAME_BYTES = 512 * MIB
MAX_CELLS = 1 << 27
"""What a file of feedback may hold: 11,585 guesses on as many answers."""


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
        symbols: how many digits there are to choose from, at least ``digits`` and at most 36; they
            are written 0 to 9, then a to z.
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
    """Any game, given by the feedback to each guess when each answer is hidden.

    Args:
        guesses: G distinct names without blanks, of any length; upper and lower case are the same.
        answers: A distinct names of the same kind. They need not be names of guesses: which guess
            finds an answer is for the matrix to say.
        feedback: integers [G, A] from 0 to 65,535; ``feedback[g, a]`` is what guess g receives when
            answer a is hidden. Their size is of no matter, only which of them are equal.
        solved: the feedback that says that the answer is found. One guess for each answer receives
            it, and a guess for one answer at most.
        symmetries: for each symmetry that is known, the guess that takes the place of each guess,
            in the order of ``guesses``. They save time and are checked; see symmetry.py.
        rule: NORMAL or CANDIDATES.
        objective: the mean without a limit on the guesses, if not given.
        source: what the game is called in errors.

    Raises:
        UserError: what of this does not hold, with the first guess or answer that is at fault.
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
    """The game that ``guesses`` names; None if it names none, and so must be a word list.

    Names are ``mastermind``, ``mastermind:4x6`` (pegs by colours), ``bulls-and-cows`` and
    ``bulls-and-cows:4x10`` (places by digits to choose from). What begins with ``random`` is read
    by random_words.py, and a file whose name ends in ``.csv`` by :func:`read_feedback`. Raises
    UserError for sizes out of range, and where ``answers`` are given too.
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

    The first row holds the number that says solved, then the names of the answers. Each further
    row holds the name of a guess, then its feedback when each of these answers is hidden. Raises
    UserError as :func:`from_feedback` does, and for a file that cannot be read or holds more than
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
    """The numbers in some cells; UserError for the first that is none."""
    numbers = [natural_number(cell) for cell in cells]
    for cell, number in zip(cells, numbers, strict=True):
        if number is None or number > MAX_FEEDBACK:
            allowed = f"whole number from 0 to {MAX_FEEDBACK:,}"
            raise UserError(f"{where}: {quoted(cell)} is no {allowed}, as feedback is")
    return np.array(numbers, dtype=np.int32)


@dataclass(frozen=True)
class PegFeedback(Feedback):
    """How many places agree, and how many symbols besides, as in Mastermind and Bulls and Cows.

    A guess and an answer have a symbol in common as often as both hold it. Places that agree are
    counted first; ``letters`` stand for them and for what is common besides.
    """

    name: str
    places: int
    letters: str
    example: str

    @cached_property
    def pairs(self) -> list[tuple[int, int]]:
        """What each pattern means: places that agree, and what is common besides."""
        n = self.places
        both = [(b, w) for b in range(n + 1) for w in range(n + 1 - b)]
        return [pair for pair in both if pair != (n - 1, 1)]  # the last symbol must fit its place

    @property
    def pattern_count(self) -> int:
        """See Feedback."""
        return len(self.pairs)

    def patterns(
        self, words: Lists, guesses: NDArray[np.integer], answers: NDArray[np.integer]
    ) -> NDArray[np.uint16]:
        """See Feedback."""
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
        return number.ravel()[fitting * np.uint16(self.places) + common]

    def symmetries(self, words: Lists) -> Sequence[NDArray[np.int32]]:
        """See Feedback; neighbouring places change places, and neighbouring symbols names."""
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
        """See Feedback; as in ``1B2W`` or ``12``."""
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
        """See Feedback; as in ``1B2W``."""
        fitting, besides = self.pairs[pattern]
        return f"{fitting}{self.letters[0]}{besides}{self.letters[1]}"


@dataclass(frozen=True, eq=False)
class MatrixFeedback(Feedback):
    """Feedback by a matrix.

    Attributes:
        values: uint16[G, A], patterns of each guess when each answer is hidden.
        numbers: the number by which each pattern is known to people, the last of them solved.
        stated: int32[G] each, permutations of the guesses that are said to keep all feedback.
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
        """See Feedback."""
        return len(self.numbers)

    def patterns(
        self, words: Lists, guesses: NDArray[np.integer], answers: NDArray[np.integer]
    ) -> NDArray[np.uint16]:
        """See Feedback."""
        return self.values[guesses, answers]

    def symmetries(self, words: Lists) -> Sequence[NDArray[np.int32]]:
        """See Feedback."""
        return self.stated

    def parse(self, text: str) -> int:
        """See Feedback; a number of the matrix."""
        number = natural_number(text)
        if number not in self.numbers:
            few = ", ".join(map(str, sorted(self.numbers)[:10]))
            more = ", ..." if len(self.numbers) > 10 else ""
            raise UserError(f"feedback {quoted(text)}: this game's is one of {few}{more}")
        return self.numbers.index(number)

    def format(self, pattern: int) -> str:
        """See Feedback."""
        return str(self.numbers[pattern])

    def guess_of_answer(self, words: Lists) -> NDArray[np.int32]:
        """See Feedback; the one that receives ``solved``."""
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
    """See :func:`from_feedback`."""
    lists = _names(guesses, f"{source} (guesses)"), _names(answers, f"{source} (answers)")
    try:
        matrix = np.asarray(feedback)
    except ValueError:
        matrix = np.empty(0)  # ragged rows
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
    """Guesses by their numbers; UserError for an unknown one."""
    return np.array([guesses.find(str(name)) for name in names], np.int32)


def _names(names: Sequence[str], source: str) -> WordList:
    """Names as a list; UserError if one is empty, has a blank or control in it, or is there twice.

    Controls would move the cursor, or change the order in which other names are shown.
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
