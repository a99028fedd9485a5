"""What parameters of public functions may be: one table by name, for one name means one thing.

``@takes()`` stands before each public function and method. It reads what is given by the table, or
by what it is told itself, and hands on what was read. So whatever else arrives ends in a UserError
of one line, which names the parameter as the caller spells it.
"""

from __future__ import annotations

import inspect
import math
import operator
import os
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import wraps
from pathlib import Path
from typing import Any, ParamSpec, TypeVar

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.objective import MAX_GUESS_LIMIT
from gpu_wordle.game.rule import Rule

P = ParamSpec("P")
R = TypeVar("R")

MAX_COUNT = 2**63 - 1
"""Of rows, guesses, states and seeds."""

MAX_NAME, MAX_PATH = 255, 4095
"""Bytes of the name of a file, and of a path."""


class RefusedError(Exception):
    """What was given is not allowed; the text names what of it is not, if that is a part."""


@dataclass(frozen=True)
class Allowed:
    """What a parameter may be.

    Attributes:
        said: in words, after "give".
        read: what to hand on; RefusedError for what is not allowed.
    """

    said: str
    read: Callable[[Any], Any]


def whole(least: int, most: int = MAX_COUNT) -> Allowed:
    """A whole number; True and False are none."""
    ends = f"from {least:,} on" if most == MAX_COUNT else f"from {least:,} to {most:,}"

    def read(given: Any) -> int:
        try:
            number = operator.index(given)
        except TypeError:
            raise RefusedError from None
        if isinstance(given, bool) or not least <= number <= most:
            raise RefusedError
        return number

    return Allowed(f"a whole number {ends}", read)


def one_of(names: Iterable[str]) -> Allowed:
    """One of some names, in letters of any size."""
    known = tuple(map(str, names))

    def read(given: Any) -> str:
        name = _text(given).strip().lower()
        if name not in known:
            raise RefusedError
        return name

    return Allowed(f"one of {', '.join(known)}", read)


def is_a(said: str, fits: Callable[[Any], bool]) -> Allowed:
    """Whatever fits, as it is."""

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
    """The members of what can be gone through, each read."""
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
        except RefusedError:
            raise RefusedError(f"{quoted(member)} does not fit") from None
    return result


def _texts(given: Any) -> list[str]:
    return _listed(given, _text)


def _path(given: Any) -> Path:
    """A path that a file may have."""
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


def _paths(given: Any) -> list[Path]:
    return [_path(given)] if isinstance(given, str | os.PathLike) else _listed(given, _path)


def _named_or_listed(given: Any) -> Any:
    """A name as it is, a path, or words."""
    return str(_path(given)) if isinstance(given, str | os.PathLike) else _texts(given)


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
    if isinstance(given, bool) or not isinstance(given, int | float):
        raise RefusedError
    try:
        seconds = float(given)
    except OverflowError:
        raise RefusedError from None
    if not seconds > 0:
        raise RefusedError
    return seconds


def _level(given: Any) -> Any:
    """A percentage; no exponent makes a number that fills the memory."""
    if isinstance(given, str) and len(given) <= 40 and not re.search(r"[eE][+-]?[0-9_]{3}", given):
        return given
    is_number = isinstance(given, int | float | Fraction | Decimal) and not isinstance(given, bool)
    if not (is_number and math.isfinite(given) and 0 <= given <= 10**6):
        raise RefusedError
    return given


def _matrix(given: Any) -> Any:
    """Rows, as an array or as sequences."""
    import numpy as np

    try:
        return np.asarray(given)
    except (ValueError, TypeError, OverflowError):
        raise RefusedError from None


TEXT = Allowed("text", _text)
TRUTH = is_a("True or False", lambda given: isinstance(given, bool))
FILE = Allowed("the name of a file", _path)
FILES = Allowed("a list of files", _paths)
WORD = Allowed("a word, as in 'salet'", _text)
WORDS = Allowed("a list of words", _texts)
LISTED = Allowed("a named list, a file or a list of words", _named_or_listed)

TABLE: dict[str, Allowed] = {
    "answer": WORD,
    "answers": LISTED,
    "backend": TEXT,
    "batched": TRUTH,
    "budget": whole(0),
    "by": Allowed("names as text, separated by commas", _text),
    "count": whole(0),
    "depth": whole(1),
    "exact": Allowed("a whole number of guesses from 0 on, 'all' or a list of words", _exact),
    "executor": is_a(
        "an executor of concurrent.futures, such as a ProcessPoolExecutor, or "
        "Client(...).get_executor() of dask",
        lambda given: callable(getattr(given, "submit", None)),
    ),
    "feedback": Allowed("rows of whole numbers", _matrix),
    "files": FILES,
    "first": WORD,
    "fresh": TRUTH,
    "guess": Allowed("a word, as in 'salet'", _one_or_more),
    "guesses": LISTED,
    "history": Allowed("text, as in 'salet BYBBG'", _text),
    "last_candidate": TRUTH,
    "levels": Allowed("a list of percentages", lambda given: _listed(given, _level)),
    "max_guesses": whole(0, MAX_GUESS_LIMIT),
    "most_named": whole(0),
    "objective": Allowed("its name, such as 'mean' or 'within:4'", _text),
    "opener": WORD,
    "openers": Allowed("words, or 'all'", _one_or_more),
    "out": FILE,
    "parts": FILES,
    "path": FILE,
    "patterns": Allowed("a list of feedback as text, one for each guess", _texts),
    "progress": is_a("a function of one argument", callable),
    "prove": TRUTH,
    "rows": whole(0),
    "rule": one_of(Rule),
    "runs": whole(1),
    "sample": whole(0),
    "seed": whole(0),
    "shard": Allowed("text, as in '3/12'", _text),
    "solved": whole(0),
    "stop": is_a(
        "a threading.Event", lambda given: callable(getattr(given, "is_set", None))
    ),
    "strategies": is_a("names, or strategies of your own", lambda given: given is not None),
    "strategy": Allowed("the name of a strategy", _text),
    "survivors": whole(1, 3),
    "symmetries": Allowed("a list of lists of names", lambda given: _listed(given, _texts)),
    "threads": whole(1),
    "time_limit": Allowed("seconds, more than 0", _seconds),
    "top": whole(0),
    "weights": Allowed("a mapping of words to numbers, or a CSV file", _weights),
    "words": whole(2, 6),
}  # fmt: skip
"""But for ``game`` and ``position``, which games.py adds."""


def takes(**own: Allowed) -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Have a function read its parameters by the table, or by what is said of some of them here.

    A parameter may be None if that is its default.
    """

    def with_reading(function: Callable[P, R]) -> Callable[P, R]:
        parameters = list(inspect.signature(function).parameters.values())
        is_method = parameters[0].name in ("self", "cls")
        names = [p.name for p in parameters[is_method:]]
        defaults = {p.name: p.default for p in parameters}
        table = {name: own.get(name) or TABLE[name] for name in names}

        def read(name: str, given: Any) -> Any:
            allowed = table.get(name)
            if allowed is None or given is defaults[name]:
                return given
            try:
                return allowed.read(given)
            except RefusedError as error:
                why = f"{error}; " if str(error) else ""
                raise UserError(f"{name}={quoted(given)}: {why}give {allowed.said}") from None

        @wraps(function)
        def door(*args: Any, **kwargs: Any) -> R:
            first, rest = args[:is_method], args[is_method:]
            by_place = map(read, names, rest) if len(rest) <= len(names) else rest
            by_name = {name: read(name, each) for name, each in kwargs.items()}
            return function(*first, *by_place, **by_name)

        return door

    return with_reading
