"""THE definition of the feedback that a guess receives; every backend is tested against it.

Greens come first: a letter in its place. Then, from the left, a letter that is not green is yellow
while the answer still holds an unclaimed copy of it, and grey otherwise. So a guess never shows
more coloured copies of a letter than the answer has.

A pattern is an integer in base 3 with one digit a letter (grey 0, yellow 1, green 2); the first
letter is the least significant digit. Words of up to five letters give patterns below 256.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

GREY, YELLOW, GREEN = 0, 1, 2
MIN_LENGTH, MAX_LENGTH = 2, 10

_DIGIT_OF_SYMBOL = {
    **dict.fromkeys("bB0⬛⬜", GREY),
    **dict.fromkeys("yY1🟨🟦", YELLOW),
    **dict.fromkeys("gG2🟩🟧", GREEN),
}
_VARIATION_SELECTOR = "\ufe0f"  # some keyboards put it behind an emoji square


def pattern_count(length: int) -> int:
    """Number of patterns of words of ``length`` letters, those that cannot occur included."""
    return int(3**length)


def all_green(length: int) -> int:
    """The pattern ALL_GREEN, which says that the guess is the answer."""
    return pattern_count(length) - 1


def pattern(guess: str, answer: str) -> int:
    """Pattern of ``guess`` when ``answer`` is hidden; both have the same length."""
    if len(guess) != len(answer):
        raise ValueError(f"{guess!r} and {answer!r} differ in length")
    digits = [GREEN if g == a else GREY for g, a in zip(guess, answer, strict=True)]
    unclaimed = [a for a, digit in zip(answer, digits, strict=True) if digit != GREEN]
    for i, letter in enumerate(guess):
        if digits[i] != GREEN and letter in unclaimed:
            digits[i] = YELLOW
            unclaimed.remove(letter)
    return sum(digit * 3**i for i, digit in enumerate(digits))


def pattern_row(guess: NDArray[np.uint32], answers: NDArray[np.uint32]) -> NDArray[np.uint16]:
    """Patterns of one guess, or of a guess each, against many answers: :func:`pattern` in numpy.

    ``guess`` [L] or [A, L] and ``answers`` [A, L] are code points; the result is [A].
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
        for j in range(length):
            hit = waiting & unclaimed[j] & (answers[j] == guess[i])
            unclaimed[j] ^= hit
            waiting ^= hit
            result += hit * np.uint16(YELLOW * 3**i)
    return result


def parse_pattern(text: str, length: int) -> int:
    """Read a pattern given as letters (B, Y, G), digits (0, 1, 2) or emoji squares.

    Raises UserError if the symbols or their number are wrong.
    """
    symbols = text.replace(_VARIATION_SELECTOR, "")
    for symbol in symbols:
        if symbol not in _DIGIT_OF_SYMBOL:
            raise UserError(
                f"pattern {text!r}: {symbol!r} is no colour; use B, Y, G (grey, yellow, green), "
                "0, 1, 2 or the squares ⬛ 🟨 🟩"
            )
    if len(symbols) != length:
        raise UserError(
            f"pattern {text!r} has {len(symbols)} colours; words here have {length} letters"
        )
    return sum(_DIGIT_OF_SYMBOL[symbol] * 3**i for i, symbol in enumerate(symbols))


def digits(pattern: int, length: int) -> list[int]:
    """The colours of a pattern from the first letter to the last."""
    return [pattern // 3**i % 3 for i in range(length)]


def format_pattern(pattern: int, length: int, symbols: str = "BYG") -> str:
    """Write a pattern, by default as in ``BYBBG``; ``symbols`` are grey, yellow, green."""
    return "".join(symbols[digit] for digit in digits(pattern, length))
