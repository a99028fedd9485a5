"""The solvers that a job needs, as game and machine ask for."""

from __future__ import annotations

import logging

from gpu_wordle.api.session import Machine, Session
from gpu_wordle.backends.cpu.threads import granted
from gpu_wordle.errors import UserError, counted
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.solver import BatchedPool, SolverPool, TranspositionTable, default_table_bytes

_log = logging.getLogger("gpu_wordle")


def solver_pool(
    game: Game, machine: Machine, tasks: int, usual_mib: int | None = None
) -> SolverPool:
    """Solvers around one table, on as many threads as are granted for so many tasks.

    The table has ``usual_mib`` at most, if the machine names no other size.
    """
    return SolverPool(game, granted(machine.threads, tasks), _table(game, machine, usual_mib))


def failures_pool(
    game: Game, machine: Machine, infeasible: int, usual_mib: int | None = None
) -> SolverPool | None:
    """The same where answers may be lost, to tell how many so many infeasible guesses can solve.

    None, with a warning, where weights are too large to tell.
    """
    try:
        lossy = game.allowing_failures()
    except UserError as error:
        _log.warning("how many answers infeasible guesses can solve stays unknown (%s)", error)
        return None
    guesses = counted(infeasible, "infeasible guess", "infeasible guesses")
    _log.info("finding the most answers that %s can solve", guesses)
    table = _table(game, machine, usual_mib)
    return SolverPool(lossy, granted(machine.threads, infeasible), table)


def batched_pool(session: Session, tasks: int, usual_mib: int | None = None) -> SolverPool:
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
        return solver_pool(game, machine, tasks, usual_mib)
    _log.info("searching in batches on %s: %s", backend.name, backend.device)
    memory = machine.device_memory_mib
    frontier = backend.open_frontier(game, None if memory is None else memory << 20)
    threads = granted(machine.threads, tasks)
    pool = BatchedPool(game, frontier, threads, _table(game, machine, usual_mib))
    if pool.is_wide:
        _log.info("guesses make too many parts for batches: searching on CPU threads alone")
    return pool


def _table(game: Game, machine: Machine, usual_mib: int | None) -> TranspositionTable:
    """A table of the size that is asked for, or of what suits the game."""
    try:
        if machine.table_mib is not None:
            return TranspositionTable(machine.table_mib << 20)
        if usual_mib is not None:
            return TranspositionTable(default_table_bytes(game, usual_mib << 20))
        return TranspositionTable(default_table_bytes(game))
    except (MemoryError, ValueError):
        raise UserError("no memory for the table; choose a smaller --table-size") from None
