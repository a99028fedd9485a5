"""The interfaces that the backends reference, cpu, cuda and check implement.

In shapes, A is the number of answers, G of guesses, B of states in a batch, P of pairs.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import Patterns
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.joint import Labels
from gpu_wordle.states.partition import BestGuesses, Criterion, PartitionStats


class Evaluator(Protocol):
    """Evaluates batches of states of one game; keeps the game's patterns on its device."""

    def stats(self, batch: StateBatch) -> PartitionStats:
        """Partition statistics of every guess in every state; arrays [B, G] on the host."""

    def best(self, batch: StateBatch, by: Criterion) -> BestGuesses:
        """Best guess of each state by criterion ``by``, and the state's one-ply lower bound.

        Arrays are [B]: nothing as large as [B, G] is stored.
        """

    def spectrum(self, state: NDArray[np.uint16], guess: int) -> NDArray[np.int64]:
        """Number of answers of ``state`` behind each pattern of ``guess``, int64[pattern_count]."""


class JointCounter(Protocol):
    """Counts the joint parts of W partitions with C guesses.

    A joint part is a set of answers with the same label in the partition and the same pattern for
    the guess.
    """

    guesses: NDArray[np.int32]
    """The guesses, in the order of the columns, int32[C]."""

    def parts(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Number of joint parts for the guesses from column ``first`` on, int64[W, C - first]."""

    def entropy(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """Sum of n * log2(n) over the sizes n of the joint parts, int64[W, C - first].

        In the fixed point of :func:`entropy_table`, for the guesses from column ``first`` on.
        """


@dataclass(frozen=True, eq=False)
class GuessLists:
    """The guesses that a search needs in each of B states, and in every subset of them.

    One guess of each partition is enough, except that every candidate is kept: in a subset that
    contains it, it may be the answer. The lists themselves stay in the memory of the backend.

    Attributes:
        states: the states.
        bound: int64[B], the least one-ply bound of any guess.
        most_parts: int64[B], the largest number of parts that any guess makes.
        promising: int32[B], the first guess in the move ordering of the search.
        held: the lists, in the backend's own form.
    """

    states: StateBatch
    bound: NDArray[np.int64]
    most_parts: NDArray[np.int64]
    promising: NDArray[np.int32]
    held: Any = field(repr=False)


@dataclass(frozen=True, eq=False)
class Entries:
    """The contents of guess lists, on the host.

    Attributes:
        indptr: int64[B + 1]; the entries of state b are ``indptr[b]:indptr[b + 1]``.
        guess: int32[nnz], ordered by one-ply bound, the least first.
        parts: uint16[nnz], the number of parts that each guess makes.
        sum_squares: uint32[nnz], the sum of the squared sizes of its parts.
        is_candidate: bool[nnz], whether the guess is one of the state's answers.
    """

    indptr: NDArray[np.int64]
    guess: NDArray[np.int32]
    parts: NDArray[np.uint16]
    sum_squares: NDArray[np.uint32]
    is_candidate: NDArray[np.bool_]


class Window(NamedTuple):
    """A range of one-ply bounds for each of B states: only guesses in the range are examined.

    Attributes:
        least: int64[B], the least bound, inclusive.
        below: int64[B], the upper end, exclusive.
    """

    least: NDArray[np.int64]
    below: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Survivors:
    """The guesses of B states that bounds have not refuted.

    Attributes:
        indptr: int64[B + 1]; the guesses of state b are ``indptr[b]:indptr[b + 1]``.
        guess: int32[nnz], ordered by bound, the least first; ties in the order of the guess list.
        total: int64[nnz], the bound of each guess.
    """

    indptr: NDArray[np.int64]
    guess: NDArray[np.int32]
    total: NDArray[np.int64]


@dataclass(frozen=True, eq=False)
class Children:
    """The children of P pairs of a state and a guess, with equal states merged.

    Attributes:
        indptr: int64[P + 1]; the children of pair p are ``child[indptr[p]:indptr[p + 1]]``.
        child: int32[nnz], indices into ``states``, ordered by pattern, without ALL_GREEN.
        states: the distinct states, by ascending key.
    """

    indptr: NDArray[np.int64]
    child: NDArray[np.int32]
    states: StateBatch

    def of_pair(self, p: int) -> NDArray[np.int32]:
        """The children of pair ``p``, as indices into ``states``."""
        return self.child[self.indptr[p] : self.indptr[p + 1]]


class Frontier(Protocol):
    """Expands and bounds many states of one game at once, for the batched search."""

    drivers: int
    """Number of threads that should call it at a time, to keep the device busy."""

    memory_bytes: int
    """Budget for all guess lists that are alive at one time, in bytes."""

    def list_bytes(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """Upper bound on the bytes of a state's guess list, by the state's size, int64[B]."""

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """Children of P pairs: state ``state[p]`` of the batch, split by guess ``guess[p]``."""

    def collapse(self, batch: StateBatch) -> GuessLists:
        """Guess lists of states of two answers or more.

        A list has the guesses that make at least two parts: all candidates and, for each partition
        that no candidate makes, the first guess that makes it. It is ordered by one-ply bound, the
        least first; ties put candidates first, then follow the word list.
        """

    def entries(self, lists: GuessLists) -> Entries:
        """Copy guess lists to the host."""

    def bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """LB1 of each state, or ``known[b]`` where that is more, int64[B].

        LB1 is the least one-ply bound of any guess, a lower bound on the value of a state. Counting
        stops at the first guess whose bound is at most ``known[b]``.
        """

    def refute(
        self, lists: GuessLists, cutoff: NDArray[np.int64], window: Window | None = None
    ) -> Survivors:
        """The guesses in the window whose bounds are below ``cutoff``, int64[B].

        The bound of a guess is the size of the state plus LB1 of each of its parts but ALL_GREEN.
        It is at least the one-ply bound. Counting for a guess stops once its bound reaches the
        cutoff.
        """


class Backend(Protocol):
    """Builds pattern matrices, and opens evaluators, joint counters and frontiers."""

    name: str
    """Its name for the option ``--backend``."""

    @property
    def device(self) -> str:
        """The device that it runs on, as a text for users and for provenance."""

    prefers_batches: bool
    """Whether ``--backend NAME`` makes the exact search use the frontier."""

    def build_patterns(self, words: GameWords) -> Patterns:
        """Pattern of every guess against every answer, uint8[A, G], or uint16 for long words."""

    def open(self, game: Game) -> Evaluator:
        """An evaluator; puts the game's patterns on the device."""

    def open_joint(self, game: Game, guesses: NDArray[np.int32]) -> JointCounter:
        """A joint counter for partitions of all answers and these guesses, int32[C]."""

    def open_frontier(self, game: Game, memory_bytes: int | None = None) -> Frontier:
        """A frontier; puts the game's patterns on the device.

        ``memory_bytes`` is the budget for guess lists and, on a device, work arrays; None for a
        budget that suits the machine.
        """
