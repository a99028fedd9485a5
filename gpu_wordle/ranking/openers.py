"""What is known of every first guess: an interval of its value, and the strategy that closes it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import counted
from gpu_wordle.game.game import Game, State
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import Results, SolveResult
from gpu_wordle.verify import Verdict, Verdicts

UNKNOWN = -1
"""Solvable answers of an opener of which they are not known."""


class Status(IntEnum):
    """What is known of an opener."""

    BOUNDED = 0  # its total lies between its bounds
    EXACT = 1  # its bounds are its total
    INFEASIBLE = 2  # no strategy that starts with it stays within the guess limit


@dataclass(repr=False)
class Openers:
    """What is known of every first guess; all arrays are over the G guesses.

    Attributes:
        lower: int64, proven lower bound of the value; INFEASIBLE where there is no strategy.
        upper: int64, value of a known strategy; INFEASIBLE where none is known.
        status: int8, a Status.
        worst: int16, turn on which the last answer is found; 0 where no strategy was extracted.
        distribution: int32[G, T], answers found on turn 1 to T by the strategy.
        weight_distribution: int64[G, T], their weights.
        failures: int32, answers that the strategy does not find.
        solvable: int64, most weight of answers that a strategy can find in time, which with equal
            weights is their number; UNKNOWN where that has not been found out. Of an exact opener
            it is what its strategy finds: all, unless the objective is to lose as few as can be.
        height: int16, guesses on the longest path of the strategy.
        expanded: int64, states expanded by the search.
        seconds: float64, CPU seconds of the search.
    """

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    status: NDArray[np.int8]
    worst: NDArray[np.int16]
    distribution: NDArray[np.int32]
    weight_distribution: NDArray[np.int64]
    failures: NDArray[np.int32]
    solvable: NDArray[np.int64]
    height: NDArray[np.int16]
    expanded: NDArray[np.int64]
    seconds: NDArray[np.float64]

    @classmethod
    def unsolved(cls, lower: NDArray[np.int64], turns: int) -> Openers:
        """Openers of which a lower bound is known and nothing else."""
        count = len(lower)
        return cls(
            lower.copy(),
            np.full(count, INFEASIBLE, np.int64),
            np.zeros(count, np.int8),
            np.zeros(count, np.int16),
            np.zeros((count, turns), np.int32),
            np.zeros((count, turns), np.int64),
            np.zeros(count, np.int32),
            np.full(count, UNKNOWN, np.int64),
            np.zeros(count, np.int16),
            np.zeros(count, np.int64),
            np.zeros(count, np.float64),
        )

    def __repr__(self) -> str:
        counts = (f"{int((self.status == s).sum())} {s.name.lower()}" for s in Status)
        return f"Openers({', '.join(counts)})"

    def __str__(self) -> str:
        return f"{counted(int(self.is_solved.sum()), 'guess', 'guesses')} solved"

    @property
    def is_solved(self) -> NDArray[np.bool_]:
        """Where the value is known, or that there is none."""
        return self.status != Status.BOUNDED

    def order(self, legal: NDArray[np.bool_] | None = None) -> NDArray[np.intp]:
        """Guess indices, what is solved first, and of that the least value.

        Exact values come first, then infeasible openers, the most solvable first, then bounded ones
        by their lower bound, then those that are not ``legal``. Ties go to the lower worst case,
        then to the lowest index.
        """
        place: NDArray[np.int64] = np.array([2, 0, 1])[self.status]
        if legal is not None:
            place = np.where(legal, place, 3)
        solvable = np.where(self.status == Status.INFEASIBLE, self.solvable, 0)
        return np.lexsort((self.worst, -solvable, self.lower, place))

    def forget(self, guesses: NDArray[np.intp]) -> Openers:
        """A copy in which ``guesses`` are unsolved and nothing is known of them."""
        blank = Openers.unsolved(np.zeros(len(self.lower), np.int64), self.distribution.shape[1])
        result = Openers(**{f.name: getattr(self, f.name).copy() for f in fields(self)})
        for f in fields(self):
            getattr(result, f.name)[guesses] = getattr(blank, f.name)[guesses]
        return result

    def same_result(self, other: Openers, guess: int) -> bool:
        """Whether both know the same of a guess; the work that it took may differ."""
        work = ("expanded", "seconds")
        names = [f.name for f in fields(self) if f.name not in work]
        mine, others = (
            [np.trim_zeros(np.atleast_1d(getattr(o, name)[guess]), "b").tolist() for name in names]
            for o in (self, other)
        )
        return mine == others

    def weight_lost(
        self, game: Game, state: State, guesses: NDArray[np.intp] | slice = slice(None)
    ) -> NDArray[np.int64]:
        """Weight of the answers of the state that the strategy of each exact guess does not find.

        int64[G], or of the ``guesses`` that are given.
        """
        weight = game.objective.weights_of(state).sum()
        return np.asarray(weight - self.weight_distribution[guesses].sum(axis=1))

    def record(
        self,
        guesses: Sequence[int],
        results: Sequence[SolveResult],
        verdicts: Sequence[Verdict | None],
    ) -> None:
        """Take over what solves of different guesses have proved; bounds only ever tighten.

        ``verdicts`` are what strategies were seen to do; None where there is none.
        """
        known, results = np.array(guesses, np.intp), Results.of(results)
        self.lower[known] = np.maximum(self.lower[known], results.lower)
        self.expanded[known] += results.work[:, 0]
        self.seconds[known] += results.seconds
        infeasible = known[results.is_infeasible]
        self.status[infeasible] = Status.INFEASIBLE
        self.upper[infeasible] = INFEASIBLE
        is_seen, seen = _side_by_side(verdicts)
        is_proved = results.is_exact & ~results.is_infeasible & is_seen
        if seen is not None and is_proved.any():
            self.upper[known[is_proved]] = results.upper[is_proved]
            self.height[known[is_proved]] = results.worst[is_proved]
            self._record_exact(known[is_proved], seen, is_proved[is_seen])

    def _record_exact(
        self, known: NDArray[np.intp], verdicts: Verdicts, chosen: NDArray[np.bool_]
    ) -> None:
        """Take over what the ``chosen`` strategies were seen to do, those of known values."""
        self.status[known] = Status.EXACT
        self.failures[known] = verdicts.failures[chosen]
        self.worst[known] = worst = verdicts.worst[chosen]
        last = int(worst.max())
        missing = last - self.distribution.shape[1]
        if missing > 0:
            wider = ((0, 0), (0, missing))
            self.distribution = np.pad(self.distribution, wider)
            self.weight_distribution = np.pad(self.weight_distribution, wider)
        self.distribution[known, :last] = verdicts.distribution[chosen, :last]
        self.weight_distribution[known, :last] = verdicts.weight_distribution[chosen, :last]
        self.solvable[known] = self.weight_distribution[known].sum(axis=1)

    def record_solvable(self, guess: int, result: SolveResult, verdict: Verdict | None) -> None:
        """Take over what an infeasible guess was seen to solve where answers may be lost."""
        self.expanded[guess] += result.stats.expanded
        self.seconds[guess] += result.stats.seconds
        if result.is_exact and verdict is not None:
            self.solvable[guess] = verdict.weight_distribution.sum()


def _side_by_side(
    verdicts: Sequence[Verdict | None],
) -> tuple[NDArray[np.bool_], Verdicts | None]:
    """Which verdicts there are, and these; None if there is none."""
    if isinstance(verdicts, Verdicts):
        return np.ones(len(verdicts), np.bool_), verdicts
    seen = [verdict for verdict in verdicts if verdict is not None]
    is_seen = np.array([verdict is not None for verdict in verdicts], np.bool_)
    return is_seen, Verdicts.of(seen) if seen else None
