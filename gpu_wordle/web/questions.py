"""Questions of the server: functions whose signatures declare what may be asked with them.

From signatures are made the check of addresses and bodies, the description in OpenAPI, and what the
page knows of parameters. What a signature does not list cannot be asked, and nothing names a file.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeVar

from gpu_wordle.options.declared import Declared, Subject, declared
from gpu_wordle.report.document import Document
from gpu_wordle.web.asked import NAMING, Asked
from gpu_wordle.web.parameters import CLIENT, SECONDS, Named
from gpu_wordle.web.shelf import Offer

Answer = Callable[..., Document | dict[str, Any]]
Answering = TypeVar("Answering", bound=Answer)

LIVE = "/live"
"""Ends the address of a stream whose last event is the answer at the address before it."""


@dataclass(frozen=True)
class Question:
    """A question.

    Attributes:
        answer: the function that answers it.
        path: its address below that of the page; ``{name}`` stands for the parameter of that name.
        keys: what the document of a verb says beside its envelope, ``rows`` among them; if there
            are none, the answer is an object of its own, which browsers may keep for long.
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
        """Whether it takes a turn at the desk."""
        return SECONDS.name in self.parameters

    def at(self, offer: Offer) -> Question:
        """The same with the lists, weights and defaults of a server."""
        return replace(self, parameters=parameters_of(self.answer, offer) | {CLIENT.name: CLIENT})

    def answered(self, asked: Asked) -> Document | dict[str, Any]:
        """The answer; the function is given what it lists."""
        own = {name: asked.values[name] for name in declared(self.answer) if name in asked.values}
        return self.answer(asked, **own)


_asked: list[Question] = []


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
        _asked.append(made)
        if events is not None:
            _asked.append(replace(made, path=f"{made.path}{LIVE}", events=events, opening=opening))
        return answer

    return with_address


def questions_of(offer: Offer) -> tuple[Question, ...]:
    """All questions that have been declared, as a server takes them."""
    return tuple(each.at(offer) for each in _asked)


def parameters_of(function: Callable[..., Any], offer: Offer) -> dict[str, Declared]:
    """What a signature declares by name, with the lists, weights and defaults of a server."""
    found: dict[str, Declared] = {}
    for name, each in declared(function).items():
        if isinstance(each.option, Subject):
            of_subject = {n: d for n, d in NAMING.items() if n not in each.option.without}
            found |= {n: _offered(d, offer) for n, d in of_subject.items()}
        else:
            found[name] = _offered(each, offer)
    return found


def _offered(parameter: Declared, offer: Offer) -> Declared:
    """A parameter with the names and the default of a server."""
    option, default = parameter.option, vars(offer.default).get(parameter.name, parameter.default)
    return replace(
        parameter, option=option.of(offer) if isinstance(option, Named) else option, default=default
    )
