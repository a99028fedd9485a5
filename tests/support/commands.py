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
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import IO, Any

from typer.main import get_command

from gpu_wordle.cli import app

COMMAND = [sys.executable, "-m", "gpu_wordle"]

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


def ended(
    command: Sequence[object], *, check: bool = False, timeout: float = 300, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """Run a command to its end, or kill it after ``timeout``, like subprocess.run.

    A ``COMMAND`` is forked from a process that has loaded the program. It gets a process of its own
    if it needs options beyond folder, variables and streams, or other variables that are read on
    loading.
    """
    command = list(map(str, command))
    if options.pop("capture_output", False):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    env = options.pop("env", None)
    variables = dict(os.environ if env is None else env)
    is_plain = options.keys() <= forked.__kwdefaults__.keys() and command[: len(COMMAND)] == COMMAND
    if sys.platform == "linux" and is_plain and Server.of_this_process().may_fork(variables):
        done = forked(command, variables, timeout, **options)
    else:
        done = subprocess.run(command, env=variables, timeout=timeout, **options)
    if check:
        done.check_returncode()
    return done


def forked(
    command: Sequence[str],
    variables: dict[str, str],
    timeout: float,
    *,
    cwd: str | Path | None = None,
    stdin: Any = None,
    stdout: Any = None,
    stderr: Any = None,
    input: Any = None,
    text: bool = False,
    encoding: str | None = None,
) -> subprocess.CompletedProcess[Any]:
    """Fork a command and wait for its end. Options are those of subprocess.run.

    Files stand in for its pipes.
    """
    encoding = encoding or (locale.getpreferredencoding(False) if text else None)
    given = b"" if input is None else input.encode(encoding) if encoding else input
    with contextlib.ExitStack() as opened:
        files = [opened.enter_context(tempfile.TemporaryFile()) for _ in range(3)]
        files[0].write(given)
        files[0].seek(0)
        asked = [subprocess.PIPE if input is not None else stdin, stdout, stderr]
        numbers = list[int]()
        for own, (stream, file) in enumerate(zip(asked, files, strict=True)):
            if stream is None:
                numbers.append(own)
            elif stream == subprocess.PIPE:
                numbers.append(file.fileno())
            elif stream == subprocess.STDOUT:
                numbers.append(numbers[1])
            elif stream == subprocess.DEVNULL:
                numbers.append(opened.enter_context(Path(os.devnull).open("r+b")).fileno())
            else:
                numbers.append(stream if isinstance(stream, int) else stream.fileno())
        request = {
            "arguments": list(command[len(COMMAND) :]),
            "folder": str(cwd or Path.cwd()),
            "variables": variables,
        }
        code = end_of(Server.of_this_process().fork(request, numbers), command, timeout)
        written = [None if each != subprocess.PIPE else read(file, encoding)
                   for each, file in zip(asked[1:], files[1:], strict=True)]  # fmt: skip
    return subprocess.CompletedProcess(command, code, *written)


def end_of(number: int, command: Sequence[str], timeout: float) -> int:
    """Return the exit code of a child. Kills it after ``timeout`` and raises TimeoutExpired."""
    watch = os.pidfd_open(number)
    try:
        is_over = bool(select.select([watch], [], [], timeout)[0])
        if not is_over:
            os.kill(number, signal.SIGKILL)
        _, status = os.waitpid(number, 0)
    finally:
        os.close(watch)
    if not is_over:
        raise subprocess.TimeoutExpired(command, timeout)
    return os.waitstatus_to_exitcode(status)


def read(file: IO[bytes], encoding: str | None) -> str | bytes:
    """Read all of a file. Text gets Python's line ends."""
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
    begin: Callable[[], object] | None = None,
    program: Sequence[str] = COMMAND,
    **streams: object,
) -> tuple[str, str]:
    """Run a command and return its stdout and stderr as UTF-8. ``begin`` runs in it first.

    It has to end with ``code``, and without a traceback.
    """
    done = ended(
        [*program, *arguments],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **(env or {})},
        encoding="utf-8",
        **({} if begin is None else {"preexec_fn": begin}),
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in (done.stderr or "")
    return done.stdout or "", done.stderr or ""
