"""The parameters of questions: their declarations, and how their texts are read.

A parameter takes over the option of a verb and may narrow it. The readers of the verbs read it.
A validation library does not fit: pydantic accepts ``1_000`` and ``1.0`` as whole numbers,
describes lists as arrays instead of texts, and words its own errors.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.options.declared import Declared, Option, declared
from gpu_wordle.options.reading import TEXT, Allowed, RefusedError, is_a, whole
from gpu_wordle.options.shared import KNOWN as SHARED_KNOWN

MAX_TEXT = 200
"""Most characters of a text."""

MAX_KNOWN = 100
"""Most characters of each text of what is known without guesses."""

MAX_TURNS_TOLD = 20
"""Most turns in a question, whatever the guess limit of the game."""

MAX_LIST_TEXT = 1500
"""Most characters of turns, and of comma-separated texts."""

MAX_GUESSES = 100
"""The greatest guess limit of a question."""

MAX_ANSWER_SECONDS = 30
"""Longest search for one question, in seconds; the answer then has the bounds so far."""

MAX_TOP = 100
"""Most suggested guesses, and most rows of a chart."""

MAX_BODY_BYTES = 16 * 1024
"""Most bytes of the body of a request."""

MAX_GAMES_BYTES = 1 << 20
"""Most bytes of the body of a request with many games."""

MAX_HISTORY_GAMES = 2_000
"""Most games of a history that the server works out."""

MAX_STRATEGIES = 6
"""Most strategies to watch side by side."""


@dataclass(frozen=True)
class Named(Option):
    """A parameter whose allowed names depend on the offer of a server.

    Attributes:
        among: the names in an offer.
    """

    among: Callable[[Any], Iterable[str]] = lambda offer: ()

    def of(self, offer: Any) -> Named:
        """This option with the names of an offer as its allowed values."""
        names = tuple(self.among(offer))
        allowed = is_a(f"one of {', '.join(names)}", names.__contains__)
        return replace(self, allowed=replace(allowed, choices=names))


def taken(verb: Callable[..., Any], name: str, allowed: Allowed | None = None) -> Option:
    """The option of a verb, with other allowed values if they are given."""
    option = declared(verb)[name].option
    return option if allowed is None else replace(option, allowed=allowed)


def _text(longest: int) -> Allowed:
    return replace(TEXT, form={"maxLength": longest})


def _listed(said: str, form: str, most: int, read: Callable[[str], Any]) -> Allowed:
    """Comma-separated texts of a form, a regular expression valid in Python and JavaScript."""
    whole_form = f"{form}(?:,{form}){{0,{most - 1}}}"

    def read_list(text: str) -> Any:
        if not re.fullmatch(whole_form, text, re.DOTALL):
            raise RefusedError
        return read(text)

    schema = {"maxLength": MAX_LIST_TEXT, "pattern": f"^{whole_form}$"}
    return Allowed(said, read_list, form=schema)


def texts(most: int) -> Allowed:
    """A list of at most ``most`` comma-separated texts."""
    said = f"1 to {most} texts, separated by commas"
    return _listed(said, r"\s*[^,\s][^,]*", most, lambda text: [w.strip() for w in text.split(",")])


def turns(most: int) -> Allowed:
    """At most ``most`` guesses with feedback, converted to the text that a game reads."""
    said = (
        f"at most {counted(most, 'guess', 'guesses')}, each with its feedback, as in "
        "salet:BYBBG,crony:BBGBB"
    )
    separators = str.maketrans(",:", "  ")
    return _listed(said, "[^,:]+:[^,:]+", most, lambda text: text.translate(separators))


TURNS = Declared(
    "turns",
    "",
    Option(
        "Guesses so far and their feedback, as in salet:BYBBG,crony:BBGBB.", turns(MAX_TURNS_TOLD)
    ),
)
KNOWN = {
    each.name: replace(each, option=replace(each.option, allowed=_text(MAX_KNOWN)))
    for each in SHARED_KNOWN
}
"""What is known without guesses."""
SECONDS = Declared(
    "seconds",
    None,
    Option(
        "Time limit of the work in seconds; the answer has the bounds proved by then.",
        whole(1, MAX_ANSWER_SECONDS),
    ),
)
CLIENT = Declared(
    "client",
    None,
    Option("Name of the client; clients take turns, so each page has its own name.", _text(32)),
)
Guess = Annotated[str | None, Option("A guess. Default: the best one.", TEXT)]
Pasted = Annotated[str | None, Option("A pasted game, in place of turns.", _text(1000))]
PastedGame = Annotated[str | None, Option("A pasted game, or only colours.", _text(MAX_BODY_BYTES))]
GamesText = Annotated[str | None, Option("Many games, as text.", _text(MAX_GAMES_BYTES))]
FileName = Annotated[str, Option("Name of the file of the games, if any.", _text(MAX_TEXT))]
Made = Annotated[list[str] | None, Option("The guesses, in order.", texts(MAX_TURNS_TOLD))]
STRATEGIES = Option("Strategies, side by side.", texts(MAX_STRATEGIES))
Openers = Annotated[
    list[str] | None,
    Option(
        "The next guess of all strategies, or of each one; - for its own.", texts(MAX_STRATEGIES)
    ),
]
TARGET = Option("The answer.", TEXT)
UmpireName = Annotated[
    Literal["random", "adversary", "word"],
    Option(
        "The umpire: random, an answer drawn by the seed; adversary, without a fixed answer; "
        "word, a given answer."
    ),
]
Feedbacks = Annotated[
    list[str] | None, Option("The feedback on the path down the tree.", texts(MAX_TURNS_TOLD))
]
RANKING = Named("A ranking of api/rankings.", among=lambda offer: offer.named_rankings)


def schema_of(parameter: Declared) -> dict[str, Any]:
    """The OpenAPI schema of a parameter."""
    schema = parameter.option.allowed.schema
    if schema["type"] == "string":
        schema = {"maxLength": MAX_TEXT, **schema}
    has_default = not parameter.is_required and parameter.default is not None
    return schema | ({"default": parameter.default} if has_default else {})


def read_one(parameter: Declared, text: str) -> Any:
    """The value of a parameter's text; UserError if it is not allowed."""
    longest = schema_of(parameter).get("maxLength", len(text))
    if len(text) > longest:
        raise UserError(
            f"{parameter.name}: {len(text):,} characters; at most {longest:,} are allowed"
        )
    return parameter.read_query(text)


def read_all(
    parameters: Mapping[str, Declared], given: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """The values of all parameters; UserError for unknown, repeated or missing ones."""
    told: dict[str, str] = {}
    for name, text in given:
        if name not in parameters:
            raise UserError(f"no parameter {quoted(name)}; there are {', '.join(parameters)}")
        if name in told:
            raise UserError(f"the parameter {name} is given twice; leave one out")
        told[name] = text
    for name, each in parameters.items():
        if each.is_required and not told.get(name):
            raise UserError(f"the parameter {name} is missing; give it")
    return {
        name: read_one(each, told[name]) if told.get(name) else each.default
        for name, each in parameters.items()
    }
