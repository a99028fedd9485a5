"""Programs that play: each reads a line with the turns so far, and writes a line with a guess."""

from __future__ import annotations

import os
import queue
import shlex
import shutil
import signal
import subprocess
import threading
import time
from contextlib import suppress
from typing import IO

from gpu_wordle.errors import JobError, UserError, quoted
from gpu_wordle.solver import Stop
from gpu_wordle.strategies.positions import StoppedError

MAX_LINE = 2**16
"""Most bytes of a line that a program writes."""

REPLY_LOOK_SECONDS = 0.05
"""Seconds between two looks at the stop while a program thinks."""

SILENCE_SECONDS = 0.1
"""How long a program must be silent after its first reply."""

END_SECONDS = 2.0
"""How long a program may take to end once its input has ended."""


class SpokeUnaskedError(JobError):
    """A program wrote more lines than it read, so its replies may belong to other questions."""


def command_of(text: str) -> list[str]:
    """The words of a command; UserError if there is no such program."""
    try:
        words = shlex.split(text, posix=os.name == "posix")
    except ValueError as error:
        raise UserError(f"{quoted(text)}: no command ({error}); close the quotes") from None
    if not words or shutil.which(words[0]) is None:
        raise UserError(
            f"{quoted(text)}: there is no program {words[0] if words else ''} that can be run; "
            "give a command, as in './bot' or 'python bot.py'"
        )
    return words


class Program:
    """A running program; a context manager, which ends it.

    Args:
        command: the words of the command.
        seconds: most seconds that it may take for a reply.
        stop: ends the wait for a reply early.

    JobError says what is wrong with a program: it cannot be started, ends, is silent for too long,
    writes too long a line or writes unasked. StoppedError is raised once the stop is set.
    """

    def __init__(self, command: list[str], seconds: float, stop: Stop) -> None:
        self._seconds, self._stop = seconds, stop
        self._lines: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._is_first = True
        try:
            self._process = subprocess.Popen(
                command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True
            )
        except OSError as error:
            raise JobError(f"cannot be started ({error.strerror})") from None
        assert self._process.stdin is not None, "it is a pipe"
        assert self._process.stdout is not None, "it is a pipe"
        self._input = self._process.stdin
        reader = threading.Thread(target=self._read, args=(self._process.stdout,), daemon=True)
        reader.start()

    def __enter__(self) -> Program:
        return self

    def __exit__(self, error: object, *_: object) -> None:
        self._close()
        try:
            self._process.wait(END_SECONDS if error is None else 0)
        except subprocess.TimeoutExpired:
            if os.name == "posix":  # with the processes that it has started
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.kill()
            self._process.wait()

    def ask(self, question: str) -> str:
        """Write a line and return the reply, without the end of the line."""
        self._check_silence(0)
        with suppress(OSError):  # then it has ended, which the next line finds
            self._input.write(f"{question}\n".encode())
            self._input.flush()
        line, asked = self._next(question), quoted(question)
        if not line:
            code = self._process.wait()
            raise JobError(f"ended with exit code {code} in place of a reply to {asked}")
        if not line.endswith(b"\n") and len(line) > MAX_LINE:
            raise JobError(f"wrote a line of more than {MAX_LINE:,} bytes; one guess a line")
        if self._is_first:
            self._is_first = False
            self._check_silence(SILENCE_SECONDS)
        return line.decode(errors="replace").rstrip("\r\n")

    def end(self) -> None:
        """End its input; JobError if it then writes anything but the end of its output."""
        self._close()
        self._check_silence(END_SECONDS)

    def _read(self, output: IO[bytes]) -> None:
        """Hand on its lines; an empty one stands for the end."""
        while line := output.readline(MAX_LINE + 1):
            self._lines.put(line)
        self._lines.put(b"")
        output.close()

    def _next(self, question: str) -> bytes:
        """The next line."""
        due = time.monotonic() + self._seconds
        while True:
            with suppress(queue.Empty):
                return self._lines.get(timeout=REPLY_LOOK_SECONDS)
            if self._stop.is_set():
                raise StoppedError
            if time.monotonic() > due:
                raise JobError(
                    f"no reply to {quoted(question)} within {self._seconds:g} seconds; a longer "
                    "--move-limit gives it more time"
                )

    def _check_silence(self, seconds: float) -> None:
        """Raise SpokeUnaskedError if a line comes that nobody asked for; the end may come."""
        with suppress(queue.Empty):
            line = self._lines.get(timeout=seconds) if seconds else self._lines.get_nowait()
            if line:
                text = line.decode(errors="replace").rstrip()
                raise SpokeUnaskedError(
                    f"wrote {quoted(text)} without being asked; write one line for each line read"
                )
            self._lines.put(line)

    def _close(self) -> None:
        with suppress(OSError):
            self._input.close()
