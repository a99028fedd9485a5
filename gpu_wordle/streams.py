"""Make the standard streams safe to write to, before anything is written.

- A closed stream is opened, so that no file takes its number. Writing to stdout then fails as it
  should; output to stderr is lost.
- A failing stderr never ends the program, because its results are still wanted.
- Characters that an encoding lacks are replaced by similar ones, or escaped.
- A width in COLUMNS that is too narrow or too wide for a table is ignored.
"""

from __future__ import annotations

import codecs
import io
import os
import sys
from typing import Any, TextIO

from gpu_wordle.errors import one_line

MIN_COLUMNS, MAX_COLUMNS = 20, 10_000
"""Widths in COLUMNS that are accepted, in characters."""

LOOK_ALIKES = {"█": "#", "⬛": "B", "🟨": "Y", "🟩": "G", "…": "...", "×": "x", "–": "-"}


_UNSET = ("strict", "backslashreplace", "surrogateescape")
"""Python's default error handlers of the standard streams, depending on the locale."""


class _Encoding:
    """Replaces the characters that the encoding of a stream lacks."""

    def __init__(self) -> None:
        self.has_escaped = False

    def replace(self, error: UnicodeError) -> tuple[str, int]:
        """Error handler for :mod:`codecs`: a similar character, or else an escape."""
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
    """A raw file over a stream that silently drops what cannot be written."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream  # without a reference, it would be collected and close its file
        self._raw: Any = getattr(stream.buffer, "raw", stream.buffer)

    def writable(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._stream.fileno()

    def isatty(self) -> bool:
        return self._stream.isatty()

    def write(self, data: bytes) -> int:  # type: ignore[override]
        """Write all data; drop the rest if the stream fails."""
        left = memoryview(data)
        try:
            while left:
                left = left[self._raw.write(left) or 0 :]
        except OSError:
            pass
        return len(data)


def prepare() -> None:
    """Make stdout and stderr safe to write to."""
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
    """Print one line on stderr, after the name of the program."""
    print(f"gpu-wordle: {one_line(line)}", file=sys.stderr)


def warn(message: Warning | str) -> None:
    """Print the first line of a warning on stderr."""
    complain(f"warning: {str(message).partition(chr(10))[0]}")


def has_escaped() -> bool:
    """Whether stdout has escaped a character that its encoding lacks."""
    return _encodings["stdout"].has_escaped


def abandon_stdout() -> None:
    """Discard all further output to stdout, including what is still buffered."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
