"""Atomic file writes under a lock: no half-written files, even after a crash.

A file is written beside its target under a random name, flushed to disk, read back and renamed
over the target. The writer holds a lock beside the target. The lock tells leftovers of killed runs
from files that are being written, so leftovers are removed.
"""

from __future__ import annotations

import errno
import hashlib
import json
import os
import re
import secrets
import socket
import stat
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gpu_wordle.errors import JobError, UserError

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None  # type: ignore[assignment]

PATIENCE_SECONDS = 10.0
"""How long to wait for a lock that is held only while one file is written, in seconds."""
LOCKED_BYTES = 1
"""Bytes at the start of a lock file that the lock covers on Windows."""
MAX_HOLDER_BYTES = 4096
"""Most bytes of a lock file that are read to name its holder."""
MAX_COMMAND = 120
"""Most characters of a command line that a message shows."""

_REMEDIES = {
    errno.ENOENT: "make it, or ",
    errno.ENOSPC: "make room, or ",
    errno.EDQUOT: "make room, or ",
    errno.EFBIG: "raise the limit (ulimit -f), or ",
}


class NotWrittenError(JobError):
    """A file could not be written; ``reason`` says why in a few words."""

    def __init__(self, path: Path, error: OSError) -> None:
        self.reason = error.strerror or str(error)
        remedy = _REMEDIES.get(error.errno or 0, "")
        super().__init__(
            f"{path}: not written ({self.reason}); nothing that was there is lost; "
            f"{remedy}choose another file"
        )


class HeldError(JobError):
    """Another process is writing the file."""


class Holding:
    """A file that this process has locked for writing by :func:`held`.

    Attributes:
        path: the file as the caller named it, for messages.
        target: the file with links resolved.
    """

    def __init__(self, path: Path, target: Path) -> None:
        self.path = path
        self.target = target

    def replace(self, *parts: bytes | memoryview) -> None:
        """Replace the file by the parts; after NotWrittenError the old file is unchanged."""
        temporary = self.target.with_name(f".{self.target.name}.{secrets.token_hex(8)}.tmp")
        try:
            try:
                _write(temporary, parts)
                with suppress(FileNotFoundError):
                    temporary.chmod(stat.S_IMODE(self.target.stat().st_mode))
                temporary.replace(self.target)
            finally:
                temporary.unlink(missing_ok=True)
            _flush_folder(self.target.parent)
        except OSError as error:
            raise NotWrittenError(self.path, error) from None

    def remove_leftovers(self) -> None:
        """Remove temporary files of killed runs; the lock excludes other writers."""
        left = re.compile(rf"\.{re.escape(self.target.name)}\.[0-9a-f]{{16}}\.tmp")
        with os.scandir(self.target.parent) as entries:
            names = [entry.name for entry in entries if left.fullmatch(entry.name)]
        for name in names:
            with suppress(OSError):
                self.target.with_name(name).unlink()


@contextmanager
def held(path: Path, patience: float = 0.0) -> Iterator[Holding]:
    """Lock ``path`` for writing by this process; links are resolved.

    Raises HeldError, which names the holder, if another process keeps the lock for more than
    ``patience`` seconds. Raises NotWrittenError if the folder is missing or not writable.
    """
    from filelock import FileLock, Timeout  # slow to import, and most commands write no file

    target = _target(path)
    mark = _mark(target)
    lock = FileLock(mark)
    try:
        lock.acquire(timeout=patience)
    except Timeout:
        if not _can_make_files(target.parent):  # filelock reports this as a lock held elsewhere
            refused = OSError(errno.EACCES, f"no file can be made in {target.parent}")
            raise NotWrittenError(path, refused) from None
        raise HeldError(
            f"{path}: in use by {_holder(mark)}; wait for it, or choose another file"
        ) from None
    except OSError as error:
        raise NotWrittenError(path, error) from None
    try:
        with suppress(OSError):
            _note_holder(mark)
        holding = Holding(path, target)
        holding.remove_leftovers()
        yield holding
    finally:
        with suppress(OSError):
            mark.unlink()
        lock.release()


def tidy(path: Path) -> None:
    """Remove leftovers of a killed run beside a file, unless a process is writing the file."""
    if is_held(path):
        with suppress(HeldError, NotWrittenError), held(path):
            pass


def is_held(path: Path) -> bool:
    """Whether a lock exists: a process is writing the file or was killed while it wrote."""
    return _mark(path).exists()


