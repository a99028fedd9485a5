"""A question that has been read: what it is about, and what it may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Annotated, Any

from gpu_wordle.api.session import Session
from gpu_wordle.game.game import Game, Position
from gpu_wordle.options.declared import Subject, declared
from gpu_wordle.ranking.ending import Ending
from gpu_wordle.web.desk import Job
from gpu_wordle.web.parameters import MAX_ANSWER_SECONDS, SECONDS, TURNS
from gpu_wordle.web.shelf import GameName, Shelf

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
    def ending(self) -> Ending:
        """When the work ends early: when its time is over, or if nobody listens any more."""
        assert self.job is not None, "questions that search have a job"
        return Ending(self.values["seconds"] or MAX_ANSWER_SECONDS, self.job.left)

    @property
    def is_cut_short(self) -> bool:
        """Whether the work ended early, so that more time would have told more."""
        return self.job is not None and self.ending.reason is not None


NAMING = {**declared(GameName.__init__), "turns": TURNS, "seconds": SECONDS}
"""The parameters of a subject."""

Searched = Annotated[Asked, Subject("A position that is searched.")]
At = Annotated[Asked, Subject("A position.", without=("seconds",))]
Lists = Annotated[Asked, Subject("Lists of words.", without=tuple(NAMING)[2:])]
