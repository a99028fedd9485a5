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
    if not proof.best or proof.total >= INFEASIBLE:
        return _certify(
            session, Found(None, INFEASIBLE, True, False, None), path, stop_token, on_progress
        )
    opener = proof.best[0]
    solved = jobs.solve(session, [opener], stop_token)
    if not solved or solved[0].result.tree is None:
        return _left_out(path, stop_token)
    # Under MEAN_WORST, other openers may have the same total and a higher worst case.
    is_alone = len(proof.best) == 1 and session.game.objective.aim is not Aim.MEAN_WORST
    found = Found(opener, proof.total, True, is_alone, solved[0].result.tree)
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
    result = solved.result
    if not result.is_exact or solved.guess is None:
        return _left_out(path, stop_token)
    found = Found(solved.guess, result.lower, False, False, result.tree)
    return _certify(session, found, path, stop_token, on_progress)


def _certify(
    session: Session,
    found: Found,
    path: Path,
    stop_token: StopToken,
    on_progress: ProgressCallback | None,
) -> str:
    """Make a certificate and write it."""

    @contextmanager
    def make_pool(game: Game) -> Iterator[SolverPool]:
        pool = pools.solver_pool(game, session.machine, game.guess_count, PROVE_TABLE_MIB)
        with pool, stop_token.of(pool.stop):
            yield pool

    def tell(phase: str, done: int, total: int) -> None:
        teller(on_progress, phase)(done, total)

    started = time.perf_counter()
    certificate = certify(session.game, found, make_pool, tell)
    if certificate is None:
        return _left_out(path, stop_token)
    size = save_certificate(path, certificate)
    states, seconds = counted(len(certificate.ledger), "state"), time.perf_counter() - started
    what = f"a ledger of {states}, {size:,} bytes, {seconds:.1f} s"
    _log.info("certificate written to %s (%s)", path, what)
    return ""


def _left_out(path: Path, stop_token: StopToken) -> str:
    """Return the message about a certificate that an early end has left out.

    Raises UnsavedError if there was no early end.
    """
    if stop_token.reason is None:
        raise UnsavedError(f"the value is not known, so {path} is not written")
    return f"{path} is not written, and the same command starts it anew"
