"""Run the command line in forked children, so that the program is loaded only once."""

from __future__ import annotations

import gc
import importlib
import os
import pkgutil
import signal
import subprocess
import sys
import tempfile
import time
import traceback
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path
from typing import IO

INTERRUPTED = 130
"""Exit code of a command that Ctrl-C has ended."""

LIMIT_S = 20.0
"""Seconds after which a command counts as hanging."""

COMPILING_LIMIT_S = 300.0
"""Seconds after which it hangs if functions of the search are compiled on a busy machine."""


@dataclass(frozen=True)
class Outcome:
    """The end of a command.

    Attributes:
        code: exit code; negative for a signal that ended it; None if it hung.
        out: its stdout.
        err: its stderr.
        seconds: how long it took.
    """

    code: int | None
    out: str
    err: str
    seconds: float

    def fault(self, allowed: tuple[int, ...] = (0, 1, 2)) -> str:
        """Return what is wrong with the way it ended; empty if nothing is."""
        lines = self.err.splitlines()
        if self.code is None:
            return "hang"
        if "Traceback" in self.err:
            return f"traceback: {lines[-1]}"
        if self.code not in allowed:
            return f"exit code {self.code}: {self.err[-200:]}"
        # Ctrl-C came while the command line was read
        is_silent = self.code == INTERRUPTED and not lines
        if self.code and len(lines) != 1 and not is_silent:
            return f"not one line on stderr: {self.err[:300]!r}"
        if any(not line.startswith("gpu-wordle: ") for line in lines):
            return f"noise on stderr: {self.err[:300]!r}"
        if any(ord(c) < 32 or 127 <= ord(c) < 160 for line in self.err.split("\n") for c in line):
            return f"control characters on stderr: {self.err[:300]!r}"
        return ""


@dataclass(frozen=True)
class Blow:
    """A signal that a command receives after some seconds; ``fresh`` ones while they load."""

    signal: signal.Signals
    after_s: float
    fresh: bool = False


def load() -> None:
    """Load the package, its compiled machine code, and what commands load; starts no thread.

    Modules whose libraries are missing are left out.
    """
    import gpu_wordle
    from gpu_wordle.jit import files
    from gpu_wordle.jit.functions import REGISTERED, Need

    walked = pkgutil.walk_packages(gpu_wordle.__path__, "gpu_wordle.")
    names = [module.name for module in walked if not module.name.endswith(".__main__")]
    # typer loads pydantic with the first option that it reads, and pictures load the backend
    for name in (*names, "pydantic.type_adapter", "matplotlib.backends.backend_svg"):
        with suppress(ImportError):
            importlib.import_module(name)
    for function in REGISTERED.values():
        if function.need != Need.RARE and files.is_present(function.file):
            function.load()
    gc.collect()
    gc.freeze()  # all present objects stay shared with the commands


def prepare() -> None:
    """Compile the package's machine code, and load all.

    The user's code is used even if a test moves the caches.
    """
    from gpu_wordle.jit import files

    os.environ[files.CODE_VARIABLE] = str(files.parent_folder())
    command = [sys.executable, "-m", "gpu_wordle", "warm", "--quiet"]
    subprocess.run(command, check=True, stdout=subprocess.DEVNULL)
    load()
    files.key()


def call(
    arguments: list[str],
    folder: Path,
    environment: dict[str, str] | None = None,
    limit_s: float = LIMIT_S,
    blow: Blow | None = None,
) -> Outcome:
    """Run ``gpu-wordle`` with these arguments in a folder."""
    with tempfile.TemporaryFile() as out, tempfile.TemporaryFile() as err:
        heard, told = os.pipe()
        child = os.fork()
        if not child:
            os.close(heard)
            _become(arguments, folder, environment or {}, (out, err), told, blow)
        os.close(told)
        os.read(heard, 1)  # until the child is about to begin
        os.close(heard)
        started = time.monotonic()
        if blow is not None:
            time.sleep(blow.after_s)
            os.kill(child, blow.signal)
        status = _wait(child, started + limit_s)
        seconds = time.monotonic() - started
        code = None if status is None else os.waitstatus_to_exitcode(status)
        return Outcome(code, _read(out), _read(err), seconds)


def _read(file: IO[bytes]) -> str:
    file.seek(0)
    return file.read().decode("utf-8", "backslashreplace")


def _wait(child: int, until: float) -> int | None:
    """Return the status of a child once it has ended; None if it had to be killed."""
    while time.monotonic() < until:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        time.sleep(0.002)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return None


def _become(
    arguments: list[str],
    folder: Path,
    environment: dict[str, str],
    streams: tuple[IO[bytes], IO[bytes]],
    told: int,
    blow: Blow | None,
) -> None:
    """Become the command, and end like it."""
    code: object = 1
    try:
        os.setsid()
        os.chdir(folder)
        os.environ.update({"COLUMNS": "100", **environment})
        for number, stream in enumerate(streams, start=1):
            os.dup2(stream.fileno(), number)
        os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
        sys.stdin = os.fdopen(0, encoding="utf-8", closefd=False)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8", closefd=False)
        sys.stderr = os.fdopen(2, "w", encoding="utf-8", closefd=False)
        sys.argv = ["gpu-wordle", *arguments]
        os.write(told, b"!")
        os.close(told)
        if blow is not None and blow.fresh:
            command = [sys.executable, "-m", "gpu_wordle", *arguments]
            os.execv(sys.executable, command)
        from gpu_wordle.__main__ import main

        main()
        code = 0
    except SystemExit as leave:
        code = leave.code
    except BaseException:
        traceback.print_exc()
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except OSError:
            code = 120  # the interpreter's code for this
    os._exit(code if isinstance(code, int) else 0 if code is None else 1)
