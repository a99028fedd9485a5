"""Answers of a solver that is made for one question."""

from __future__ import annotations

from gpu_wordle.game.game import Position
from gpu_wordle.solver import SolveResult, open_solver


def solve(
    position: Position,
    guess: int | None = None,
    cutoff: int | None = None,
    budget: int | None = None,
) -> SolveResult:
    """Value and strategy of a position, or of one guess there; see :meth:`Solver.solve`."""
    solver = open_solver(position.game)
    return solver.solve(position, guess, cutoff=cutoff, budget=budget, tree=True)
