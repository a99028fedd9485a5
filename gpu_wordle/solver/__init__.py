"""Exact solving: the least total number of guesses, proven, and the tree that needs it.

::

    result = open_solver(game).solve(game.start(), game.words.guesses.find("salet"))

A ``Solver``, made by ``open_solver``, keeps what it has learned for the next question, on one
thread, and ``SolverPool`` does so on all cores; ``BatchedPool`` has a GPU evaluate the states of
many openers at once beside them. ``prove`` shows that a guess is the best one. The first solver on
a machine compiles the search, which is kept for the next time.
"""

from gpu_wordle.solver.batched_pool import BatchedPool, Limits
from gpu_wordle.solver.memory.stop import Stop
from gpu_wordle.solver.memory.table import TranspositionTable, default_table_bytes
from gpu_wordle.solver.pool import SolverPool, by_letters
from gpu_wordle.solver.prove import Fate, Proof, prove
from gpu_wordle.solver.result import Results, SearchStats, SolveResult
from gpu_wordle.solver.solver import RootMoves, Solver, open_solver

__all__ = [
    "BatchedPool",
    "Fate",
    "Limits",
    "Proof",
    "Results",
    "RootMoves",
    "SearchStats",
    "SolveResult",
    "Solver",
    "SolverPool",
    "Stop",
    "TranspositionTable",
    "by_letters",
    "default_table_bytes",
    "open_solver",
    "prove",
]
