"""The solvers that a job needs, as game and machine ask for."""

from __future__ import annotations

import logging
from concurrent.futures import Executor

from gpu_wordle.api.session import Machine, Session
from gpu_wordle.backends import Backend, device_for_search
from gpu_wordle.backends.cpu.threads import granted
from gpu_wordle.cluster.pool import RemotePools, terms
from gpu_wordle.cluster.unit import Terms
from gpu_wordle.cluster.worker_pool import WorkerPool
from gpu_wordle.errors import UserError, counted
from gpu_wordle.game.game import Game, Rule
from gpu_wordle.solver import BatchedPool, SolverPool, TranspositionTable, default_table_bytes
from gpu_wordle.tunables import GROUP_OPENERS, MIN_DEVICE_ANSWERS

_log = logging.getLogger("gpu_wordle")


def solver_pool(
    game: Game, machine: Machine, tasks: int, usual_mib: int | None = None
) -> SolverPool:
    """Solvers around one table, on as many threads as are granted for so many tasks.

    The table has ``usual_mib`` at most, if the machine names no other size. Where a machine says
    where pools come from, that decides on both.
    """
    if machine.pools is not None:
        return machine.pools.pool(game, machine.threads, machine.table_mib or usual_mib)
    return SolverPool(game, granted(machine.threads, tasks), _table(game, machine, usual_mib))


def of_executor(executor: Executor | WorkerPool | None) -> RemotePools | None:
    """The workers of an executor, or of those who are there already, if any are given."""
    if executor is None:
        return None
    return RemotePools(
        executor if isinstance(executor, WorkerPool) else WorkerPool(lambda: executor)
    )


def terms_of(machine: Machine, usual_mib: int | None = None) -> Terms:
    """What each worker may use: one thread, and a table of ``usual_mib``, unless told otherwise."""
    return terms(machine.threads, machine.table_mib or usual_mib)


def failures_pool(
    game: Game, machine: Machine, infeasible: int, usual_mib: int | None = None
) -> SolverPool | None:
    """A pool for the game of fewest failures, which tells how many answers guesses can solve.

    None, with a warning, where weights are too large to tell.
    """
    try:
        lossy = game.allowing_failures()
    except UserError as error:
        _log.warning("how many answers infeasible guesses can solve stays unknown (%s)", error)
        return None
    guesses = counted(infeasible, "infeasible guess", "infeasible guesses")
    _log.info("finding the most answers that %s can solve", guesses)
    return solver_pool(lossy, machine, infeasible, usual_mib)


def batched_pool(session: Session, tasks: int, usual_mib: int | None = None) -> SolverPool:
    """A pool for a position; a frontier of a backend may evaluate guesses in batches beside it.

    Batches are used if ``batched`` or a backend that prefers them is given. Of itself, ``auto``
    takes a device for whole groups of guesses on many answers, if the device passes a self-test;
    it says so. Raises UserError for batches that rule or objective do not allow.
    """
    game, machine = session.game, session.machine
    backend = _batching(session, tasks)
    if backend is None:
        return solver_pool(game, machine, tasks, usual_mib)
    _log.info("searching in batches on %s: %s", backend.name, backend.device)
    memory = machine.device_memory_mib
    frontier = backend.open_frontier(game, None if memory is None else memory << 20)
    threads = granted(machine.threads, tasks)
    pool = BatchedPool(game, frontier, threads, _table(game, machine, usual_mib))
    if pool.is_wide:
        _log.info("guesses make too many parts for batches: searching on CPU threads alone")
    return pool


def _batching(session: Session, tasks: int) -> Backend | None:
    """The backend whose frontier is to search so many guesses; None for the threads alone."""
    game, choice, batched = session.game, session.choice, session.machine.batched
    if session.machine.pools is not None:
        return None
    if batched and game.rule is not Rule.NORMAL:
        raise UserError(
            f"--batched searches under the normal rule only, not {game.rule.value}; leave it out"
        )
    if batched and not game.objective.is_mean:
        raise UserError(
            "--batched searches for the least mean of equally likely answers only, not "
            f"{game.objective.title}; leave it out"
        )
    if batched is not None:
        return choice.backend if batched else None
    if game.rule is not Rule.NORMAL or not game.objective.is_mean:
        return None
    if not choice.is_automatic:
        return choice.backend if choice.backend.prefers_batches else None
    is_large = tasks >= GROUP_OPENERS and len(session.position.state) >= MIN_DEVICE_ANSWERS
    return _tested_device() if is_large else None


def _tested_device() -> Backend | None:
    """The device, if there is one and its kernels have just proved right; says what was found."""
    found = device_for_search()
    if found is None:
        return None
    if isinstance(found, str):
        _log.warning("the search stays on the CPU, for the device failed its self-test: %s", found)
        return None
    _log.info("backend %s for the search (%s)", found.backend.name, found.reason)
    return found.backend


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
