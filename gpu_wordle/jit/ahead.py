"""Compiles the functions that the cache lacks, in several processes, each function only once."""

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
"""Called with (functions compiled, functions in all): at the start and after each function."""

WORKER = (
    "import json, pathlib, sys; "
    "sys.path[:] = json.loads(pathlib.Path(sys.argv[1], 'path.json').read_text('utf-8')); "
    "from gpu_wordle.jit.worker import main; main(sys.argv[1], int(sys.argv[2]))"
)
"""Program of a compiling process; it takes over the module path of this process."""

POLLING_SECONDS = 0.2
"""Interval at which the progress of another process is checked."""


def missing(modules: Sequence[str], needs: Collection[Need]) -> list[Function]:
    """Functions that loaded modules declare for ``needs`` and that the cache lacks.

    ``modules`` are imported first.
    """
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
    """Compile missing functions in up to ``cores`` processes; return how many were missing.

    If another process compiles already, this one waits for it. Functions that the processes fail to
    compile are compiled here, in the order of declaration: callees before their callers.
    """
    total = len(missing(modules, needs))
    if not total:
        return 0
    show(0, total)
    with _alone(lambda: show(total - len(missing(modules, needs)), total)) as is_kept:
        functions = missing(modules, needs)
        processes = min(cores, MAX_COMPILERS, len(functions))
        if processes > 1 and is_kept and has_python():
            with suppress(OSError):
                for done in _share_out(modules, functions, processes):
                    show(total - len(functions) + done, total)
        left = [function for function in functions if not files.is_present(function.file)]
        for number, function in enumerate(left, 1):
            function.load()
            show(total - len(left) + number, total)
        if not functions:  # another process has compiled the last ones since the last check
            show(total, total)
        elif is_kept:
            files.prune()
        return len(functions)


def has_python() -> bool:
    """Whether sys.executable is Python; in a frozen program it would start that program again."""
    return bool(sys.executable) and not getattr(sys, "frozen", False)


@contextmanager
def _alone(wait: Callable[[], None]) -> Iterator[bool]:
    """Context manager: hold the lock of compilers, and call ``wait`` while waiting for it.

    Yields False if the folder cannot be written; then each process compiles for itself.
    """
    lock = None
    with suppress(OSError, ImportError):  # filelock may be missing
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
    """Compile functions in several processes; yields the number done after each.

    Each begins at another place of the list: functions of one module take in the same others.
    """
    work = {"modules": list(modules), "files": [function.file for function in functions]}
    with tempfile.TemporaryDirectory() as place:
        Path(place, "work.json").write_text(json.dumps(work), "utf-8")
        Path(place, "path.json").write_text(json.dumps(sys.path), "utf-8")
        reading, writing = os.pipe()
        workers: list[subprocess.Popen[bytes]] = []
        try:
            with os.fdopen(reading) as lines:
                with os.fdopen(writing, "w") as output:
                    begins = range(0, len(functions), -(-len(functions) // processes))
                    workers += (_start(place, begin, output.fileno()) for begin in begins)
                yield from (done for done, _ in enumerate(lines, 1))  # ends when all workers have
        finally:
            for worker in workers:
                worker.kill()
                worker.communicate()


def _start(place: str, begin: int, output: int) -> subprocess.Popen[bytes]:
    """Start a worker; it ends when its standard input does, so that it never outlives this one."""
    return subprocess.Popen(
        [sys.executable, "-c", WORKER, place, str(begin)],
        stdin=subprocess.PIPE,
        stdout=output,
        stderr=subprocess.DEVNULL,
    )
