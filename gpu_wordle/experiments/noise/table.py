"""NoiseTable: every run of an experiment, as it is kept and shown."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.study import NoiseStudy, Runs
from gpu_wordle.experiments.noise.theorem import PartBound, greatest_loss, safe_level


@dataclass(eq=False)
class NoiseTable:
    """R runs of an experiment at L levels; turns up to T.

    Attributes:
        study: the experiment.
        is_done: bool[R], which runs are searched.
        distribution: int32[R, L, T], answers found on turn 1, 2, ...
        departure: for each run the level at which it first leaves the optimum; None if that is
            above the model's horizon, or not searched.
    """

    study: NoiseStudy
    is_done: NDArray[np.bool_]
    distribution: NDArray[np.int32]
    departure: list[Fraction | None]

    @classmethod
    def begin(cls, study: NoiseStudy, runs: int) -> NoiseTable:
        """A table of which nothing is searched."""
        distribution = np.zeros((runs, len(study.levels), 1), np.int32)
        return cls(study, np.zeros(runs, np.bool_), distribution, [None] * runs)

    def __len__(self) -> int:
        return len(self.is_done)

    def __str__(self) -> str:
        return f"{int(self.is_done.sum()):,} of {len(self):,} runs"

    def enter(self, runs: Runs) -> None:
        """Enter what some runs came to."""
        rows = slice(runs.first, runs.first + len(runs.departure))
        self.distribution = _widened(self.distribution, runs.distribution.shape[2])
        found = _widened(runs.distribution, self.distribution.shape[2])
        self.distribution[rows] = found[: len(self) - runs.first]
        self.departure[rows] = runs.departure
        self.is_done[rows] = True

    def resized(self, runs: int) -> NoiseTable:
        """The same with so many runs: more, which are not searched, or fewer."""
        other = NoiseTable.begin(self.study, runs)
        both = min(runs, len(self))
        other.distribution = np.zeros((runs, *self.distribution.shape[1:]), np.int32)
        other.distribution[:both] = self.distribution[:both]
        other.is_done[:both] = self.is_done[:both]
        other.departure[:both] = self.departure[:both]
        return other

    @property
    def total(self) -> NDArray[np.int64]:
        """Guesses over all answers, int64[R, L]; 0 where a run is not searched."""
        turns = np.arange(1, self.distribution.shape[2] + 1)
        return self.distribution.astype(np.int64) @ turns

    @property
    def worst(self) -> NDArray[np.int64]:
        """The turn on which the last answer is found, int64[R, L]; 0 likewise."""
        turns = np.arange(1, self.distribution.shape[2] + 1)
        return np.where(self.distribution > 0, turns, 0).max(axis=2)

    @property
    def lost(self) -> NDArray[np.int64]:
        """Answers not found within the guess limit of the game, int64[R, L]."""
        limit = self.study.game.objective.max_guesses
        late = self.distribution[:, :, limit:] if limit is not None else self.distribution[:, :, :0]
        return late.sum(axis=2, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Optimum:
    """What the runs are compared with.

    Attributes:
        turns: int32[T], answers that an optimal policy finds on turn 0, 1, 2, ...
        parts: what noise may cost on each state that the opener leaves.
    """

    turns: NDArray[np.int32]
    parts: list[PartBound]

    @property
    def total(self) -> int:
        """Guesses over all answers."""
        return int(np.arange(len(self.turns)) @ self.turns)

    def safe_level(self, study: NoiseStudy) -> Fraction | None:
        """The level below which noise costs nothing; None if it never does."""
        return safe_level(study.model, self.parts)

    def greatest_loss(self, study: NoiseStudy, level: Fraction) -> int | None:
        """The most that noise of a level may cost.

        None where that says nothing: it is no less than if every answer took the last turn.
        """
        loss = greatest_loss(study.model, self.parts, level)
        limit = study.game.objective.max_guesses
        if limit is not None and self.total + loss >= limit * study.game.answer_count:
            return None
        return loss


def _widened(distribution: NDArray[np.int32], turns: int) -> NDArray[np.int32]:
    """The same with at least so many turns."""
    missing = max(0, turns - distribution.shape[2])
    return np.pad(distribution, ((0, 0), (0, 0), (0, missing)))
