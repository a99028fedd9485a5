"""The exact ranking of first guesses: anytime, resumable, every total backed by a checked tree.

Every opener always has an honest interval of values. It begins with the one-ply bound below and,
above, with what the incumbent's strategy comes to one turn late: after a wasted first guess it can
still be played. Solving an opener closes its interval; each strategy is replayed by verify.py
before its value counts. Of an opener with which some answer may be lost, that closes the question
of its value; how many answers it can solve at most is a question of another game, in which answers
may be lost, and is asked of that game's solver afterwards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from enum import IntEnum
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Game, Position, Rule, State
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES, Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import SolveResult, SolverPool
from gpu_wordle.states.bounds import guess_depth_bound, priced_guess_bound
from gpu_wordle.states.partition import PartitionStats
from gpu_wordle.states.weighed import WeighedParts
from gpu_wordle.verify import Verdict, VerificationError, Verifier

UNKNOWN = -1
"""Solvable answers of an opener of which they are not known."""


class Status(IntEnum):
    """What is known of an opener."""

    BOUNDED = 0  # its total lies between its bounds
    EXACT = 1  # its bounds are its total
    INFEASIBLE = 2  # no strategy that starts with it stays within the guess limit


@dataclass
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

    @property
    def is_solved(self) -> NDArray[np.bool_]:
        """Where the value is known, or that there is none."""
        return self.status != Status.BOUNDED

    def order(self) -> NDArray[np.intp]:
        """Guess indices, least value first.

        Exact values come first, then bounded openers by their lower bound, then the infeasible
        ones, the most solvable first; ties go to the lower worst case, then to the lowest index.
        """
        place: NDArray[np.int64] = np.array([1, 0, 2])[self.status]
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

    def weight_lost(self, game: Game, state: State) -> NDArray[np.int64]:
        """Weight of the answers of the state that each exact strategy does not find, int64[G]."""
        weight = game.objective.weights_of(state).sum()
        return np.asarray(weight - self.weight_distribution.sum(axis=1))

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
            self.failures[guess] = verdict.failures
            self.solvable[guess] = verdict.weight_distribution.sum()
            missing = verdict.worst - self.distribution.shape[1]
            if missing > 0:
                wider = ((0, 0), (0, missing))
                self.distribution = np.pad(self.distribution, wider)
                self.weight_distribution = np.pad(self.weight_distribution, wider)
            self.distribution[guess, : verdict.worst] = verdict.distribution
            self.weight_distribution[guess, : verdict.worst] = verdict.weight_distribution

    def record_solvable(self, guess: int, result: SolveResult, verdict: Verdict | None) -> None:
        """Take over what an infeasible guess was seen to solve where answers may be lost."""
        self.expanded[guess] += result.stats.expanded
        self.seconds[guess] += result.stats.seconds
        if result.is_exact and verdict is not None:
            self.solvable[guess] = verdict.weight_distribution.sum()


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
        left = position.guesses_left
        turns = DEFAULT_MAX_GUESSES if game.objective.max_guesses is None else left
        openers = Openers.unsolved(np.empty(game.guess_count, dtype=np.int64), turns)
        ranking = cls(game, position, openers)
        openers.lower = ranking.one_ply_bound(statistics)
        forbidden = ~position.legal
        openers.lower[forbidden] = INFEASIBLE
        openers.status[forbidden] = Status.INFEASIBLE
        return ranking

    @property
    def state(self) -> State:
        """The answers that are possible."""
        return self.position.state

    @property
    def guesses_left(self) -> int:
        """Guesses left on the state, the one to be ranked included."""
        return self.position.guesses_left

    @cached_property
    def weighed(self) -> WeighedParts | None:
        """What the guesses do to the weights of the state, unless all are equal."""
        if self.game.objective.weights is None:
            return None
        weights = self.game.objective.weights_of(self.state)
        return WeighedParts.of(self.game.patterns, self.state, weights)

    @property
    def lacks_solvable(self) -> NDArray[np.bool_]:
        """Infeasible guesses whose solvable answers are not known, bool[G].

        Guesses that the rule forbids solve nothing, and are not among them.
        """
        openers = self.openers
        infeasible = openers.status == Status.INFEASIBLE
        return infeasible & (openers.solvable == UNKNOWN) & self.position.legal

    def one_ply_bound(self, statistics: PartitionStats) -> NDArray[np.int64]:
        """Lower bound on the value of each guess, int64[G], from the parts that it makes."""
        prices = self.game.prices
        parts = statistics.parts[0].astype(np.int64)
        is_candidate = statistics.is_candidate[0].astype(np.int64)
        weights = self.game.objective.weights_of(self.state)
        bound = priced_guess_bound(
            int(weights.sum()),
            *self._found_at_most(statistics),
            prices.ahead(self.position.turns_made, 3),
        )
        if prices.aim is Aim.WORST:
            bound += prices.scale * guess_depth_bound(len(self.state), parts, is_candidate)
        return np.minimum(bound, INFEASIBLE)

    def most_promising(self, statistics: PartitionStats, count: int) -> NDArray[np.intp]:
        """The ``count`` guesses that look best by one-ply bound and expected part size.

        That is a matter of the mean; good openers of other objectives are among those of the mean.
        """
        weight = int(self.game.objective.weights_of(self.state).sum())
        bound = priced_guess_bound(weight, *self._found_at_most(statistics), (1, 2, 3))
        squares = statistics.sum_squares[0] if self.weighed is None else self.weighed.sum_squares
        promise = float(weight) * bound + 2.0 * squares
        return np.argsort(promise, kind="stable")[:count]

    def _found_at_most(
        self, statistics: PartitionStats
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Weight that strategies with each guess find on the first turn, and on the first two."""
        if self.weighed is None:
            return statistics.is_candidate[0].astype(np.int64), statistics.parts[0].astype(np.int64)
        own = np.zeros(self.game.guess_count, dtype=np.int64)
        own[self.game.words.guess_of_answer[self.state]] = self.game.objective.weights_of(
            self.state
        )
        return own, self.weighed.heaviest

    def solve(self, guesses: NDArray[np.intp], pool: SolverPool) -> Iterator[int]:
        """Solve those of ``guesses`` that are not solved yet; yields each when it is done.

        After ``pool.stop.set()`` it ends within moments, and what was proved by then is recorded.
        """
        waiting = guesses[~self.openers.is_solved[guesses]]
        for guess, result, verdict in self._results(self.position, waiting, pool):
            self.openers.record(guess, result, verdict)
            self._bound_the_others(guess)
            yield guess

    def solve_infeasible(self, guesses: NDArray[np.intp], pool: SolverPool) -> Iterator[int]:
        """Find the most answers that those of ``guesses`` can solve of which that is lacking.

        ``pool`` is one of ``game.allowing_failures()``: its values are of another objective than
        those of ``solve``. Yields each guess when it is done, and stops as ``solve`` does.
        Raises VerificationError if a strategy finds every answer in time, so that the guess is not
        infeasible after all.
        """
        waiting = guesses[self.lacks_solvable[guesses]]
        lossy = self.position.allowing_failures()
        for guess, result, verdict in self._results(lossy, waiting, pool):
            if verdict is not None and verdict.failures == 0:
                raise VerificationError(
                    f"{self.game.words.guesses.words[guess].upper()}: it is said to be infeasible, "
                    "but a strategy finds every answer in time"
                )
            self.openers.record_solvable(guess, result, verdict)
            yield guess

    def _results(
        self, position: Position, guesses: NDArray[np.intp], pool: SolverPool
    ) -> Iterator[tuple[int, SolveResult, Verdict | None]]:
        """Results of guesses, as they are done; their strategies are replayed."""
        verifier = Verifier(position.game.words, position.game.objective)
        results = pool.solve_guesses(position, guesses.tolist(), tree=True)
        for guess, result in results:
            verdict = None
            if result.tree is not None:
                verdict = verifier.check(
                    result.tree,
                    position.state,
                    rule=position.game.rule,
                    turns=position.turns,
                    claimed=result.upper,
                )
            yield guess, result, verdict

    def _bound_the_others(self, guess: int) -> None:
        """Bound the unsolved openers from above by the strategy of ``guess`` played a turn late.

        That is possible where the rule allows any guess and no answer is found on the last turn.
        """
        openers = self.openers
        if (
            self.game.rule is not Rule.NORMAL
            or openers.status[guess] != Status.EXACT
            or openers.worst[guess] >= self.guesses_left
        ):
            return
        late = self.game.prices.value(
            np.append(0, openers.weight_distribution[guess]),
            lost=openers.weight_lost(self.game, self.state)[guess],
            worst=openers.worst[guess] + 1,
            made=self.position.turns_made,
        )
        unsolved = openers.status == Status.BOUNDED
        openers.upper[unsolved] = np.minimum(openers.upper[unsolved], late)


