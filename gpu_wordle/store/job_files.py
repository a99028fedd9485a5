"""The file of a job that goes on from it: held while it runs, refused where it is of another."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from gpu_wordle.errors import UserError
from gpu_wordle.files import Holding, held
from gpu_wordle.game.game import Position
from gpu_wordle.store.contents import Contents
from gpu_wordle.store.form import IN_WORDS, RANKING
from gpu_wordle.store.hdf5 import SUFFIXES, check_replaceable, is_hdf5, is_vacant, load, put
from gpu_wordle.store.provenance import IDENTITY, check_same, check_same_state, describe


def check_suffix(path: Path, filetype: str = RANKING) -> None:
    """UserError unless ``path`` is named as the HDF5 file that it is to be."""
    if not is_hdf5(path):
        raise UserError(
            f"{path}: {IN_WORDS[filetype]} kept as HDF5; give a name that "
            f"ends in {' or '.join(SUFFIXES)}, or print rows with --format"
        )


class JobFile:
    """The file of a job.

    Args:
        path: where it is, or is to be.
        filetype: what jobs of its kind write.
        position: what the job is about.
        backend: name of what computes.
        device: what that runs on.

    Attributes:
        path: the same.
        position: the same.
        contents: what is to be written.
    """

    def __init__(
        self, path: Path, filetype: str, position: Position, backend: str, device: str
    ) -> None:
        check_suffix(path, filetype)
        self.path = path
        self.position = position
        self.contents = describe(position.game, filetype, backend, device)
        self.contents.attributes["state"] = position.history
        self._filetype = filetype
        self._holding: Holding | None = None

    def __str__(self) -> str:
        return str(self.path)

    @contextmanager
    def held(self) -> Iterator[None]:
        """Keep other processes off the file; JobError if one is at it, or it cannot be written."""
        with held(self.path) as self._holding:
            try:
                yield
            finally:
                self._holding = None

    def read(self) -> Contents | None:
        """What an earlier run of the job has written; None if there is no file.

        Raises UserError if it is damaged, or is of another game or position.
        """
        if is_vacant(self.path):
            return None
        old = load(self.path, self._filetype)
        self.check_same(old, IDENTITY)
        check_same_state(self.path, old, self.position)
        self.contents.attributes["created"] = old.attributes["created"]
        return old

    def check_same(self, old: Contents, names: Iterable[str]) -> None:
        """UserError unless these attributes of what was read are those of the job."""
        check_same(self.path, old, self.contents, names)

    def check_replaceable(self) -> None:
        """UserError if there is a file that is not one of ours, or of another kind."""
        check_replaceable(self.path, self._filetype)

    def write(self) -> None:
        """Write the contents to the file, which is held; JobError if that cannot be done."""
        assert self._holding is not None, "a file is held before it is written"
        put(self._holding, self.contents)
