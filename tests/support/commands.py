"""The command line: in this process, and in child processes, which are mostly forked."""

from __future__ import annotations

import atexit
import contextlib
import ctypes
import functools
import json
import locale
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from typer.main import get_command

from gpu_wordle.cli.program import app

COMMAND = [sys.executable, "-m", "gpu_wordle"]

LOADED = ("gpu_wordle", "distributed.cli.dask_scheduler", "distributed.cli.dask_worker")
"""Modules that can be run in a forked process; see forking.py."""

AT_START = (
    *("PYTHON", "NUMBA_", "LC_", "LANG", "LD_", "OMP_", "OPENBLAS_", "MKL_", "MPL", "TZ"),
    "GPU_WORDLE_MACHINE_CODE",
)
"""Beginnings of variables that are read when Python, a library or machine code is loaded."""

FORKING_S = 300
"""Longest wait for a forked process; the first one waits until the program is loaded."""

SET_CHILD_SUBREAPER = 36
"""Linux's option of ``prctl`` by which a process adopts orphans among its descendants."""


@functools.cache
def whole_program() -> Callable[..., int | None]:
    """Return the command line with all verbs. To make it takes longer than many commands."""
    return get_command(app)


def invoke(arguments: Sequence[str]) -> int | None:
    """Run a command in this process, and return its exit code if it states one."""
    return whole_program()(list(arguments), standalone_mode=False)


class Server:
    """The process that forks commands; see forking.py."""

    def __init__(self) -> None:
        self._at_start = at_start(os.environ)
        self._lock = threading.Lock()
        self._line, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        self._line.settimeout(FORKING_S)
        with far:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("forking.py")), str(far.fileno())],
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # fork does not copy threads
                stdin=subprocess.DEVNULL,
                pass_fds=[far.fileno()],
            )
        atexit.register(self._end)

    @staticmethod
    @functools.cache
    def of_this_process() -> Server:
        """Return the server of this process, started on first use."""
        return Server()

    def may_fork(self, variables: Mapping[str, str]) -> bool:
        """True if the server was loaded with equal values of the variables that matter at start."""
        return at_start(variables) == self._at_start

    def fork(self, request: dict[str, Any], streams: list[int]) -> int:
        """Fork a new child of this process, and return its number."""
        with self._lock:
            adopt(True)
            try:
                socket.send_fds(self._line, [json.dumps(request).encode()], streams)
                number = int(self._line.recv(32))
                assert self._line.recv(32) == b"forked"
                return number
            finally:
                adopt(False)

    def _end(self) -> None:
        self._line.close()
        self._process.kill()
        self._process.wait()


def adopt(really: bool) -> None:
    """Begin or stop to adopt orphans among the descendants of this process."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, int(really), 0, 0, 0)


def at_start(variables: Mapping[str, str]) -> dict[str, str]:
    """Return the variables that are read when Python or a library is loaded."""
    return {name: value for name, value in variables.items() if name.startswith(AT_START)}


class Forked:
    """A command that is forked. It has what tests use of subprocess.Popen.

    Options are those of subprocess.Popen and its ``communicate``; files stand in for its pipes.
    ``begin`` is the text of a program that runs in the process first. It may forbid to write files,
    so that the command gets pipes, whose room what it writes must not exceed.
    """

    def __init__(
        self,
        command: Sequence[str],
        variables: dict[str, str],
        *,
        cwd: str | Path | None = None,
        stdin: Any = None,
        stdout: Any = None,
        stderr: Any = None,
        input: Any = None,
        text: bool = False,
        encoding: str | None = None,
        begin: str = "",
    ) -> None:
        self.args = command
        self.returncode: int | None = None
        self._encoding = encoding or (locale.getpreferredencoding(False) if text else None)
        self._written: tuple[Any, Any] | None = None
        given = input.encode(self._encoding) if input and self._encoding else input or b""
        asked = [subprocess.PIPE if input is not None else stdin, stdout, stderr]
        numbers = list[int]()
        with contextlib.ExitStack() as opened, contextlib.ExitStack() as writers:
            files: list[IO[bytes]] = [
                opened.enter_context(tempfile.TemporaryFile()) for _ in range(3)
            ]
            files[0].write(given)
            files[0].seek(0)
            for own, (stream, file) in enumerate(zip(asked, files, strict=True)):
                if stream is None:
                    numbers.append(own)
                elif stream == subprocess.PIPE and begin and own:
                    reader, writer = os.pipe()
                    files[own] = opened.enter_context(os.fdopen(reader, "rb"))
                    numbers.append(writers.enter_context(os.fdopen(writer, "wb")).fileno())
                elif stream == subprocess.PIPE:
                    numbers.append(file.fileno())
                elif stream == subprocess.STDOUT:
                    numbers.append(numbers[1])
                elif stream == subprocess.DEVNULL:
                    null = opened.enter_context(Path(os.devnull).open("r+b"))
                    numbers.append(null.fileno())
                else:
                    numbers.append(stream if isinstance(stream, int) else stream.fileno())
            self._files = [file if each == subprocess.PIPE else None
                           for each, file in zip(asked[1:], files[1:], strict=True)]  # fmt: skip
            request = {
                "module": command[2],
                "arguments": list(command[len(COMMAND) :]),
                "folder": str(cwd or Path.cwd()),
                "variables": variables,
                "begin": begin,
            }
            self.pid = Server.of_this_process().fork(request, numbers)
            self._opened = opened.pop_all()

    def poll(self) -> int | None:
        """Return the exit code; None while the command runs."""
        if self.returncode is None:
            number, status = os.waitpid(self.pid, os.WNOHANG)
            if number:
                self.returncode = os.waitstatus_to_exitcode(status)
        return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        """Return the exit code, once the command has ended."""
        if self.returncode is None:
            watch = os.pidfd_open(self.pid)
            try:
                select.select([watch], [], [], timeout)
            finally:
                os.close(watch)
            if self.poll() is None:
                assert timeout is not None
                raise subprocess.TimeoutExpired(self.args, timeout)
        assert self.returncode is not None
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[Any, Any]:
        """Return all that the command has written, once it has ended."""
        self.wait(timeout)
        if self._written is None:
            out, err = (file and read(file, self._encoding) for file in self._files)
            self._written = out, err
            self._opened.close()
        return self._written

    def send_signal(self, number: int) -> None:
        """Send a signal if the command still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def kill(self) -> None:
        """Kill the command if it still runs."""
        self.send_signal(signal.SIGKILL)

    def __enter__(self) -> Forked:
        return self

    def __exit__(self, *_: object) -> None:
        self.communicate()


