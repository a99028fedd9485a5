"""HDF5 files: self-describing, whole or absent, and refused when foreign or damaged.

The only module that imports h5py. A file holds root attributes that say what it is and how it was
made, and datasets with units and a description. HDF5's user block, 512 bytes before the data
proper, holds the SHA-256 of all that follows. A cut or a flipped bit is found before the HDF5
library sees the file, for it can hang on damaged metadata.
"""

from __future__ import annotations

import hashlib
import os
import tempfile
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.errors import JobError, UserError

SCHEMA_VERSION = 1
_TIMES = {"created", "updated"}
_USER_BLOCK_BYTES = 512
_MAGIC = b"gpu-wordle sha256 "


@dataclass(frozen=True)
class Dataset:
    """An array with its units and one line of description; words are arrays of str."""

    values: NDArray[Any]
    units: str
    description: str


@dataclass
class Contents:
    """Everything in a file: root attributes, and datasets by path without the leading slash."""

    attributes: dict[str, str | int]
    datasets: dict[str, Dataset] = field(default_factory=dict)

    def values(self, path: str) -> NDArray[Any]:
        """The array at ``path``."""
        return self.datasets[path].values


def save(path: Path, contents: Contents) -> None:
    """Write ``contents`` so that ``path`` always holds a whole file, the old one or the new.

    Written beside the target, flushed to disk, read back, compared, and renamed over it. Raises
    JobError if the disk does not take it; what was there before stays.
    """
    contents.attributes["updated"] = now()
    try:
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.", suffix=".tmp")
        os.close(handle)
        temporary = Path(name)
        try:
            _write(temporary, contents)
            if not _is_intact(temporary) or digest(_read(temporary)) != digest(contents):
                raise OSError("what was written does not read back the same")
            temporary.chmod(0o666 & ~_umask())
            temporary.replace(path)
        finally:
            temporary.unlink(missing_ok=True)
    except (OSError, RuntimeError) as error:
        raise JobError(
            f"{path}: not written ({_reason(error)}); nothing that was there is lost. "
            "Make room or choose another file"
        ) from None


def load(path: Path, filetype: str | None = None) -> Contents:
    """Read a whole file and check it.

    Raises UserError if it is missing, damaged, of another program or schema, or (where
    ``filetype`` is given) the file of another kind of job.
    """
    try:
        intact = _is_intact(path)
    except FileNotFoundError:
        raise UserError(f"{path}: no such file") from None
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if intact is None:
        raise UserError(f"{path}: not a file of gpu-wordle; choose another file")
    if not intact:
        raise UserError(f"{path}: damaged, its content does not match its hash; restore it")
    contents = _read(path)
    attributes = contents.attributes
    if attributes["schema_version"] != SCHEMA_VERSION:
        raise UserError(
            f"{path}: schema {attributes['schema_version']}, this program reads "
            f"{SCHEMA_VERSION}; use the version of gpu-wordle that wrote it "
            f"({attributes['program_version']})"
        )
    if filetype is not None and attributes["filetype"] != filetype:
        raise UserError(f"{path}: holds {attributes['filetype']!r}, not {filetype!r}")
    return contents


def check_replaceable(path: Path) -> None:
    """UserError unless ``path`` is free, or holds a file of this program, perhaps damaged."""
    if not path.exists():
        return
    try:
        with path.open("rb") as file:
            ours = path.is_file() and file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None
    if not ours:
        raise UserError(f"{path}: not a file of gpu-wordle, so it is not replaced; choose another")


def digest(contents: Contents) -> str:
    """SHA-256 over attributes (but timestamps) and datasets: equal for equal results."""
    result = hashlib.sha256()
    for name, value in sorted(contents.attributes.items()):
        if name not in _TIMES:
            result.update(f"{name}={value}\n".encode())
    for path, dataset in sorted(contents.datasets.items()):
        values = _encoded(dataset.values)
        head = f"{path} {values.dtype.str} {values.shape} {dataset.units} {dataset.description}\n"
        result.update(head.encode())
        result.update(np.ascontiguousarray(values).tobytes())
    return result.hexdigest()


def _encoded(values: NDArray[Any]) -> NDArray[Any]:
    """Words as fixed-width UTF-8, everything else as it is."""
    return np.char.encode(values, "utf-8") if values.dtype.kind == "U" else values


def _is_intact(path: Path) -> bool | None:
    """Whether the data match the hash in the user block; None if no hash of ours is there."""
    with path.open("rb") as file:
        user_block = file.read(_USER_BLOCK_BYTES)
        if not user_block.startswith(_MAGIC):
            return None
        stated = user_block.removeprefix(_MAGIC).rstrip(b"\0").decode("ascii", "replace")
        return stated == hashlib.file_digest(file, "sha256").hexdigest()


def _write(path: Path, contents: Contents) -> None:
    import h5py  # takes a tenth of a second, and most commands touch no file

    with h5py.File(path, "w", userblock_size=_USER_BLOCK_BYTES) as file:
        file.attrs.update(contents.attributes)
        for name, dataset in contents.datasets.items():
            values = _encoded(dataset.values)
            dtype = values.dtype
            if dtype.kind == "S":
                dtype = h5py.string_dtype("utf-8", dtype.itemsize)
            packing = {"compression": "gzip", "shuffle": True} if values.size > 64 else {}
            stored = file.create_dataset(name, data=values.astype(dtype), **packing)
            stored.attrs["units"] = dataset.units
            stored.attrs["description"] = dataset.description
    with path.open("r+b") as written:
        written.seek(_USER_BLOCK_BYTES)
        stated = hashlib.file_digest(written, "sha256").hexdigest()
        written.seek(0)
        written.write(_MAGIC + stated.encode())
        written.flush()
        os.fsync(written.fileno())


def _read(path: Path) -> Contents:
    import h5py

    attributes: dict[str, str | int] = {}
    datasets: dict[str, Dataset] = {}
    with h5py.File(path, "r") as file:
        for name, value in file.attrs.items():
            attributes[name] = value if isinstance(value, str) else int(value)

        def visit(name: str, item: object) -> None:
            if isinstance(item, h5py.Dataset):
                text = h5py.check_string_dtype(item.dtype) is not None
                values = item.asstr()[()].astype(np.str_) if text else item[()]
                datasets[name] = Dataset(
                    np.asarray(values), str(item.attrs["units"]), str(item.attrs["description"])
                )

        file.visititems(visit)
    return Contents(attributes, datasets)


def now() -> str:
    """The time, as files record it."""
    return datetime.now(UTC).isoformat(timespec="seconds")


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _reason(error: Exception) -> str:
    """What went wrong, without the name of the temporary file."""
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return (str(error).splitlines() or [type(error).__name__])[0]
