"""The solvers that a job needs, as game and machine ask for."""

from __future__ import annotations

import logging

from gpu_wordle.api.session import Machine, Session
from gpu_wordle.errors import UserError
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.solver import BatchedPool, SolverPool, TranspositionTable

_log = logging.getLogger("gpu_wordle")


def solver_pool(game: Game, machine: Machine) -> SolverPool:
    """Solvers on all cores, or as many threads as asked for, around one table."""
    return SolverPool(game, machine.threads, _table(machine))


def failures_pool(game: Game, machine: Machine, infeasible: int) -> SolverPool | None:
    """The same where answers may be lost, to tell how many so many infeasible guesses can solve.

    None, with a warning, where weights are too large to tell.
    """
    try:
        lossy = game.allowing_failures()
    except UserError as error:
        _log.warning("how many answers infeasible guesses can solve stays unknown (%s)", error)
        return None
    guesses = f"{infeasible:,} infeasible guess{'es' * (infeasible > 1)}"
    _log.info("finding the most answers that %s can solve", guesses)
    return SolverPool(lossy, machine.threads, _table(machine))


def batched_pool(session: Session) -> SolverPool:
    """The same, with a frontier of the backend that evaluates the guesses in batches beside them.

    That is so if it is asked for, by ``batched`` or by naming a backend that prefers it. A backend
    that was chosen automatically leaves the search to the threads. No device has run the kernels
    yet (see results/gpu), and refuting too much would make values wrong that count as proven.
    Raises UserError where batches are asked for and rule or objective do not allow them.
    """
    game, machine, backend = session.game, session.machine, session.choice.backend
    batched = machine.batched
    if batched and game.rule is not Rule.NORMAL:
        raise UserError(
            f"--batched searches under the normal rule only, not {game.rule.value}; leave it out"
        )
    if batched and not game.objective.is_mean:
        raise UserError(
            "--batched searches for the least mean of equally likely answers only, not "
            f"{game.objective.title}; leave it out"
        )
    if batched is None:
        is_named = not session.choice.is_automatic
        is_able = game.rule is Rule.NORMAL and game.objective.is_mean
        batched = is_named and backend.prefers_batches and is_able
    if not batched:
        return solver_pool(game, machine)
    _log.info("searching in batches on %s: %s", backend.name, backend.device)
    memory = machine.device_memory_mib
    frontier = backend.open_frontier(game, None if memory is None else memory << 20)
    pool = BatchedPool(game, frontier, machine.threads, _table(machine))
    if pool.is_wide:
        _log.info("guesses make too many parts for batches: searching on CPU threads alone")
    return pool


def _table(machine: Machine) -> TranspositionTable:
    try:
        return TranspositionTable(None if machine.table_mib is None else machine.table_mib << 20)
    except (MemoryError, ValueError):
        raise UserError("no memory for the table; choose a smaller --table-size") from None
