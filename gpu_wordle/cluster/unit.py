"""Units of work: what the owner sends to a worker, and what comes back.

A unit identifies its game by a SHA-256 of lists, feedback, rule, objective, weights and limit. It
identifies the sender's program by a hash of its sources. So a worker can do it at any time, repeat
it, or refuse it. The word lists are sent only while workers lack them.
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
from gpu_wordle.game.known import Knowledge
from gpu_wordle.game.objective import Objective
from gpu_wordle.game.rule import Rule
from gpu_wordle.game.words import GameWords
from gpu_wordle.jit.files import PACKAGE, hash_of
from gpu_wordle.solver.pool import Fingerprint
from gpu_wordle.version import __version__

Do = Callable[[Slot, Position, Sequence[Any], Any], Iterable[tuple[Any, Any]]]
"""Does tasks: takes slot, position, tasks and the owner's knowledge; yields (task, result).

It is a function of a module, or a ``functools.partial`` of one, because pickle sends its name.
"""


class Orbit(NamedTuple):
    """The task for an orbit of guesses, which symmetries map to each other.

    The first is searched.
    """

    guesses: tuple[int, ...]


@dataclass(frozen=True)
class Work:
    """A kind of work.

    Attributes:
        do: the function that workers call with tasks.
        fingerprint: the part of a result that must agree if the result arrives twice.
        seconds: wanted duration of a unit.
        known: gives what a unit should know when it is sent, such as the best value so far.
        weight: expected duration of a task, in any unit.
    """

    do: Do
    fingerprint: Fingerprint[Any]
    seconds: int
    known: Callable[[], Any] = lambda: None
    weight: Callable[[Any], float] = lambda task: 1.0


@dataclass(frozen=True)
class Terms:
    """Threads and memory of a worker.

    Attributes:
        threads: number of threads of a unit.
        max_table_mib: largest size of the table that all units of a process share, in MiB; None
            for a size that suits the game.
    """

    threads: int = 1
    max_table_mib: int | None = None


@dataclass(frozen=True)
class PackedPosition:
    """A position as it is sent: without its game.

    Attributes:
        state: the possible answers; None if all answers are possible.
        turns: the turns made, as in Position.
        revealed: what they revealed, as in Position.
        turns_made: number of turns made.
        known: what is known without turns, as in Position.
    """

    state: State | None
    turns: tuple[Turn, ...]
    revealed: NDArray[np.uint64]
    turns_made: int
    known: Knowledge | None = None

    @classmethod
    def of(cls, position: Position) -> PackedPosition:
        """Strip a position of its game."""
        is_whole = len(position.state) == position.game.answer_count
        state = None if is_whole else position.state
        made = position.turns_made
        return cls(state, position.turns, position.revealed, made, position.known)

    def within(self, game: Game) -> Position:
        """Rebuild the position in ``game``."""
        state = game.root() if self.state is None else self.state
        return Position(game, state, self.turns, self.revealed, self.turns_made, self.known)


@dataclass(frozen=True)
class PackedGame:
    """A game as it is sent: without its patterns, which the worker builds or finds in its cache.

    Attributes:
        content: lists, feedback, rule and objective, pickled and compressed.
        sha256: SHA-256 of the content.
    """

    content: bytes
    sha256: str

    @classmethod
    def of(cls, game: Game) -> PackedGame:
        """Pack a game without any data derived from it."""
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
        """Unpack lists, rule and objective; raises JobError if the content is damaged."""
        if hashlib.sha256(self.content).hexdigest() != self.sha256:
            raise JobError("a unit of work arrived damaged; start the job again")
        guesses, answers, definition, rule, objective = pickle.loads(zlib.decompress(self.content))
        return GameWords(guesses, answers, definition), rule, objective


@dataclass(frozen=True)
class Unit:
    """Some tasks, and everything that a worker needs to do them.

    Attributes:
        number: unique among the units of the owner, so that no executor merges equal units.
        program: the program that sends it; see :func:`program`.
        game: identity of the game; see :func:`identity`.
        sent: the game itself; None if all workers have it.
        terms: threads and memory of the worker.
        do: the function to call with the tasks.
        where: the position that the tasks are about.
        tasks: the tasks.
        known: the owner's knowledge when the unit was sent, such as the best value so far.
    """

    number: int
    program: str
    game: str
    sent: PackedGame | None
    terms: Terms
    do: Do
    where: PackedPosition
    tasks: tuple[Any, ...]
    known: Any


@dataclass(frozen=True)
class Answer:
    """A worker's answer to a unit.

    Attributes:
        worker: machine and process of the worker.
        program: the program that the worker runs.
        done: tasks with their results; None if the worker lacks the game or runs another program.
        seconds: time that the unit took.
        had_game: whether the worker had the game before the unit came.
    """

    worker: str
    program: str
    done: tuple[tuple[Any, Any], ...] | None = None
    seconds: float = 0.0
    had_game: bool = False


def identity(words: GameWords, rule: Rule, objective: Objective) -> str:
    """Return a SHA-256 over lists, feedback, rule, objective, limit and weights, in hexadecimal."""
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
    """Return version and source hash of this program, as in ``gpu-wordle 0.1.0 (0123456789ab)``."""
    sources = hash_of(sorted(Path(PACKAGE).rglob("*.py")))
    return f"gpu-wordle {__version__} ({sources[:12]})"


def worker_name() -> str:
    """Return machine and number of this process, as in ``host:1234``."""
    return f"{socket.gethostname()}:{os.getpid()}"
