"""The standard streams, made fit to be written to before anything is.

- One that is closed is opened, so that no file takes its number: writing to stdout then fails as it
  should, and what goes to stderr is lost.
- Nothing that happens to stderr ends the program, for results are still wanted.
- Characters that an encoding lacks are written by their look-alikes, or else escaped.
- A width in COLUMNS that leaves no room for a table of words is not believed.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Any, TextIO

from gpu_wordle.errors import one_line

MIN_COLUMNS, MAX_COLUMNS = 20, 10_000
"""Widths that are believed, in characters."""

LOOK_ALIKES = {"█": "#", "⬛": "B", "🟨": "Y", "🟩": "G", "…": "...", "×": "x", "–": "-"}


_UNSET = ("strict", "backslashreplace", "surrogateescape")
"""What Python does by default where an encoding lacks a character, in one locale or another."""


class _Encoding:
    """What is done about the characters that a stream cannot write."""

    def __init__(self) -> None:
        self.has_escaped = False

    def replace(self, error: UnicodeError) -> tuple[str, int]:
        """A handler for :mod:`codecs`."""
        assert isinstance(error, UnicodeEncodeError)
        result = ""
        for character in error.object[error.start : error.end]:
            result += LOOK_ALIKES.get(character) or self._escaped(character)
        return result, error.end

    def _escaped(self, character: str) -> str:
        self.has_escaped = True
        return character.encode("unicode_escape").decode("ascii")


_encodings = {"stdout": _Encoding(), "stderr": _Encoding()}


class _Forgiving(io.RawIOBase):
    """The file of a stream; what cannot be written to it is lost."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream  # which would close its file if nobody held it
        self._raw: Any = getattr(stream.buffer, "raw", stream.buffer)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write it all, or give up."""
        left = memoryview(data)
        try:
            while left:
                left = left[self._raw.write(left) or 0 :]
        except OSError:
            pass
        return len(data)


def prepare() -> None:
    """Make stdout and stderr fit; see above."""
    for number, flags in enumerate((os.O_RDONLY, os.O_RDONLY, os.O_WRONLY)):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, flags)  # takes the lowest number that is free: this one
    columns = os.environ.get("COLUMNS", "")
    if columns.isdecimal() and not MIN_COLUMNS <= int(columns[:9]) <= MAX_COLUMNS:
        del os.environ["COLUMNS"]
    sys.stdout = sys.stdout or os.fdopen(1, "w", encoding="utf-8", closefd=False)
    sys.stderr = sys.stderr or os.fdopen(2, "w", encoding="utf-8", closefd=False)
    forgiving: Any = _Forgiving(sys.stderr)
    encoding, errors = sys.stderr.encoding, sys.stderr.errors
    sys.stderr = io.TextIOWrapper(
        io.BufferedWriter(forgiving), encoding, errors, line_buffering=True
    )
    for name, lacking in _encodings.items():
        stream: TextIO = getattr(sys, name)
        codecs.register_error(f"gpu-wordle-{name}", lacking.replace)
        if isinstance(stream, io.TextIOWrapper) and stream.errors in _UNSET:
            stream.reconfigure(errors=f"gpu-wordle-{name}")


def complain(line: str) -> None:
    """One line on stderr, in the manner of Unix tools."""
    print(f"gpu-wordle: {one_line(line)}", file=sys.stderr)


def warn(message: Warning | str) -> None:
    """The first line of a warning, on stderr."""
    complain(f"warning: {str(message).partition(chr(10))[0]}")


def has_escaped() -> bool:
    """Whether stdout shows a character by its number."""
    return _encodings["stdout"].has_escaped


def abandon_stdout() -> None:
    """Write nothing more to stdout, not even what is left in its buffer at the end."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
