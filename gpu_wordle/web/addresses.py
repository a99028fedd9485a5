"""What may stand in an address of the page, which reads its own as the server reads questions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from gpu_wordle.web.asked import MAX_GUESSES
from gpu_wordle.web.parameters import Parameter, Turns, Whole
from gpu_wordle.web.routes import Route

_GAME = ("guesses", "answers", "rule", "objective", "max_guesses", "weights", "turns")
_ASKED = {
    **{name: ("suggest", name) for name in _GAME},
    "guess": ("spectrum", "guess"),
    "other": ("spectrum", "guess"),
    "target": ("watch", "target"),
    "opener": ("watch", "openers"),
    "strategies": ("watch", "strategies"),
    "pool": ("watch", "pool"),
    "chart": ("analyse", "text"),
    "umpire": ("play", "umpire"),
    "seed": ("play", "seed"),
    "moves": ("play", "words"),
    "path": ("tree", "path"),
    "ranking": ("rankings/{name}", "name"),
    "against": ("rankings/{name}", "name"),
}
"""What a question is asked about: its name in addresses, the question, and its name there."""

_SHOWN = (
    Turns("draft", "the row that is being typed", most=1),
    Whole("step", "turns of a watched game that are shown", greatest=MAX_GUESSES),
    Parameter("show", "what is browsed", choices=("table", "plot", "tree", "matrix")),
    Parameter(
        "order", "of bars, or of words", choices=("pattern", "size", "alphabetical", "total")
    ),
    Parameter("only", "which rows of a ranking", choices=("answers",)),
    Parameter("sort", "column by which a ranking is sorted, behind - the other way round"),
    Parameter("search", "letters of the openers that are shown"),
    Parameter("part", "the bar that is picked"),
    Parameter("pick", "the opener that is picked"),
    Parameter("seek", "guess and answer that are looked up"),
    Parameter("x", "figure across"),
    Parameter("y", "figure upwards"),
)
"""What the page alone knows of."""


def page_parameters(routes: Sequence[Route]) -> dict[str, Parameter]:
    """All parameters by their names in addresses."""
    asked = {(route.path, each.name): each for route in routes for each in route.parameters}
    found = {name: asked[f"api/{path}", of] for name, (path, of) in _ASKED.items()}
    return found | {each.name: each for each in _SHOWN}


def described_page(routes: Sequence[Route]) -> Mapping[str, dict[str, Any]]:
    """The same for the page."""
    known = page_parameters(routes)
    return {name: each.schema | {"remedy": each.remedy} for name, each in known.items()}
