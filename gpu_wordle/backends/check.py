"""A backend that runs two others on everything and stops at the first difference."""

from __future__ import annotations

from dataclasses import fields
from typing import TYPE_CHECKING, TypeVar

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import JobError
from gpu_wordle.game import Game
from gpu_wordle.partition import BestGuesses, Criterion, PartitionStats
from gpu_wordle.patterns import Patterns
from gpu_wordle.states import StateBatch
from gpu_wordle.words import GameWords

if TYPE_CHECKING:
    from gpu_wordle.backends import Backend, Evaluator

Record = TypeVar("Record", PartitionStats, BestGuesses)


class CheckBackend:
    """Returns what ``worker`` computes, having compared it with what ``checker`` computes."""

    name = "check"

    def __init__(self, worker: Backend, checker: Backend) -> None:
        self._worker = worker
        self._checker = checker

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
