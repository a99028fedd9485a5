"""Certificates of what proofs and solutions have found, wired to what they run on."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from gpu_wordle.api import jobs, pools
from gpu_wordle.api.session import Session
from gpu_wordle.certify.certificate import save_certificate
from gpu_wordle.certify.ledger import Progress
from gpu_wordle.certify.making import Found, certify
from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.ranking.ending import Ending
from gpu_wordle.ranking.solving import Solved
from gpu_wordle.solver import Proof, SolverPool
from gpu_wordle.tunables import PROVE_TABLE_MIB


@dataclass(frozen=True)
class Certified:
    """A certificate that was written.

    Attributes:
        path: the file.
        states: states of its ledger.
        file_bytes: its size.
        seconds: how long it took to make.
    """

    path: Path
    states: int
    file_bytes: int
    seconds: float


def certify_proof(
    session: Session, proof: Proof, path: Path, ending: Ending, progress: Progress
) -> Certified | None:
    """Write a certificate of a complete proof of the game's start; None if it ended early."""
    if not proof.best or proof.total >= INFEASIBLE:
        return _certify(session, Found(None, INFEASIBLE, True, False, None), path, ending, progress)
    opener = proof.best[0]
    solved = jobs.solve(session, [opener], ending)
    if not solved or solved[0].result.tree is None:
        return None
    # Under MEAN_WORST the others of the same total may only have a higher worst case.
    is_alone = len(proof.best) == 1 and session.game.objective.aim is not Aim.MEAN_WORST
    found = Found(opener, proof.total, True, is_alone, solved[0].result.tree)
    return _certify(session, found, path, ending, progress)


def certify_opener(
    session: Session, solved: Solved, path: Path, ending: Ending, progress: Progress
) -> Certified | None:
    """Write a certificate of the value of one opener; None if it ended early or is not known."""
    result = solved.result
    if not result.is_exact or solved.guess is None:
        return None
    found = Found(solved.guess, result.lower, False, False, result.tree)
    return _certify(session, found, path, ending, progress)


def _certify(
    session: Session, found: Found, path: Path, ending: Ending, progress: Progress
) -> Certified | None:
    """Make a certificate and write it."""

    @contextmanager
    def make_pool(game: Game) -> Iterator[SolverPool]:
        pool = pools.solver_pool(game, session.machine, game.guess_count, PROVE_TABLE_MIB)
        with pool, ending.of(pool.stop):
            yield pool

    started = time.perf_counter()
    certificate = certify(session.game, found, make_pool, progress)
    if certificate is None:
        return None
    size = save_certificate(path, certificate)
    return Certified(path, len(certificate.ledger), size, time.perf_counter() - started)
