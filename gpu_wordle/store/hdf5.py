"""HDF5 files: self-describing, whole or absent, and refused when foreign, damaged or malformed.

HDF5's user block, 512 bytes before the data proper, holds the SHA-256 of all that follows. A cut or
a flipped bit is found before the HDF5 library sees the file, for it can hang on damaged metadata.
"""

from __future__ import annotations

import hashlib
from pathlib import Path

from gpu_wordle.errors import JobError, UserError
from gpu_wordle.files import Holding, held, now, read
from gpu_wordle.store.contents import (
    MAX_BYTES,
    READABLE_SCHEMAS,
    Contents,
    MalformedError,
    digest,
    malformed,
)
from gpu_wordle.store.fitting import check_form
from gpu_wordle.store.form import IN_WORDS, RANKING
from gpu_wordle.store.packing import pack
from gpu_wordle.store.provenance import attribute
from gpu_wordle.store.unpacking import unpack

SUFFIXES = (".h5", ".hdf5")

_USER_BLOCK_BYTES = 512
_MAGIC = b"gpu-wordle sha256 "
_NAMED = {"schema_version": int, "filetype": str, "program_version": str}


def save(path: Path, contents: Contents) -> None:
    """Write ``contents`` so that ``path`` always holds a whole file, the old one or the new.

    Raises JobError if the disk does not take it, or if another process is writing there.
    """
    with held(path) as holding:
        put(holding, contents)


def put(holding: Holding, contents: Contents) -> None:
    """Write ``contents`` to a file that is held; see :func:`save`."""
    contents.attributes["updated"] = now()
    try:
        check_form(contents)
    except MalformedError as error:
        raise _not_written(holding, str(error), "report it as a defect of gpu-wordle") from None
    image = pack(contents, _USER_BLOCK_BYTES)
    if digest(unpack(image)) != digest(contents):
        reason = "what was packed does not unpack the same"
        raise _not_written(holding, reason, "try another version of h5py")
    body = memoryview(image)[_USER_BLOCK_BYTES:]
    signature = _MAGIC + hashlib.sha256(body).hexdigest().encode()
    holding.replace(signature.ljust(_USER_BLOCK_BYTES, b"\0"), body)


def _not_written(holding: Holding, reason: str, remedy: str) -> JobError:
    """The error that says why a file that could be written is not."""
    return JobError(
        f"{holding.path}: not written ({reason}); nothing that was there is lost; {remedy}"
    )


def load(path: Path, filetype: str | None = None) -> Contents:
    """Read a whole file and check it.

    Raises UserError if it is missing, damaged, malformed, of another program or schema, or (where
    ``filetype`` is given) the file of another kind of job.
    """
    try:
        contents = unpack(_signed(path))
        attributes = contents.attributes
        for name, kind in _NAMED.items():
            attribute(contents, name, kind)
    except MalformedError as error:
        raise malformed(path, str(error)) from None
    if attributes["schema_version"] not in READABLE_SCHEMAS:
        raise UserError(
            f"{path}: schema {attributes['schema_version']}, this program reads "
            f"{' and '.join(map(str, READABLE_SCHEMAS))}; use the version of gpu-wordle that wrote "
            f"it ({attributes['program_version']})"
        )
    if filetype is not None and attributes["filetype"] != filetype:
        raise UserError(
            f"{path}: holds {attributes['filetype']!r}, not {filetype!r}; choose another file"
        )
    try:
        check_form(contents)
    except MalformedError as error:
        raise malformed(path, str(error)) from None
    return contents


def is_hdf5(path: Path) -> bool:
    """Whether ``path`` is named as an HDF5 file."""
    return path.suffix.lower() in SUFFIXES


def check_suffix(path: Path, filetype: str = RANKING) -> None:
    """UserError unless ``path`` is named as the HDF5 file that it is to be."""
    if not is_hdf5(path):
        raise UserError(
            f"{path}: {IN_WORDS[filetype]} kept as HDF5; give a name that "
            f"ends in {' or '.join(SUFFIXES)}, or print rows with --format"
        )


def is_vacant(path: Path) -> bool:
    """Whether nothing is at ``path``, or a file without content."""
    return not path.exists() or (path.is_file() and path.stat().st_size == 0)


def check_replaceable(path: Path, filetype: str) -> None:
    """UserError unless ``path`` is free, or holds a file of that kind, perhaps damaged."""
    if is_vacant(path):
        return
    if not is_ours(path):
        raise UserError(f"{path}: not a file of gpu-wordle, so it is not replaced; choose another")
    try:
        held_there = unpack(_signed(path)).attributes.get("filetype", filetype)
    except (UserError, MalformedError):
        return  # damaged: what it was cannot be told
    if held_there != filetype:
        raise UserError(f"{path}: holds {held_there!r}, so it is not replaced; choose another file")


def is_ours(path: Path) -> bool:
    """Whether a file begins as those of this program do; UserError if it cannot be read."""
    if not path.is_file():
        return False
    try:
        with path.open("rb") as file:
            return file.read(len(_MAGIC)) == _MAGIC
    except OSError as error:
        raise UserError(f"{path}: cannot be read ({error.strerror})") from None


def _signed(path: Path) -> bytes:
    """A file whose hash is right; UserError if it is not, or not of ours."""
    image = read(path, MAX_BYTES)
    user_block, body = image[:_USER_BLOCK_BYTES], memoryview(image)[_USER_BLOCK_BYTES:]
    if not user_block.startswith(_MAGIC):
        raise UserError(f"{path}: not a file of gpu-wordle; choose another file")
    stated = user_block.removeprefix(_MAGIC).rstrip(b"\0").decode("ascii", "replace")
    if stated != hashlib.sha256(body).hexdigest():
        raise UserError(f"{path}: damaged, its content does not match its hash; restore it")
    return image
