"""What a backend is: the protocols that reference, cpu, cuda and check implement."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.frontier import Children, Entries, GuessLists, Survivors, Window
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import Patterns
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.joint import Labels
from gpu_wordle.states.partition import BestGuesses, Criterion, PartitionStats


class Evaluator(Protocol):
    """Evaluates batches of states of one game, whose pattern matrix it holds on its device."""

    def stats(self, batch: StateBatch) -> PartitionStats:
        """Partition statistics of all G guesses on the B states; arrays [B, G] on the host."""
        ...

    def best(self, batch: StateBatch, by: Criterion) -> BestGuesses:
        """Best guess of each state by ``by``, and its one-ply lower bound; nothing is [B, G]."""
        ...

    def spectrum(self, state: NDArray[np.uint16], guess: int) -> NDArray[np.int64]:
        """Answers of ``state`` behind each pattern of ``guess``, int64[pattern_count]."""
        ...


class JointCounter(Protocol):
    """Counts the parts that partitions and guesses make together, many of both at once."""

    @property
    def guesses(self) -> NDArray[np.int32]:
        """The guesses that are counted, in the order of the columns, [C]."""
        ...

    def parts(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Joint parts of each partition and each guess from column ``first`` on, [W, C - first]."""
        ...

    def entropy(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Sums of c * log2(c) over the joint parts, in fixed point (see partition.py); likewise."""
        ...


class Frontier(Protocol):
    """Expands and bounds many states of one game at once, for solver/batched_pool.py."""

    @property
    def drivers(self) -> int:
        """How many threads may ask it at a time, so that it has work while one gets its answer."""
        ...

    @property
    def memory_bytes(self) -> int:
        """How much the lists that are alive at one time should hold at most."""
        ...

    def list_bytes(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """What the lists of states of so many answers hold at most, [B]."""
        ...

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """The children of P pairs: the states ``state`` of the batch split by ``guess``, [P]."""
        ...

    def collapse(self, batch: StateBatch) -> GuessLists:
        """The guesses that matter in each state, which has two answers or more.

        They are the ones that make two parts or more: all candidates, and of the other guesses the
        first for each partition that no candidate makes. By one-ply bounds, the least first; among
        equals candidates first; then in the order of the word list.
        """
        ...

    def entries(self, lists: GuessLists) -> Entries:
        """All that the lists say."""
        ...

    def bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """``known``, raised to the least one-ply bound of any guess where that is more, [B].

        That is LB1, a lower bound on the value of a state. Counting stops at the first guess that
        shows that ``known`` stays.
        """
        ...

    def refute(
        self, lists: GuessLists, cutoff: NDArray[np.int64], window: Window | None = None
    ) -> Survivors:
        """The guesses of each state, those of a window at most, with bounds below the cutoff, [B].

        The bound of a guess is the size of the state plus LB1 of each part that the guess makes,
        ALL_GREEN left out. It is never less than the one-ply bound. Of a guess that is refuted no
        more is worked out than that its bound reaches the cutoff.
        """
        ...


class Backend(Protocol):
    """A way to compute: builds matrices, opens evaluators, counters and frontiers."""

    @property
    def name(self) -> str:
        """Name on the command line."""
        ...

    @property
    def device(self) -> str:
        """What it runs on, for people and for provenance."""
        ...

    @property
    def prefers_batches(self) -> bool:
        """Whether the exact search is to use its frontier when it is named on the command line."""
        ...

    def build_patterns(self, words: GameWords) -> Patterns:
        """Patterns of every guess against every answer, [A, G] (see patterns.py)."""
        ...

    def open(self, game: Game) -> Evaluator:
        """Put the game's matrix on the device."""
        ...

    def open_joint(self, game: Game, guesses: NDArray[np.int32]) -> JointCounter:
        """The same for counting what these guesses make of partitions of all answers."""
        ...

    def open_frontier(self, game: Game, memory_bytes: int | None = None) -> Frontier:
        """The same for expanding states.

        Its lists, on a device with its work in hand, may hold ``memory_bytes``, or what suits.
        """
        ...
