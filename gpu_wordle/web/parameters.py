"""What the signatures of questions say of their parameters, and how texts are read by it.

A parameter takes over what a verb says of its option, and may narrow it. The readers of the verbs
read it. No library of validators does: pydantic takes ``1_000`` and ``1.0`` for whole numbers,
describes lists as arrays and not as texts, and has errors in words of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Any, Literal

from gpu_wordle.errors import UserError, counted, quoted
from gpu_wordle.options.declared import Declared, Option, declared
from gpu_wordle.options.reading import TEXT, Allowed, RefusedError, is_a, whole

MAX_TEXT = 200
"""Characters of a text."""

MAX_TURNS_TOLD = 20
"""Turns that are told, whatever the limit of the game."""

MAX_LIST_TEXT = 1500
"""Characters of turns, and of texts that are separated by commas."""

MAX_GUESSES = 100
"""The greatest guess limit that may be asked for."""

MAX_ANSWER_SECONDS = 30
"""For which a question is worked on; what is proved by then is told."""

MAX_TOP = 100
"""Guesses that are suggested at most, and rows of a chart."""

MAX_BODY_BYTES = 16 * 1024
"""Of what is sent beside an address."""

MAX_STRATEGIES = 6
"""Strategies that are watched side by side."""


@dataclass(frozen=True)
class Named(Option):
    """A parameter that names what a server offers.

    Attributes:
        among: the names in an offer.
    """

    among: Callable[[Any], Iterable[str]] = lambda offer: ()

    def of(self, offer: Any) -> Named:
        """The same with the names that a server has."""
        names = tuple(self.among(offer))
        allowed = is_a(f"one of {', '.join(names)}", names.__contains__)
        return replace(self, allowed=replace(allowed, choices=names))


def taken(verb: Callable[..., Any], name: str, allowed: Allowed | None = None) -> Option:
    """What a verb says of an option; within other bounds, if these are given."""
    option = declared(verb)[name].option
    return option if allowed is None else replace(option, allowed=allowed)


def _text(longest: int) -> Allowed:
    return replace(TEXT, form={"maxLength": longest})


def _listed(said: str, form: str, most: int, read: Callable[[str], Any]) -> Allowed:
    """Texts of a form, separated by commas; the form is the same to Python and to JavaScript."""
    whole_form = f"{form}(?:,{form}){{0,{most - 1}}}"

    def read_list(text: str) -> Any:
        if not re.fullmatch(whole_form, text, re.DOTALL):
            raise RefusedError
        return read(text)

    schema = {"maxLength": MAX_LIST_TEXT, "pattern": f"^{whole_form}$"}
    return Allowed(said, read_list, form=schema)


def texts(most: int) -> Allowed:
    """Texts separated by commas."""
    said = f"1 to {most} texts, separated by commas"
    return _listed(said, r"\s*[^,\s][^,]*", most, lambda text: [w.strip() for w in text.split(",")])


def turns(most: int) -> Allowed:
    """Guesses and their feedback, as text for a game to read."""
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
        "Guesses made and their feedback, as in salet:BYBBG,crony:BBGBB.", turns(MAX_TURNS_TOLD)
    ),
)
SECONDS = Declared(
    "seconds",
    None,
    Option(
        "Seconds after which the work ends with what is proved by then.",
        whole(1, MAX_ANSWER_SECONDS),
    ),
)
CLIENT = Declared(
    "client",
    None,
    Option("Who asks: clients take turns, so each page has a name of its own.", _text(32)),
)
Guess = Annotated[str | None, Option("A guess; the best one, if not given.", TEXT)]
Pasted = Annotated[str | None, Option("A pasted game, in place of turns.", _text(1000))]
Told = Annotated[str | None, Option("A pasted game, or colours alone.", _text(MAX_BODY_BYTES))]
Made = Annotated[list[str] | None, Option("The guesses, in their order.", texts(MAX_TURNS_TOLD))]
STRATEGIES = Option("Strategies, side by side.", texts(MAX_STRATEGIES))
Openers = Annotated[
    list[str] | None,
    Option("The next guess: of all strategies, or of each, - for its own.", texts(MAX_STRATEGIES)),
]
TARGET = Option("The answer.", TEXT)
UmpireName = Annotated[
    Literal["random", "adversary", "word"],
    Option(
        "Who answers: a word drawn by the seed, an adversary that has none in mind, or a word that "
        "is given."
    ),
]
Feedbacks = Annotated[
    list[str] | None, Option("Feedback that leads down the tree.", texts(MAX_TURNS_TOLD))
]
RANKING = Named("A ranking of api/rankings.", among=lambda offer: offer.named_rankings)


def schema_of(parameter: Declared) -> dict[str, Any]:
    """What the text of a parameter may be, in the words of OpenAPI."""
    schema = parameter.option.allowed.schema
    if schema["type"] == "string":
        schema = {"maxLength": MAX_TEXT, **schema}
    has_default = not parameter.is_required and parameter.default is not None
    return schema | ({"default": parameter.default} if has_default else {})


def read_one(parameter: Declared, text: str) -> Any:
    """What the text of a parameter means; UserError for what it may not be."""
    longest = schema_of(parameter).get("maxLength", len(text))
    if len(text) > longest:
        raise UserError(f"{parameter.name}: {len(text):,} characters; at most {longest:,} are")
    return parameter.read_query(text)


def read_all(
    parameters: Mapping[str, Declared], given: Sequence[tuple[str, str]]
) -> dict[str, Any]:
    """The values of all parameters by name; UserError for what is unknown, doubled or missing."""
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
