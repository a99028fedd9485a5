"""The exact ranking of first guesses: anytime, resumable, every total backed by a checked tree.

Every opener always has an honest interval. It begins with the one-ply bound below and, above, with
the incumbent's total plus one guess for every answer: after a wasted first guess the incumbent's
strategy can still be played. Solving an opener closes its interval; each strategy is replayed by
verify.py before its total counts.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import IntEnum

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game import Game, Position, Rule, State
from gpu_wordle.objective import INFEASIBLE, NO_LIMIT
from gpu_wordle.partition import PartitionStats
from gpu_wordle.solver import SolveResult, SolverPool
from gpu_wordle.verify import Verdict, VerificationError, Verifier


class Status(IntEnum):
    """What is known of an opener."""

    BOUNDED = 0  # its total lies between its bounds
    EXACT = 1  # its bounds are its total
    INFEASIBLE = 2  # no strategy that starts with it stays within the guess limit


@dataclass
class Openers:
    """What is known of every first guess; all arrays are over the G guesses.

    Attributes:
        lower: int64, proven lower bound of the total; INFEASIBLE where there is no strategy.
        upper: int64, total of a known strategy; INFEASIBLE where none is known.
        status: int8, a Status.
        worst: int16, turn on which the last answer is found; 0 where no strategy was extracted.
        distribution: int32[G, T], answers found on turn 1 to T by the strategy.
        height: int16, guesses on the longest path of the strategy.
        expanded: int64, states expanded by the search.
        seconds: float64, CPU seconds of the search.
    """

    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    status: NDArray[np.int8]
    worst: NDArray[np.int16]
    distribution: NDArray[np.int32]
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
            np.zeros(count, np.int16),
            np.zeros(count, np.int64),
            np.zeros(count, np.float64),
        )

    @property
    def is_solved(self) -> NDArray[np.bool_]:
        """Where the total is known, or that there is none."""
        return self.status != Status.BOUNDED

    def order(self) -> NDArray[np.intp]:
        """Guess indices, least total first.

        Exact totals come first, then bounded openers by their lower bound, then the infeasible
        ones; ties go to the lower worst case, then to the lowest index.
        """
        place: NDArray[np.int64] = np.array([1, 0, 2])[self.status]
        return np.lexsort((self.worst, self.lower, place))

    def forget(self, guesses: NDArray[np.intp]) -> Openers:
        """A copy in which ``guesses`` are unsolved and nothing is known of them."""
        blank = Openers.unsolved(np.zeros(len(self.lower), np.int64), self.distribution.shape[1])
        result = Openers(**{f.name: getattr(self, f.name).copy() for f in fields(self)})
        for f in fields(self):
            getattr(result, f.name)[guesses] = getattr(blank, f.name)[guesses]
        return result

    def same_result(self, other: Openers, guess: int) -> bool:
        """Whether both know the same of a guess; the work that it took may differ."""
        names = ("lower", "upper", "status", "worst", "height", "distribution")
        mine, others = (
            [np.trim_zeros(np.atleast_1d(getattr(o, name)[guess]), "b").tolist() for name in names]
            for o in (self, other)
        )
        return mine == others

    def record(self, guess: int, result: SolveResult, verdict: Verdict | None) -> None:
        """Take over what a solve has proved; bounds only ever tighten."""
        self.lower[guess] = max(self.lower[guess], result.lower)
        self.expanded[guess] += result.stats.expanded
        self.seconds[guess] += result.stats.seconds
        if result.is_infeasible:
            self.status[guess] = Status.INFEASIBLE
            self.upper[guess] = INFEASIBLE
        elif result.is_exact and result.tree is not None and verdict is not None:
            self.status[guess] = Status.EXACT
            self.upper[guess] = result.upper
            self.worst[guess] = verdict.worst
            self.height[guess] = result.tree.height
            missing = verdict.worst - self.distribution.shape[1]
            if missing > 0:
                self.distribution = np.pad(self.distribution, ((0, 0), (0, missing)))
            self.distribution[guess, : verdict.worst] = verdict.distribution


@dataclass
class Ranking:
    """A ranking job: the guesses of one position of a game and what is known of them."""

    game: Game
    position: Position
    openers: Openers

    @classmethod
    def begin(cls, game: Game, position: Position, statistics: PartitionStats) -> Ranking:
        """Nothing solved yet; lower bounds from the partition statistics of the state.

        Guesses that the rule forbids are infeasible from the start.
        """
        left = game.objective.after(position.turns_made)
        openers = Openers.unsolved(statistics.lower_bound[0], 6 if left == NO_LIMIT else left)
        if position.turns:
            forbidden = ~game.legal_guesses(position.state, position.revealed)
            openers.lower[forbidden] = INFEASIBLE
            openers.status[forbidden] = Status.INFEASIBLE
        return cls(game, position, openers)

    @property
    def state(self) -> State:
        """The answers that are possible."""
        return self.position.state

    @property
    def guesses_left(self) -> int:
        """Guesses left on the state, the one to be ranked included."""
        return self.game.objective.after(self.position.turns_made)

    def most_promising(self, statistics: PartitionStats, count: int) -> NDArray[np.intp]:
        """The ``count`` guesses that look best by one-ply bound and expected part size."""
        squares = statistics.sum_squares[0].astype(np.int64)
        promise = len(self.state) * statistics.lower_bound[0] + 2 * squares
        return np.argsort(promise, kind="stable")[:count]

    def solve(self, guesses: NDArray[np.intp], pool: SolverPool) -> Iterator[int]:
        """Solve those of ``guesses`` that are not solved yet; yields each when it is done.

        After ``pool.stop.set()`` it ends within moments, and what was proved by then is recorded.
        """
        verifier = Verifier(self.game.words, self.game.objective)
        waiting = [int(g) for g in guesses if not self.openers.is_solved[g]]
        results = pool.solve_guesses(
            waiting,
            self.state,
            guesses_left=self.guesses_left,
            tree=True,
            revealed=self.position.revealed,
        )
        for guess, result in results:
            self.openers.record(guess, result, self._verify(verifier, result))
            self._bound_the_others()
            yield guess

    def _verify(self, verifier: Verifier, result: SolveResult) -> Verdict | None:
        """Replay the strategy, if there is one."""
        if result.tree is None:
            return None
        return verifier.check(
            result.tree,
            self.state,
            rule=self.game.rule,
            turns=self.position.turns,
            expected_total=result.upper,
        )

    def _bound_the_others(self) -> None:
        """Bound the unsolved openers from above by the incumbent played one guess late."""
        openers = self.openers
        if self.game.rule is not Rule.NORMAL:
            return
        exact = np.flatnonzero(openers.status == Status.EXACT)
        in_time = exact[openers.worst[exact] < self.guesses_left]
        if len(in_time):
            late = int(openers.upper[in_time].min()) + len(self.state)
            unsolved = openers.status == Status.BOUNDED
            openers.upper[unsolved] = np.minimum(openers.upper[unsolved], late)


def check_openers(openers: Openers, game: Game, state: State) -> None:
    """VerificationError, naming the guess, where the columns contradict each other or the rules."""
    exact = openers.status == Status.EXACT
    turns = np.arange(1, openers.distribution.shape[1] + 1)
    limit = game.objective.guesses_left
    latest = (turns * (openers.distribution > 0)).max(axis=1)
    faults = {
        "its lower bound is above its upper bound": openers.lower > openers.upper,
        "it has an unknown status": ~np.isin(openers.status, [s.value for s in Status]),
        "it is exact but its bounds differ": exact & (openers.lower != openers.upper),
        "its distribution does not add up to its total": exact
        & ((openers.distribution * turns).sum(axis=1) != openers.upper),
        "its distribution does not cover every answer": exact
        & (openers.distribution.sum(axis=1) != len(state)),
        "its worst case is not the last turn of its distribution": exact
        & (latest != openers.worst),
        "its worst case is over the limit": exact & (openers.worst > limit),
        "it is infeasible but has a strategy": (openers.status == Status.INFEASIBLE)
        & (openers.upper < INFEASIBLE),
    }
    for fault, where in faults.items():
        if where.any():
            guess = game.words.guesses.words[int(np.flatnonzero(where)[0])]
            raise VerificationError(f"{guess.upper()}: {fault}")
