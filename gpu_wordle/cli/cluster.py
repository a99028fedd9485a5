"""The option by which workers of a cluster do the work, and what is told of them."""

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
"""Workers that are told of one by one."""


def _address(given: str) -> str:
    """Where workers are; UserError for what is no cluster."""
    check_address(given)
    return given


CLUSTER = Declared(
    "cluster",
    None,
    Option(
        "Have workers of dask do the work: those of a scheduler, as in tcp://host:8786, or "
        "local:N for N processes on this machine. --threads and --table-size are then those of "
        "each worker; one thread, if not given.",
        Allowed("the address of a scheduler, or local:N", _address),
        MACHINE,
        "ADDRESS",
        only="terminal",
    ),
)


@contextmanager
def workers_of(cluster: str | None = None, *, quiet: bool) -> Iterator[WorkerPool | None]:
    """The workers of a cluster, if any are asked for, who are joined when they are needed.

    Who they were is told afterwards.
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
