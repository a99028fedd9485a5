"""Compiling ahead: what the cache lacks, by several processes, each function once on a machine."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib import import_module
from pathlib import Path

from gpu_wordle.jit import files
from gpu_wordle.jit.functions import REGISTERED, Function, Need
from gpu_wordle.tunables import MAX_COMPILERS

Show = Callable[[int, int], None]
"""Told how many functions are compiled, and of how many: at first, and whenever one is done."""

WORKER = (
    "import json, pathlib, sys; "
    "sys.path[:] = json.loads(pathlib.Path(sys.argv[1], 'path.json').read_text('utf-8')); "
    "from gpu_wordle.jit.worker import main; main(sys.argv[1])"
)
"""The program of a process that compiles: it finds modules where this one does."""

POLLING_SECONDS = 0.2
"""Time between two looks at what another process has compiled."""


def missing(modules: Sequence[str], needs: Collection[Need]) -> list[Function]:
    """What the cache lacks of what these modules and those imported before declare for a need."""
    for module in modules:
        import_module(module)
    present = files.present()
    return [
        function
        for file, function in REGISTERED.items()
        if file not in present and function.need in needs
    ]


def compile_missing(
    modules: Sequence[str],
    show: Show,
    cores: int,
    needs: Collection[Need] = (Need.SEARCH,),
) -> int:
    """Compile what is missing, in as many processes as there are cores; return how many functions.

    Where another process is at it, this one waits. What other processes fail to compile is compiled
    here, in the order in which it was declared: so no function is compiled in the midst of its
    caller.
    """
    total = len(missing(modules, needs))
    if not total:
        return 0
    show(0, total)
    with _alone(lambda: show(total - len(missing(modules, needs)), total)) as is_kept:
        functions = missing(modules, needs)
        processes = min(cores, MAX_COMPILERS, len(functions))
        if processes > 1 and is_kept and sys.executable:
            with suppress(OSError):
                for done in _share_out(modules, functions, processes):
                    show(total - len(functions) + done, total)
        left = [function for function in functions if not files.is_present(function.file)]
        for number, function in enumerate(left, 1):
            function.load()
            show(total - len(left) + number, total)
        if not functions:  # another process has compiled them, the last since it was looked at
            show(total, total)
        elif is_kept:
            files.prune()
        return len(functions)


@contextmanager
def _alone(wait: Callable[[], None]) -> Iterator[bool]:
    """One process at a time; False where nothing can be written, and each works for itself."""
    lock = None
    with suppress(OSError, ImportError):  # a machine may lack the library
        lock = files.lock()
        while not lock.is_locked:
            try:
                lock.acquire(timeout=POLLING_SECONDS)
            except TimeoutError:
                wait()
    try:
        yield lock is not None and lock.is_locked
    finally:
        if lock is not None:
            lock.release()


def _share_out(
    modules: Sequence[str], functions: Sequence[Function], processes: int
) -> Iterator[int]:
    """Have processes compile the functions; yields how many are done, whenever one is.

    They take the longest first, so that they end together.
    """
    order = sorted(functions, key=lambda each: len(each.function.__code__.co_code), reverse=True)
    work = {"modules": list(modules), "files": [function.file for function in order]}
    with tempfile.TemporaryDirectory() as place:
        Path(place, "work.json").write_text(json.dumps(work), "utf-8")
        Path(place, "path.json").write_text(json.dumps(sys.path), "utf-8")
        reading, writing = os.pipe()
        workers: list[subprocess.Popen[bytes]] = []
        try:
            with os.fdopen(reading) as lines:
                with os.fdopen(writing, "w") as output:
                    workers += (_start(place, output.fileno()) for _ in range(processes))
                yield from (done for done, _ in enumerate(lines, 1))  # until all have ended
        finally:
            for worker in workers:
                worker.kill()
                worker.wait()


def _start(place: str, output: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, place],
        stdin=subprocess.DEVNULL,
        stdout=output,
        stderr=subprocess.DEVNULL,
    )
