"""The exact ranking of first guesses. It can stop and resume at any time.

Every opener always has a true interval of values. At first the lower end is the one-ply bound. The
upper end is the value of the incumbent's strategy played one turn late: after a wasted first guess
it can still be played. Solving an opener closes its interval. verify.py replays each strategy
before its value counts.

An opener with which some answer may be lost is closed as infeasible. How many answers it can solve
at most is a question about another game, in which answers may be lost. That game's solver answers
it afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.game.game import Game, Position, Rule
from gpu_wordle.game.numbers import natural_number
from gpu_wordle.game.objective import DEFAULT_MAX_GUESSES, Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.job import LOOK_SECONDS, Job, Progress
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status
from gpu_wordle.ranking.solving import fingerprint, replay_all
from gpu_wordle.solver import SolverPool, Stop, by_letters
from gpu_wordle.solver.pool import CheckedGroup
from gpu_wordle.states.bounds import guess_depth_bound, priced_guess_bound
from gpu_wordle.states.partition import PartitionStats, WeighedParts
from gpu_wordle.tunables import SAME_PROMISE
from gpu_wordle.verify import Verdict, VerificationError

BEST = 5
"""Openers that progress shows."""

SOLVING, INFEASIBLE_PHASE = "solving", "infeasible"
"""The phases of a ranking: first values, then how much infeasible openers can solve."""


@dataclass(repr=False)
class Ranking:
    """The guesses of one position of a game, with their results so far."""

    position: Position
    openers: Openers

    def __repr__(self) -> str:
        return f"Ranking({self.game!r}, {self.openers!r})"

    @classmethod
    def begin(cls, position: Position, statistics: PartitionStats) -> Ranking:
        """Return a ranking with nothing solved. Lower bounds come from the statistics of the state.

        Guesses that the rule forbids are infeasible from the start.
        """
        game, left = position.game, position.guesses_left
        turns = DEFAULT_MAX_GUESSES if game.objective.max_guesses is None else left
        openers = Openers.unsolved(np.empty(game.guess_count, dtype=np.int64), turns)
        ranking = cls(position, openers)
        openers.lower = ranking.one_ply_bound(statistics)
        forbidden = ~position.legal
        openers.lower[forbidden] = INFEASIBLE
        openers.status[forbidden] = Status.INFEASIBLE
        return ranking

    @property
    def game(self) -> Game:
        """The game of the position."""
        return self.position.game

    @cached_property
    def weights(self) -> NDArray[np.int64]:
        """The weights of the possible answers."""
        return self.game.objective.weights_of(self.position.state)

    @cached_property
    def weighed(self) -> WeighedParts | None:
        """Return weighted statistics of the guesses on the state; None if weights are equal."""
        if self.game.objective.weights is None:
            return None
        return WeighedParts.of(self.game.patterns, self.position.state, self.weights)

    @property
    def lacks_solvable(self) -> NDArray[np.bool_]:
        """Return the infeasible guesses with unknown solvable answers, bool[G].

        Guesses that the rule forbids solve nothing, and are not among them.
        """
        openers = self.openers
        infeasible = openers.status == Status.INFEASIBLE
        return infeasible & (openers.solvable == UNKNOWN) & self.position.legal

    def one_ply_bound(self, statistics: PartitionStats) -> NDArray[np.int64]:
        """Return a lower bound on the value of each guess, int64[G], from its parts."""
        prices = self.game.prices
        parts = statistics.parts[0].astype(np.int64)
        is_candidate = statistics.is_candidate[0].astype(np.int64)
        bound = priced_guess_bound(
            int(self.weights.sum()),
            *self._found_at_most(statistics),
            prices.ahead(self.position.turns_made, 3),
        )
        if prices.aim is Aim.WORST:
            bound += prices.scale * guess_depth_bound(len(self.weights), parts, is_candidate)
        return np.minimum(bound, INFEASIBLE)

    def most_promising(self, statistics: PartitionStats, count: int) -> NDArray[np.intp]:
        """Return the ``count`` guesses that look best by one-ply bound and expected part size.

        These measures are about the mean. But good openers of other objectives are among those of
        the mean. Guesses that the rule forbids come last.
        """
        weight = int(self.weights.sum())
        bound = priced_guess_bound(weight, *self._found_at_most(statistics), (1, 2, 3))
        squares = statistics.sum_squares[0] if self.weighed is None else self.weighed.sum_squares
        promise = float(weight) * bound + 2.0 * squares
        return np.lexsort((promise, ~self.position.legal))[:count]

    def _found_at_most(
        self, statistics: PartitionStats
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return upper bounds on the weight found on the first turn, and on the first two turns."""
        if self.weighed is None:
            return statistics.is_candidate[0].astype(np.int64), statistics.parts[0].astype(np.int64)
        own = np.zeros(self.game.guess_count, dtype=np.int64)
        own[self.game.words.guess_of_answer[self.position.state]] = self.weights
        return own, self.weighed.heaviest

    def solve(self, guesses: NDArray[np.intp], pool: SolverPool) -> Iterator[Sequence[int]]:
        """Solve those of ``guesses`` that are not solved yet, and yield them as they are done.

        After ``pool.stop.set()`` it ends within moments, and records what was proved by then.
        """
        waiting = guesses[~self.openers.is_solved[guesses]]
        for done, results, verdicts in self._results(self.position, waiting, pool):
            self.openers.record(done, results, verdicts)
            self.bound_the_others(done)
            yield done

    def solve_infeasible(
        self, guesses: NDArray[np.intp], pool: SolverPool
    ) -> Iterator[Sequence[int]]:
        """Find how much infeasible guesses can solve, for those of ``guesses`` where it is unknown.

        ``pool`` belongs to ``game.allowing_failures()``: its values are of another objective than
        those of ``solve``. Yields and stops as ``solve`` does. Raises VerificationError if a
        strategy finds every answer in time, so that the guess is not infeasible after all.
        """
        waiting = guesses[self.lacks_solvable[guesses]]
        lossy = self.position.allowing_failures()
        for done, results, verdicts in self._results(lossy, waiting, pool):
            for guess, result, verdict in zip(done, results, verdicts, strict=True):
                if verdict is not None and verdict.failures == 0:
                    raise VerificationError(
                        f"{self.game.words.guesses.shown(guess)}: it is said to be "
                        "infeasible, but a strategy finds every answer in time"
                    )
                self.openers.record_solvable(guess, result, verdict)
            yield done

    def _results(
        self, position: Position, guesses: NDArray[np.intp], pool: SolverPool
    ) -> Iterator[CheckedGroup[Verdict | None]]:
        """Yield results of guesses in groups, as they are done. Threads replay the strategies."""
        return pool.checked_groups(position, guesses.tolist(), replay_all, fingerprint)

    def bound_the_others(self, guesses: Sequence[int]) -> None:
        """Bound the unsolved openers from above by strategies of ``guesses`` played a turn late.

        That is possible where the rule allows any guess and no answer is found on the last turn.
        """
        openers, known = self.openers, np.array(guesses, np.intp)
        known = known[
            (openers.status[known] == Status.EXACT)
            & (openers.worst[known] < self.position.guesses_left)
        ]
        if self.game.rule is not Rule.NORMAL or len(known) == 0:
            return
        late = self.game.prices.value(
            np.pad(openers.weight_distribution[known], ((0, 0), (1, 0))),
            lost=openers.weight_lost(self.game, self.position.state, known),
            worst=openers.worst[known] + 1,
            made=self.position.turns_made,
        ).min()
        unsolved = openers.status == Status.BOUNDED
        openers.upper[unsolved] = np.minimum(openers.upper[unsolved], late)

    def best(self) -> tuple[tuple[str, int], ...]:
        """Return the BEST best openers so far, with their values."""
        openers, words = self.openers, self.game.words.guesses.words
        best = openers.order()[:BEST].tolist()
        exact = (g for g in best if openers.status[g] == Status.EXACT)
        return tuple((words[guess], int(openers.upper[guess])) for guess in exact)

    def most_solvable(self) -> tuple[tuple[str, int], ...]:
        """Return the infeasible guess that solves most so far, with the weight that it solves."""
        openers = self.openers
        solvable = np.where(openers.status == Status.INFEASIBLE, openers.solvable, UNKNOWN)
        guess = int(solvable.argmax())
        word, most = self.game.words.guesses.words[guess], int(solvable[guess])
        return ((word, most),) if most != UNKNOWN else ()


