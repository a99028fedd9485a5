"""The page: its files, and the parameters of its addresses."""

from __future__ import annotations

import hashlib
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
    PastedGame,
    UmpireName,
    schema_of,
    turns,
)
from gpu_wordle.web.questions import At, parameters_of
from gpu_wordle.web.shelf import Offer, describe_default

STATIC = Path(__file__).with_name("static")
INDEX_PAGE, WORKER = "index.html", "worker.js"
"""The files at the root: a service worker serves only addresses below its own."""


def page_files() -> dict[str, Path]:
    """All files of the page by path, for example ``index.html`` and ``static/page.css``."""
    files = sorted(path for path in STATIC.rglob("*") if path.is_file())
    found = {f"{STATIC.name}/{path.relative_to(STATIC).as_posix()}": path for path in files}
    roots = {name: found.pop(f"{STATIC.name}/{name}") for name in (INDEX_PAGE, WORKER)}
    return {**roots, **found}


def edition_of(offer: Offer) -> str:
    """A digest of the version, the page and the offer, to which all that browsers keep belongs."""
    made = [page.read_bytes() for page in page_files().values()]
    made += [each.read().sha256.encode() for each in offer.lists.values()]
    made += [path.read_bytes() for path in (*offer.weights.values(), *offer.rankings.values())]
    alphabets = {name: each.letters for name, each in offer.alphabets.items()}
    names = [*offer.lists, *offer.weights, *offer.rankings]
    told = hashlib.sha256(repr((__version__, offer.default, names, alphabets)).encode())
    for each in made:
        told.update(hashlib.sha256(each).digest())
    return told.hexdigest()[:16]


def address(
    at: At,
    *,
    guess: Guess = None,
    other: Guess = None,
    target: Annotated[str | None, TARGET] = None,
    opener: Openers = None,
    strategies: Annotated[list[str] | None, STRATEGIES] = None,
    pool: PoolName = "all",
    chart: PastedGame = None,
    umpire: UmpireName = "random",
    seed: Seed = 0,
    moves: Made = None,
    path: Feedbacks = None,
    ranking: Annotated[str | None, RANKING] = None,
    against: Annotated[str | None, RANKING] = None,
    draft: Annotated[str, Option("The row being typed.", turns(1))] = "",
    step: Annotated[
        int | None, Option("Number of turns of a watched game to show.", whole(0, MAX_GUESSES))
    ] = None,
    show: Annotated[
        Literal["table", "plot", "tree", "matrix"] | None, Option("The view of a ranking.")
    ] = None,
    order: Annotated[
        Literal["pattern", "size", "alphabetical", "total"] | None,
        Option("The order of bars, or of words."),
    ] = None,
    only: Annotated[
        Literal["answers"] | None, Option("The rows of a ranking to show; all by default.")
    ] = None,
    sort: Annotated[
        str | None,
        Option("The column that sorts a ranking; a leading - reverses the order.", TEXT),
    ] = None,
    search: Annotated[str | None, Option("Letters of the openers to show.", TEXT)] = None,
    part: Annotated[str | None, Option("The selected bar.", TEXT)] = None,
    pick: Annotated[str | None, Option("The selected opener.", TEXT)] = None,
    seek: Annotated[str | None, Option("The guess and answer to look up.", TEXT)] = None,
    x: Annotated[str | None, Option("The figure on the horizontal axis.", TEXT)] = None,
    y: Annotated[str | None, Option("The figure on the vertical axis.", TEXT)] = None,
) -> None:
    """Declare the parameters of the page's own addresses; this function is never called."""


def describe_site(offer: Offer, source: str, edition: str) -> dict[str, Any]:
    """The content of ``site.json``: source of the data, edition, game, parameters, page files."""
    parameters = {
        name: schema_of(each) | {"remedy": f"give {each.option.allowed.said}"}
        for name, each in parameters_of(address, offer).items()
    }
    return {
        "source": source,
        "version": __version__,
        "edition": edition,
        "files": [name for name in page_files() if name not in (INDEX_PAGE, WORKER)],
        "defaults": describe_default(offer.default),
        "alphabets": {name: each.letters for name, each in offer.alphabets.items()},
        "parameters": parameters,
    }
