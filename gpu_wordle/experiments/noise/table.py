"""NoiseTable: the results of every run of an experiment."""

from __future__ import annotations

from dataclasses import dataclass, replace
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.experiments.noise.policy import Turns
from gpu_wordle.experiments.noise.study import Departures, NoiseStudy
from gpu_wordle.experiments.noise.theorem import PartBound


@dataclass(eq=False)
class NoiseTable:
    """R runs of an experiment at L levels, on the P states that the opener leaves; turns up to T.

    Attributes:
        study: the experiment.
        searched: bool[R, P], whether the levels of a run are searched on a state.
        followed: bool[R, P], whether the departure of a run is known on a state.
        distribution: int32[R, L, T], answers found on turn 1, 2, ..., in the searched states.
        departure: for each run the level at which it first leaves the optimum; None if that is
            above the model's horizon. An upper bound until the run is followed on all states.
        optimum: the optimum that runs are compared with; None until the job has computed it.
    """

    study: NoiseStudy
    searched: NDArray[np.bool_]
    followed: NDArray[np.bool_]
    distribution: NDArray[np.int32]
    departure: Departures
    optimum: Optimum | None = None

    @classmethod
    def begin(cls, study: NoiseStudy, runs: int) -> NoiseTable:
        """Return a table without searched runs.

        It counts only the answer that the opener finds, if any.
        """
        shape = runs, len(study.positions)
        distribution = np.full((runs, len(study.levels), 1), study.opener_found[1], np.int32)
        followed = np.full(shape, not study.model.departs)
        return cls(study, np.zeros(shape, np.bool_), followed, distribution, [None] * runs)

    def __len__(self) -> int:
        return len(self.searched)

    def __str__(self) -> str:
        return f"{int(self.is_done.sum()):,} of {len(self):,} runs"

    @property
    def is_done(self) -> NDArray[np.bool_]:
        """Whether a run is complete, bool[R]."""
        return np.asarray((self.searched & self.followed).all(axis=1))

    @property
    def is_begun(self) -> bool:
        """True if anything is searched."""
        return bool(self.searched.any())

    def enter_turns(self, first: int, place: int, turns: Turns) -> None:
        """Record the turns on which runs from ``first`` on find the answers of a state."""
        turns = turns[:, :, : len(self) - first]
        rows = first + np.flatnonzero(~self.searched[first : first + turns.shape[2], place])
        missing = len(turns) - 1 - self.distribution.shape[2]
        if missing > 0:
            self.distribution = np.pad(self.distribution, ((0, 0), (0, 0), (0, missing)))
        found = turns[1:, :, rows - first].transpose(2, 1, 0)
        self.distribution[rows, :, : found.shape[2]] += found
        self.searched[rows, place] = True

    def enter_losses(self, first: int, runs: int, optimum: int) -> None:
        """Record levels by which searched runs have departed from a known optimal total.

        A run with a loss at a level has left the optimum there or below. So its departure need not
        be searched beyond.
        """
        followed = [level for level in self.study.levels if level <= self.study.model.horizon]
        loses = self.total[first : first + runs, : len(followed)] > optimum
        for run in np.flatnonzero(loses.any(axis=1)).tolist():
            known = self.departure[first + run]
            level = followed[int(loses[run].argmax())]
            self.departure[first + run] = level if known is None else min(known, level)

    def enter_departures(self, first: int, place: int, levels: Departures) -> None:
        """Record the departures of runs from ``first`` on, in a state."""
        for run, level in enumerate(levels[: len(self) - first], first):
            known = self.departure[run]
            if level is not None and (known is None or level < known):
                self.departure[run] = level
            self.followed[run, place] = True

    def resized(self, runs: int) -> NoiseTable:
        """Return the table with another number of runs: without the last, or with new ones."""
        both = min(runs, len(self))
        new = NoiseTable.begin(self.study, runs - both)
        more = self.distribution.shape[2] - 1
        wide = np.pad(new.distribution, ((0, 0), (0, 0), (0, more)))
        return replace(
            self,
            searched=np.concatenate([self.searched[:both], new.searched]),
            followed=np.concatenate([self.followed[:both], new.followed]),
            distribution=np.concatenate([self.distribution[:both], wide]),
            departure=[*self.departure[:both], *new.departure],
        )

    @property
    def total(self) -> NDArray[np.int64]:
        """Guesses over all answers of the searched states, int64[R, L]."""
        turns = np.arange(1, self.distribution.shape[2] + 1)
        return self.distribution.astype(np.int64) @ turns

    @property
    def mean(self) -> NDArray[np.float64]:
        """Mean number of guesses, float64[R, L]; NaN for incomplete runs."""
        mean = self.total / self.study.game.answer_count
        return np.where(self.is_done[:, np.newaxis], mean, np.nan)

    @property
    def worst(self) -> NDArray[np.int64]:
        """Turn on which the last answer of the searched states is found, int64[R, L]."""
        turns = np.arange(1, self.distribution.shape[2] + 1)
        return np.where(self.distribution > 0, turns, 0).max(axis=2)

    @property
    def lost(self) -> NDArray[np.int64]:
        """Number of searched answers not found within the game's limit, int64[R, L]."""
        limit = self.study.game.objective.max_guesses
        late = self.distribution[:, :, limit:] if limit is not None else self.distribution[:, :, :0]
        return late.sum(axis=2, dtype=np.int64)


@dataclass(frozen=True, eq=False)
class Optimum:
    """The optimum and the noise bounds, with which runs are compared.

    Attributes:
        turns: int32[T], answers that an optimal policy finds on turn 0, 1, 2, ...
        parts: bounds on the cost of noise, for each state that the opener leaves.
    """

    turns: NDArray[np.int32]
    parts: list[PartBound]

    @property
    def total(self) -> int:
        """Guesses over all answers."""
        return int(np.arange(len(self.turns)) @ self.turns)

    def safe_level(self, study: NoiseStudy) -> Fraction | None:
        """Return the level below which noise costs nothing; None if it never costs anything."""
        levels = [part.level(study.model) for part in self.parts]
        return min((level for level in levels if level is not None), default=None)

    def greatest_loss(self, study: NoiseStudy, level: Fraction) -> int | None:
        """Return the most that noise of a level may cost.

        Returns None if that is no less than the loss if every answer took the last turn.
        """
        loss = sum(part.loss(study.model, level) for part in self.parts)
        limit = study.game.objective.max_guesses
        if limit is not None and self.total + loss >= limit * study.game.answer_count:
            return None
        return loss
