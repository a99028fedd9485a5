"""The jobs that write certificates of proofs and solutions, for the command line and the API."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from gpu_wordle.api import jobs, pools
from gpu_wordle.api.session import Session
from gpu_wordle.certify.certificate import save_certificate
from gpu_wordle.certify.making import Found, certify
from gpu_wordle.errors import UnsavedError, counted
from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.options.telling import teller
from gpu_wordle.ranking.job import ProgressCallback
from gpu_wordle.ranking.solving import SolveReport
from gpu_wordle.ranking.stop_token import StopToken
from gpu_wordle.solver import Proof, SolverPool
from gpu_wordle.tunables import PROVE_TABLE_MIB

_log = logging.getLogger("gpu_wordle")


def certify_proof(
    session: Session,
    proof: Proof,
    path: Path,
    stop_token: StopToken,
    on_progress: ProgressCallback | None,
) -> str:
    """Write a certificate of a complete proof of the game's start.

    Returns a message if an early end has left it out, and an empty one if it is written.
    """
    found: Found | None = None
    if not proof.best or proof.total >= INFEASIBLE:
        found = Found(None, INFEASIBLE, True, False, None)
    elif solved := jobs.solve(session, [proof.best[0]], stop_token):
        # Under MEAN_WORST, other openers may have the same total and a higher worst case.
        is_alone = len(proof.best) == 1 and session.game.objective.aim is not Aim.MEAN_WORST
        if (tree := solved[0].result.tree) is not None:
            found = Found(proof.best[0], proof.total, True, is_alone, tree)
    return _certify(session, found, path, stop_token, on_progress)


def certify_opener(
    session: Session,
    solved: SolveReport,
    path: Path,
    stop_token: StopToken,
    on_progress: ProgressCallback | None,
) -> str:
    """Write a certificate of the value of one opener.

    Returns a message if an early end has left it out, and an empty one if it is written. Raises
    UnsavedError if the value is unknown.
    """
    result, found = solved.result, None
    if result.is_exact and solved.guess is not None:
        found = Found(solved.guess, result.lower, False, False, result.tree)
    return _certify(session, found, path, stop_token, on_progress)


def _certify(
    session: Session,
    found: Found | None,
    path: Path,
    stop_token: StopToken,
    on_progress: ProgressCallback | None,
) -> str:
    """Make a certificate of what was found and write it.

    Returns a message if an early end has left it out. Raises UnsavedError if nothing was found, and
    there was no early end.
    """

    @contextmanager
    def make_pool(game: Game) -> Iterator[SolverPool]:
        pool = pools.solver_pool(game, session.machine, game.guess_count, PROVE_TABLE_MIB)
        with pool, stop_token.of(pool.stop):
            yield pool

    def tell(phase: str, done: int, total: int) -> None:
        teller(on_progress, phase)(done, total)

    started = time.perf_counter()
    certificate = None if found is None else certify(session.game, found, make_pool, tell)
    if certificate is None:
        if stop_token.reason is None:
            raise UnsavedError(f"the value is not known, so {path} is not written")
        return f"{path} is not written, and the same command starts it anew"
    size = save_certificate(path, certificate)
    states, seconds = counted(len(certificate.ledger), "state"), time.perf_counter() - started
    what = f"a ledger of {states}, {size:,} bytes, {seconds:.1f} s"
    _log.info("certificate written to %s (%s)", path, what)
    return ""
