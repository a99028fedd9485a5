"""Facts that the page alone is told, and what is said of its server."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema


@schema
class PlaceFacts(TypedDict):
    """Where a game stands."""

    remaining: keys.Remaining
    guesses_left: Annotated[int | None, Key("guesses that are left; null for any number")]


@schema
class GuessFacts(TypedDict):
    """A guess by its patterns."""

    is_candidate: keys.IsCandidate
    statistics: Annotated[dict[str, Any], Key("all statistics of a guess, each by its own key")]


@schema
class WatchFacts(TypedDict):
    """What strategies are watched at."""

    target: Annotated[str, Key("the answer that strategies are watched at")]


@schema
class GameFacts(TypedDict):
    """How a game against an umpire stands."""

    over: Annotated[bool, Key("whether there is nothing more to guess")]
    answer: Annotated[str | None, Key("what was hidden; null before the end of the game")]
    keyboard: Annotated[
        dict[str, Any], Key("the best colour that each letter has had: `G`, `Y` or `B`")
    ]


@schema
class NodeFacts(TypedDict):
    """A guess of a tree."""

    node: Annotated[
        dict[str, Any],
        Key(
            "a guess of a tree: `guess`, `answers`, `total`, `worst`, and `parts` with "
            "`pattern`, `part_size`, `remaining` and `node`"
        ),
    ]


@schema
class Served(TypedDict, total=False):
    """Where the page is."""

    address: Annotated[str, Key("where the page is served")]
    folder: keys.Folder
    site_files: Annotated[int, Key("files of a static site")]
    bytes: keys.Bytes
