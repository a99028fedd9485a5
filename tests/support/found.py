"""Results of the search from the start of a game, from which certificates are made."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from gpu_wordle.certify.making import Found
from gpu_wordle.game.game import Game
from gpu_wordle.game.objective import Aim
from gpu_wordle.game.values import INFEASIBLE
from gpu_wordle.solver import SolverPool, TranspositionTable, prove


@contextmanager
def pool_of(game: Game) -> Iterator[SolverPool]:
    """Yield a pool with one thread and a small table."""
    with SolverPool(game, 1, TranspositionTable(1 << 16)) as pool:
        yield pool


def proved(game: Game) -> Found:
    """Search a game from its start and return the results."""
    with pool_of(game) as pool:
        proof = prove(pool, game.start())
        if not proof.best:
            return Found(None, INFEASIBLE, others=True, is_alone=False, tree=None)
        ((opener, result),) = pool.solve_guesses(game.start(), proof.best[:1], tree=True)
    is_alone = len(proof.best) == 1 and game.objective.aim is not Aim.MEAN_WORST
    return Found(opener, proof.total, others=True, is_alone=is_alone, tree=result.tree)