def read(path: Path, most_bytes: int) -> bytes:
    """The bytes of a regular file; UserError if it is missing, not regular or too large."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UserError(f"{path}: not a regular file; choose another file")
        with path.open("rb") as file:
            content = file.read(min(found.st_size, most_bytes) + 1)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if len(content) > most_bytes:
        raise UserError(
            f"{path}: has {max(found.st_size, len(content)):,} bytes; "
            f"at most {most_bytes:,} are read; choose another file"
        )
    return content


def head(path: Path, most_bytes: int) -> bytes:
    """The first bytes of a file; UserError if it cannot be read."""
    try:
        with path.open("rb") as file:
            return file.read(most_bytes)
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None


def begins(path: Path, text: str) -> bool:
    """True if a file begins with a text in ASCII; UserError if it cannot be read."""
    return head(path, len(text)) == text.encode("ascii")


def is_vacant(path: Path) -> bool:
    """True if nothing is at ``path``, or a file without content."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def refuse_link(path: Path) -> None:
    """Raise UserError if ``path`` is a link: writing through it could replace another file."""
    if path.is_symlink():
        raise UserError(f"{path}: is a link, which is not followed; name the file itself")


def check_folder(path: Path) -> None:
    """Raise UserError if the folder of a file to be written is missing."""
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.parent}; make it, or name another")


def check_target(path: Path, what: str, is_ours: Callable[[Path], bool]) -> None:
    """Raise UserError unless ``path`` may be written: it is free, or a file that ``is_ours``.

    ``what`` names such a file in the message.
    """
    check_folder(path)
    refuse_link(path)
    if not is_vacant(path) and not (path.is_file() and is_ours(path)):
        raise UserError(f"{path}: holds no {what}, so it is not replaced; choose another file")


def now() -> str:
    """The current time in UTC, as files record it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def command_line() -> str:
    """The running command line, without the folder of the program.

    Bytes in file names that are not valid text are escaped.
    """
    program = Path(sys.argv[0])
    name = f"python -m {program.parent.name}" if program.name == "__main__.py" else program.name
    return " ".join([name, *sys.argv[1:]]).encode("utf-8", "backslashreplace").decode("utf-8")


def _target(path: Path) -> Path:
    """The path of a file with links resolved; the file need not exist yet."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise UserError(f"{path}: not a regular file, so it is not replaced; choose another")
    except (OSError, RuntimeError) as error:  # Python versions differ on a loop of links
        raise UserError(f"{path}: is a broken link ({error}); choose another file") from None
    if not target.parent.is_dir():
        raise NotWrittenError(path, OSError(errno.ENOENT, f"there is no folder {path.parent}"))
    return target


def _can_make_files(folder: Path) -> bool:
    """Whether a file can be created in a folder, tested by creating one."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _mark(target: Path) -> Path:
    """The lock file of a file."""
    return target.with_name(f".{target.name}.lock")


def _write(path: Path, parts: tuple[bytes | memoryview, ...]) -> None:
    """Write a new file, flush it to disk and read it back."""
    meant = hashlib.sha256()
    handle = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o666)
    with os.fdopen(handle, "wb") as file:
        for part in parts:
            file.write(part)
            meant.update(part)
        file.flush()
        _flush(file.fileno())
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").digest() != meant.digest():
            raise OSError(errno.EIO, "the file reads back differently from what was written")


def _flush(handle: int) -> None:
    """Flush a file to the disk; on macOS fsync alone leaves it in the memory of the disk."""
    full = getattr(fcntl, "F_FULLFSYNC", None)
    if full is not None:
        with suppress(OSError):  # some file systems cannot
            fcntl.fcntl(handle, full)
            return
    os.fsync(handle)


def _flush_folder(folder: Path) -> None:
    """Flush a folder, where the system can, so that a rename in it survives a power cut."""
    flags = getattr(os, "O_DIRECTORY", None)
    if flags is None:
        return
    handle = os.open(folder, os.O_RDONLY | flags)
    try:
        os.fsync(handle)
    except OSError as error:
        if error.errno not in (errno.EINVAL, errno.ENOTSUP):  # some file systems cannot
            raise
    finally:
        os.close(handle)


def _note_holder(mark: Path) -> None:
    """Record this process in the lock file, for others.

    Windows lets nobody else read or write the byte that is locked, which is the first.
    """
    said = {
        "pid": os.getpid(),
        "host": socket.gethostname(),
        "command": command_line(),
        "since": now(),
    }
    with mark.open("r+b") as file:
        file.seek(LOCKED_BYTES)
        file.write(json.dumps(said).encode())
        file.truncate()


def _holder(mark: Path) -> str:
    """The holder of a lock in words, as its lock file records it."""
    try:
        with mark.open("rb") as file:
            file.seek(LOCKED_BYTES)
            said: Any = json.loads(file.read(MAX_HOLDER_BYTES))
        pid, host, command, since = (
            "".join(c if c.isprintable() else "?" for c in str(said[name]))
            for name in ("pid", "host", "command", "since")
        )
    except (OSError, ValueError, KeyError, TypeError, RecursionError):
        return "another process"
    where = "" if host == socket.gethostname() else f" on {host}"
    shown = command if len(command) <= MAX_COMMAND else f"{command[:MAX_COMMAND]}..."
    return f"process {pid}{where} ({shown}) since {since}"
