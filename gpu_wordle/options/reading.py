"""Readers of option values: text from a terminal or an address, and values from Python.

An :class:`Allowed` describes the allowed values in words, checks a value and converts it.
"""

from __future__ import annotations

import math
import operator
import os
import re
import stat
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.numbers import decimal_number, whole_number
from gpu_wordle.game.reading import read_text

WordsGiven = str | Path | Iterable[str]
"""A named list, a file, or the words themselves."""

WeightsGiven = Mapping[str, float | Fraction | Decimal] | str | Path
"""The weight of each answer, or a CSV file that holds them."""

MAX_COUNT = 2**63 - 1
"""The largest number of rows, guesses or states, and the largest seed."""

MAX_SECONDS = 1e9
"""The longest time limit that a text may spell, in seconds: about thirty years."""

MAX_NAME, MAX_PATH = 255, 4095
"""Most bytes of a file name and of a path."""


class RefusedError(Exception):
    """The given value is not allowed; the text names the offending part, if only a part is."""


@dataclass(frozen=True)
class Allowed:
    """The allowed values of a parameter.

    Attributes:
        said: the allowed values in words, after "give".
        read: checks and converts a value; RefusedError if it is not allowed.
        of_text: the value that a text spells, for ``read``; None if it spells none.
        choices: all allowed values, if they are names.
        form: further properties in JSON Schema.
        metavar: the placeholder of a value in the help; a final ``...`` allows several values.
    """

    said: str
    read: Callable[[Any], Any]
    of_text: Callable[[str], Any] = str
    choices: tuple[str, ...] = ()
    form: Mapping[str, Any] = field(default_factory=dict)
    metavar: str = ""

    @property
    def schema(self) -> dict[str, Any]:
        """The allowed texts as a JSON Schema."""
        named = {"enum": list(self.choices)} if self.choices else {}
        return {"type": "string", **named, **self.form}


def whole(least: int, most: int = MAX_COUNT) -> Allowed:
    """A whole number within limits; True and False are not allowed."""
    ends = f"from {least:,} on" if most == MAX_COUNT else f"from {least:,} to {most:,}"

    def read(given: Any) -> int:
        try:
            number = operator.index(given)
        except TypeError:
            raise RefusedError from None
        if isinstance(given, bool) or not least <= number <= most:
            raise RefusedError
        return number

    form = {"type": "integer", "minimum": least, "maximum": most}
    return Allowed(f"a whole number {ends}", read, whole_number, form=form, metavar="INTEGER")


def one_of(names: Iterable[str]) -> Allowed:
    """One of the given names; upper and lower case are equal."""
    known = tuple(map(str, names))

    def read(given: Any) -> str:
        name = _text(given).strip().lower()
        if name not in known:
            raise RefusedError
        return name

    return Allowed(f"one of {', '.join(known)}", read, choices=known)


def is_a(said: str, fits: Callable[[Any], bool]) -> Allowed:
    """Any value that ``fits`` accepts, unchanged."""

    def read(given: Any) -> Any:
        if not fits(given):
            raise RefusedError
        return given

    return Allowed(said, read)


def _text(given: Any) -> str:
    if not isinstance(given, str):
        raise RefusedError
    return given


def _listed(given: Any, read: Callable[[Any], Any]) -> list[Any]:
    """The members of an iterable, each read by ``read``."""
    if isinstance(given, set | frozenset):  # the order of words decides between equal guesses
        raise RefusedError("a set has another order in each run; sort it, as in sorted(...)")
    if isinstance(given, str | bytes | Mapping) or not isinstance(given, Iterable):
        raise RefusedError
    try:
        members = list(given)
    except TypeError:  # an array without dimensions
        raise RefusedError from None
    result = []
    for member in members:
        try:
            result.append(read(member))
        except RefusedError as error:
            raise RefusedError(str(error) or f"{quoted(member)} does not fit") from None
    return result


def _texts(given: Any) -> list[str]:
    return _listed(given, _text)


COLOUR_NAMES = {
    **dict.fromkeys(("grey", "gray", "black", "absent"), "B"),
    **dict.fromkeys(("yellow", "present"), "Y"),
    **dict.fromkeys(("green", "correct"), "G"),
}
"""Names of colours in turns from Python."""


def _history(given: Any) -> str:
    """Turns as text; from Python also pairs of a guess and its feedback."""
    if isinstance(given, str):
        return given
    turns = _listed(given, _turn)
    return " ".join(f"{word} {seen}" for word, seen in turns)


