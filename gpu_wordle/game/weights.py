"""Weights: how likely each answer is, as integers; read from files of a word and a number a line.

A weight of zero says that an answer is never drawn. It costs nothing then, but it is still an
answer: a strategy that must win has to find it in time.
"""

from __future__ import annotations

import csv
import hashlib
import io
import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from decimal import Decimal, InvalidOperation
from fractions import Fraction
from functools import cached_property
from numbers import Rational
from pathlib import Path
from typing import TYPE_CHECKING

from gpu_wordle.errors import UserError
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.game.word_list import WordList, normalise

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HEADER = ["word", "weight"]
"""The fields of a first line that is about the others; any other must name an answer."""

MAX_DIGITS = 18
"""Digits of a weight before the point and after it."""


@dataclass(frozen=True)
class Weights:
    """Integer weights of the answers of a game, in the order of their list.

    Attributes:
        of_answer: one for each answer, none negative, not all zero.
        unit: what a weight of one stands for; weights given as decimals are multiples of it.
        source: the file that they were read from, or what else they come from.
    """

    of_answer: tuple[int, ...]
    unit: Fraction = Fraction(1)
    source: str = "weights"

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
        """Identity of the weights: of the integers, one a line."""
        return hashlib.sha256("".join(f"{w}\n" for w in self.of_answer).encode()).hexdigest()


def load_weights(path: Path, answers: WordList) -> Weights:
    """Read a CSV file of ``word,weight`` for every answer, in any order.

    The first line may be the header ``word,weight``.

    Weights are whole numbers or decimals, and are scaled exactly to integers without a common
    divisor. Raises UserError with file and line for what is wrong in it.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except FileNotFoundError:
        raise UserError(f"{path}: no such file; give a CSV file of word,weight") from None
    except UnicodeDecodeError:
        raise UserError(f"{path}: not UTF-8 text; save the weights as UTF-8") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    return parse_weights(text, answers, str(path))


def parse_weights(text: str, answers: WordList, source: str) -> Weights:
    """The weights in the text of a file; ``source`` is named in errors."""
    given: dict[int, Fraction] = {}
    lines: dict[int, int] = {}
    is_first = True
    for number, row in _rows(text, source):
        where = f"{source}, line {number}"
        if len(row) != 2:
            raise UserError(f"{where}: {len(row)} fields; each line is word,weight")
        answer = answers.index.get(normalise(row[0]))
        is_header = is_first and [field.lower() for field in row] == HEADER
        is_first = False
        if is_header:
            continue
        if answer is None:
            raise UserError(
                f"{where}: {row[0]!r} is none of the {len(answers):,} answers of "
                f"{answers.source}; remove the line, or choose other --answers"
            )
        if answer in lines:
            raise UserError(f"{where}: {row[0]!r} was already on line {lines[answer]}; remove one")
        lines[answer] = number
        given[answer] = _weight(row[1], where)
    return _complete(given, answers, source)


def weights_of(
    weights: Mapping[str, float | Fraction | Decimal], answers: WordList, source: str = "weights"
) -> Weights:
    """The weights that a mapping gives to words, exactly; ``source`` is named in errors."""
    if not isinstance(weights, Mapping):
        raise UserError(
            f"{source}: {weights!r} is no mapping of words to numbers, and no file; give either"
        )
    given: dict[int, Fraction] = {}
    for word, weight in weights.items():
        where = f"{source}[{word!r}]"
        answer = answers.index.get(normalise(word)) if isinstance(word, str) else None
        if answer is None:
            raise UserError(f"{where}: none of the {len(answers):,} answers of {answers.source}")
        if answer in given:
            raise UserError(f"{where}: the word was already given in another spelling; remove one")
        is_fraction = isinstance(weight, Rational)
        given[answer] = (
            _checked(Fraction(weight), where) if is_fraction else _weight(str(weight), where)
        )
    return _complete(given, answers, source)


def _checked(weight: Fraction, where: str) -> Fraction:
    """A weight that is exact already; UserError if it is negative."""
    if weight < 0:
        raise UserError(f"{where}: the weight {weight} is negative; give 0 or more")
    return weight


def _complete(given: dict[int, Fraction], answers: WordList, source: str) -> Weights:
    """The weights, one for each answer; UserError if any is missing."""
    missing = [word for i, word in enumerate(answers.words) if i not in given]
    if missing:
        others = f" and {len(missing) - 1:,} more" if len(missing) > 1 else ""
        raise UserError(
            f"{source}: no weight for {missing[0]!r}{others} of the {len(answers):,} answers of "
            f"{answers.source}; give every answer one, 0 for one that is never drawn"
        )
    return _scaled([given[i] for i in range(len(answers))], source)


def _rows(text: str, source: str) -> Iterator[tuple[int, list[str]]]:
    """Number and fields of each line that is not blank."""
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


def _number(text: str) -> Decimal | None:
    """The number that a text spells, if it does, exactly."""
    if "_" in text:  # which Decimal would leave out
        return None
    try:
        return Decimal(text)
    except InvalidOperation:
        return None


def _weight(text: str, where: str) -> Fraction:
    """A weight; UserError if it is none."""
    value = _number(text)
    if value is None:
        raise UserError(f"{where}: {text!r} is no number; give a whole number or a decimal")
    if not value.is_finite() or value.adjusted() >= MAX_DIGITS or _places(value) > MAX_DIGITS:
        raise UserError(
            f"{where}: the weight {text[:40]} is out of range; give a finite number of at most "
            f"{MAX_DIGITS} digits before the point and after it"
        )
    if value < 0:
        raise UserError(f"{where}: the weight {text} is negative; give 0 or more")
    return Fraction(value)


def _places(value: Decimal) -> int:
    """Digits after the point of a finite number."""
    return -int(value.as_tuple().exponent)


def _scaled(weights: list[Fraction], source: str) -> Weights:
    """The same as integers without a common divisor."""
    if not any(weights):
        raise UserError(f"{source}: every weight is zero; give some answer a weight above 0")
    denominator = math.lcm(*(w.denominator for w in weights))
    numerators = [int(w * denominator) for w in weights]
    divisor = math.gcd(*numerators)
    result = tuple(n // divisor for n in numerators)
    if sum(result) >= INFEASIBLE:
        raise UserError(
            f"{source}: as whole numbers without a common divisor the weights add up to "
            f"{sum(result):,}, and have to stay below {INFEASIBLE:,}; round them to fewer digits"
        )
    return Weights(result, Fraction(divisor, denominator), source)
