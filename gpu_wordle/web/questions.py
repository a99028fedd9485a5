"""The questions of the server: functions whose signatures declare their parameters.

The signature yields the check of addresses and bodies, the OpenAPI description, and the page's own
check. Undeclared parameters cannot be given, and no parameter names a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Annotated, Any, TypeVar

from gpu_wordle.api.session import Session
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.known import Knowledge
from gpu_wordle.options.declared import Declared, Subject, declared
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.document import Document
from gpu_wordle.web.parameters import (
    CLIENT,
    KNOWN,
    MAX_ANSWER_SECONDS,
    MAX_BODY_BYTES,
    SECONDS,
    TURNS,
    Named,
)
from gpu_wordle.web.request_queue import Job
from gpu_wordle.web.shelf import GameName, Offer, Shelf

LIVE = "/live"
"""Suffix of the address of an event stream, whose last event is the answer."""

Answer = Callable[..., Document | dict[str, Any]]
Answering = TypeVar("Answering", bound=Answer)
Tell = Callable[[str, dict[str, Any]], None]
"""Sends an event, by name and content, to a listening client."""


class OverdueError(Exception):
    """The time limit of a question ended before there was any result."""


@dataclass
class Asked:
    """One call of a question.

    Attributes:
        values: the values of its parameters by name.
        shelf: the open games.
        job: its place in the queue; None if no search is needed.
        tell: sends an event to the client, if it listens.
    """

    values: Mapping[str, Any]
    shelf: Shelf
    job: Job | None = None
    tell: Tell = lambda event, said: None

    @property
    def name(self) -> GameName:
        """The name of its game."""
        told = {f.name: self.values[f.name] for f in fields(GameName) if f.name in self.values}
        return replace(self.shelf.offer.default, **told)

    @property
    def turns(self) -> str:
        """The guesses so far and their feedback, as the game reads them."""
        return str(self.values["turns"])

    @cached_property
    def game(self) -> Game:
        """Its game, opened."""
        return self.shelf.game(self.name)

    @property
    def known(self) -> Knowledge | None:
        """What is known without guesses; UserError if it cannot be read."""
        told = {name: self.values.get(name, "") for name in KNOWN}
        return Knowledge.read(self.shelf.words(self.name), **told)

    @cached_property
    def position(self) -> Position:
        """Its position; UserError for impossible turns."""
        return self.game.position_after(self.turns, self.known)

    @cached_property
    def session(self) -> Session:
        """Its position with the machine that searches it."""
        return self.shelf.session(self.position)

    @cached_property
    def stop_token(self) -> StopToken:
        """Ends the work after its time limit, or when the client has left."""
        assert self.job is not None, "questions that search have a job"
        return StopToken(self.values["seconds"] or MAX_ANSWER_SECONDS, self.job.left)

    @property
    def is_cut_short(self) -> bool:
        """Whether the work ended early, so that more time could improve the answer."""
        return self.job is not None and self.stop_token.reason is not None


NAMING = {**declared(GameName.__init__), "turns": TURNS, **KNOWN, "seconds": SECONDS}
"""The parameters that name a game and a position."""

Searched = Annotated[Asked, Subject("A position that is searched.")]
At = Annotated[Asked, Subject("A position.", without=("seconds",))]
Replayed = Annotated[Asked, Subject("A game by its turns, which is searched.", without=(*KNOWN,))]
Played = Annotated[Asked, Subject("A game, which is searched.", without=("turns", *KNOWN))]
Started = Annotated[Asked, Subject("A game by its turns.", without=(*KNOWN, "seconds"))]
Lists = Annotated[
    Asked, Subject("Lists of words.", without=(*NAMING.keys() - {"guesses", "answers"},))
]


@dataclass(frozen=True)
class Question:
    """A declared question.

    Attributes:
        answer: the function that answers it.
        path: its address below that of the page; ``{name}`` stands for the parameter of that name.
        keys: the keys of its document beside the envelope, including ``rows``. Without any, the
            answer is a plain object, which browsers may cache for longer.
        body: parameters that POST may send as a body.
        most: most bytes of the body.
        is_kept: whether the server may cache the answer.
        events: the events of a stream with their meanings; None for a single answer.
        opening: sends the first event of a stream, before the answer is computed.
        parameters: its parameters at a server, by name.
    """

    answer: Answer
    path: str
    keys: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    most: int = MAX_BODY_BYTES
    is_kept: bool = True
    events: Mapping[str, str] | None = None
    opening: Callable[[Asked], None] | None = None
    parameters: Mapping[str, Declared] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """The first line of the docstring of its function."""
        return (self.answer.__doc__ or "").partition("\n")[0]

    @property
    def searches(self) -> bool:
        """Whether it searches, and therefore waits in the queue."""
        return SECONDS.name in self.parameters

    def at(self, offer: Offer) -> Question:
        """This question with the lists, weights and defaults of a server."""
        return replace(self, parameters=parameters_of(self.answer, offer) | {CLIENT.name: CLIENT})

    def answered(self, asked: Asked) -> Document | dict[str, Any]:
        """Answer a call: pass the function the parameters that it declares."""
        own = {name: asked.values[name] for name in declared(self.answer) if name in asked.values}
        return self.answer(asked, **own)


_questions: list[Question] = []


def question(
    *keys: str,
    path: str = "",
    body: tuple[str, ...] = (),
    most: int = MAX_BODY_BYTES,
    is_kept: bool = True,
    events: Mapping[str, str] | None = None,
    opening: Callable[[Asked], None] | None = None,
) -> Callable[[Answering], Answering]:
    """Declare a function as a question; ``events`` adds an address with an event stream.

    The others are attributes of Question.
    """

    def with_address(answer: Answering) -> Answering:
        made = Question(answer, f"api/{path or answer.__name__}", keys, body, most, is_kept)
        _questions.append(made)
        if events is not None:
            _questions.append(
                replace(made, path=f"{made.path}{LIVE}", events=events, opening=opening)
            )
        return answer

    return with_address


def questions_of(offer: Offer) -> tuple[Question, ...]:
    """All declared questions, with the names and defaults of a server."""
    return tuple(each.at(offer) for each in _questions)


def parameters_of(function: Callable[..., Any], offer: Offer) -> dict[str, Declared]:
    """The parameters of a signature, with the lists, weights and defaults of a server."""
    found: dict[str, Declared] = {}
    for name, each in declared(function).items():
        if isinstance(each.option, Subject):
            found |= {n: d for n, d in NAMING.items() if n not in each.option.without}
        else:
            found[name] = each
    for name, each in found.items():
        option = each.option.of(offer) if isinstance(each.option, Named) else each.option
        default = vars(offer.default).get(name, each.default)
        found[name] = replace(each, option=option, default=default)
    return found
