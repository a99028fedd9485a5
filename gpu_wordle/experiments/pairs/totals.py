"""Exact totals of the kept pairs, and the proof that the best of them are the best of all.

A pair is refuted if a lower bound on its total reaches the cutoff. The first bound is by the number
of joint parts. Then the second guess is searched in each state after the first one, until the sum
reaches the cutoff. Large states come first, because they exceed their bounds by most. All searches
share one transposition table.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from heapq import heappush, heapreplace
from math import inf

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.protocol import JointCounter
from gpu_wordle.errors import counted
from gpu_wordle.experiments.pairs.survey import (
    NO_KEY,
    Measure,
    Pairs,
    Survey,
    joint_sizes,
    least_totals,
)
from gpu_wordle.game.game import Game, Position
from gpu_wordle.game.spelling import capitals
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.job import LOOK_SECONDS, Job, Progress
from gpu_wordle.ranking.openers import Status
from gpu_wordle.solver import Solver, SolverPool, Stop
from gpu_wordle.states.bounds import guess_lower_bound
from gpu_wordle.verify import VerificationError

COUNTING, SOLVING = "counting", "solving"
"""The phases of a job over pairs: first counting all, then solving the best."""

Asked = tuple[int, int, int, int]
"""A pair to search: its index, its two guesses, and its bound by joint parts."""


@dataclass(eq=False)
class Totals:
    """Bounds on the totals of K pairs; every array is [K].

    Attributes:
        game: the game; its objective is the mean with equal weights.
        pairs: the pairs.
        parts: int32, number of joint parts.
        lower: int64, proven lower bound of the total; INFEASIBLE if the pair is not winnable.
        upper: int64, total of a known strategy; INFEASIBLE if none is known.
        status: int8, a Status.
        others: lower bound on the totals of all other pairs.
    """

    game: Game
    pairs: Pairs
    parts: NDArray[np.int32]
    lower: NDArray[np.int64]
    upper: NDArray[np.int64]
    status: NDArray[np.int8]
    others: int = NO_KEY

    def __post_init__(self) -> None:
        self._start = self.game.start()
        self._bound = least_totals(self.game, self.pairs.ordered, self.parts.astype(np.int64))

    @classmethod
    def of(cls, game: Game, pairs: Pairs, parts: NDArray[np.int64], others: int = NO_KEY) -> Totals:
        """Return totals with bounds by joint parts only."""
        count = len(pairs)
        return cls(
            game,
            pairs,
            parts.astype(np.int32),
            least_totals(game, pairs.ordered, parts),
            np.full(count, INFEASIBLE, np.int64),
            np.full(count, Status.BOUNDED, np.int8),
            others,
        )

    @classmethod
    def of_survey(cls, survey: Survey, known: Totals | None = None) -> Totals:
        """Return totals of the pairs that a survey has kept, with bounds by joint parts only.

        A survey by entropy does not know the parts. Those of ``known`` are not counted again.
        """
        game, pairs = survey.game, survey.kept
        if survey.measure is Measure.PARTS:
            # The keys are the bounds, so the numbers of parts follow without a new count.
            parts = least_totals(game, pairs.ordered, np.zeros(len(pairs), np.int64)) - pairs.key
            return cls.of(game, pairs, parts, survey.others)
        told = {} if known is None else dict(zip(known.pairs, known.parts.tolist(), strict=True))
        each = (told.get(pair) or len(joint_sizes(game, pair)) for pair in pairs)
        return cls.of(game, pairs, np.fromiter(each, np.int64, len(pairs)), -NO_KEY)

    @property
    def is_exact(self) -> NDArray[np.bool_]:
        """Which totals are exact, bool[K]."""
        return self.status == Status.EXACT

    def order(self) -> NDArray[np.intp]:
        """Indices of the pairs, ordered by total; pairs with only a bound come last."""
        return np.lexsort((self.pairs.second, self.pairs.first, self.lower, self.upper))

    @property
    def best(self) -> tuple[int, int, int] | None:
        """The best pair with an exact total, and its total; None if no total is exact."""
        place = int(self.upper.argmin()) if len(self.upper) else 0
        if not self.is_exact.any():
            return None
        return int(self.pairs.first[place]), int(self.pairs.second[place]), int(self.upper[place])

    def open_count(self, count: int) -> int:
        """Number of pairs without an exact total that may be among the best ``count``."""
        return int(((self.status == Status.BOUNDED) & (self.lower < self.cutoff(count))).sum())

    def cutoff(self, count: int) -> int:
        """One more than the ``count``-th best exact total: pairs at or above it are refuted."""
        exact = np.sort(self.upper[self.is_exact])
        return int(exact[count - 1]) + 1 if len(exact) >= count else INFEASIBLE

    def is_proven(self, count: int) -> bool:
        """Whether the best ``count`` pairs, and all pairs that tie with them, are exact."""
        rest = self.lower[self.status == Status.BOUNDED].min(initial=NO_KEY)
        cutoff = self.cutoff(count)
        if cutoff == INFEASIBLE:  # fewer than ``count`` pairs are known to be winnable
            return bool(min(rest, self.others) >= INFEASIBLE)
        return bool(min(rest, self.others) >= cutoff)

    def solve(self, count: int, pool: SolverPool, *, prove: bool) -> Iterator[int]:
        """Find exact totals; yields the index of each pair when it is done.

        Without ``prove`` these are the ``count`` pairs with the least bounds by joint parts,
        regardless of results, so that a resumed job solves the same pairs. With ``prove`` they are
        all pairs that ``count`` better ones do not refute. After a stop no pair is begun.
        """
        known = sorted(-total for total in self.upper[self.is_exact].tolist())[-count:]
        best = sorted(known)  # a heap of negated totals: the worst of the best comes first

        def cutoff() -> int:
            return 1 - best[0] if prove and len(best) == count else INFEASIBLE

        def waiting() -> Iterator[Asked]:
            order = np.argsort(self.lower if prove else self._bound, kind="stable")
            for place in (order if prove else order[:count]).tolist():
                if self.status[place] == Status.BOUNDED and self.lower[place] < cutoff():
                    pair = int(self.pairs.first[place]), int(self.pairs.second[place])
                    yield place, *pair, int(self._bound[place])

        for (place, *_), (lower, is_exact) in pool.each(
            total_of, self._start, waiting(), cutoff, fingerprint=fingerprint
        ):
            self.lower[place] = max(self.lower[place], lower)
            if is_exact:
                self._settle(place, lower)
                if lower < cutoff() and lower < INFEASIBLE:
                    (heappush if len(best) < count else heapreplace)(best, -lower)
            yield place

    def _settle(self, place: int, total: int) -> None:
        """Record an exact total, or that the pair is not winnable."""
        is_infeasible = total >= INFEASIBLE
        self.upper[place] = total
        self.status[place] = Status.INFEASIBLE if is_infeasible else Status.EXACT


def total_of(solver: Solver, start: Position, asked: Asked, cutoff: int) -> tuple[int, bool]:
    """Return a lower bound on the total of a pair, and whether it is exact.

    It is exact below the cutoff, and if INFEASIBLE, unless the search was stopped.
    """
    _, first, guess, total = asked
    is_exact = True
    for position in _after(start, first):
        if total >= cutoff:
            return total, total >= INFEASIBLE
        bound = _bound_of(position, guess)
        result = solver.solve(position, guess, cutoff=bound + cutoff - total)
        total = min(total + result.lower - bound, INFEASIBLE)
        is_exact &= result.is_exact
    return total, is_exact or total >= INFEASIBLE


def fingerprint(found: tuple[int, bool]) -> object | None:
    """Return the total if it is exact, on which all workers must agree; else None."""
    total, is_exact = found
    return total if is_exact else None


def _after(start: Position, first: int) -> Iterator[Position]:
    """Yield the positions after a first guess whose bound may not be exact, largest first.

    The bound is exact for one or two answers if three guesses are left.
    """
    patterns = start.game.patterns
    sizes = np.bincount(patterns.values[:, first], minlength=patterns.pattern_count)
    sizes[patterns.all_green] = 0
    least = 3 if start.game.objective.after(1) >= 3 else 1
    for pattern in np.argsort(-sizes, kind="stable").tolist():
        if sizes[pattern] < least:
            return
        yield start.after(first, pattern)


def _bound_of(position: Position, guess: int) -> int:
    """Return the one-ply lower bound of the second guess in one position."""
    patterns = position.game.patterns
    column = patterns.values[position.state, guess]
    sizes = np.bincount(column, minlength=patterns.pattern_count)
    is_candidate = int(sizes[patterns.all_green])
    return guess_lower_bound(len(column), int(np.count_nonzero(sizes)), is_candidate)


@dataclass(eq=False)
class PairTable:
    """The results of a job over pairs.

    Attributes:
        survey: the survey of all pairs, which keeps the best.
    """

    survey: Survey
    _totals: Totals | None = None

    @property
    def totals(self) -> Totals:
        """The totals of the pairs that the survey keeps so far."""
        if self._totals is None or self._totals.pairs is not self.survey.kept:
            self._totals = Totals.of_survey(self.survey, self._totals)
        return self._totals

    def __str__(self) -> str:
        exact = int(self.totals.is_exact.sum())
        return f"{counted(self.survey.pair_count, 'pair')} counted, {exact:,} exact"


def count_pairs(
    job: Job[PairTable],
    make_counter: Callable[[], JointCounter],
    shared: Callable[[Survey, Stop], Iterator[int]] | None = None,
) -> None:
    """Count the uncounted pairs, or as many as possible until the job is to end.

    ``shared``, if it is given, counts them on workers, like ``Survey.run``.
    """
    survey, stop = job.table.survey, Stop()
    if survey.is_complete or job.stop_token.is_due():
        return
    counting = survey.run(make_counter()) if shared is None else shared(survey, stop)
    job.run(_counts(survey, counting, stop), stop)
    job.attempt()  # the disk may have room again when pairs are solved


def _counts(survey: Survey, counting: Iterator[int], stop: Stop) -> Iterator[Progress]:
    """Count the pairs of some first guesses at a time, until a stop."""
    yield Progress(COUNTING, survey.counted, survey.rows)
    for done in counting:
        yield Progress(COUNTING, done, survey.rows)
        if stop.is_set():
            return


def solve_pairs(
    job: Job[PairTable], count: int, make_pool: Callable[[], SolverPool], *, prove: bool
) -> None:
    """Find exact totals of ``count`` pairs: the most promising or, with ``prove``, the best."""
    if job.stop_token.is_due() or not job.table.survey.is_complete:
        return
    totals = job.table.totals
    if not (prove and totals.is_proven(count)):
        with make_pool() as pool:
            job.run(_solved(totals, count, pool, prove=prove), pool.stop)


def _solved(
    totals: Totals, count: int, pool: SolverPool, *, prove: bool
) -> Iterator[Progress | None]:
    """Solve pair after pair. Counts the open pairs and finds the best only from time to time."""
    looked = -inf
    for done, _ in enumerate(totals.solve(count, pool, prove=prove), start=1):
        if time.monotonic() - looked < LOOK_SECONDS:
            yield None
            continue
        looked = time.monotonic()
        left = totals.open_count(count) if prove else count - done
        if totals.best is None:
            yield Progress(SOLVING, done, done + left)
            continue
        *pair, total = totals.best
        words = " ".join(totals.game.spell(pair))
        note = f"best {capitals(words)} {total:,}"
        yield Progress(SOLVING, done, done + left, ((words, total),), note)


def check_survey(survey: Survey) -> None:
    """Raise VerificationError for counts or kept pairs that cannot be true."""
    game, pairs, first, counted = survey.game, survey.kept, survey.first, survey.counted
    guesses, is_constrained = game.guess_count, game.rule.is_constrained
    if not 0 <= counted <= survey.rows:
        raise VerificationError(f"{counted:,} of {survey.rows:,} first guesses are counted")
    count = guesses - 1 if first is not None else 0
    if first is None:
        count = counted * guesses - counted * (counted + 1) // 2
    if survey.pair_count != count and not is_constrained:
        raise VerificationError(
            f"it has counted {survey.pair_count:,} pairs where there are {count:,}"
        )
    if len(np.unique(pairs.first.astype(np.int64) * guesses + pairs.second)) < len(pairs):
        raise VerificationError("it holds a pair twice")
    if first is not None and (pairs.first != first).any():
        raise VerificationError(f"a pair does not begin with {game.spell([first])[0]}")
    is_answer = game.words.answer_of_guess >= 0
    own, other = is_answer[pairs.first], is_answer[pairs.second]
    comes_first = np.where(own == other, pairs.first < pairs.second, own)
    if first is None and not is_constrained and not comes_first.all():
        raise VerificationError("the guesses of a pair are not in their order")
    by_key = np.lexsort((pairs.second, pairs.first, pairs.key))
    if (np.diff(by_key) < 0).any() or pairs.key[-1] > survey.others:
        raise VerificationError("its pairs are not in the order of their keys")
    if (len(pairs) == survey.pair_count) != (survey.others == NO_KEY):
        raise VerificationError(
            f"it keeps {len(pairs):,} of {survey.pair_count:,} pairs, which others denies"
        )


def check_totals(totals: Totals, measure: Measure) -> None:
    """Raise VerificationError for totals that cannot be those of their pairs."""
    least = least_totals(totals.game, totals.pairs.ordered, totals.parts.astype(np.int64))
    if measure is Measure.PARTS and (totals.pairs.key != least).any():
        raise VerificationError("a key is not the bound by its parts")
    if (totals.lower < least).any() or (totals.lower > totals.upper).any():
        raise VerificationError("bounds cross")
    is_settled = totals.lower == totals.upper
    is_infeasible = is_settled & (totals.upper >= INFEASIBLE)
    expected = np.select([is_infeasible, is_settled], [Status.INFEASIBLE, Status.EXACT], 0)
    if (totals.status != expected).any():
        raise VerificationError("a status does not fit its bounds")
