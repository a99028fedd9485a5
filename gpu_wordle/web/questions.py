"""Questions of the server: functions whose signatures declare what may be asked with them.

From signatures are made the check of addresses and bodies, the description in OpenAPI, and what the
page knows of parameters. What a signature does not list cannot be asked, and nothing names a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Annotated, Any, TypeVar

from gpu_wordle.api.session import Session
from gpu_wordle.game.game import Game, Position
from gpu_wordle.options.declared import Declared, Subject, declared
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.document import Document
from gpu_wordle.web.parameters import CLIENT, MAX_ANSWER_SECONDS, SECONDS, TURNS, Named
from gpu_wordle.web.request_queue import Job
from gpu_wordle.web.shelf import GameName, Offer, Shelf

LIVE = "/live"
"""Ends the address of a stream whose last event is the answer at the address before it."""

Answer = Callable[..., Document | dict[str, Any]]
Answering = TypeVar("Answering", bound=Answer)
Tell = Callable[[str, dict[str, Any]], None]
"""Tells a client that listens an event, by its name, and what there is to say."""


class OverdueError(Exception):
    """Nothing was found out within the time that a question may take."""


@dataclass
class Asked:
    """A question.

    Attributes:
        values: its parameters by name, as they were read.
        shelf: the games that there are.
        job: who asks, and who does the work; None where no search is needed.
        tell: tells the client what has been found so far, if it listens.
    """

    values: Mapping[str, Any]
    shelf: Shelf
    job: Job | None = None
    tell: Tell = lambda event, said: None

    @property
    def name(self) -> GameName:
        """The game that it is about."""
        told = {f.name: self.values[f.name] for f in fields(GameName) if f.name in self.values}
        return replace(self.shelf.offer.default, **told)

    @property
    def turns(self) -> str:
        """Guesses and their feedback, for the game to read."""
        return str(self.values["turns"])

    @cached_property
    def game(self) -> Game:
        """The game that it is about, open."""
        return self.shelf.game(self.name)

    @cached_property
    def position(self) -> Position:
        """Where the game stands; UserError for turns that cannot be."""
        return self.game.position_after(self.turns)

    @cached_property
    def session(self) -> Session:
        """The position, and who searches it."""
        return self.shelf.session(self.position)

    @cached_property
    def stop_token(self) -> StopToken:
        """When the work ends early: when its time is over, or if nobody listens any more."""
        assert self.job is not None, "questions that search have a job"
        return StopToken(self.values["seconds"] or MAX_ANSWER_SECONDS, self.job.left)

    @property
    def is_cut_short(self) -> bool:
        """Whether the work ended early, so that more time would have told more."""
        return self.job is not None and self.stop_token.reason is not None


NAMING = {**declared(GameName.__init__), "turns": TURNS, "seconds": SECONDS}
"""The parameters of a subject."""

Searched = Annotated[Asked, Subject("A position that is searched.")]
At = Annotated[Asked, Subject("A position.", without=("seconds",))]
Lists = Annotated[
    Asked, Subject("Lists of words.", without=(*NAMING.keys() - {"guesses", "answers"},))
]


@dataclass(frozen=True)
class Question:
    """A question.

    Attributes:
        answer: the function that answers it.
        path: its address below that of the page; ``{name}`` stands for the parameter of that name.
        keys: what a document says beside its envelope, ``rows`` among them. Without any, the
            answer is an object of its own, which browsers may keep for long.
        body: parameters that POST may send as a body.
        events: the events of a stream, each with what it means; None where one answer comes back.
        opening: tells the first event of a stream, before the answer is worked out.
        parameters: what it may be asked with at a server, by name.
    """

    answer: Answer
    path: str
    keys: tuple[str, ...] = ()
    body: tuple[str, ...] = ()
    events: Mapping[str, str] | None = None
    opening: Callable[[Asked], None] | None = None
    parameters: Mapping[str, Declared] = field(default_factory=dict)

    @property
    def summary(self) -> str:
        """One line."""
        return (self.answer.__doc__ or "").partition("\n")[0]

    @property
    def searches(self) -> bool:
        """Whether it takes a turn at the queue."""
        return SECONDS.name in self.parameters

    def at(self, offer: Offer) -> Question:
        """The same with the lists, weights and defaults of a server."""
        return replace(self, parameters=parameters_of(self.answer, offer) | {CLIENT.name: CLIENT})

    def answered(self, asked: Asked) -> Document | dict[str, Any]:
        """The answer; the function is given what it lists."""
        own = {name: asked.values[name] for name in declared(self.answer) if name in asked.values}
        return self.answer(asked, **own)


_questions: list[Question] = []


def question(
    *keys: str,
    path: str = "",
    body: tuple[str, ...] = (),
    events: Mapping[str, str] | None = None,
    opening: Callable[[Asked], None] | None = None,
) -> Callable[[Answering], Answering]:
    """Have a function answer a question; with ``events``, those who listen hear it as a stream."""

    def with_address(answer: Answering) -> Answering:
        made = Question(answer, f"api/{path or answer.__name__}", keys, body)
        _questions.append(made)
        if events is not None:
            _questions.append(
                replace(made, path=f"{made.path}{LIVE}", events=events, opening=opening)
            )
        return answer

    return with_address


def questions_of(offer: Offer) -> tuple[Question, ...]:
    """All questions that have been declared, as a server takes them."""
    return tuple(each.at(offer) for each in _questions)


def parameters_of(function: Callable[..., Any], offer: Offer) -> dict[str, Declared]:
    """What a signature declares by name, with the lists, weights and defaults of a server."""
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
