"""The option ``--cluster``: workers of a dask cluster do the work."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager

from gpu_wordle.cli import console
from gpu_wordle.cluster.scheduler import check_address, joined
from gpu_wordle.cluster.worker_pool import WorkerPool
from gpu_wordle.options.declared import Declared, Option
from gpu_wordle.options.reading import Allowed
from gpu_wordle.options.shared import MACHINE

MAX_WORKERS_NAMED = 16
"""Most workers that are listed one by one."""


def _address(given: str) -> str:
    """The address of a cluster; UserError if it cannot be one."""
    check_address(given)
    return given


CLUSTER = Declared(
    "cluster",
    None,
    Option(
        "Run the work on dask workers: those of a scheduler, as in tcp://host:8786, or local:N "
        "for N processes on this machine. --threads and --table-size then apply to each worker; "
        "one thread by default.",
        Allowed("the address of a scheduler, or local:N", _address),
        MACHINE,
        "ADDRESS",
    ),
)


@contextmanager
def workers_of(cluster: str | None = None, *, quiet: bool) -> Iterator[WorkerPool | None]:
    """The workers of a cluster, if an address is given; they are joined on first use.

    At the end, the workers that took part are listed.
    """
    if cluster is None:
        yield None
        return
    with ExitStack() as stack:
        worker_pool = WorkerPool(lambda: stack.enter_context(joined(cluster)))
        try:
            yield worker_pool
        finally:
            lines = worker_pool.roster.lines()
            for line in lines[:MAX_WORKERS_NAMED]:
                console.note(line, quiet=quiet)
            if len(lines) > MAX_WORKERS_NAMED:
                console.note(f"and {len(lines) - MAX_WORKERS_NAMED:,} others", quiet=quiet)
