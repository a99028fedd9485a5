"""A question that has been read: what it is about, and what it may use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields, replace
from functools import cached_property
from typing import Any

from gpu_wordle.api.session import Session
from gpu_wordle.game.game import Game, Position
from gpu_wordle.ranking.ending import Ending
from gpu_wordle.web.desk import Job
from gpu_wordle.web.parameters import Parameter, Turns, Whole
from gpu_wordle.web.shelf import UNWEIGHED, GameName, Shelf

MAX_ANSWER_SECONDS = 30
"""For which a question is worked on; what is proved by then is told."""

MAX_GUESSES = 100
"""The greatest guess limit that may be asked for."""

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

    def __getitem__(self, name: str) -> Any:
        return self.values[name]

    @property
    def name(self) -> GameName:
        """The game that it is about."""
        told = {f.name: self.values[f.name] for f in fields(GameName) if f.name in self.values}
        return replace(self.shelf.offer.default, **told)

    @cached_property
    def game(self) -> Game:
        """The same, open."""
        return self.shelf.game(self.name)

    @cached_property
    def position(self) -> Position:
        """Where the game stands; UserError for turns that cannot be."""
        return self.game.position_after(self.values["turns"])

    @cached_property
    def session(self) -> Session:
        """The position, and who searches it."""
        return self.session_of(self.position)

    def session_of(self, position: Position) -> Session:
        """The same for another position."""
        return self.shelf.session(position)

    @cached_property
    def ending(self) -> Ending:
        """When the work ends early: when its time is over, or if nobody listens any more."""
        assert self.job is not None, "questions that search have a job"
        return Ending(self.values.get("seconds") or MAX_ANSWER_SECONDS, self.job.left)

    @property
    def is_cut_short(self) -> bool:
        """Whether the work ended early, so that more time would have told more."""
        return self.job is not None and self.ending.reason is not None


def game_parameters(shelf: Shelf) -> tuple[Parameter, ...]:
    """What names a game, with the defaults of this server."""
    offer, default = shelf.offer, shelf.offer.default
    lists = tuple(offer.named_lists)
    rules = ("normal", "hard", "ultra-hard", "candidates")
    return (
        Parameter("guesses", "words that may be guessed", default.guesses, choices=lists),
        Parameter("answers", "words that may be hidden", default.answers, choices=lists),
        Parameter("rule", "which guesses are legal", default.rule, choices=rules),
        Parameter("objective", "what is to be least", default.objective),
        Whole("max_guesses", "guesses that there are, 0 for no limit", default.max_guesses,
              greatest=MAX_GUESSES),
        Parameter("weights", "how likely answers are", default.weights or UNWEIGHED,
                  choices=tuple(offer.named_weights)),
    )  # fmt: skip


TURNS = Turns("turns", "guesses made and their feedback, as in salet:BYBBG,crony:BBGBB")
SECONDS = Whole(
    "seconds", "after which the work ends with what is proved by then", least=1,
    greatest=MAX_ANSWER_SECONDS,
)  # fmt: skip
