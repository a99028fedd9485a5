"""The jobs of the package, which the command line and the API share."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.api import pools
from gpu_wordle.api.session import Session
from gpu_wordle.game.game import Position
from gpu_wordle.ranking import solving
from gpu_wordle.ranking.job import Job, ProgressCallback, ignore_progress
from gpu_wordle.ranking.proving import ProofInRounds
from gpu_wordle.ranking.ranking import Ranking, Shard, in_chunks, promising_first, rank
from gpu_wordle.ranking.solving import GuessOrBest, SolveReport
from gpu_wordle.ranking.statistics import columns_of
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.report.figures import Figures
from gpu_wordle.report.ranking import RankingTable
from gpu_wordle.solver import Proof
from gpu_wordle.solver import prove as prove_best
from gpu_wordle.solver.prove import Progress as Settled
from gpu_wordle.store import RankingFile
from gpu_wordle.tunables import PROVE_TABLE_MIB, SOLVE_TABLE_MIB

Exact = int | None | Sequence[int]
"""Guesses to solve: that many of the most promising, all for None, or exactly these."""


class RankingWork:
    """A ranking of one position: the statistics of every guess, and the job."""

    def __init__(self, session: Session) -> None:
        position = session.position
        self.session = session
        self.seen = session.statistics()
        self.ranking = Ranking.begin(position, self.seen)
        self.statistics: dict[str, NDArray[Any]] = columns_of(
            session.game, self.seen, position.state, self.ranking.weighed
        )

    @cached_property
    def candidates(self) -> NDArray[np.bool_]:
        """Whether each guess can be the answer, bool[G]."""
        return np.isin(self.session.game.words.answer_of_guess, self.session.position.state)

    def run(
        self,
        exact: Exact,
        out: Path | None,
        stop_token: StopToken,
        on_progress: ProgressCallback = ignore_progress,
        *,
        fresh: bool = False,
        shard: Shard | None = None,
    ) -> None:
        """Run the job, or a shard of it: resume from the file, solve, and save."""
        session, ranking = self.session, self.ranking
        job = Job(ranking.openers, self._file(out), stop_token, on_progress)
        with job.held(fresh=fresh):
            if exact is None or isinstance(exact, int):
                todo = promising_first(ranking, self.seen, exact)
            else:
                todo = in_chunks(session.game, np.array(exact, np.intp))
            if shard is not None:
                todo = shard.of(todo)
            rank(
                job,
                ranking,
                todo,
                lambda: pools.batched_pool(session, int((~job.table.is_solved[todo]).sum())),
                lambda lacking: pools.failures_pool(session.game, session.machine, lacking),
            )

    def prove(
        self,
        out: Path,
        stop_token: StopToken,
        on_progress: ProgressCallback = ignore_progress,
        *,
        fresh: bool = False,
    ) -> None:
        """Prove in rounds which opener is best: resume from the file, settle, and save.

        The proof is then in ``proved``, even if the file cannot be written at the end.
        """
        session, started = self.session, time.perf_counter()
        choices = int(session.position.choices.sum())
        job = Job(self.ranking.openers, self._file(out), stop_token, on_progress)
        with job.held(fresh=fresh):
            proof = ProofInRounds(self.ranking)
            pool = pools.batched_pool(session, choices, PROVE_TABLE_MIB)
            proof.prove(job, pool)
            self.proved = Proved(proof.proof(), time.perf_counter() - started, pool.threads)

    def _file(self, out: Path | None) -> RankingFile | None:
        """Return the file of the ranking, if it has one."""
        return self.session.file(RankingFile, out, self.session.position, self.statistics)

    def table(self) -> RankingTable:
        """Return every guess, best first by value."""
        game, openers = self.session.game, self.ranking.openers
        return RankingTable(
            openers.order(self.session.position.legal).tolist(),
            game.words.guesses.words,
            self.candidates,
            self.statistics,
            openers,
            Figures.of(game, self.session.position),
            game.words.guesses.alphabet,
        )


def solve(
    session: Session,
    guesses: Sequence[GuessOrBest],
    stop_token: StopToken,
    budget: int | None = None,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> list[SolveReport]:
    """Solve guesses, or the best one for None; also find how much infeasible ones can solve.

    Returns them in the order of the guesses. Those that an early end left out are missing.
    """
    for guess in guesses:
        if guess is not None:
            session.position.check_legal(guess)
    position, table_mib = session.position, SOLVE_TABLE_MIB
    pool = pools.batched_pool(session, len(guesses), table_mib)
    solved = solving.solve(position, guesses, pool, stop_token, advance, budget)
    solved = solving.add_solvable(
        position,
        solved,
        lambda lacking: pools.failures_pool(session.game, session.machine, lacking, table_mib),
        stop_token,
        advance,
        budget,
    )
    return [solved[guess] for guess in guesses if guess in solved]


def guarantee(
    session: Session,
    guesses: Sequence[int],
    stop_token: StopToken,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> list[SolveReport]:
    """Decide whether guesses are guaranteed wins. Those that an early end left out are missing.

    The objective of the session is Objective.to_win.
    """
    for guess in guesses:
        session.position.check_legal(guess)
    pool = pools.batched_pool(session, len(guesses), SOLVE_TABLE_MIB)
    found = solving.guarantee(session.position, guesses, pool, stop_token, advance)
    return [found[guess] for guess in guesses if guess in found]


@dataclass(frozen=True)
class Proved:
    """A proof, with its seconds and threads."""

    proof: Proof
    seconds: float
    threads: int


def prove(session: Session, stop_token: StopToken, progress: Settled | None = None) -> Proved:
    """Find and prove the best guesses of a position."""
    choices = int(session.position.choices.sum())
    pool = pools.batched_pool(session, choices, PROVE_TABLE_MIB)
    started = time.perf_counter()
    with pool, stop_token.of(pool.stop):
        proof = prove_best(pool, session.position, progress=progress)
    return Proved(proof, time.perf_counter() - started, pool.threads)


def find_guesses(position: Position, words: Sequence[str]) -> list[int]:
    """Return the indices of guesses, each once; UserError for a word that is not in the list."""
    return list(dict.fromkeys(position.game.words.guesses.find(word) for word in words))
