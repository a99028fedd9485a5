"""The real command line in child processes, most of them forked from one that has loaded it."""

from __future__ import annotations

import atexit
import ctypes
import functools
import json
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

COMMAND = [sys.executable, "-m", "gpu_wordle"]

AT_START = ("PYTHON", "NUMBA_", "LC_", "LANG", "LD_", "OMP_", "OPENBLAS_", "MKL_", "MPL", "TZ")
"""How variables begin that are read when Python or a library is loaded."""

SET_CHILD_SUBREAPER = 36
"""A number of Linux for ``prctl``: who sets it gets processes below it whose parents have ended."""


class Command(subprocess.Popen):
    """A child process; one of ``COMMAND`` is forked from a process that has loaded the program.

    A process of its own is started where the child is to differ in more than its folder, variables
    and streams, or in a variable that is read while the program is loaded.
    """

    def _execute_child(
        self,
        args: Sequence[str],
        executable: object,
        preexec_fn: object,
        close_fds: bool,
        pass_fds: Sequence[int],
        cwd: str | Path | None,
        env: Mapping[str, str] | None,
        *rest: Any,
    ) -> None:
        """What Popen calls; the rest are, among others, both ends of the pipes of the streams."""
        begun = list(args[: len(COMMAND)]) == COMMAND
        differs = preexec_fn or pass_fds or rest[-2:] != (False, -1)  # a session or a group
        if sys.platform == "linux" and begun and not differs:
            variables = dict(os.environ if env is None else env)
            server = Server.of_this_process()
            if server.may_fork(variables):
                pipes = rest[3:9]
                request = {
                    "arguments": [os.fsdecode(each) for each in args[len(COMMAND) :]],
                    "folder": str(cwd or Path.cwd()),
                    "variables": variables,
                }
                ends = zip((pipes[0], pipes[3], pipes[5]), range(3), strict=True)
                self.pid = server.fork(request, [end if end >= 0 else own for end, own in ends])
                self._child_created = True
                self._close_pipe_fds(*pipes)
                return
        super()._execute_child(args, executable, preexec_fn, close_fds, pass_fds, cwd, env, *rest)


class Server:
    """The process that forks commands; see forking.py."""

    def __init__(self) -> None:
        self._at_start = at_start(os.environ)
        self._lock = threading.Lock()
        self._line, far = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        with far:
            self._process = subprocess.Popen(
                [sys.executable, str(Path(__file__).with_name("forking.py")), str(far.fileno())],
                env={**os.environ, "OPENBLAS_NUM_THREADS": "1"},  # for threads are not forked
                stdin=subprocess.DEVNULL,
                pass_fds=[far.fileno()],
            )
        atexit.register(self._end)

    @staticmethod
    @functools.cache
    def of_this_process() -> Server:
        """It is started when it is first asked for."""
        return Server()

    def may_fork(self, variables: Mapping[str, str]) -> bool:
        """Whether a command with these variables would have been loaded as the server has been."""
        return at_start(variables) == self._at_start

    def fork(self, request: dict[str, Any], streams: list[int]) -> int:
        """The number of a new child of this process."""
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
        self._process.wait()


def adopt(really: bool) -> None:
    """Become the parent of processes below this one whose parents end, or no longer."""
    ctypes.CDLL(None).prctl(SET_CHILD_SUBREAPER, int(really), 0, 0, 0)


def at_start(variables: Mapping[str, str]) -> dict[str, str]:
    """Those that are read when Python or a library is loaded."""
    return {name: value for name, value in variables.items() if name.startswith(AT_START)}


def ended(
    command: Sequence[object], *, check: bool = False, timeout: float = 300, **options: Any
) -> subprocess.CompletedProcess[Any]:
    """A :class:`Command` that has ended, or been killed after ``timeout``; as subprocess.run."""
    if options.pop("capture_output", False):
        options |= {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    with Command(list(map(str, command)), **options) as process:
        try:
            streams = process.communicate(timeout=timeout)
        except BaseException:
            process.kill()
            raise
    done = subprocess.CompletedProcess(process.args, process.returncode, *streams)
    if check:
        done.check_returncode()
    return done


def child(
    *arguments: object,
    cwd: Path | None = None,
    code: int = 0,
    env: dict[str, str] | None = None,
    begin: Callable[[], object] | None = None,
    program: Sequence[str] = COMMAND,
    **streams: object,
) -> tuple[str, str]:
    """What a command writes to stdout and stderr, both as UTF-8; ``begin`` runs in it at first.

    It has to end with ``code``, and without a traceback.
    """
    done = ended(
        [*program, *arguments],
        cwd=cwd,
        env={**os.environ, "COLUMNS": "100", **(env or {})},
        encoding="utf-8",
        preexec_fn=begin,
        **{"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, **streams},
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in (done.stderr or "")
    return done.stdout or "", done.stderr or ""
