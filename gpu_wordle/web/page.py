"""The page: its files, and what may stand in its addresses, which it reads as servers do."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any, Literal

from gpu_wordle.options.declared import Option
from gpu_wordle.options.reading import TEXT, whole
from gpu_wordle.options.shared import PoolName, Seed
from gpu_wordle.version import __version__
from gpu_wordle.web.parameters import (
    MAX_GUESSES,
    RANKING,
    STRATEGIES,
    TARGET,
    Feedbacks,
    Guess,
    Made,
    Openers,
    Told,
    UmpireName,
    schema_of,
    turns,
)
from gpu_wordle.web.questions import At, parameters_of
from gpu_wordle.web.shelf import Offer, describe_default

STATIC = Path(__file__).with_name("static")
INDEX_PAGE = "index.html"


def page_files() -> dict[str, Path]:
    """All files by their paths below the page: ``index.html``, ``static/page.css`` and so on."""
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    found = {f"{STATIC.name}/{path.relative_to(STATIC).as_posix()}": path for path in files}
    return {INDEX_PAGE: found.pop(f"{STATIC.name}/{INDEX_PAGE}"), **found}


def address(
    at: At,
    *,
    guess: Guess = None,
    other: Guess = None,
    target: Annotated[str | None, TARGET] = None,
    opener: Openers = None,
    strategies: Annotated[list[str] | None, STRATEGIES] = None,
    pool: PoolName = "all",
    chart: Told = None,
    umpire: UmpireName = "random",
    seed: Seed = 0,
    moves: Made = None,
    path: Feedbacks = None,
    ranking: Annotated[str | None, RANKING] = None,
    against: Annotated[str | None, RANKING] = None,
    draft: Annotated[str, Option("The row that is being typed.", turns(1))] = "",
    step: Annotated[
        int | None, Option("Turns of a watched game that are shown.", whole(0, MAX_GUESSES))
    ] = None,
    show: Annotated[
        Literal["table", "plot", "tree", "matrix"] | None, Option("What is browsed.")
    ] = None,
    order: Annotated[
        Literal["pattern", "size", "alphabetical", "total"] | None,
        Option("The order of bars, or of words."),
    ] = None,
    only: Annotated[Literal["answers"] | None, Option("Which rows of a ranking.")] = None,
    sort: Annotated[
        str | None,
        Option("Column by which a ranking is sorted, behind - the other way round.", TEXT),
    ] = None,
    search: Annotated[str | None, Option("Letters of the openers that are shown.", TEXT)] = None,
    part: Annotated[str | None, Option("The bar that is picked.", TEXT)] = None,
    pick: Annotated[str | None, Option("The opener that is picked.", TEXT)] = None,
    seek: Annotated[str | None, Option("Guess and answer that are looked up.", TEXT)] = None,
    x: Annotated[str | None, Option("Figure across.", TEXT)] = None,
    y: Annotated[str | None, Option("Figure upwards.", TEXT)] = None,
) -> None:
    """Declare what the views of the page are of, and what is picked in them; nobody calls it."""


def describe_site(offer: Offer, source: str) -> dict[str, Any]:
    """What the page reads first: where its data come from, its game, and its parameters."""
    parameters = {
        name: schema_of(each) | {"remedy": f"give {each.option.allowed.said}"}
        for name, each in parameters_of(address, offer).items()
    }
    return {
        "source": source,
        "version": __version__,
        "defaults": describe_default(offer.default),
        "parameters": parameters,
    }