def _turn(given: Any) -> tuple[str, str]:
    """A guess and its feedback: text, digits, or a colour for each letter."""
    try:
        word, seen = _listed(given, lambda each: each)
    except ValueError:
        raise RefusedError from None
    word = _text(word).strip()
    if len(word.split()) != 1:
        raise RefusedError
    is_row = isinstance(seen, Iterable) and not isinstance(seen, str)
    row = "".join(_listed(seen, _colour) if is_row else _feedback(seen).split())
    if not row:
        raise RefusedError
    return word, row


def _feedback(given: Any) -> str:
    """Feedback as text, or the number that is it in games with feedback of their own."""
    return given if isinstance(given, str) else str(whole(0).read(given))


def _grid(given: Any) -> str:
    """Feedback as text, or the rows of a share grid in lines."""
    is_list = isinstance(given, list | tuple)
    return "\n".join(_listed(given, _feedback)) if is_list else _feedback(given)


def _colour(given: Any) -> str:
    """The sign of a colour that is a sign, a digit or a name."""
    if not isinstance(given, str):
        return "BYG"[whole(0, 2).read(given)]
    return COLOUR_NAMES.get(given.strip().lower(), given.strip())


def _path(given: Any) -> Path:
    """A path that is short enough and has no NUL byte."""
    if not isinstance(given, str | os.PathLike):
        raise RefusedError
    try:
        path = Path(given)
        parts = [os.fsencode(part) for part in path.parts]
    except (TypeError, UnicodeError):
        raise RefusedError from None
    is_long = sum(map(len, parts)) > MAX_PATH or any(len(part) > MAX_NAME for part in parts)
    if not str(given) or is_long or any(b"\0" in part for part in parts):
        raise RefusedError
    return path


def file_for(check: Callable[[Path], object], said: str = "the name of a file") -> Allowed:
    """The name of a file for which ``check`` raises no UserError."""

    def read(given: Any) -> Path:
        path = _path(given)
        check(path)
        return path

    return Allowed(said, read, metavar="FILE")


def _folder(given: Any) -> Path:
    """A folder that exists or can be created.

    An empty name is refused: it usually comes from an unset variable of the shell.
    """
    if isinstance(given, str) and not given:
        raise RefusedError("the name of the folder is empty")
    path = _path(given)
    with suppress(OSError):  # it does not exist yet, or creating it reports the error
        if not stat.S_ISDIR(path.stat().st_mode):
            raise RefusedError(f"{quoted(str(path))} is a file")
    return path


def _paths(given: Any) -> list[Path]:
    return [_path(given)] if isinstance(given, str | os.PathLike) else _listed(given, _path)


def _named_or_listed(given: Any) -> Any:
    """A name as it is, a path, or words."""
    if not isinstance(given, str | os.PathLike):
        return _texts(given)
    path = _path(given)
    return given if isinstance(given, str) else str(path)  # a Path is never a named list


def _weights(given: Any) -> Any:
    return given if isinstance(given, Mapping) else _path(given)


def _one_or_more(given: Any) -> Any:
    return given if isinstance(given, str) else _texts(given)


def _exact(given: Any) -> Any:
    """A number of guesses, None for all of them, or words."""
    if isinstance(given, str):
        return one_of(["all"]).read(given)
    return _texts(given) if isinstance(given, Iterable) else whole(0).read(given)


def _seconds(given: Any) -> float:
    if isinstance(given, str):
        given = seconds_of(given)
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise RefusedError
    try:
        seconds = float(given)
    except OverflowError:
        raise RefusedError from None
    if not seconds > 0:
        raise RefusedError
    return seconds


def seconds_of(text: str) -> float | None:
    """Seconds in a time such as ``90``, ``10m``, ``1h30m`` or ``45s``; None for other text.

    ``none`` means no limit, which is infinitely many seconds.
    """
    if text.strip().lower() == "none":
        return math.inf
    spelled = r"(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+(?:[.][0-9]+)?)s?)?"
    found = re.fullmatch(spelled, text.strip().lower())
    numbers = [decimal_number(part or "0") for part in found.groups()] if found else [None]
    parts = [float(number) for number in numbers if number is not None]
    total = sum(unit * part for unit, part in zip((3600, 60, 1), parts, strict=False))
    return total if len(parts) == len(numbers) and 0 < total <= MAX_SECONDS else None


def _number(given: Any) -> float:
    """A finite number; True and False are not allowed."""
    if isinstance(given, bool) or not isinstance(given, int | float | Fraction | Decimal):
        raise RefusedError
    try:
        number = float(given)
    except (OverflowError, ValueError):
        raise RefusedError from None
    if not math.isfinite(number):
        raise RefusedError
    return number


