"""Threads for many small tasks, and the cores and memory that this process may use."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path

from gpu_wordle.backends.cpu import cgroups
from gpu_wordle.tunables import SLICES_PER_THREAD, THREADS_PER_CORE

MEMORY = Path("/proc/meminfo")


def available_cores() -> int:
    """Cores that this process may use; at least one."""
    has_set = hasattr(os, "sched_getaffinity")
    cores = len(os.sched_getaffinity(0)) if has_set else os.cpu_count() or 1
    return max(1, min(cores, int(cgroups.allowed_cores() or cores)))


def granted(asked: int | None, tasks: int | None = None) -> int:
    """Threads to start: ``asked``, or one a core, up to the number that is of use.

    That is one for each of the ``tasks``, if their number is known, and THREADS_PER_CORE a core.
    """
    cores = available_cores()
    useful = THREADS_PER_CORE * cores
    return max(1, min(asked or cores, useful, useful if tasks is None else tasks))


def free_bytes() -> int:
    """Free memory that this process may use; 2 GiB where the system does not say."""
    free = available_bytes()
    allowed = cgroups.free_bytes()
    return free if allowed is None else min(free, allowed)


def available_bytes() -> int:
    """Memory of the machine that can be had without swapping; cached files make room for it."""
    with suppress(OSError, ValueError):
        for line in MEMORY.read_text().splitlines():
            if line.startswith("MemAvailable:"):
                return 1024 * int(line.split()[1])
    with suppress(ImportError):  # not Linux
        import psutil

        return int(psutil.virtual_memory().available)
    return 2 << 30


def slices(n: int, step: int) -> list[tuple[int, int]]:
    """``range(n)`` cut into ranges of ``step``, as pairs of start and stop."""
    return [(start, min(start + step, n)) for start in range(0, n, step)]


def run(threads: int, work: Callable[..., None], tasks: Iterable[tuple[int, ...]]) -> None:
    """Run ``work(*task)`` for every task; the first error stops the rest."""
    tasks = list(tasks)
    if threads == 1 or len(tasks) <= 1:
        for task in tasks:
            work(*task)
        return
    with ThreadPoolExecutor(threads) as pool:
        futures = [pool.submit(work, *task) for task in tasks]
        try:
            for future in futures:
                future.result()
        finally:
            for future in futures:
                future.cancel()


def run_slices(threads: int, n: int, work: Callable[[int, int], None]) -> None:
    """Run ``work(start, stop)`` over all of ``range(n)``, in a few slices a thread."""
    run(threads, work, slices(n, max(1, n // (SLICES_PER_THREAD * threads))))
