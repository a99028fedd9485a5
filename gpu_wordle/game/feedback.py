"""THE definition of the feedback that a guess receives; every backend is tested against it.

:class:`Feedback` is the interface for the feedback of any game. Patterns are integers from 0, and
the last one means that the guess is the answer. The rest of this module defines Wordle's feedback.

A letter in its place is green. Then, from the left, any other letter is yellow if the answer still
has an unclaimed copy of it, and grey otherwise. So a guess never shows more coloured copies of a
letter than the answer has.

A pattern is an integer in base 3 with one digit a letter (grey 0, yellow 1, green 2); the first
letter is the least significant digit. Words of up to five letters give patterns below 256.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Protocol

from gpu_wordle.errors import AmbiguousError, UserError, counted, quoted
from gpu_wordle.game.alphabet import PLAIN, Alphabet
from gpu_wordle.game.numbers import natural_number
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.word_list import WordList

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GREY, YELLOW, GREEN = 0, 1, 2

_DIGIT_OF_SYMBOL = {
    **dict.fromkeys("bB0⬛⬜-._x", GREY),
    **dict.fromkeys("yY1🟨🟦", YELLOW),
    **dict.fromkeys("gG2🟩🟧", GREEN),
}
_VARIATION_SELECTOR = "\ufe0f"  # some keyboards add it after an emoji square


class Lists(Protocol):
    """The two lists of a game; words.GameWords is one."""

    @property
    def guesses(self) -> WordList:
        """The words that may be guessed."""
        ...

    @property
    def answers(self) -> WordList:
        """The words that may be hidden."""
        ...


class Feedback(ABC):
    """The feedback of one game: its definition, and how users write it.

    Implementations are immutable.

    Attributes:
        is_by_letters: whether it is exactly Wordle's feedback. Only then may guesses be compared by
            their letters.
        is_of_words: whether each letter of a guess receives a colour, by any definition.
        name: its identity in files: equal names mean equal feedback.
        example: a guess and its feedback as a user writes them, shown in errors.
    """

    is_by_letters: ClassVar[bool] = False
    is_of_words: ClassVar[bool] = False
    name: str
    example: str

    @property
    @abstractmethod
    def pattern_count(self) -> int:
        """Number of patterns, at most 65,536; some of them may never occur."""

    @property
    def solved(self) -> int:
        """The pattern which means that the guess is the answer: the last one."""
        return self.pattern_count - 1

    @abstractmethod
    def patterns(
        self, words: Lists, guesses: NDArray[np.integer], answers: NDArray[np.integer]
    ) -> NDArray[np.uint16]:
        """Patterns of pairs of a guess and a hidden answer, by the definition.

        ``guesses`` and ``answers`` are indices into the lists of ``words`` whose shapes broadcast;
        the result has the broadcast shape.
        """

    @abstractmethod
    def parse(self, text: str) -> int:
        """Read a pattern as a user writes it. Raises UserError if it is none."""

    @abstractmethod
    def format(self, pattern: int) -> str:
        """Write a pattern, without blanks, so that :meth:`parse` reads it."""

    def picture(self, pattern: int) -> str:
        """The pattern for display."""
        return self.format(pattern)

    def tiles(self, word: str) -> Sequence[str]:
        """The letters of a guess in capitals, one for each tile."""
        return capitals(word)

    def symmetries(self, words: Lists) -> Sequence[NDArray[np.int32]]:
        """Permutations of the guesses, int32[G] each, that claim to keep all feedback.

        symmetry.py verifies them.
        """
        return ()

    def guess_of_answer(self, words: Lists) -> NDArray[np.int32]:
        """The guess that is each answer, int32[A]: the guess of the same name."""
        import numpy as np

        index = words.guesses.by_letters
        return np.array([index[signs] for signs in words.answers.signs], dtype=np.int32)


@dataclass(frozen=True)
class LetterFeedback(Feedback):
    """Wordle's feedback to words of ``length`` letters: a colour for each letter."""

    length: int
    alphabet: Alphabet = PLAIN

    is_by_letters = True
    is_of_words = True
    kind: ClassVar[str] = "letters"
    example = "salet BYBBG"

    @property
    def name(self) -> str:  # type: ignore[override]
        """Its identity in files, which holds the alphabet if there is one."""
        return self.kind if self.alphabet.is_plain else f"{self.kind}; {self.alphabet.text}"

    @property
    def pattern_count(self) -> int:
        """3**length."""
        return pattern_count(self.length)

    def patterns(
        self, words: Lists, guesses: NDArray[np.integer], answers: NDArray[np.integer]
    ) -> NDArray[np.uint16]:
        """Patterns of pairs of a guess and an answer, of the shape that both broadcast to."""
        import numpy as np

        g, a = np.broadcast_arrays(guesses, answers)
        guess = words.guesses.columns.take(g.ravel(), axis=1)
        answer = words.answers.columns.take(a.ravel(), axis=1)
        return pattern_row(guess.T, answer.T).reshape(g.shape)

    def parse(self, text: str) -> int:
        """Read a pattern of letters, digits or emoji squares. Raises UserError for any other."""
        number = natural_number(text)
        is_row = len(text) == self.length or text != str(number)  # zeros in front are colours
        if number is not None and not is_row and number < self.pattern_count:
            readings = two_readings(number, self.length)
            raise AmbiguousError(f"{number} numbers a pattern in one of two ways; write {readings}")
        return parse_pattern(text, self.length)

    def format(self, pattern: int) -> str:
        """Write a pattern in letters, as in ``BYBBG``."""
        return format_pattern(pattern, self.length)

    def picture(self, pattern: int) -> str:
        """Write a pattern in emoji squares."""
        return format_pattern(pattern, self.length, "⬛🟨🟩")

    def tiles(self, word: str) -> Sequence[str]:
        """The letters of a guess in capitals, one for each tile."""
        return [capitals(letter) for letter in self.alphabet.cut(word)]


