"""The file of a job: held while it runs, gone on from, refused where it is of another job."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Generic, TypeVar

from gpu_wordle.errors import UserError
from gpu_wordle.files import Holding, held
from gpu_wordle.game.game import Position
from gpu_wordle.store.contents import Contents, MalformedError, malformed
from gpu_wordle.store.hdf5 import check_replaceable, check_suffix, is_vacant, load, put
from gpu_wordle.store.provenance import IDENTITY, check_same, check_same_state, describe
from gpu_wordle.verify import VerificationError

Table = TypeVar("Table")


class JobFile(Generic[Table]):
    """The file of a job: held while it runs, gone on from, refused where it is of another.

    Args:
        path: where it is, or is to be.
        filetype: what jobs of its kind write.
        position: what the job is about.
        backend: name of what computes.
        device: what that runs on.
        told: attributes that tell the job from others of its kind.

    Attributes:
        contents: what is to be written.
    """

    def __init__(
        self,
        path: Path,
        filetype: str,
        position: Position,
        backend: str,
        device: str,
        told: Mapping[str, str | int],
    ) -> None:
        check_suffix(path, filetype)
        self._path = path
        self._position = position
        self._filetype = filetype
        self._told = told
        self.contents = describe(position.game, filetype, backend, device)
        self.contents.attributes |= {"state": position.history, **told}
        self._holding: Holding | None = None

    def __str__(self) -> str:
        return str(self._path)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes off the file; JobError if one is at it, or it cannot be written."""
        with held(self._path) as self._holding:
            try:
                yield
            finally:
                self._holding = None

    def check_replaceable(self) -> None:
        """UserError if there is a file that is not one of ours, or of another kind."""
        check_replaceable(self._path, self._filetype)

    def load(self) -> Table | None:
        """What an earlier run of the job has found; None if there is no file.

        Raises UserError if it is damaged, contradicts itself, or is of another job.
        """
        if is_vacant(self._path):
            return None
        old = load(self._path, self._filetype)
        check_same(self._path, old, self.contents, (*IDENTITY, *self._told))
        check_same_state(self._path, old, self._position)
        self.contents.attributes["created"] = old.attributes["created"]
        try:
            return self._read(old)
        except MalformedError as error:
            raise malformed(self._path, str(error)) from None
        except VerificationError as error:
            raise UserError(f"{self._path}: cannot be true, {error}; --fresh replaces it") from None

    def save(self, table: Table) -> None:
        """Write the file, which is held, unless the table is empty; JobError if it cannot be."""
        assert self._holding is not None, "a file is held before it is written"
        if self._fill(table):
            put(self._holding, self.contents)

    def _read(self, contents: Contents) -> Table:
        """The table of a file of this job; MalformedError or VerificationError for a bad one."""
        raise NotImplementedError

    def _fill(self, table: Table) -> bool:
        """Put a table into the contents to be written; False if it is empty."""
        raise NotImplementedError