def promising_first(
    ranking: Ranking, statistics: PartitionStats, count: int | None
) -> NDArray[np.intp]:
    """Return the ``count`` most promising guesses, or all, in the order in which to solve them.

    Of about equally promising guesses, those with the same letters come one after another.
    """
    wanted = ranking.game.guess_count if count is None else count
    return in_chunks(ranking.game, ranking.most_promising(statistics, wanted))


def in_chunks(game: Game, guesses: NDArray[np.intp]) -> NDArray[np.intp]:
    """Sort guesses by letters, within chunks of about equal promise. Promising ones come first."""
    chunks = (
        guesses[start : start + SAME_PROMISE] for start in range(0, len(guesses), SAME_PROMISE)
    )
    ordered = [guess for chunk in chunks for guess in by_letters(game, chunk.tolist())]
    return np.array(ordered, np.intp)


def rank(
    job: Job[Openers],
    ranking: Ranking,
    todo: NDArray[np.intp],
    make_pool: Callable[[], SolverPool],
    make_failures_pool: Callable[[int], SolverPool | None],
) -> None:
    """Solve ``todo``, then find how much its infeasible guesses can solve.

    The job has begun. Pools are made when they are needed, one after the other.
    ``make_failures_pool`` is called with the number of guesses that need it. If it returns no pool,
    what they can solve stays unknown. Raises JobError before any work if the file cannot be
    written.
    """
    ranking.openers = job.table
    job.save()
    solve(job, ranking, todo, make_pool)
    solve_infeasible(job, ranking, todo, make_failures_pool)


