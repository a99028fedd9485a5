"""A backend that runs two others on everything and stops at the first difference."""

from __future__ import annotations

from dataclasses import fields, replace
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.frontier import Children, Entries, GuessLists, Survivors, Window
from gpu_wordle.errors import JobError
from gpu_wordle.game.game import Game
from gpu_wordle.game.patterns import Patterns
from gpu_wordle.game.words import GameWords
from gpu_wordle.states.batch import StateBatch
from gpu_wordle.states.joint import Labels
from gpu_wordle.states.partition import BestGuesses, Criterion, PartitionStats

if TYPE_CHECKING:
    from gpu_wordle.backends.protocol import Backend, Evaluator, Frontier, JointCounter

Record = TypeVar("Record", PartitionStats, BestGuesses, Entries, Survivors)


class CheckBackend:
    """Returns what ``worker`` computes, having compared it with what ``checker`` computes."""

    name = "check"

    def __init__(self, worker: Backend, checker: Backend) -> None:
        self._worker = worker
        self._checker = checker

    @property
    def prefers_batches(self) -> bool:
        """Where one of them does, so that its frontier is checked too."""
        return self._worker.prefers_batches or self._checker.prefers_batches

    @property
    def device(self) -> str:
        """Both devices."""
        return f"{self._worker.device}, checked by {self._checker.device}"

    def build_patterns(self, words: GameWords) -> Patterns:
        """See Backend."""
        values = self._worker.build_patterns(words)
        compare("patterns", values, self._checker.build_patterns(words))
        return values

    def open(self, game: Game) -> CheckEvaluator:
        """See Backend."""
        return CheckEvaluator(self._worker.open(game), self._checker.open(game))

    def open_joint(self, game: Game, guesses: NDArray[np.int32]) -> CheckJointCounter:
        """See Backend."""
        counters = (b.open_joint(game, guesses) for b in (self._worker, self._checker))
        return CheckJointCounter(*counters)

    def open_frontier(self, game: Game, memory_bytes: int | None = None) -> CheckFrontier:
        """See Backend."""
        return CheckFrontier(
            self._worker.open_frontier(game, memory_bytes),
            self._checker.open_frontier(game, memory_bytes),
        )


class CheckEvaluator:
    """The evaluator of CheckBackend."""

    def __init__(self, worker: Evaluator, checker: Evaluator) -> None:
        self._worker = worker
        self._checker = checker

    def stats(self, batch: StateBatch) -> PartitionStats:
        """See Evaluator."""
        return _same(self._worker.stats(batch), self._checker.stats(batch))

    def best(self, batch: StateBatch, by: Criterion) -> BestGuesses:
        """See Evaluator."""
        return _same(self._worker.best(batch, by), self._checker.best(batch, by))

    def spectrum(self, state: NDArray[np.uint16], guess: int) -> NDArray[np.int64]:
        """See Evaluator."""
        counts = self._worker.spectrum(state, guess)
        compare("spectrum", counts, self._checker.spectrum(state, guess))
        return counts


class CheckJointCounter:
    """The counter of CheckBackend."""

    def __init__(self, worker: JointCounter, checker: JointCounter) -> None:
        self.guesses = worker.guesses
        self._worker = worker
        self._checker = checker

    def parts(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """See JointCounter."""
        counts = self._worker.parts(partitions, first)
        compare("joint parts", counts, self._checker.parts(partitions, first))
        return counts

    def entropy(self, partitions: Labels, first: int = 0) -> NDArray[np.int64]:
        """See JointCounter."""
        sums = self._worker.entropy(partitions, first)
        compare("joint entropy", sums, self._checker.entropy(partitions, first))
        return sums


class CheckFrontier:
    """The frontier of CheckBackend; its guess lists hold those of both."""

    def __init__(self, worker: Frontier, checker: Frontier) -> None:
        self._worker = worker
        self._checker = checker

    @property
    def drivers(self) -> int:
        """See Frontier."""
        return min(self._worker.drivers, self._checker.drivers)

    @property
    def memory_bytes(self) -> int:
        """See Frontier."""
        return min(self._worker.memory_bytes, self._checker.memory_bytes)

    def list_bytes(self, answers: NDArray[np.int64]) -> NDArray[np.int64]:
        """See Frontier."""
        return np.maximum(self._worker.list_bytes(answers), self._checker.list_bytes(answers))

    def split(
        self, batch: StateBatch, state: NDArray[np.int32], guess: NDArray[np.int32]
    ) -> Children:
        """See Frontier."""
        mine, others = (f.split(batch, state, guess) for f in (self._worker, self._checker))
        compare("indptr", mine.indptr, others.indptr)
        compare("child", mine.child, others.child)
        for field in fields(StateBatch):
            compare(
                field.name, getattr(mine.states, field.name), getattr(others.states, field.name)
            )
        return mine

    def collapse(self, batch: StateBatch) -> GuessLists:
        """See Frontier."""
        frontiers = (self._worker, self._checker)
        mine, others = (frontier.collapse(batch) for frontier in frontiers)
        for name in ("bound", "most_parts", "promising"):
            compare(name, getattr(mine, name), getattr(others, name))
        lists = replace(mine, held=(mine, others))
        self.entries(lists)
        return lists

    def entries(self, lists: GuessLists) -> Entries:
        """See Frontier."""
        mine, others = lists.held
        return _same(self._worker.entries(mine), self._checker.entries(others))

    def bound_states(self, batch: StateBatch, known: NDArray[np.int64]) -> NDArray[np.int64]:
        """See Frontier."""
        mine, others = (f.bound_states(batch, known) for f in (self._worker, self._checker))
        compare("bound_states", mine, others)
        return mine

    def refute(
        self, lists: GuessLists, cutoff: NDArray[np.int64], window: Window | None = None
    ) -> Survivors:
        """See Frontier."""
        mine, others = lists.held
        return _same(
            self._worker.refute(mine, cutoff, window), self._checker.refute(others, cutoff, window)
        )


def _same(worker: Record, checker: Record) -> Record:
    for field in fields(worker):
        compare(field.name, getattr(worker, field.name), getattr(checker, field.name))
    return worker


def compare(name: str, worker: NDArray[np.generic], checker: NDArray[np.generic]) -> None:
    """JobError that names array, index and both values if the arrays differ anywhere."""
    if worker.shape != checker.shape or worker.dtype != checker.dtype:
        raise JobError(
            f"backends disagree on {name}: {worker.dtype}{list(worker.shape)} against "
            f"{checker.dtype}{list(checker.shape)}"
        )
    different = np.argwhere(np.asarray(worker) != np.asarray(checker))
    if len(different):
        at = tuple(int(i) for i in different[0])
        raise JobError(
            f"backends disagree on {name}{list(at)}: {worker[at]} against {checker[at]} "
            f"({len(different):,} of {worker.size:,} entries differ); please report this"
        )
