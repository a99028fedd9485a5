"""Workers for the tests: executors in this process that behave badly, and real ones of dask."""

from __future__ import annotations

import json
import pickle
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import Executor, Future
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from gpu_wordle.cluster import worker
from gpu_wordle.cluster.unit import Answer, Unit
from support.commands import Forked, started

START_SECONDS = 240


class Courier(Executor):
    """Does each unit at once, after packing and unpacking it as for another machine.

    Args:
        does: computes the answer from a unit and the number of units before it.
        workers: the number of workers that it states.
    """

    def __init__(self, does: Callable[[Unit, int], Answer] | None = None, workers: int = 2):
        self.does = does or (lambda unit, number: worker.work_on(unit))
        self.num_workers = workers
        self.units: list[Unit] = []
        self.packed_bytes: list[int] = []

    def submit(self, function, unit):
        assert function is worker.work_on
        packed = pickle.dumps(unit)
        self.packed_bytes.append(len(packed))
        self.units.append(pickle.loads(packed))
        future: Future[Answer] = Future()
        try:
            answer = self.does(self.units[-1], len(self.units) - 1)
            if answer is not None:  # otherwise the unit never comes back
                future.set_result(pickle.loads(pickle.dumps(answer)))
        except Exception as error:
            future.set_exception(error)
        return future


def as_from(name: str, answer: Answer, **changed) -> Answer:
    """Return an answer as if it came from a worker of that name."""
    return replace(answer, worker=name, **changed)


class DaskWorkers:
    """A scheduler of dask on the loopback, and worker processes of one thread each.

    A context manager, which ends them.
    """

    def __init__(self, folder: Path, workers: int):
        self.folder = folder
        self.processes: list[Forked | subprocess.Popen[bytes]] = []
        self._scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", "0")
        self._port = self.address.rpartition(":")[2]
        self.workers = [self.add() for _ in range(workers)]

    @property
    def address(self) -> str:
        """Return the address of the scheduler, once it is up."""
        path, end = self.folder / "scheduler.json", time.monotonic() + START_SECONDS
        while time.monotonic() < end:
            with suppress(OSError, ValueError):
                return json.loads(path.read_text())["address"]
            time.sleep(0.05)
        raise AssertionError("no scheduler")

    def add(self) -> Forked | subprocess.Popen[bytes]:
        """Start a worker."""
        _ = self.address
        return self._start(
            *("worker", "--nthreads", "1", "--no-nanny", "--memory-limit", "0"),
            *("--local-directory", str(self.folder)),
        )

    def kill(self, place: int) -> None:
        """Kill a worker, like a machine that loses power."""
        self.workers[place].kill()
        self.workers[place].wait()

    def end(self) -> None:
        """Kill all workers and the scheduler."""
        for process in self.processes:
            process.kill()
            process.wait()
        (self.folder / "scheduler.json").unlink()

    def begin_again(self, workers: int) -> None:
        """Start another scheduler at the port of the killed one, and workers."""
        self._scheduler = self._start("scheduler", "--host", "127.0.0.1", "--port", self._port)
        self.workers = [self.add() for _ in range(workers)]

    def _start(self, kind: str, *options: str) -> Forked | subprocess.Popen[bytes]:
        file = ("--scheduler-file", str(self.folder / "scheduler.json"), "--no-dashboard")
        process = started(
            [sys.executable, "-m", f"distributed.cli.dask_{kind}", *file, *options],
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )
        self.processes.append(process)
        return process

    def __enter__(self) -> DaskWorkers:
        return self

    def __exit__(self, *_: object) -> None:
        for process in self.processes:
            with suppress(ProcessLookupError), process:
                process.send_signal(signal.SIGCONT)
                process.kill()
