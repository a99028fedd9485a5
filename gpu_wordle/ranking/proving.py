"""A proof of the best opener in rounds, which may be interrupted; kept in the file of a ranking.

A search that refutes an opener in one go proves nothing about the others. So all openers are first
bounded without search. Each round then asks only whether they reach a target. Each target closes a
quarter of the gap between the cheapest bound and the goal. The last target is the goal itself, one
more than the best known value. At all times the least value of any opener lies between the least
lower bound and the best known value.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import takewhile

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.game.game import Position
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.job import Job, Progress
from gpu_wordle.ranking.openers import Openers, Status
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.ranking.solving import replay, replay_all
from gpu_wordle.solver import Fate, Proof, Solver, SolveResult, SolverPool, by_letters
from gpu_wordle.solver.orbits import GuessOrbits
from gpu_wordle.solver.pool import Ask
from gpu_wordle.solver.prove import Incumbent, attempt, bound, fingerprint
from gpu_wordle.tunables import FIRST_PROVED, PROVING_ROUNDS
from gpu_wordle.verify import Verdict

FIRST, REFUTING = "looking for the best guess", "refuting"
"""The phases of a proof: before a value is known, and after."""

Answer = tuple[SolveResult, Fate, Verdict | None]
"""The result of a guess, its fate, and the replay of its strategy."""


class ProofInRounds:
    """A proof of the best openers, in rounds.

    Openers that are exact in the file are incumbents. The file's bounds are used as well.

    Args:
        ranking: the openers, of which nothing is solved yet.
    """

    def __init__(self, ranking: Ranking) -> None:
        self.ranking = ranking
        self._allowed = ranking.position.choices
        self._first_lower = ranking.openers.lower.copy()
        self._fate = np.full(len(self._first_lower), Fate.OPEN, np.uint8)

    def prove(self, job: Job[Openers], pool: SolverPool) -> None:
        """Settle every opener, or as many as time allows. The job has begun.

        Closes the pool. Raises JobError before any work if the file cannot be written.
        """
        self.ranking.openers = job.table
        with pool:
            job.save()
            job.run(self._in_rounds(pool), pool.stop)

    def proof(self) -> Proof:
        """Return what is proved so far."""
        openers, best = self.ranking.openers, self.best
        is_best = self._is_exact & (openers.upper == best)
        refuted = openers.lower > best
        was_solved = (openers.status == Status.EXACT) | (self._fate == Fate.OPTIMAL)
        fate = np.where(refuted, self._fate, Fate.OPEN).astype(np.uint8)
        fate[refuted & (self._fate == Fate.OPEN)] = Fate.EARLIER
        fate[refuted & was_solved] = Fate.BY_SEARCH
        fate[refuted & (self._first_lower > best)] = Fate.BY_SIZES
        fate[is_best] = Fate.OPTIMAL
        fate[~self._allowed] = Fate.ILLEGAL
        if self.ranking.game.objective.aim is Aim.MEAN_WORST and is_best.any():
            is_best &= openers.worst == openers.worst[is_best].min()
        own = np.isin(self.ranking.game.words.answer_of_guess, self.ranking.position.state)
        winners = sorted(np.flatnonzero(is_best).tolist(), key=lambda g: (not own[g], g))
        return Proof(best, tuple(winners), openers.lower.copy(), fate)

    @property
    def best(self) -> int:
        """Return the least value of any replayed strategy; INFEASIBLE - 1 without any."""
        values = self.ranking.openers.upper[self._is_exact]
        return int(values.min(initial=INFEASIBLE - 1))

    @property
    def _is_exact(self) -> NDArray[np.bool_]:
        return self._allowed & (self.ranking.openers.status == Status.EXACT)

    def _open(self, target: int) -> NDArray[np.bool_]:
        """Return the openers with unknown values and lower bounds below a target, bool[G]."""
        openers = self.ranking.openers
        return self._allowed & (openers.status == Status.BOUNDED) & (openers.lower < target)

    def _target(self, number: int, goal: int) -> int:
        """Return the target of a round. It does not depend on interruptions."""
        if number > PROVING_ROUNDS or goal >= INFEASIBLE:
            return goal
        start = int(self._first_lower[self._allowed].min())
        return goal - (max(0, goal - start) * 3**number >> 2 * number)

    def _in_rounds(self, pool: SolverPool) -> Iterator[Progress]:
        """Find a first value, then raise all bounds to one target after another."""
        if pool.stop.is_set() or not self._open(self.best + 1).any():
            return
        root_moves = pool.root_moves(self.ranking.position)
        last = PROVING_ROUNDS + 1
        search = partial(attempt_and_replay, max_parts=root_moves.max_parts)

        def kinds_of(chosen: NDArray[np.bool_]) -> GuessOrbits:
            """Return one opener of each kind, the promising ones first."""
            order = root_moves.order[chosen[root_moves.order]]
            return GuessOrbits.of(self.ranking.position, order.tolist())

        is_new = self.best + 1 >= INFEASIBLE
        if is_new:
            kinds = kinds_of(self._open(INFEASIBLE))
            yield from self._round(pool, search, kinds, kinds.firsts, last, until_known=True)
        is_raised = self.ranking.openers.lower > self._first_lower
        kinds = kinds_of(self._open(self.best + 1) & ~is_raised)
        quickly = partial(bound_only, max_parts=root_moves.max_parts)
        yield from self._round(pool, quickly, kinds, kinds.firsts, last)
        if is_new:
            kinds = kinds_of(self._open(self.best + 1))
            yield from self._round(pool, search, kinds, kinds.firsts[:FIRST_PROVED], last)
        for number in range(1, last + 1):
            kinds = kinds_of(self._open(self._target(number, self.best + 1)))
            guesses = by_letters(pool.game, kinds.firsts)
            yield from self._round(pool, search, kinds, guesses, number)

    def _round(
        self,
        pool: SolverPool,
        ask: Ask[int, int, Answer],
        kinds: GuessOrbits,
        guesses: Sequence[int],
        number: int,
        *,
        until_known: bool = False,
    ) -> Iterator[Progress]:
        """Ask one guess of each kind whether it reaches the target of a round.

        With ``until_known`` it stops asking once the value of some opener is known. The target
        falls when a better opener is found. Openers that then reach it already are not asked.
        """
        position, incumbent = self.ranking.position, Incumbent(self.best)
        total = sum(len(kinds.members(guess)) for guess in guesses)
        done = 0

        def cutoff() -> int:
            return self._target(number, incumbent.goal)

        def offer(found: Answer) -> None:
            """Lower the target for all workers, before this one begins another guess."""
            result, how, _ = found
            if how is Fate.OPTIMAL:
                incumbent.offer(result.lower)

        if pool.stop.is_set() or not guesses:
            return
        wanted = takewhile(lambda guess: not (until_known and incumbent.goal < INFEASIBLE), guesses)
        below = (guess for guess in wanted if self.ranking.openers.lower[guess] < cutoff())
        asked = pool.prepared(position, below, cutoff)
        yield self._progress(cutoff(), done, total)
        for guess, found in pool.each(ask, position, asked, cutoff, offer, fingerprint):
            self._take(kinds, guess, found)
            done += len(kinds.members(guess))
            yield self._progress(cutoff(), done, total)

    def _take(self, kinds: GuessOrbits, guess: int, found: Answer) -> None:
        """Record the result of a guess for all guesses of its kind."""
        result, how, verdict = found
        members, results = kinds.spread([guess], [result])
        verdicts: Sequence[Verdict | None] = [verdict]
        if len(members) > 1:
            verdicts = replay_all(self.ranking.position, results)
        self.ranking.openers.record(members, results, verdicts)
        self._fate[members] = how
        self.ranking.bound_the_others(members)

    def _progress(self, target: int, done: int, total: int) -> Progress:
        openers, exact = self.ranking.openers, self._is_exact
        lower = int(openers.lower[self._allowed].min(initial=INFEASIBLE))
        if not exact.any():
            return Progress(FIRST, done, total, lower=lower, target=target)
        guess = int(np.flatnonzero(exact)[openers.upper[exact].argmin()])
        best = self.ranking.game.words.guesses.words[guess], int(openers.upper[guess])
        return Progress(REFUTING, done, total, (best,), lower=lower, target=target)


def attempt_and_replay(
    solver: Solver, position: Position, guess: int, cutoff: int, *, max_parts: int
) -> Answer:
    """Search a guess by ``attempt``, and replay the strategy if its value is found."""
    result, how = attempt(solver, position, guess, cutoff, max_parts=max_parts, tree=True)
    return result, how, replay(position, result)


def bound_only(
    solver: Solver, position: Position, guess: int, cutoff: int, *, max_parts: int
) -> Answer:
    """Return a lower bound on a guess without search, and what refutes it."""
    result, how = bound(solver, position, guess, cutoff, max_parts=max_parts)
    return result, how or Fate.BY_ONE_PLY, None