def solve(
    job: Job[Openers],
    ranking: Ranking,
    todo: NDArray[np.intp],
    make_pool: Callable[[], SolverPool],
) -> None:
    """Solve ``todo``, or as much of it as possible until the job is to end."""
    done = int(ranking.openers.is_solved[todo].sum())
    if done < len(todo) and not job.stop_token.is_due():
        with make_pool() as pool:
            work = ranking.solve(todo, pool)
            begun = Progress(SOLVING, done, len(todo))
            job.run(_units(work, pool.stop, begun, ranking.best), pool.stop)


def solve_infeasible(
    job: Job[Openers],
    ranking: Ranking,
    todo: NDArray[np.intp],
    make_pool: Callable[[int], SolverPool | None],
) -> None:
    """Find how much infeasible guesses of ``todo`` can solve, until the job is to end."""
    lacking = int(ranking.lacks_solvable[todo].sum())
    if lacking == 0 or job.stop_token.is_due():
        return
    job.attempt()  # nothing watches for Ctrl-C while another pool is made, so save first
    pool = make_pool(lacking)
    if pool is not None:
        with pool:
            work = ranking.solve_infeasible(todo, pool)
            begun = Progress(INFEASIBLE_PHASE, 0, lacking)
            job.run(_units(work, pool.stop, begun, ranking.most_solvable), pool.stop)


def _units(
    work: Iterator[Sequence[int]],
    stop: Stop,
    begun: Progress,
    look: Callable[[], tuple[tuple[str, int], ...]],
) -> Iterator[Progress]:
    """Yield progress for each guess solved. ``look`` finds the best every LOOK_SECONDS."""
    yield begun
    done, best, looked = begun.done, begun.best, -inf
    for group in work:
        if time.monotonic() - looked >= LOOK_SECONDS:
            looked, best = time.monotonic(), look()
        for _ in group:
            if not stop.is_set():  # otherwise the search of this guess was cut short
                done += 1
            yield replace(begun, done=done, best=best)


MAX_RUN = 25
"""Guesses of one shard in a row. Guesses with the same letters share results about states."""

MIN_RUNS = 4
"""Least runs of a shard, if there are enough guesses, so that all shards take about as long."""


@dataclass(frozen=True)
class Shard:
    """One of several parts of the guesses, numbered from 1.

    Attributes:
        number: the number of this part.
        count: the number of parts.
    """

    number: int
    count: int

    @classmethod
    def parse(cls, text: str) -> Shard:
        """Read ``3/12``; UserError if that is not a part."""
        number, _, count = text.partition("/") if isinstance(text, str) else ("", "", "")
        read = natural_number(number), natural_number(count)
        if read[0] is None or read[1] is None or not 1 <= read[0] <= read[1]:
            raise UserError(
                f"shard {quoted(text)}: give a part and the number of parts, as in 3/12"
            )
        return cls(read[0], read[1])

    def of(self, guesses: NDArray[np.intp]) -> NDArray[np.intp]:
        """Return this part of the guesses: runs of neighbours, dealt out in turn."""
        run = max(1, min(MAX_RUN, len(guesses) // (MIN_RUNS * self.count)))
        dealt = np.arange(len(guesses)) // run % self.count
        return guesses[dealt == self.number - 1]
