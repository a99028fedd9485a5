"""Workers of dask: those of a running scheduler, or processes started on this machine.

dask.distributed is optional, and imported only when an address is used.
"""

from __future__ import annotations

import importlib.util
import logging
import signal
from collections.abc import Iterator
from concurrent.futures import Executor
from contextlib import contextmanager
from typing import Any

from gpu_wordle.errors import JobError, UserError, installing, one_line, quoted
from gpu_wordle.game.numbers import natural_number

PROTOCOLS = ("tcp://", "tls://", "ws://", "wss://", "ucx://")
LOCAL = "local:"

MAX_LOCAL = 1024
"""Most worker processes that ``local:N`` may start."""

ANSWER_SECONDS = 20
"""Time limit for an answer of the scheduler."""

_log = logging.getLogger("gpu_wordle")

LOGS = ("distributed", "distributed.client", "tornado.application")
"""Loggers of dask that are silenced: futures carry the same errors, without tracebacks."""


def check_address(address: str) -> None:
    """Raise UserError unless the address is valid and dask is installed.

    Valid are the address of a scheduler, as in ``tcp://host:8786``, and ``local:N``.
    """
    is_remote = address.startswith(PROTOCOLS) and len(address.partition("://")[2]) > 0
    if not is_remote and _local_count(address) is None:
        raise UserError(
            f"cluster {quoted(address)}: give the address of a dask scheduler, as in "
            f"tcp://host:8786, or {LOCAL}N for 1 to {MAX_LOCAL:,} processes on this machine"
        )
    if importlib.util.find_spec("distributed") is None:
        raise UserError(f"a cluster needs dask, which is not installed; {installing('cluster')}")


@contextmanager
def joined(address: str) -> Iterator[Executor]:
    """Context manager: an executor over the workers at ``address``, closed at the end.

    Workers of ``local:N`` start here and end with the context. Raises JobError if no scheduler
    answers.
    """
    check_address(address)
    import distributed

    for name in LOGS:
        logging.getLogger(name).setLevel(logging.CRITICAL)
    count = _local_count(address)
    try:
        if count is None:
            client = distributed.Client(address, timeout=ANSWER_SECONDS, set_as_default=False)
        else:
            client = distributed.Client(_started(count), set_as_default=False)
    except (OSError, ValueError, RuntimeError) as error:
        said = one_line(str(error)) or type(error).__name__
        raise JobError(
            f"no scheduler answers at {address} ({said}); start one with dask scheduler, and "
            "workers with dask worker"
        ) from None
    try:
        if count is None and not client.nthreads():
            _log.info("no worker is at %s yet; the job begins when one comes", address)
        yield client.get_executor(pure=False)
    finally:
        client.close(timeout=ANSWER_SECONDS)
        if count is not None:
            client.cluster.close(timeout=ANSWER_SECONDS)


def _started(count: int) -> Any:
    """Start a scheduler and ``count`` worker processes, reachable from this machine only.

    A terminal sends Ctrl-C to all its processes. Workers ignore it, since the owner ends them.
    """
    import distributed

    cluster = distributed.LocalCluster(
        n_workers=count,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address=None,
        memory_limit=0,
        silence_logs=logging.CRITICAL,
    )
    with distributed.Client(cluster, set_as_default=False) as client:
        client.run(_ignore_interrupts)
    return cluster


def _ignore_interrupts() -> None:
    """Ignore Ctrl-C, which the owner handles."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _local_count(address: str) -> int | None:
    """N of ``local:N``; None for any other address, and for N out of range."""
    count = natural_number(address.removeprefix(LOCAL)) if address.startswith(LOCAL) else None
    return count if count is not None and 1 <= count <= MAX_LOCAL else None
