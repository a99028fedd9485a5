"""Games that people and programs have written down, as they were read, and faults of turns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from gpu_wordle.errors import AmbiguousError, IncompleteError, UserError, quoted
from gpu_wordle.game.reading import MIB
from gpu_wordle.game.words import GameWords

MAX_PASTED_BYTES = MIB
"""Largest text of a pasted game."""


MAX_PASSED_OVER = 5
"""Most games without values that a remark names."""


class Fault(StrEnum):
    """What is wrong with a turn."""

    UNKNOWN = "unknown"  # the guess is not in the list, and counts as no turn
    ILLEGAL = "illegal"  # the rule forbids the guess, but it is played anyway
    CONTRADICTORY = "contradictory"  # no possible answer gives the feedback
    INCOMPLETE = "incomplete"  # the feedback or the word is missing, or their numbers differ
    AMBIGUOUS = "ambiguous"  # the turn can be read in two ways
    UNREADABLE = "unreadable"  # the feedback cannot be read for another reason

    @classmethod
    def of(cls, error: UserError) -> Fault:
        """The fault of a turn whose reading raised ``error``."""
        kinds = {IncompleteError: cls.INCOMPLETE, AmbiguousError: cls.AMBIGUOUS}
        return next((kinds[kind] for kind in kinds if isinstance(error, kind)), cls.UNREADABLE)


UNREAD = (Fault.INCOMPLETE, Fault.AMBIGUOUS, Fault.UNREADABLE)
"""The faults of turns that cannot be read."""


@dataclass(frozen=True)
class Transcript:
    """A written game.

    Attributes:
        turns: the guesses, each with its colours or None.
        answer: the hidden answer, if given.
        player: name of the player, if given.
        ignored: the parts of a pasted text that were not read.
        title: what a collection calls it, if anything.
    """

    turns: tuple[tuple[str, str | None], ...]
    answer: str | None = None
    player: str = ""
    ignored: tuple[str, ...] = field(default=(), compare=False)
    title: str = field(default="", compare=False)


@dataclass(frozen=True)
class Chart:
    """A share grid without words.

    Attributes:
        patterns: the colours of each turn.
        ignored: what was not read.
        player: name of the player, if given.
        title: what a collection calls it, if anything.
    """

    patterns: tuple[int, ...]
    ignored: tuple[str, ...] = field(default=(), compare=False)
    player: str = ""
    title: str = field(default="", compare=False)

    @property
    def charts(self) -> tuple[Chart, ...]:
        """The grid alone, as if it was one of several."""
        return (self,)


@dataclass(frozen=True)
class Charts:
    """Several share grids without words, and what was not read."""

    charts: tuple[Chart, ...]
    ignored: tuple[str, ...] = field(default=(), compare=False)


def example_of(words: GameWords) -> str:
    """A guess of the game with feedback, as an example of how to write a turn."""
    word = words.feedback.example.split()[0]
    if word in words.guesses.index:
        return words.feedback.example
    seen = words.feedback.patterns(words, np.array(0), np.array(len(words.answers) - 1))
    return f"{words.guesses.words[0]} {words.feedback.format(int(seen))}"


def passed_over(games: Sequence[Transcript | Chart], words: GameWords) -> str:
    """The games, by number, of which a guess has no value for want of words or answer, and why."""
    said = list[str]()
    for number, game in enumerate(games, start=1):
        of_player = f" of {game.player}" if game.player else ""
        if isinstance(game, Chart):
            said.append(f"game {number}{of_player}: a share grid has no words")
            continue
        is_needed = any(seen is None for _, seen in game.turns)
        if is_needed and game.answer is not None and words.answers.place(game.answer) is None:
            why = f"its answer {quoted(game.answer)} is in no list, and it has no colours"
            said.append(f"game {number}{of_player}: {why}")
    rest = len(said) - MAX_PASSED_OVER
    more = [f"and {rest:,} more"] if rest > 0 else []
    return "; ".join([*said[:MAX_PASSED_OVER], *more])