def _level(given: Any) -> Any:
    """A percentage; long exponents are refused, because they would fill the memory."""
    if isinstance(given, str) and len(given) <= 40 and not re.search(r"[eE][+-]?[0-9_]{3}", given):
        return given
    if not 0 <= _number(given) <= 10**6:
        raise RefusedError
    return given


def _matrix(given: Any) -> Any:
    """An array, made of an array or of nested sequences."""
    import numpy as np

    try:
        return np.asarray(given)
    except (ValueError, TypeError, OverflowError):
        raise RefusedError from None


def _split(text: str) -> list[str]:
    """The parts of a text between commas."""
    return [part.strip() for part in text.split(",")]


def _refuse(given: Any) -> Any:
    raise RefusedError


NOTHING = Allowed("nothing", _refuse)
TEXT = Allowed("text", _text)
TRUTH = is_a("True or False", lambda given: isinstance(given, bool))
FILE = file_for(lambda path: None)
FOLDER = Allowed("the name of a folder, or . for this one", _folder, metavar="DIRECTORY")
FILES = Allowed("a list of files", _paths, metavar="FILE...")
WORD = Allowed("a word, as in 'salet'", _text)
WORDS = Allowed("a list of words", _texts)
WORDS_BY_COMMA = Allowed(
    "a list of words, or words separated by commas",
    lambda given: _texts(_split(given) if isinstance(given, str) else given),
    metavar="WORD,...",
)
LETTERS = Allowed("the name of a file, or a list of letters", _named_or_listed, metavar="FILE")
LISTED = Allowed("a named list, a file or a list of words", _named_or_listed)
PROGRESS = is_a("a function of one argument", callable)
STOP = is_a("a threading.Event", lambda given: callable(getattr(given, "is_set", None)))
EXECUTOR = is_a(
    "an executor of concurrent.futures, such as a ProcessPoolExecutor, or "
    "Client(...).get_executor() of dask",
    lambda given: callable(getattr(given, "submit", None)),
)
SECONDS = Allowed(
    "a time above 0, such as 90 (seconds), 10m or 1h30m", _seconds, seconds_of, metavar="TIME"
)
NUMBER = Allowed("a number, as in 0.1", _number, decimal_number, metavar="NUMBER")
WEIGHTS = Allowed("a mapping of words to numbers, or a CSV file", _weights, metavar="FILE")
EXACT = Allowed(
    "a whole number of guesses from 0 on, 'all' or, in Python, a list of words",
    _exact,
    lambda text: text if (number := whole_number(text)) is None else number,
)
ONE_OR_MORE = Allowed("a word, as in 'salet', or several", _one_or_more)
OPENERS = Allowed("words, or 'all'", _one_or_more)
HISTORY = Allowed(
    "text, as in 'salet BYBBG', or in Python a list of turns, as in [('salet', 'BYBBG')]", _history
)
OBJECTIVE = Allowed("its name, such as 'mean' or 'within:4'", _text)
MATRIX = Allowed("rows of whole numbers", _matrix)
LEVELS = Allowed("a list of percentages", lambda given: _listed(given, _level), _split)
STRATEGIES = Allowed(
    "names of strategies, or strategies of your own", lambda given: _listed(given, lambda one: one)
)
TEXTS = Allowed("a list of texts", _texts)
FEEDBACK = Allowed("feedback, as text or as a number of the game", _feedback)
FEEDBACKS = Allowed(
    "a list of feedback, as text or in numbers of the game, or of share grids",
    lambda given: _listed(given, _grid),
)
LISTS_OF_TEXTS = Allowed("a list of lists of names", lambda given: _listed(given, _texts))
NAMES = Allowed("names as text, separated by commas", _text)
SHARD = Allowed("text, as in '3/12'", _text)


STANDARD_INPUT = "-"


def pasted_text(turns: Sequence[str], paste: str | Path | None) -> str | None:
    """The pasted text; None if none was asked for, UserError if it cannot be read."""
    if list(turns) == [STANDARD_INPUT]:
        paste = STANDARD_INPUT
    if paste is None:
        return None
    from gpu_wordle.experiments.transcripts import MAX_PASTED_BYTES

    if str(paste) != STANDARD_INPUT:
        return read_text(Path(paste), MAX_PASTED_BYTES, "", "save it as UTF-8")
    try:
        return sys.stdin.read(MAX_PASTED_BYTES)
    except UnicodeDecodeError:
        raise UserError("standard input is not UTF-8 text; save it as UTF-8") from None
