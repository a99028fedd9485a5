"""Making a solver for a game, and putting one question to it."""

from __future__ import annotations

from gpu_wordle.game.game import Game
from gpu_wordle.game.legality import Revealed
from gpu_wordle.solver.memory.search_matrix import TooManyPartsError
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable
from gpu_wordle.solver.result import SolveResult
from gpu_wordle.solver.solver import Solver, States
from gpu_wordle.solver.wide import WideSolver


def open_solver(
    game: Game, table: TranspositionTable | None = None, *, stop: Stop | None = None
) -> Solver:
    """A solver of any game: a WideSolver where patterns do not fit in a byte.

    ``table`` and ``stop`` are made for the solver unless it is to share those of another one.
    """
    try:
        return Solver(game, table, stop=stop)
    except TooManyPartsError:
        return WideSolver(game, table, stop=stop)


def solve(
    game: Game,
    state: States | None = None,
    cutoff: int | None = None,
    budget: int | None = None,
    *,
    guess: int | None = None,
    guesses_left: int | None = None,
    revealed: Revealed | None = None,
) -> SolveResult:
    """Value and strategy of a state, or of one guess on it, with a solver made for the purpose.

    The contract is that of :meth:`Solver.solve`: a value below the cutoff is exact, otherwise the
    lower bound is at least the cutoff; if the budget runs out, the interval is what was proved.
    """
    return open_solver(game).solve(
        state,
        guess,
        cutoff=cutoff,
        guesses_left=guesses_left,
        budget=budget,
        tree=True,
        revealed=revealed,
    )
