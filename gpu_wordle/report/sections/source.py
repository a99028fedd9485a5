"""An HDF5 file of a report."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.store import Contents, read_objective, read_position

UNLIMITED = "none"


@dataclass(frozen=True)
class Source:
    """An HDF5 file that was read and checked.

    Attributes:
        path: the path as the caller named it.
        contents: its contents.
        open_game: opens its game.
    """

    path: Path
    contents: Contents
    open_game: Callable[[], Game]

    @property
    def filetype(self) -> str:
        """Its filetype."""
        return str(self.contents.attributes["filetype"])

    @cached_property
    def game(self) -> Game:
        """Its game, with the pattern matrix."""
        return self.open_game()

    @cached_property
    def position(self) -> Position:
        """Its position."""
        return read_position(self.path, self.contents, self.game)

    @cached_property
    def objective(self) -> Objective:
        """Its objective."""
        return read_objective(self.contents)

    @property
    def rule(self) -> Rule:
        """Its rule."""
        return Rule(str(self.contents.attributes["rule"]))

    @property
    def asked(self) -> dict[str, str]:
        """The facts about its game and position."""
        limit = self.objective.max_guesses
        lists = {role: self.contents.datasets[f"words/{role}"] for role in ("guesses", "answers")}
        facts = {
            role: f"{len(each.values):,}: {each.description.partition(': ')[2]}"
            for role, each in lists.items()
        }
        facts |= {
            "rule": self.rule.value,
            "objective": self.objective.title,
            "guess limit": UNLIMITED if limit is None else str(limit),
        }
        state = str(self.contents.attributes["state"])
        return facts | ({"after": state} if state else {})
