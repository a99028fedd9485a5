"""All questions that the server answers: address, parameters, who answers, and what comes back.

One table serves the server, its description in OpenAPI, and the tests.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any

from gpu_wordle.report.document import Document
from gpu_wordle.report.ranking import TOTAL
from gpu_wordle.strategies.strategy import Pool, Ties
from gpu_wordle.verbs.suggest import DEFAULT_TOP
from gpu_wordle.web import advice, browsing, games
from gpu_wordle.web.asked import SECONDS, TURNS, Asked, game_parameters
from gpu_wordle.web.parameters import CLIENT, MAX_SEED, MAX_TURNS_TOLD, Parameter, Whole, Words
from gpu_wordle.web.shelf import Shelf

MAX_TOP = 100
"""Guesses that are suggested at most, and rows of a chart."""

MAX_BODY_BYTES = 16 * 1024
"""Of what is sent beside an address."""

MAX_STRATEGIES = 6
"""Strategies that are watched side by side."""

MAX_ASKED = 12
"""Guesses of which it is asked whether they still win for sure."""

MAX_TREE_DEPTH = 6
"""Turns of a tree that are told at once."""

LIMITS = {"max_top": MAX_TOP, "max_body_bytes": MAX_BODY_BYTES}

LIVE = "/live"
"""Ends the address of a stream whose last event is the answer at the address before it."""

PLAIN, DOCUMENT = "plain", "document"
"""Whether what comes back is an object of its own, or that of a verb with its envelope."""


@dataclass(frozen=True)
class Route:
    """A question.

    Attributes:
        path: its address below that of the page; ``{name}`` stands for the last parameter.
        answer: who answers it.
        parameters: what it may name.
        kind: PLAIN or DOCUMENT.
        keys: what a document always says beside its envelope, ``rows`` among them.
        searches: whether it takes a turn at the desk.
        is_lasting: whether browsers may keep the answer.
        body: what may be sent with POST, each with what it means; None for GET alone.
        events: the events of a stream, each with what it means; None where one answer comes back.
        opening: the first event of a stream, which is told before the answer is worked out.
    """

    path: str
    answer: Callable[[Asked], Document | dict[str, Any]]
    parameters: tuple[Parameter, ...] = ()
    kind: str = DOCUMENT
    keys: tuple[str, ...] = ("rows",)
    searches: bool = True
    is_lasting: bool = False
    body: Mapping[str, str] | None = None
    events: Mapping[str, str] | None = None
    opening: Callable[[Asked], tuple[str, dict[str, Any]]] | None = None

    @property
    def summary(self) -> str:
        """One line."""
        return (self.answer.__doc__ or "").partition("\n")[0]

    def with_client(self) -> tuple[Parameter, ...]:
        """All parameters."""
        return (*self.parameters, CLIENT)


def routes_of(shelf: Shelf) -> tuple[Route, ...]:
    """All questions, with the lists, weights and defaults of a server."""
    game = game_parameters(shelf)
    at = (*game, TURNS)
    guess = Parameter("guess", "a guess; the best one if left out")
    needed = Parameter("guess", "a guess", is_required=True)
    suggested = (
        *at,
        Parameter("by", "total, or statistics, separated by commas", TOTAL),
        Whole("top", "guesses, shared out among what they are listed by", DEFAULT_TOP, least=1,
              greatest=MAX_TOP),
        SECONDS,
    )  # fmt: skip

    def choices(asked: Asked) -> dict[str, Any]:
        """What questions may name: lists, rules, objectives, strategies, statistics, limits."""
        return browsing.choices(asked.shelf, LIMITS)

    return (
        Route("api/choices", choices, kind=PLAIN, searches=False, is_lasting=True),
        Route("api/words", browsing.words, game[:2], PLAIN, searches=False, is_lasting=True),
        Route(
            "api/position", advice.position,
            (*at, Parameter("text", "a pasted game, in place of turns", longest=1000)),
            keys=("rows", "remaining", "guesses_left"), searches=False,
        ),
        Route("api/suggest", advice.suggest, suggested, keys=("rows", "remaining")),
        Route(
            f"api/suggest{LIVE}", advice.suggest, suggested, keys=("rows", "remaining"),
            events={
                "position": "the answer of api/position, at once",
                "waiting": "how many questions of others come first",
                "bounds": "what is known so far of the best guesses, several times a second",
                "suggestions": "the answer of api/suggest; the last event",
                "failed": "what went wrong; the last event",
            },
            opening=advice.first_said,
        ),
        Route(
            "api/guarantee", advice.guarantee,
            (*at, Words("guess", "guesses", is_required=True, most=MAX_ASKED), SECONDS),
        ),
        Route("api/spectrum", advice.spectrum, (*at, needed), keys=("rows", "statistics"),
              searches=False),
        Route("api/value", advice.value, (*at, guess, SECONDS)),
        Route("api/watch", games.watch, (*at, *_watched()), keys=("rows", "target")),
        Route(
            "api/analyse", games.analyse,
            (
                *at,
                Words("words", "the guesses, with the answer", most=MAX_TURNS_TOLD),
                Parameter("answer", "what was hidden"),
                Parameter("text", "a pasted game, or colours alone", longest=MAX_BODY_BYTES),
                Whole("top", "rows of a chart", 20, least=1, greatest=MAX_TOP),
                SECONDS,
            ),
            body={"text": "a pasted game, or colours alone", "answer": "what was hidden"},
        ),
        Route("api/play", games.play, (*at, *_played()), keys=("rows", "over", "keyboard"),
              searches=False),
        Route("api/rankings", browsing.rankings, kind=PLAIN, searches=False, is_lasting=True),
        Route(
            "api/rankings/{name}", browsing.ranking,
            (Parameter("name", "a ranking of api/rankings", is_required=True,
                       choices=tuple(shelf.offer.named_rankings)),),
            PLAIN, searches=False, is_lasting=True,
        ),
        Route(
            "api/tree", browsing.tree,
            (
                *at, guess,
                Words("path", "feedback that leads down the tree", most=MAX_TURNS_TOLD),
                Whole("depth", "turns of the tree to tell", 1, least=1, greatest=MAX_TREE_DEPTH),
                SECONDS,
            ),
            keys=("node",),
        ),
    )  # fmt: skip


def _watched() -> tuple[Parameter, ...]:
    """What strategies are watched at."""
    return (
        Words("strategies", "strategies", is_required=True, most=MAX_STRATEGIES),
        Parameter("target", "the answer", is_required=True),
        Words("openers", "the next guess: of all, or of each, - for its own",
              most=MAX_STRATEGIES),
        Parameter("pool", "guesses that greedy rules choose from", "all", choices=tuple(Pool)),
        Whole("survivors", "answers left with which they play the first", 2, least=1, greatest=3),
        Parameter("ties", "which of equal guesses they play", "candidates", choices=tuple(Ties)),
        Whole("seed", "seed of ties at random", 0, greatest=MAX_SEED),
        SECONDS,
    )  # fmt: skip


def _played() -> tuple[Parameter, ...]:
    """What is played against an umpire."""
    return (
        Parameter("umpire", "who answers: a word drawn by the seed, an adversary that has none in "
                  "mind, or a word that is given", "random",
                  choices=("random", "adversary", "word")),
        Words("words", "the guesses so far", most=MAX_TURNS_TOLD),
        Whole("seed", "seed of the word that is drawn", 0, greatest=MAX_SEED),
        Parameter("answer", "the word that is given"),
    )  # fmt: skip
