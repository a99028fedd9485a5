"""Weights: integer probabilities of the answers, read from files of lines ``word,weight``.

An answer of weight zero is never drawn, and costs nothing. But it stays an answer: a guaranteed win
must find it in time.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from pathlib import Path
from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game.numbers import MAX_DIGITS, decimal_number
from gpu_wordle.game.reading import MIB, read_text
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.word_list import WordList

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEADER = ["word", "weight"]
"""The optional header line; every other line must name an answer."""

MAX_PLACES = 350
"""Most digits of a weight after its point; enough for any float."""

MOST = INFEASIBLE - 1
"""Greatest sum of integer weights under any objective."""

UNIT_DIGITS = 3
"""Digits of the unit of rounded weights after its first one."""

MIN_UNIT = Fraction(1, 10**39)
"""The least unit of rounded weights that files can record."""

MAX_WEIGHTS_BYTES = 32 * MIB
"""Largest file of weights."""


@dataclass(frozen=True)
class Weights:
    """Integer weights of the answers of a game, in the order of their list.

    Attributes:
        of_answer: a weight for each answer, none negative, not all zero.
        unit: the given weight of an integer weight of one, since decimals are scaled to integers.
        source: the file or other source of the weights.
        error: greatest relative error of a weight, since decimals that do not fit are rounded.
    """

    of_answer: tuple[int, ...]
    unit: Fraction = Fraction(1)
    source: str = "weights"
    error: Fraction = field(default=Fraction(0), compare=False)

    def __repr__(self) -> str:
        return f"Weights({len(self.of_answer):,} answers, {self.source})"

    @property
    def total(self) -> int:
        """The sum of the weights."""
        return sum(self.of_answer)

    @cached_property
    def values(self) -> NDArray[np.int64]:
        """The weights, int64[A]."""
        import numpy as np

        return np.array(self.of_answer, dtype=np.int64)

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of the integers, one on each line; identifies the weights."""
        return hashlib.sha256("".join(f"{w}\n" for w in self.of_answer).encode()).hexdigest()


def load_weights(path: Path, answers: WordList, most: int = MOST) -> Weights:
    """Read a CSV file of ``word,weight`` for every answer, in any order.

    The first line may be the header ``word,weight``. Weights are whole numbers or decimals, and are
    scaled exactly to integers without a common divisor. Decimals whose integers would add up to
    more than ``most`` are rounded; a weight above 0 stays above 0.

    Raises UserError, with file and line, for a wrong line, and for more than MAX_WEIGHTS_BYTES.
    """
    missing, remedy = "; give a CSV file of word,weight", "save the weights as UTF-8"
    text = read_text(path, MAX_WEIGHTS_BYTES, missing, remedy)
    return parse_weights(text, answers, str(path), most)


def parse_weights(text: str, answers: WordList, source: str, most: int = MOST) -> Weights:
    """Parse the text of a file of weights as :func:`load_weights` does. Errors name ``source``."""
    given: dict[int, Fraction] = {}
    lines: dict[int, int] = {}
    is_first = True
    for number, row in _rows(text, source):
        where = f"{source}, line {number}"
        if len(row) != 2:
            raise UserError(f"{where}: {counted(len(row), 'field')}; each line is word,weight")
        answer = answers.place(row[0])
        is_header = is_first and [field.lower() for field in row] == HEADER
        is_first = False
        if is_header:
            continue
        if answer is None:
            raise UserError(
                f"{where}: {quoted(row[0])} is none of the {counted(len(answers), 'answer')} of "
                f"{answers.source}; remove the line, or choose other --answers"
            )
        if answer in lines:
            raise UserError(
                f"{where}: {quoted(row[0])} was already on line {lines[answer]}; remove one"
            )
        lines[answer] = number
        given[answer] = _weight(row[1], where)
    return _complete(given, answers, source, most)


def weights_of(
    weights: Mapping[str, float | Fraction | Decimal],
    answers: WordList,
    source: str = "weights",
    most: int = MOST,
) -> Weights:
    """Weights from a mapping of words to numbers, scaled as :func:`load_weights` does.

    Errors name ``source``.
    """
    if not isinstance(weights, Mapping):
        raise UserError(
            f"{source}: {quoted(weights)} is no mapping of words to numbers, and no file; "
            "give either"
        )
    given: dict[int, Fraction] = {}
    for word, weight in weights.items():
        where = f"{source}[{quoted(word)}]"
        answer = answers.place(word) if isinstance(word, str) else None
        if answer is None:
            held = counted(len(answers), "answer")
            raise UserError(f"{where}: none of the {held} of {answers.source}")
        if answer in given:
            raise UserError(f"{where}: the word was already given in another spelling; remove one")
        is_fraction = isinstance(weight, Rational)
        given[answer] = (
            _checked(Fraction(weight), where) if is_fraction else _weight(str(weight), where)
        )
    return _complete(given, answers, source, most)


