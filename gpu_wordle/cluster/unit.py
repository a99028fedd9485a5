"""Units of work: what is sent to a worker, and what comes back; small, pure, and told by hashes.

A unit says which game it is about by a SHA-256 of lists, feedback, rule, objective, weights and
limit, and which program sends it. So a worker can do it at any time, do it again, or refuse it.
The lists themselves travel with a unit only as long as workers lack them.
"""

from __future__ import annotations

import functools
import hashlib
import os
import pickle
import socket
import zlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.cluster.slot import Slot
from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Game, Position, State, Turn
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.words import GameWords
from gpu_wordle.jit.files import PACKAGE, hash_of
from gpu_wordle.version import __version__

Do = Callable[[Slot, Position, Sequence[Any], Any], Iterable[tuple[Any, Any]]]
"""Does tasks at a slot, of a position, knowing what its owner knows; gives each with its result.

It is a function of a module, or a ``functools.partial`` of one, for it is sent by its name.
"""

Certain = Callable[[Any], object | None]
"""What of a result cannot differ, whoever found it; None where nothing is certain."""


class Kind(NamedTuple):
    """Guesses that symmetries map to each other, as one task: the first of them is searched."""

    guesses: tuple[int, ...]


@dataclass(frozen=True)
class Work:
    """A kind of work.

    Attributes:
        do: what workers do with tasks.
        certain: what of a result must be the same if it arrives twice.
        seconds: what a unit of it should take.
        known: what each unit is to know, such as the best value so far.
        weight: what a task takes, in any unit of time.
    """

    do: Do
    fingerprint: Certain
    seconds: int
    known: Callable[[], Any] = lambda: None
    weight: Callable[[Any], float] = lambda task: 1.0


@dataclass(frozen=True)
class Terms:
    """What a worker may use.

    Attributes:
        threads: threads of a unit.
        most_table_mib: MiB of the table at most, which all units of a process share; what suits
            the game if not given.
    """

    threads: int = 1
    most_table_mib: int | None = None


@dataclass(frozen=True)
class Where:
    """A position without its game; see Position. ``state`` is None where all answers are left."""

    state: State | None
    turns: tuple[Turn, ...]
    revealed: NDArray[np.uint64]
    turns_made: int

    @classmethod
    def of(cls, position: Position) -> Where:
        """Where a position stands."""
        is_whole = len(position.state) == position.game.answer_count
        state = None if is_whole else position.state
        return cls(state, position.turns, position.revealed, position.turns_made)

    def within(self, game: Game) -> Position:
        """The position of that game."""
        state = game.root() if self.state is None else self.state
        return Position(game, state, self.turns, self.revealed, self.turns_made)


@dataclass(frozen=True)
class Sent:
    """A game as it is sent: without its patterns, which are built where they are missing.

    Attributes:
        content: lists, feedback, rule and objective, packed.
        sha256: of the content.
    """

    content: bytes
    sha256: str

    @classmethod
    def of(cls, game: Game) -> Sent:
        """Pack a game; nothing that was derived from it travels."""
        words, weights = game.words, game.objective.weights
        parts = (
            replace(words.guesses),
            replace(words.answers),
            words.definition,
            game.rule,
            replace(game.objective, weights=None if weights is None else replace(weights)),
        )
        content = zlib.compress(pickle.dumps(parts))
        return cls(content, hashlib.sha256(content).hexdigest())

    def unpacked(self) -> tuple[GameWords, Rule, Objective]:
        """What was packed; JobError if it was damaged on its way."""
        if hashlib.sha256(self.content).hexdigest() != self.sha256:
            raise JobError("the lists of a unit of work were damaged on their way; start it again")
        guesses, answers, definition, rule, objective = pickle.loads(zlib.decompress(self.content))
        return GameWords(guesses, answers, definition), rule, objective


@dataclass(frozen=True)
class Unit:
    """Some tasks, and all that it takes to do them.

    Attributes:
        number: tells it from every other unit of its owner, so that no engine takes two for one.
        program: what sends it; see :func:`program`.
        game: identity of the game; see :func:`identity`.
        sent: the game itself, if workers may lack it.
        terms: what the worker may use.
        do: what is to be done.
        where: the position that it is about.
        tasks: the tasks.
        known: what the owner knew when it was sent, such as the best value so far.
    """

    number: int
    program: str
    game: str
    sent: Sent | None
    terms: Terms
    do: Do
    where: Where
    tasks: tuple[Any, ...]
    known: Any


@dataclass(frozen=True)
class Answer:
    """What came of a unit.

    Attributes:
        worker: who did it.
        program: what the worker runs.
        done: tasks and their results; None if the unit was not done, for the worker lacks the
            game or runs another program.
        seconds: what it took.
        had_game: whether the worker had the game before the unit came.
    """

    worker: str
    program: str
    done: tuple[tuple[Any, Any], ...] | None = None
    seconds: float = 0.0
    had_game: bool = False


def identity(words: GameWords, rule: Rule, objective: Objective) -> str:
    """SHA-256 of lists, feedback, rule, objective, limit and weights."""
    facts = (
        words.sha256,
        rule.value,
        objective.name,
        objective.max_guesses,
        objective.weights_sha256,
    )
    return hashlib.sha256(repr(facts).encode()).hexdigest()


@functools.cache
def program() -> str:
    """The version of this program, and a hash of its sources."""
    sources = hash_of(sorted(Path(PACKAGE).rglob("*.py")))
    return f"gpu-wordle {__version__} ({sources[:12]})"


def worker_name() -> str:
    """This process, for people."""
    return f"{socket.gethostname()}:{os.getpid()}"
