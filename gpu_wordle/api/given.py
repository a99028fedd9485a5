"""What parameters of public functions may be: one table by name, for one name means one thing.

``@takes()`` stands before each public function and method. It reads what is given by the table, or
by what it is told itself, and hands on what was read. So whatever else arrives ends in a UserError
of one line, which names the parameter as the caller spells it.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.objective import MAX_GUESS_LIMIT
from gpu_wordle.game.rule import Rule
from gpu_wordle.options.reading import (
    EXECUTOR,
    FILE,
    HISTORY,
    LISTS_OF_TEXTS,
    MATRIX,
    OBJECTIVE,
    ONE_OR_MORE,
    OPENERS,
    PROGRESS,
    SECONDS,
    STOP,
    TEXT,
    TEXTS,
    TRUTH,
    WEIGHTS,
    WORD,
    Allowed,
    RefusedError,
    is_a,
    one_of,
    whole,
)

P = ParamSpec("P")
R = TypeVar("R")

TABLE: dict[str, Allowed] = {
    "answer": WORD,
    "backend": TEXT,
    "count": whole(0),
    "depth": whole(1),
    "executor": EXECUTOR,
    "feedback": MATRIX,
    "fresh": TRUTH,
    "guess": ONE_OR_MORE,
    "history": HISTORY,
    "last_candidate": TRUTH,
    "max_guesses": whole(0, MAX_GUESS_LIMIT),
    "most_named": whole(0),
    "objective": OBJECTIVE,
    "opener": WORD,
    "openers": OPENERS,
    "out": FILE,
    "path": FILE,
    "patterns": TEXTS,
    "progress": PROGRESS,
    "rows": whole(0),
    "rule": one_of(Rule),
    "seed": whole(0),
    "solved": whole(0),
    "stop": STOP,
    "strategies": is_a("names, or strategies of your own", lambda given: given is not None),
    "strategy": TEXT,
    "survivors": whole(1, 3),
    "symmetries": LISTS_OF_TEXTS,
    "threads": whole(1),
    "time_limit": SECONDS,
    "weights": WEIGHTS,
}  # fmt: skip
"""But for ``game``, which games.py adds."""


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
