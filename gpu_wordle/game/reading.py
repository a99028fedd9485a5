"""Reads files and pipes of the user, up to a limit of bytes."""

from __future__ import annotations

import gzip
import io
import os
import select
import stat
import zlib
from pathlib import Path
from typing import BinaryIO

from gpu_wordle.errors import UserError

MIB = 1 << 20
PATIENCE_SECONDS = 10.0
"""Longest wait for data from a pipe."""

_CHUNK = 1 << 16


def read_bytes(path: Path, most: int, missing: str) -> bytes:
    """Read a file or a pipe, unpacked if its name ends in ``.gz``.

    Raises UserError for more than ``most`` bytes, for a device or a folder, and for a file that
    cannot be read. ``missing`` is added to the error for a file that does not exist.
    """
    try:
        with _opened(path) as file:
            data = _unpacked(file, most) if path.suffix == ".gz" else file.read(most + 1)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file{missing}") from None
    except (OSError, EOFError, zlib.error, ValueError) as error:
        why = getattr(error, "strerror", None) or error
        raise UserError(f"{path}: cannot be read ({why})") from None
    if len(data) > most:
        raise UserError(f"{path}: more than {most >> 20} MiB, which is the most that is read")
    return data


def read_text(path: Path, most: int, missing: str, remedy: str) -> str:
    """Read a file or a pipe as UTF-8 text, as :func:`read_bytes` reads its bytes.

    Also raises UserError, with the ``remedy``, if it is not UTF-8.
    """
    try:
        return read_bytes(path, most, missing).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise UserError(f"{path}: not UTF-8 text; {remedy}") from None


def _opened(path: Path) -> BinaryIO:
    """Open a file or a pipe; does not wait for the writer of a pipe."""
    number = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    mode = os.fstat(number).st_mode
    if stat.S_ISREG(mode):
        return os.fdopen(number, "rb")
    try:
        if not stat.S_ISFIFO(mode):
            raise OSError("a folder" if stat.S_ISDIR(mode) else "a device, and no file or pipe")
        return io.BufferedReader(_Pipe(number))
    except BaseException:
        os.close(number)
        raise


class _Pipe(io.RawIOBase):
    """A pipe that is read with a time limit of PATIENCE_SECONDS."""

    def __init__(self, number: int) -> None:
        self._number = number

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: memoryview) -> int:  # type: ignore[override]
        """Wait for bytes; raises OSError if none come in time."""
        if hasattr(select, "poll"):  # Windows waits for sockets only
            poll = select.poll()
            poll.register(self._number, select.POLLIN)
            if not poll.poll(1000 * PATIENCE_SECONDS):
                raise OSError(f"nothing came through the pipe for {PATIENCE_SECONDS:.0f} s")
        data = os.read(self._number, min(len(buffer), _CHUNK))
        buffer[: len(data)] = data
        return len(data)

    def close(self) -> None:
        if not self.closed:
            os.close(self._number)
        super().close()


def _unpacked(file: BinaryIO, most: int) -> bytes:
    """Unpack a file, but stop one byte after ``most``."""
    with gzip.GzipFile(fileobj=file) as inner:
        return inner.read(most + 1)