def check_openers(openers: Openers, game: Game, position: Position) -> None:
    """VerificationError, naming the guess, where the columns contradict each other or the rules."""
    state, made = position.state, position.turns_made
    exact = openers.status == Status.EXACT
    infeasible = openers.status == Status.INFEASIBLE
    possible = infeasible & position.legal
    counts, weights = openers.distribution, openers.weight_distribution
    latest = (np.arange(1, counts.shape[1] + 1) * (counts > 0)).max(axis=1)
    lost = openers.weight_lost(game, state)
    weight_of_answer = game.objective.weights_of(state)
    most = weight_of_answer.sum() - weight_of_answer.min()  # where some answer is lost
    values = game.prices.value(weights, lost=lost, worst=openers.worst, made=made)
    unlikely = (weights < 0) | ((weights > 0) & (counts == 0))
    if game.objective.weights is None:
        unlikely = weights != counts
    faults = {
        "its lower bound is above its upper bound": openers.lower > openers.upper,
        "it has an unknown status": ~np.isin(openers.status, [s.value for s in Status]),
        "it is exact but its bounds differ": exact & (openers.lower != openers.upper),
        "its distribution does not add up to its value": exact & (values != openers.upper),
        "its distribution does not cover every answer": exact
        & (counts.sum(axis=1) + openers.failures != len(state)),
        "its weights are not those of its distribution": exact
        & (unlikely.any(axis=1) | (lost < 0) | ((lost > 0) & (openers.failures == 0))),
        "it loses answers": (openers.failures != 0) & (not game.objective.allows_failure),
        "its worst case is not the last turn of its distribution": exact
        & (latest != openers.worst),
        "its worst case is over the limit": exact & (openers.worst > game.objective.after(made)),
        "it is infeasible but has a strategy": infeasible & (openers.upper < INFEASIBLE),
        "its solvable answers are not those that its strategy finds": exact
        & (openers.solvable != weights.sum(axis=1)),
        "it is infeasible but can solve every answer": possible & (openers.solvable > most),
        "its solvable answers are fewer than none": openers.solvable < UNKNOWN,
        "its solvable answers cannot be known": ~(exact | possible) & (openers.solvable != UNKNOWN),
    }
    for fault, where in faults.items():
        if where.any():
            guess = game.words.guesses.words[int(np.flatnonzero(where)[0])]
            raise VerificationError(f"{guess.upper()}: {fault}")