@dataclass(frozen=True)
class NaiveFeedback(LetterFeedback):
    """Feedback that ignores how many copies of a letter the answer has.

    A letter that is not green is yellow if the answer has it at all (Hayes, "Words for the
    Wordle-Weary", 2022, first program).
    """

    is_by_letters = False
    kind = "naive-letters"

    def patterns(
        self, words: Lists, guesses: NDArray[np.integer], answers: NDArray[np.integer]
    ) -> NDArray[np.uint16]:
        """Patterns of pairs of a guess and an answer, of the shape that both broadcast to."""
        import numpy as np

        guess, answer = words.guesses.codes[guesses], words.answers.codes[answers]
        shape = np.broadcast_shapes(guess.shape, answer.shape)[:-1]
        result = np.zeros(shape, np.uint16)
        for i in range(self.length):
            letter = guess[..., i]
            green = letter == answer[..., i]
            held = np.zeros(shape, np.bool_)
            for j in range(self.length):
                held |= letter == answer[..., j]
            colour = np.where(green, GREEN, np.where(held, YELLOW, GREY))
            result += (colour * 3**i).astype(np.uint16)
        return result


def letter_feedback(name: str, length: int = 0) -> LetterFeedback | None:
    """The feedback of words that has this name in files; None if that of another game has it.

    Raises UserError for a wrong alphabet.
    """
    kind, has_alphabet, letters = name.partition("; ")
    make = {each.kind: each for each in (LetterFeedback, NaiveFeedback)}.get(kind)
    if make is None:
        return None
    read = Alphabet.read(letters.split("; "), "its alphabet") if has_alphabet else PLAIN
    return make(length, read)


def pattern_count(length: int) -> int:
    """Number of patterns of words of ``length`` letters, including some that cannot occur."""
    return int(3**length)


def pattern(guess: str, answer: str) -> int:
    """Pattern of ``guess`` when ``answer`` is hidden; both have the same length."""
    if len(guess) != len(answer):
        raise ValueError(f"{guess!r} and {answer!r} differ in length")
    digits = [GREEN if g == a else GREY for g, a in zip(guess, answer, strict=True)]
    # Greens claim their letters first, wherever they are.
    unclaimed = [a for a, digit in zip(answer, digits, strict=True) if digit != GREEN]
    for i, letter in enumerate(guess):
        if digits[i] != GREEN and letter in unclaimed:
            digits[i] = YELLOW
            unclaimed.remove(letter)
    return sum(digit * 3**i for i, digit in enumerate(digits))


def pattern_row(guess: NDArray[np.uint32], answers: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """Patterns of one guess, or of one guess for each answer: :func:`pattern` in numpy.

    ``guess`` [L] or [A, L] and ``answers`` [A, L] are code points; the result is uint16[A].
    """
    import numpy as np

    length = answers.shape[1]
    answers = np.ascontiguousarray(answers.T)
    guess = np.ascontiguousarray(guess.T)
    result = np.zeros(answers.shape[1], np.uint16)
    green = [answers[i] == guess[i] for i in range(length)]
    unclaimed = [~hit for hit in green]
    for i in range(length):
        result += green[i] * np.uint16(GREEN * 3**i)
        waiting = ~green[i]
        for j in (*range(i), *range(i + 1, length)):
            hit = waiting & unclaimed[j] & (answers[j] == guess[i])
            unclaimed[j] ^= hit
            waiting ^= hit
        result += (waiting ^ ~green[i]) * np.uint16(YELLOW * 3**i)
    return result


def parse_pattern(text: str, length: int) -> int:
    """Read a pattern given as letters (B, Y, G), digits (0, 1, 2) or emoji squares.

    Grey may also be ``-``, ``.``, ``_`` or ``x``, as in ``-y--g``. Raises UserError for any other
    symbol, and for a wrong number of symbols.
    """
    symbols = text.replace(_VARIATION_SELECTOR, "")
    for symbol in symbols:
        if symbol not in _DIGIT_OF_SYMBOL:
            raise UserError(
                f"pattern {quoted(text)}: {symbol!r} is no colour; use B, Y, G (grey, yellow, "
                "green), 0, 1, 2, the squares ⬛ 🟨 🟩, or -, ., _ and x for grey"
            )
    if len(symbols) != length:
        raise UserError(
            f"pattern {quoted(text)} has {counted(len(symbols), 'colour')}; "
            f"words here have {length} letters"
        )
    return sum(_DIGIT_OF_SYMBOL[symbol] * 3**i for i, symbol in enumerate(symbols))


def digits(pattern: int, length: int) -> list[int]:
    """The colours of a pattern, from the first letter to the last."""
    return [pattern // 3**i % 3 for i in range(length)]


def two_readings(number: int, length: int) -> str:
    """The two rows that a number of a pattern may mean: programs differ in the first digit."""
    row = format_pattern(number, length)
    return " or ".join(dict.fromkeys((row, row[::-1])))


def format_pattern(pattern: int, length: int, symbols: str = "BYG") -> str:
    """Write a pattern, by default as in ``BYBBG``; ``symbols`` are grey, yellow, green."""
    return "".join(symbols[digit] for digit in digits(pattern, length))
