"""Checks of files: a strategy, a ranking, or a certificate."""

from __future__ import annotations

from collections.abc import Callable
from itertools import chain
from pathlib import Path
from typing import Any

import numpy as np

from gpu_wordle.api import pools
from gpu_wordle.api.session import Session
from gpu_wordle.certify.reading import read_certificate
from gpu_wordle.certify.replaying import replay
from gpu_wordle.game.game import Position
from gpu_wordle.ranking.check import check_from
from gpu_wordle.ranking.openers import UNKNOWN, Openers, Status, check_openers, check_statistics
from gpu_wordle.ranking.ranking import Ranking
from gpu_wordle.ranking.statistics import columns_of
from gpu_wordle.store import Contents, StoredTree, read_openers, read_statistics
from gpu_wordle.verify import Verdict, VerificationError


def check_tree(stored: StoredTree, position: Position) -> Verdict:
    """Replay a strategy and return the verdict.

    Raises VerificationError if it is no valid strategy, or differs from what the file states.
    """
    verdict = check_from(position, stored.tree, claimed=stored.value, lines=stored.ends)
    opener = position.game.words.guesses.words[int(stored.tree.guess[0])]
    for name, said, seen in (
        ("opener", stored.opener, opener),
        ("total", stored.total, verdict.total),
    ):
        if said is not None and said != seen:
            raise VerificationError(f"the file says that its {name} is {said}; it is {seen}")
    return verdict


def check_certificate(
    session: Session,
    path: Path,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Replay a certificate of the session's game by its backend; return what it proves.

    Raises VerificationError if it does not hold; UserError for another game or kind.
    """
    game = session.game
    stated = read_certificate(path, game)
    replay(game, stated, session.choice.backend, advance)
    return {
        "opener": game.words.guesses.words[stated.opener],
        "value": stated.bound,
        "others": stated.others,
        "ledger": len(stated.ledger),
    }


def check_ranking(
    session: Session,
    contents: Contents,
    sample: int,
    seed: int,
    advance: Callable[[int, int], None] = lambda done, total: None,
) -> dict[str, Any]:
    """Check every row, its statistics, and a random sample of settled guesses solved from scratch.

    Raises VerificationError, naming the guess, for anything wrong.
    """
    game, position, openers = session.game, session.position, read_openers(contents)
    check_openers(openers, game, position)
    ranking = Ranking(position, openers)
    seen = columns_of(game, session.statistics(), position.state, ranking.weighed)
    check_statistics(read_statistics(contents), seen, game)
    settled = np.flatnonzero(openers.is_solved & position.legal)
    rng = np.random.default_rng(seed)
    chosen = rng.choice(settled, min(sample, len(settled)), replace=False)
    is_infeasible = openers.status == Status.INFEASIBLE
    counted = chosen[is_infeasible[chosen] & (openers.solvable[chosen] != UNKNOWN)]
    again = Ranking(position, openers.forget(chosen))
    done, total = 0, len(chosen) + len(counted)
    if len(chosen):
        with pools.batched_pool(session, len(chosen)) as pool:
            for done, _ in enumerate(chain.from_iterable(again.solve(chosen, pool)), start=1):
                advance(done, total)
        del pool  # frees its table before another one is made
    if len(counted):
        with pools.solver_pool(game.allowing_failures(), session.machine, len(counted)) as pool:
            found = chain.from_iterable(again.solve_infeasible(counted, pool))
            for more, _ in enumerate(found, start=1):
                advance(done + more, total)
    for guess in chosen.tolist():
        if not openers.same_result(again.openers, guess):
            raise VerificationError(
                f"{game.words.guesses.shown(guess)}: the file says "
                f"{_said(openers, guess)}, solving gives {_said(again.openers, guess)}"
            )
    return {
        "exact_openers": int((openers.status == Status.EXACT).sum()),
        "infeasible_openers": int(is_infeasible.sum()),
        "solved_again": len(chosen),
    }


def _said(openers: Openers, guess: int) -> str:
    """Return the result of a settled guess, in a few words."""
    if openers.status[guess] == Status.EXACT:
        return str(openers.upper[guess])
    solvable = openers.solvable[guess]
    return "infeasible" if solvable == UNKNOWN else f"infeasible with {solvable} solvable"
