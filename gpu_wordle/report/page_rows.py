"""Keys of questions that only the page asks, and of its server."""

from __future__ import annotations

from typing import Annotated, Any, TypedDict

from gpu_wordle.report import keys
from gpu_wordle.report.keys import Key, schema


@schema
class PlaceFacts(TypedDict):
    """The facts about a position."""

    remaining: keys.Remaining
    guesses_left: Annotated[int | None, Key("remaining guesses; null for any number")]


@schema
class GuessFacts(TypedDict):
    """The facts about a guess."""

    is_candidate: keys.IsCandidate
    statistics: Annotated[dict[str, Any], Key("all statistics of a guess, by key")]


@schema
class WatchFacts(TypedDict):
    """The facts about watched strategies."""

    target: Annotated[str, Key("the answer of the watched games")]


@schema
class GameFacts(TypedDict):
    """The facts about a game against an umpire."""

    over: Annotated[bool, Key("whether the game is over")]
    answer: Annotated[str | None, Key("the answer; null before the end of the game")]
    keyboard: Annotated[
        dict[str, Any], Key("the best colour of each letter so far: `G`, `Y` or `B`")
    ]


@schema
class NodeFacts(TypedDict):
    """A node of a tree."""

    node: Annotated[
        dict[str, Any],
        Key(
            "a guess of a tree: `guess`, `answers`, `total`, `worst`, and `parts` with "
            "`pattern`, `part_size`, `remaining` and `node`"
        ),
    ]


@schema
class Served(TypedDict, total=False):
    """The server or the static site."""

    address: Annotated[str, Key("address of the page")]
    folder: keys.Folder
    site_files: Annotated[int, Key("files of a static site")]
    bytes: keys.Bytes
