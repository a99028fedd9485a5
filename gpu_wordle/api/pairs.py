"""The jobs of fixed openings, wired to what they run on."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import nullcontext
from functools import partial
from pathlib import Path

from gpu_wordle.api import pools
from gpu_wordle.api.session import Session
from gpu_wordle.backends.protocol import JointCounter
from gpu_wordle.errors import UserError
from gpu_wordle.experiments.pairs.job import SOLVING, Heard, PairsJob, Progress
from gpu_wordle.experiments.pairs.legal import legal_pairs
from gpu_wordle.experiments.pairs.longer import Goal, Guesses, extend, improve, worth_by
from gpu_wordle.experiments.pairs.openings import Opening, solve_opening
from gpu_wordle.experiments.pairs.shared import count_shared
from gpu_wordle.experiments.pairs.survey import Measure, Survey
from gpu_wordle.experiments.pairs.totals import Totals
from gpu_wordle.game.rule import Rule
from gpu_wordle.ranking.ending import Ending
from gpu_wordle.ranking.solving import Solved
from gpu_wordle.solver import SolverPool, Stop
from gpu_wordle.store.pair_files import PairFile
from gpu_wordle.tunables import (
    OPENINGS_EXTENDED,
    OPENINGS_IMPROVED,
    PROVE_TABLE_MIB,
    SOLVE_TABLE_MIB,
)


def solve_fixed(
    session: Session,
    guesses: Sequence[int],
    ending: Ending,
    budget: int | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> Solved:
    """Value and strategy of guesses that are fixed in advance; see openings.py."""
    opening = Opening.of(session.position, guesses)
    pool = pools.solver_pool(session.game, session.machine, len(opening.leaves), SOLVE_TABLE_MIB)
    with pool, ending.of(pool.stop):
        return solve_opening(opening, pool, budget, advance)


class PairsWork:
    """All pairs of the guesses of a game: counted, kept in a file, solved and proven.

    Under a constrained rule they are the few ordered pairs that it allows.
    Raises UserError under the rule CANDIDATES, by which no second guess can be fixed.
    """

    def __init__(
        self, session: Session, measure: Measure, first: int | None, ending: Ending
    ) -> None:
        if session.game.rule is Rule.CANDIDATES:
            raise UserError(
                "under the candidates rule a second guess cannot be fixed, for after most feedback "
                "it is no longer possible; use --rule normal or hard"
            )
        self.session = session
        self.ending = ending
        self.survey = Survey(session.game, measure, first)
        self.totals = Totals.of_survey(self.survey)

    def run(self, out: Path | None, fresh: bool, solve: int, prove: bool, heard: Heard) -> None:
        """Count all pairs, going on from a file, find totals, and save.

        ``solve`` is of how many pairs: the most promising ones or, to ``prove``, the best.
        """
        file = None
        rule = self.session.game.rule
        if rule.is_constrained:
            self.survey = self._allowed()
        if out is not None:
            backend = self.session.choice.backend
            file = PairFile(out, self.survey, backend.name, backend.device)
        with nullcontext() if file is None else file.held():
            job = PairsJob(self.survey, file, self.ending, heard)
            job.begin(fresh=fresh)
            job.count(self._counter, self._shared())
            if solve:
                job.solve(solve, self._pool, prove=prove)
            try:
                job.save()
            finally:
                self.survey, self.totals = job.survey, job.totals

    def extended(self, words: int, heard: Heard, goal: Goal = Goal.PARTS) -> list[Guesses]:
        """The best openings of so many guesses that are found by extending the best pairs.

        None after an early end. Raises UserError under a rule by which guesses are illegal.
        """
        survey, beam = self.survey, OPENINGS_EXTENDED
        game, first = survey.game, survey.first
        if game.rule.is_constrained:
            raise UserError(
                f"under the {game.rule} rule few guesses can be fixed, and pairs are not "
                "extended; use --words 2, or --rule normal"
            )
        kept = survey.kept.take(slice(beam))
        openings: list[Guesses] = list(zip(kept.first.tolist(), kept.second.tolist(), strict=True))
        counter, stop = self._counter(), Stop()
        worth, guesses = worth_by(goal, game, counter), counter.guesses
        with self.ending.of(stop):
            for length in range(3, words + 1):
                tell = _teller(heard, f"adding guess {length}", len(openings))
                openings = extend(game, openings, guesses, worth, beam, first, tell, stop)
            some = openings[:OPENINGS_IMPROVED]
            tell = _teller(heard, "replacing guesses", len(some))
            better = improve(game, some, guesses, worth, first, tell, stop)
        return list(dict.fromkeys([*better, *openings]))

    def solved(self, openings: Sequence[Guesses], heard: Heard) -> list[Solved]:
        """Exact totals of openings, in their order; without those that an early end left out."""
        found: list[Solved] = []
        start, pool = self.session.position, self._pool()
        with pool, self.ending.of(pool.stop):
            for guesses in openings:
                heard(Progress(SOLVING, len(found), len(openings)))
                solved = solve_opening(Opening.of(start, guesses), pool)
                if pool.stop.is_set():
                    break
                found.append(solved)
        return found

    def _allowed(self) -> Survey:
        """A survey of the pairs that a constrained rule allows."""
        game, first = self.session.game, self.survey.first
        ordered = legal_pairs(game)
        if first is not None:
            ordered = ordered[ordered[:, 0] == first]
        return Survey.of_ordered(game, self.survey.measure, ordered, first)

    def _counter(self) -> JointCounter:
        return self.session.choice.backend.open_joint(self.session.game, self.survey.columns)

    def _shared(self) -> Callable[[Survey, Stop], Iterator[int]] | None:
        """What has workers count pairs, if there are any; those of one first guess are few."""
        machine = self.session.machine
        if machine.crew is None or self.survey.first is not None:
            return None
        return partial(count_shared, crew=machine.crew, terms=pools.terms_of(machine))

    def _pool(self) -> SolverPool:
        game = self.session.game
        return pools.solver_pool(game, self.session.machine, game.guess_count, PROVE_TABLE_MIB)


def _teller(heard: Heard, phase: str, whole: int) -> Callable[[int], None]:
    """What tells how far one phase is."""
    return lambda done: heard(Progress(phase, done, whole))
