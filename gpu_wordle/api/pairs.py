"""The jobs of fixed openings, which the command line and the API share."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path

from gpu_wordle.api import pools
from gpu_wordle.api.session import Session
from gpu_wordle.backends.protocol import JointCounter
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.longer import Goal, Guesses, OpeningSearch
from gpu_wordle.experiments.pairs.openings import Opening, solve_opening
from gpu_wordle.experiments.pairs.shared import count_shared
from gpu_wordle.experiments.pairs.survey import Measure, Survey, legal_pairs
from gpu_wordle.experiments.pairs.totals import SOLVING, PairTable, count_pairs, solve_pairs
from gpu_wordle.game.rule import Rule
from gpu_wordle.options.telling import teller
from gpu_wordle.ranking.job import Job, Progress, ProgressCallback
from gpu_wordle.ranking.solving import SolveReport
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import SolverPool, Stop
from gpu_wordle.store.kinds import PairFile
from gpu_wordle.tunables import (
    OPENINGS_EXTENDED,
    OPENINGS_IMPROVED,
    PROVE_TABLE_MIB,
    SOLVE_TABLE_MIB,
)


def solve_fixed(
    session: Session,
    guesses: Sequence[int],
    stop_token: StopToken,
    budget: int | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> SolveReport:
    """Return value and strategy of a fixed opening; see openings.py."""
    opening = Opening.of(session.position, guesses)
    pool = pools.solver_pool(session.game, session.machine, len(opening.leaves), SOLVE_TABLE_MIB)
    with pool, stop_token.of(pool.stop):
        return solve_opening(opening, pool, budget, advance)


class PairsWork:
    """All pairs of guesses of a game: counted, kept in a file, solved and proven.

    Under a constrained rule, only the few ordered pairs that it allows. Raises UserError under the
    rule CANDIDATES, which lets no second guess be fixed.
    """

    def __init__(
        self, session: Session, measure: Measure, first: int | None, stop_token: StopToken
    ) -> None:
        if session.game.rule is Rule.CANDIDATES:
            raise UserError(
                "under the candidates rule a second guess cannot be fixed, for after most feedback "
                "it is no longer possible; use --rule normal or hard"
            )
        self.session = session
        self.stop_token = stop_token
        self.table = PairTable(Survey(session.game, measure, first))

    def run(
        self, out: Path | None, fresh: bool, solve: int, prove: bool, on_progress: ProgressCallback
    ) -> None:
        """Count all pairs, resuming from a file, find totals, and save.

        ``solve`` is the number of pairs to solve: the most promising ones or, with ``prove``, the
        best.
        """
        if self.session.game.rule.is_constrained:
            self.table = PairTable(self._allowed())
        file = self.session.file(PairFile, out, self.table.survey)
        job = Job(self.table, file, self.stop_token, on_progress)
        with job.held(fresh=fresh):
            self.table = job.table
            count_pairs(job, self._counter, self._shared())
            if solve:
                solve_pairs(job, solve, self._pool, prove=prove)

    def extended(
        self, words: int, on_progress: ProgressCallback, goal: Goal = Goal.PARTS
    ) -> list[Guesses]:
        """Return the best openings of ``words`` guesses found by extending the best pairs.

        Empty after an early end. Raises UserError under a rule that forbids guesses.
        """
        survey, beam = self.table.survey, OPENINGS_EXTENDED
        game, first = survey.game, survey.first
        if game.rule.is_constrained:
            raise UserError(
                f"under the {game.rule} rule few guesses can be fixed, and pairs are not "
                "extended; use --words 2, or --rule normal"
            )
        kept = survey.kept.take(slice(beam))
        openings: list[Guesses] = list(zip(kept.first.tolist(), kept.second.tolist(), strict=True))
        search = OpeningSearch(game, self._counter(), goal, first)
        with self.stop_token.of(search.stop):
            for length in range(3, words + 1):
                tell = teller(on_progress, f"adding guess {length}")
                openings = search.extend(openings, beam, tell)
            some = openings[:OPENINGS_IMPROVED]
            better = search.improve(some, teller(on_progress, "replacing guesses"))
        return list(dict.fromkeys([*better, *openings]))

    def solved(
        self, openings: Sequence[Guesses], on_progress: ProgressCallback
    ) -> list[SolveReport]:
        """Return exact totals of openings, in their order.

        Those that an early end left out are missing.
        """
        found: list[SolveReport] = []
        start, pool = self.session.position, self._pool()
        with pool, self.stop_token.of(pool.stop):
            for guesses in openings:
                on_progress(Progress(SOLVING, len(found), len(openings)))
                solved = solve_opening(Opening.of(start, guesses), pool)
                if pool.stop.is_set():
                    break
                found.append(solved)
        return found

    def _allowed(self) -> Survey:
        """Return a survey of the pairs that a constrained rule allows."""
        game, first = self.session.game, self.table.survey.first
        ordered = legal_pairs(game)
        if first is not None:
            ordered = ordered[ordered[:, 0] == first]
        return Survey.of_ordered(game, self.table.survey.measure, ordered, first)

    def _counter(self) -> JointCounter:
        return self.session.choice.backend.open_joint(self.session.game, self.table.survey.columns)

    def _shared(self) -> Callable[[Survey, Stop], Iterator[int]] | None:
        """Return the function that counts pairs on workers, if there are any.

        Pairs of one first guess are few, and are counted here.
        """
        machine = self.session.machine
        if machine.worker_pool is None or self.table.survey.first is not None:
            return None
        return partial(count_shared, worker_pool=machine.worker_pool, terms=pools.terms_of(machine))

    def _pool(self) -> SolverPool:
        game = self.session.game
        return pools.solver_pool(game, self.session.machine, game.guess_count, PROVE_TABLE_MIB)
