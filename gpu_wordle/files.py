"""Files that are whole or absent, whatever happens, and that one process at a time writes.

A file is written beside its target under a name that nobody can guess, flushed to disk, read back
and renamed over it. Who writes holds a lock beside the target. So what killed runs have left behind
can be told from what somebody is writing, and is removed.
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
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gpu_wordle.errors import JobError, UserError

PATIENCE_SECONDS = 10.0
"""For another process that writes the same file and does nothing else meanwhile."""
MAX_HOLDER_BYTES = 4096
"""Of a lock's file that are read to say who holds it."""
MAX_COMMAND = 120
"""Characters of a command line that are shown."""

_REMEDIES = {
    errno.ENOENT: "make it, or ",
    errno.ENOSPC: "make room, or ",
    errno.EDQUOT: "make room, or ",
    errno.EFBIG: "raise the limit (ulimit -f), or ",
}


class NotWrittenError(JobError):
    """A file that could not be written; ``reason`` says why in a few words."""

    def __init__(self, path: Path, error: OSError) -> None:
        self.reason = error.strerror or str(error)
        remedy = _REMEDIES.get(error.errno or 0, "")
        super().__init__(
            f"{path}: not written ({self.reason}); nothing that was there is lost; "
            f"{remedy}choose another file"
        )


class HeldError(JobError):
    """A file that another process is writing."""


class Holding:
    """A file that only this process writes for the time being; see :func:`held`.

    Attributes:
        path: the file as it was named, for messages.
        target: where it really is.
    """

    def __init__(self, path: Path, target: Path) -> None:
        self.path = path
        self.target = target

    def replace(self, *parts: bytes | memoryview) -> None:
        """Write the parts as the whole file; if NotWrittenError is raised, the old one is there."""
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
        """Remove what killed runs have left beside the target; nobody else is writing there."""
        left = re.compile(rf"\.{re.escape(self.target.name)}\.[0-9a-f]{{16}}\.tmp")
        with os.scandir(self.target.parent) as entries:
            names = [entry.name for entry in entries if left.fullmatch(entry.name)]
        for name in names:
            with suppress(OSError):
                self.target.with_name(name).unlink()


@contextmanager
def held(path: Path, patience: float = 0.0) -> Iterator[Holding]:
    """Hold ``path`` for this process alone; a link is followed to the file that it means.

    Raises HeldError, saying who holds it, if another process does so for longer than ``patience``
    seconds; NotWrittenError if its folder is missing or cannot be written.
    """
    from filelock import FileLock, Timeout  # takes a while, and most commands write no file

    target = _target(path)
    mark = _mark(target)
    lock = FileLock(mark)
    try:
        lock.acquire(timeout=patience)
    except Timeout:
        if not _can_make_files(target.parent):  # which the lock takes for a rival's doing
            refused = OSError(errno.EACCES, f"no file can be made in {target.parent}")
            raise NotWrittenError(path, refused) from None
        raise HeldError(
            f"{path}: in use by {_holder(mark)}; wait for it, or choose another file"
        ) from None
    except OSError as error:
        raise NotWrittenError(path, error) from None
    try:
        with suppress(OSError):
            mark.write_text(_myself(), encoding="utf-8")
        holding = Holding(path, target)
        holding.remove_leftovers()
        yield holding
    finally:
        with suppress(OSError):
            mark.unlink()
        lock.release()


def tidy(path: Path) -> None:
    """Remove what a killed run has left beside a file, unless somebody is writing it."""
    if is_held(path):
        with suppress(HeldError, NotWrittenError), held(path):
            pass


def is_held(path: Path) -> bool:
    """Whether somebody is writing a file, or has been killed while doing so."""
    return _mark(path).exists()


def read(path: Path, most_bytes: int) -> bytes:
    """The bytes of a regular file; UserError if there is none, or if it is too large."""
    try:
        found = path.stat()
        if not stat.S_ISREG(found.st_mode):
            raise UserError(f"{path}: cannot be read (no regular file); choose another file")
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


def refuse_link(path: Path) -> None:
    """UserError if ``path`` is a link, for who wrote there might write what was not meant."""
    if path.is_symlink():
        raise UserError(f"{path}: is a link, which is not followed; name the file itself")


def check_folder(path: Path) -> None:
    """UserError if the folder of a file that is to be written is missing."""
    if not path.parent.is_dir():
        raise UserError(f"{path}: there is no folder {path.parent}; make it, or name another")


def now() -> str:
    """The time, as files record it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def command_line() -> str:
    """The command that runs, without the folder of the program; a package by its name.

    What is no text in the name of a file is escaped.
    """
    program = Path(sys.argv[0])
    name = f"python -m {program.parent.name}" if program.name == "__main__.py" else program.name
    return " ".join([name, *sys.argv[1:]]).encode("utf-8", "backslashreplace").decode("utf-8")


def _target(path: Path) -> Path:
    """Where a file really is, or is to be."""
    try:
        target = path.resolve()
        if target.exists() and not target.is_file():
            raise UserError(f"{path}: no regular file, so it is not replaced; choose another")
    except (OSError, RuntimeError) as error:  # a loop of links, which is either by version
        raise UserError(f"{path}: leads nowhere ({error}); choose another file") from None
    if not target.parent.is_dir():
        raise NotWrittenError(path, OSError(errno.ENOENT, f"there is no folder {path.parent}"))
    return target


def _can_make_files(folder: Path) -> bool:
    """Whether files can be made in a folder, whatever its permissions say."""
    try:
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def _mark(target: Path) -> Path:
    """The file that says who holds another one."""
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
        os.fsync(file.fileno())
    with path.open("rb") as file:
        if hashlib.file_digest(file, "sha256").digest() != meant.digest():
            raise OSError(errno.EIO, "what was written does not read back the same")


def _flush_folder(folder: Path) -> None:
    """See to it that a name given in a folder survives a power cut, where systems offer that."""
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


def _myself() -> str:
    """Who holds a lock, for others to read."""
    return json.dumps(
        {
            "pid": os.getpid(),
            "host": socket.gethostname(),
            "command": command_line(),
            "since": now(),
        }
    )


def _holder(mark: Path) -> str:
    """Who says in a lock's file that they hold it."""
    try:
        with mark.open("rb") as file:
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