def may_be_forked(
    command: Sequence[str], variables: Mapping[str, str], options: Mapping[str, Any]
) -> bool:
    """True for a module of ``LOADED``, unless it needs a process of its own.

    It does for options that Forked lacks, and for other variables that are read on loading.
    """
    is_loaded = command[:2] == COMMAND[:2] and command[2] in LOADED
    is_plain = options.keys() <= Forked.__init__.__kwdefaults__.keys()
    is_possible = sys.platform == "linux" and is_loaded and is_plain
    return is_possible and Server.of_this_process().may_fork(variables)


def begun_by(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options for subprocess, which knows no ``begin``."""
    begin = options.pop("begin", "")
    return options | ({"preexec_fn": functools.partial(exec, begin, {})} if begin else {})


def started(
    command: Sequence[object], *, env: Mapping[str, str] | None = None, **options: Any
) -> Forked | subprocess.Popen[Any]:
    """Start a command, like subprocess.Popen; it is forked if it may be."""
    command, variables = list(map(str, command)), dict(os.environ if env is None else env)
    if may_be_forked(command, variables, options):
        return Forked(command, variables, **options)
    return subprocess.Popen(command, env=variables, **begun_by(options))


def ended(
    command: Sequence[object],
    *,
    env: Mapping[str, str] | None = None,
    check: bool = False,
    timeout: float = 300,
    **options: Any,
) -> subprocess.CompletedProcess[Any]:
    """Run a command to its end, or kill it after ``timeout``, like subprocess.run.

    It is forked if it may be.
    """
    command, variables = list(map(str, command)), dict(os.environ if env is None else env)
    if options.pop("capture_output", False):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    if may_be_forked(command, variables, options):
        with Forked(command, variables, **options) as process:
            try:
                written = process.communicate(timeout)
            except subprocess.TimeoutExpired:
                process.kill()
                raise
        done = subprocess.CompletedProcess(command, process.wait(), *written)
    else:
        done = subprocess.run(command, env=variables, timeout=timeout, **begun_by(options))
    if check:
        done.check_returncode()
    return done


def versions(path: Path, process: Forked | subprocess.Popen[Any]) -> Iterator[None]:
    """Yield each time a running job has written its file. Fails when it is over before."""
    seen, deadline = 0, time.monotonic() + FORKING_S
    while True:
        if path.exists() and (now := path.stat().st_mtime_ns) != seen:
            seen = now
            yield
        assert process.poll() is None, "the job was over before it could be interrupted"
        assert time.monotonic() < deadline
        time.sleep(0.02)


def read(file: IO[bytes], encoding: str | None) -> str | bytes:
    """Read all of a file or a pipe. Text gets Python's line ends."""
    if file.seekable():
        file.seek(0)
    written = file.read()
    if encoding is None:
        return written
    return written.decode(encoding).replace("\r\n", "\n").replace("\r", "\n")


def child(
    *arguments: object,
    cwd: Path | None = None,
    code: int = 0,
    env: dict[str, str] | None = None,
    begin: Callable[[], object] | str = "",
    program: Sequence[str] = COMMAND,
    **streams: object,
) -> tuple[str, str]:
    """Run a command and return its stdout and stderr as UTF-8.

    ``begin`` runs in it first: the text of a program, or a function before Python is loaded. It has
    to end with ``code``, and without a traceback.
    """
    done = ended(
        [*program, *arguments],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **(env or {})},
        encoding="utf-8",
        **{"preexec_fn" if callable(begin) else "begin": begin},
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in (done.stderr or "")
    return done.stdout or "", done.stderr or ""