def _checked(weight: Fraction, where: str) -> Fraction:
    """Return an exact weight. Raises UserError if it is negative."""
    if weight < 0:
        raise UserError(f"{where}: the weight {weight} is negative; give 0 or more")
    return weight


def _complete(given: dict[int, Fraction], answers: WordList, source: str, most: int) -> Weights:
    """Make Weights from a weight for each answer. Raises UserError if any is missing."""
    missing = [word for i, word in enumerate(answers.words) if i not in given]
    if missing:
        others = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise UserError(
            f"{source}: no weight for {missing[0]!r}{others} of the "
            f"{counted(len(answers), 'answer')} of {answers.source}; "
            "give every answer one, 0 for one that is never drawn"
        )
    return _scaled([given[i] for i in range(len(answers))], source, most)


def _rows(text: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Yield line number and fields of each line that is not blank."""
    reader = csv.reader(io.StringIO(text, newline=""), strict=True, skipinitialspace=True)
    try:
        for row in reader:
            fields = [field.strip() for field in row]
            if any(fields):
                yield reader.line_num, fields
    except csv.Error as error:
        raise UserError(
            f"{source}, line {reader.line_num}: not CSV ({error}); each line is word,weight"
        ) from None


def _weight(text: str, where: str) -> Fraction:
    """Read a weight. Raises UserError if the text is no number of the right range."""
    value = decimal_number(text)
    if value is None:
        raise UserError(f"{where}: {quoted(text)} is no number; give a whole number or a decimal")
    if value.adjusted() >= MAX_DIGITS or _places(value) > MAX_PLACES:
        raise UserError(
            f"{where}: the weight {text[:40]} is out of range; give a number of at most "
            f"{MAX_DIGITS} digits before the point and {MAX_PLACES} after it"
        )
    if value < 0:
        raise UserError(f"{where}: the weight {text[:40]} is negative; give 0 or more")
    return Fraction(value)


def _places(value: Decimal) -> int:
    """Digits after the point of a finite number."""
    return -int(value.as_tuple().exponent)


def _scaled(weights: list[Fraction], source: str, most: int) -> Weights:
    """Scale weights exactly to integers without a common divisor, or round decimals."""
    if not any(weights):
        raise UserError(f"{source}: every weight is zero; give some answer a weight above 0")
    denominator = math.lcm(*(w.denominator for w in weights))
    numerators = [int(w * denominator) for w in weights]
    divisor = math.gcd(*numerators)
    result = tuple(n // divisor for n in numerators)
    if sum(result) > most and denominator > 1:
        return _rounded(weights, source, most)
    if sum(result) >= INFEASIBLE:
        raise UserError(
            f"{source}: as whole numbers without a common divisor the weights add up to "
            f"{sum(result):,}, and have to stay below {INFEASIBLE:,}; round them to fewer digits"
        )
    return Weights(result, Fraction(divisor, denominator), source)


def _rounded(weights: list[Fraction], source: str, most: int) -> Weights:
    """Round weights to integers that add up to at most ``most``; none above 0 becomes 0."""
    positive = [w for w in weights if w]
    room = most - len(positive)  # rounding adds at most 1 to each
    if room < len(positive):
        raise UserError(
            f"{source}: {len(positive):,} weights do not fit into a sum of {most:,}; choose "
            "another --objective or --max-guesses"
        )
    least = sum(positive) / room
    step = Fraction(10) ** (math.floor(math.log10(least)) - UNIT_DIGITS)
    unit = math.ceil(least / step) * step
    if unit.denominator > MIN_UNIT.denominator:
        raise UserError(f"{source}: the weights add up to too little; multiply them all by 1e30")
    result = tuple(max(round(w / unit), 1 if w else 0) for w in weights)
    error = max(abs(n * unit / w - 1) for n, w in zip(result, weights, strict=True) if w)
    return Weights(result, unit, source, error)
