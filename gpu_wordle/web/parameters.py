"""The parameters of questions: what each may be, how it is read, and how it is described."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.game.numbers import whole_number

MAX_TEXT = 200
"""Characters of a text."""

MAX_TURNS_TOLD = 20
"""Turns that are told, whatever the limit of the game."""

MAX_TURNS_TEXT = 1500
"""Characters that they take."""

MAX_CLIENT = 32
"""Characters of the name that a client gives itself."""

MAX_SEED = 2**63 - 1


@dataclass(frozen=True)
class Parameter:
    """A named text of a question.

    Attributes:
        name: as addresses have it.
        meaning: one line.
        default: what holds if it is left out.
        is_required: whether it may not be left out.
        choices: what it may be, if that is few.
        longest: characters that it has at most.
    """

    name: str
    meaning: str
    default: Any = None
    is_required: bool = False
    choices: tuple[str, ...] = ()
    longest: int = MAX_TEXT

    def read(self, text: str) -> Any:
        """The value; UserError for what it may not be."""
        if len(text) > self.longest:
            raise UserError(f"{self.name}: {len(text):,} characters; at most {self.longest:,} are")
        is_chosen = not self.choices or text in self.choices
        if not is_chosen or not re.fullmatch(self.form or ".*", text, re.DOTALL):
            raise UserError(f"{self.name}={quoted(text)}: {self.remedy}")
        return text

    @property
    def form(self) -> str | None:
        """A regular expression, the same to Python and to JavaScript, that fits the whole text."""
        return None

    @property
    def remedy(self) -> str:
        """What to do about a text that it may not be."""
        return f"choose one of {', '.join(self.choices)}"

    @property
    def schema(self) -> dict[str, Any]:
        """The same in the words of OpenAPI."""
        schema: dict[str, Any] = {"type": "string", "maxLength": self.longest}
        if self.choices:
            schema["enum"] = list(self.choices)
        if self.form:
            schema["pattern"] = f"^{self.form}$"
        return schema | ({} if self.default is None else {"default": self.default})


@dataclass(frozen=True)
class Whole(Parameter):
    """A whole number from ``least`` to ``greatest``."""

    least: int = 0
    greatest: int = 1

    def read(self, text: str) -> int:
        """See Parameter."""
        number = whole_number(text) if len(text) <= self.longest else None
        if number is None or not self.least <= number <= self.greatest:
            raise UserError(f"{self.name}={quoted(text)}: {self.remedy}")
        return number

    @property
    def remedy(self) -> str:
        """See Parameter."""
        return f"give a whole number from {self.least:,} to {self.greatest:,}"

    @property
    def schema(self) -> dict[str, Any]:
        """See Parameter."""
        schema = {"type": "integer", "minimum": self.least, "maximum": self.greatest}
        return schema | ({} if self.default is None else {"default": self.default})


@dataclass(frozen=True)
class Words(Parameter):
    """Texts separated by commas, ``most`` at most."""

    most: int = 1
    longest: int = MAX_TURNS_TEXT

    def read(self, text: str) -> list[str]:
        """See Parameter."""
        return [word.strip() for word in super().read(text).split(",")]

    @property
    def form(self) -> str:
        """See Parameter."""
        return _listed(r"\s*[^,\s][^,]*", self.most)

    @property
    def remedy(self) -> str:
        """See Parameter."""
        return f"give 1 to {self.most} texts, separated by commas"


@dataclass(frozen=True)
class Turns(Parameter):
    """Guesses and their feedback, as in ``salet:BYBBG,crony:BBGBB``, as text for a game to read."""

    most: int = MAX_TURNS_TOLD
    default: Any = ""
    longest: int = MAX_TURNS_TEXT

    def read(self, text: str) -> str:
        """See Parameter."""
        return str(super().read(text)).replace(",", " ").replace(":", " ")

    @property
    def form(self) -> str:
        """See Parameter."""
        return _listed("[^,:]+:[^,:]+", self.most)

    @property
    def remedy(self) -> str:
        """See Parameter."""
        return (
            f"give at most {counted(self.most, 'guess', 'guesses')}, each with its feedback, as in "
            "salet:BYBBG,crony:BBGBB"
        )


def _listed(form: str, most: int) -> str:
    """The form of a list of such texts, separated by commas."""
    return f"{form}(?:,{form}){{0,{most - 1}}}"


CLIENT = Parameter("client", "who asks: clients take turns, so each page has a name of its own",
                   longest=MAX_CLIENT)  # fmt: skip
"""Part of every question."""


def read_all(parameters: Sequence[Parameter], given: Sequence[tuple[str, str]]) -> dict[str, Any]:
    """The values of all parameters by name; UserError for what is unknown, doubled or missing."""
    texts: dict[str, str] = {}
    known: Mapping[str, Parameter] = {each.name: each for each in parameters}
    for name, text in given:
        if name not in known:
            raise UserError(f"no parameter {quoted(name)}; there are {', '.join(known)}")
        if name in texts:
            raise UserError(f"the parameter {name} is given twice; leave one out")
        texts[name] = text
    missing = [each.name for each in parameters if each.is_required and not texts.get(each.name)]
    if missing:
        raise UserError(f"the parameter {missing[0]} is missing; give it")
    return {
        each.name: each.read(texts[each.name]) if texts.get(each.name) else each.default
        for each in parameters
    }
