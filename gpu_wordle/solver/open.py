"""Making a solver for a game."""

from __future__ import annotations

from gpu_wordle.game.game import Game
from gpu_wordle.solver.machine_engine import MachineEngine
from gpu_wordle.solver.memory.move_cache import MoveCache
from gpu_wordle.solver.memory.search_matrix import TooManyPartsError
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable, default_table_bytes
from gpu_wordle.solver.ready import make_ready
from gpu_wordle.solver.solver import Solver
from gpu_wordle.solver.symmetric import SymmetricEngine
from gpu_wordle.solver.wide import WideEngine


def open_solver(
    game: Game,
    table: TranspositionTable | None = None,
    *,
    stop: Stop | None = None,
    move_cache: MoveCache | None = None,
) -> Solver:
    """A solver of any game, on the engine that fits: machine code where that is enough.

    It is a WideEngine where patterns do not fit in a byte, and a SymmetricEngine for a game whose
    symmetries are known.

    ``table`` and ``stop`` are made for the solver unless it is to share those of another one.
    ``move_cache`` is given if others enter shortlists for it.
    """
    make_ready(game.rule)
    table = table or TranspositionTable(default_table_bytes(game))
    stop = stop or Stop()
    try:
        machine = MachineEngine(game, table, stop, move_cache=move_cache)
    except TooManyPartsError:
        return Solver(WideEngine(game, table, stop))
    return Solver(machine if game.symmetry.is_trivial else SymmetricEngine(machine))
