"""The pools of solvers that a job needs, for its game and machine."""

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
    """Return solvers around one table, on as many threads as ``tasks`` tasks can use.

    The table has at most ``usual_mib``, unless the machine names another size. If the machine has a
    source of pools, that decides both.
    """
    if machine.pools is not None:
        return machine.pools.pool(game, machine.threads, machine.table_mib or usual_mib)
    return SolverPool(game, granted(machine.threads, tasks), _table(game, machine, usual_mib))


def of_executor(executor: Executor | WorkerPool | None) -> RemotePools | None:
    """Return pools on the workers of an executor, or of a pool of workers; None without either."""
    if executor is None:
        return None
    return RemotePools(
        executor if isinstance(executor, WorkerPool) else WorkerPool(lambda: executor)
    )


def terms_of(machine: Machine) -> Terms:
    """Return the terms of a worker: by default one thread, and a table that suits the game."""
    return terms(machine.threads, machine.table_mib)


def failures_pool(
    game: Game, machine: Machine, infeasible: int, usual_mib: int | None = None
) -> SolverPool | None:
    """Return a pool for the game of fewest failures: it finds how many answers guesses solve.

    None, with a warning, if weights are too large for that.
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
    """Return a pool for a position.

    It may evaluate guesses in batches on the frontier of a backend.

    It does so if ``batched`` or a backend that prefers batches is given. By default, ``auto`` takes
    a device for whole groups of guesses on many answers, if the device passes a self-test, and logs
    it. Raises UserError for batches that rule or objective do not allow.
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
    """Return the backend whose frontier searches ``tasks`` guesses; None for threads alone."""
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
    """Return the device, if its kernels have just passed a self-test. Logs the result."""
    found = device_for_search()
    if found is None:
        return None
    if isinstance(found, str):
        _log.warning("the search stays on the CPU, for the device failed its self-test: %s", found)
        return None
    _log.info("backend %s for the search (%s)", found.backend.name, found.reason)
    return found.backend


def _table(game: Game, machine: Machine, usual_mib: int | None) -> TranspositionTable:
    """Return a table of the machine's size, or of a size that suits the game."""
    try:
        if machine.table_mib is not None:
            return TranspositionTable(machine.table_mib << 20)
        if usual_mib is not None:
            return TranspositionTable(default_table_bytes(game, usual_mib << 20))
        return TranspositionTable(default_table_bytes(game))
    except (MemoryError, ValueError):
        raise UserError("no memory for the table; choose a smaller --table-size") from None
