"""HDF5 files: self-describing, never half-written, and refused if foreign, damaged or malformed.

HDF5's user block, 512 bytes before the data proper, holds the SHA-256 of all that follows. So a cut
or a flipped bit is found before the HDF5 library sees the file. The library can hang on damaged
metadata.

Files are built in memory. h5py, xarray and h5dump read them without a manual. They are read with
suspicion, since anyone who can compute a hash can sign anything. Accepted are numbers and
fixed-width texts one group below the root. Refused, before any of it is read: data in other files,
links, plugins, and what would unpack to more than :data:`MAX_BYTES`. Metadata that somebody has
altered on purpose, and signed, may still crash the HDF5 library itself. That cannot be helped here.
"""

from __future__ import annotations

import hashlib
import io
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from gpu_wordle.errors import JobError, UserError
from gpu_wordle.files import Holding, head, held, is_vacant, now, read
from gpu_wordle.store.contents import (
    DIMENSIONS,
    MAX_BYTES,
    READABLE_SCHEMAS,
    Contents,
    Dataset,
    MalformedError,
    digest,
    encoded,
    malformed,
)
from gpu_wordle.store.fitting import check_form
from gpu_wordle.store.form import IN_WORDS, RANKING
from gpu_wordle.store.provenance import attribute

if TYPE_CHECKING:
    import h5py

SUFFIXES = (".h5", ".hdf5")

_USER_BLOCK_BYTES = 512
_MAGIC = b"gpu-wordle sha256 "
_NAMED = {"schema_version": int, "filetype": str, "program_version": str}


def save(path: Path, contents: Contents) -> None:
    """Write ``contents`` so that ``path`` always holds a whole file, the old one or the new.

    Raises JobError if the file cannot be written, or if another process is writing there.
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
    """Return the error about a file that was not written although it could be."""
    return JobError(
        f"{holding.path}: not written ({reason}); nothing that was there is lost; {remedy}"
    )


def load(path: Path, filetype: str | None = None) -> Contents:
    """Read a whole file and check it.

    Raises UserError if it is missing, damaged, malformed, of another program or schema, or (if
    ``filetype`` is given) of another kind of job.
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
    """True if ``path`` has the suffix of an HDF5 file."""
    return path.suffix.lower() in SUFFIXES


def check_suffix(path: Path, filetype: str = RANKING) -> None:
    """Raise UserError unless ``path`` has the suffix of an HDF5 file."""
    if not is_hdf5(path):
        raise UserError(
            f"{path}: {IN_WORDS[filetype]} kept as HDF5; give a name that "
            f"ends in {' or '.join(SUFFIXES)}, or print rows with --format"
        )


def check_replaceable(path: Path, filetype: str) -> None:
    """Raise UserError unless ``path`` is free, or holds a file of that kind, perhaps damaged."""
    if is_vacant(path):
        return
    if not is_ours(path):
        raise UserError(f"{path}: not a file of gpu-wordle, so it is not replaced; choose another")
    try:
        held_there = unpack(_signed(path)).attributes.get("filetype", filetype)
    except (UserError, MalformedError):
        return  # damaged, so its kind is unknown
    if held_there != filetype:
        raise UserError(f"{path}: holds {held_there!r}, so it is not replaced; choose another file")


def is_ours(path: Path) -> bool:
    """True if a file begins as those of this program do; UserError if it cannot be read."""
    return path.is_file() and head(path, len(_MAGIC)) == _MAGIC


def _signed(path: Path) -> bytes:
    """Return the bytes of a file whose hash is right; UserError if it is not, or not of ours."""
    image = read(path, MAX_BYTES)
    user_block, body = image[:_USER_BLOCK_BYTES], memoryview(image)[_USER_BLOCK_BYTES:]
    if not user_block.startswith(_MAGIC):
        raise UserError(f"{path}: not a file of gpu-wordle; choose another file")
    stated = user_block.removeprefix(_MAGIC).rstrip(b"\0").decode("ascii", "replace")
    if stated != hashlib.sha256(body).hexdigest():
        raise UserError(f"{path}: damaged, its content does not match its hash; restore it")
    return image


# Packing

WORTH_PACKING = 64
"""Datasets with more numbers than this are compressed."""


def pack(contents: Contents, user_block_bytes: int) -> bytes:
    """Return the HDF5 file of ``contents`` with an empty user block.

    The HDF5 library works in memory only. On a full disk it would be left with objects that it
    cannot close, and would end the process.
    """
    import h5py  # loading takes a tenth of a second, and most commands need no file

    image = io.BytesIO()
    with h5py.File(image, "w", userblock_size=user_block_bytes) as file:
        file.attrs.update(contents.attributes)
        for name, dataset in contents.datasets.items():
            _add(file, name, dataset)
        _add_scales(file, contents.datasets)
    return image.getvalue()


def _add(file: h5py.File, name: str, dataset: Dataset) -> None:
    """Write one dataset with its description."""
    import h5py

    values = encoded(dataset.values)
    dtype = values.dtype
    if dtype.kind == "S":
        dtype = h5py.string_dtype("utf-8", dtype.itemsize)
    elif dataset.codes:
        dtype = h5py.enum_dtype(dataset.codes, basetype=dtype)
    options: dict[str, Any] = {"fillvalue": dataset.unknown}
    if values.size > WORTH_PACKING:
        options |= {"compression": "gzip", "shuffle": True}
    stored = file.create_dataset(name, data=values.astype(dtype), **options)
    stored.attrs["units"] = dataset.units
    stored.attrs["description"] = dataset.description
    if dtype.kind == "S":
        stored.attrs["_Encoding"] = "utf-8"  # so that xarray reads text
    if dataset.unknown is not None:
        stored.attrs["_FillValue"] = values.dtype.type(dataset.unknown)


def _add_scales(file: h5py.File, datasets: Mapping[str, Dataset]) -> None:
    """Write a dimension scale for each dimension at the root, and attach it to each of its axes."""
    for name, dataset in datasets.items():
        for axis, dimension in enumerate(dataset.dimensions):
            if dimension not in file:
                _add_scale(file, dimension, dataset.values.shape[axis])
            if file[dimension] != file[name]:  # a scale of names is itself a dataset
                file[name].dims[axis].attach_scale(file[dimension])


def _add_scale(file: h5py.File, name: str, length: int) -> None:
    """Write one dimension scale: the names themselves, or numbers."""
    dimension = DIMENSIONS[name]
    if dimension.names:
        file[name] = file[dimension.names]
    else:
        numbers = np.arange(dimension.first, dimension.first + length, dtype=np.int32)
        _add(file, name, Dataset(numbers, "index", dimension.description))
    file[name].make_scale(name)


# Unpacking

MAX_MEMBERS = 100
"""Most members of a group, and attributes of the file."""
MAX_CHUNKS = 10_000
"""Most chunks of a dataset."""
MAX_CHUNK_BYTES = 2**20
"""Largest chunk. The HDF5 library unpacks a chunk whole, to a thousand times its size at most."""

_KINDS = "iufS"
_FAULTS = (
    OSError,
    RuntimeError,
    ValueError,
    TypeError,
    LookupError,
    ArithmeticError,
    MemoryError,
)
"""Exceptions that h5py raises for files that it cannot read."""


def unpack(image: bytes) -> Contents:
    """Return the contents of an HDF5 file in memory; MalformedError if its form is not ours."""
    import h5py

    try:
        with h5py.File(io.BytesIO(image), "r") as file:
            return Contents(_attributes(file), _datasets(file))
    except _FAULTS as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise MalformedError(reason) from None


def _attributes(file: h5py.File) -> dict[str, str | int]:
    """Return the root attributes: text and whole numbers."""
    if len(file.attrs) > MAX_MEMBERS:
        raise MalformedError(f"it has {len(file.attrs):,} attributes")
    result: dict[str, str | int] = {}
    for name, value in file.attrs.items():
        if not isinstance(value, str | np.integer):
            raise MalformedError(f"its attribute {name} is neither text nor a whole number")
        result[name] = value if isinstance(value, str) else int(value)
    return result


def _datasets(file: h5py.File) -> dict[str, Dataset]:
    """Return the datasets by path.

    Dimension scales at the root are left out: they repeat datasets.
    """
    found = dict(_members(file))
    unpacked = sum(_unpacked_bytes(name, stored) for name, stored in found.items())
    if unpacked > MAX_BYTES:
        raise MalformedError(f"its datasets unpack to {unpacked:,} bytes; {MAX_BYTES:,} are read")
    return {name: _dataset(name, stored) for name, stored in found.items()}


def _members(file: h5py.File) -> Iterator[tuple[str, h5py.Dataset]]:
    """Yield the datasets one group below the root."""
    import h5py

    for outer in _names(file):
        if file.get(outer, getclass=True) is h5py.Group:
            for inner in _names(file[outer]):
                if file[outer].get(inner, getclass=True) is not h5py.Dataset:
                    raise MalformedError(f"{outer}/{inner} is no dataset")
                yield f"{outer}/{inner}", file[outer][inner]


def _names(group: h5py.Group) -> list[str]:
    """Return the members of a group; MalformedError if they are too many, or links."""
    import h5py

    if len(group) > MAX_MEMBERS:
        raise MalformedError(f"{group.name} has {len(group):,} members")
    for name in group:
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            raise MalformedError(f"{name} is a link to what is elsewhere")
    return list(group)


def _unpacked_bytes(name: str, stored: h5py.Dataset) -> int:
    """Return the bytes of a dataset in memory.

    Raises MalformedError for what this program does not write.
    """
    if stored.external is not None or stored.is_virtual:
        raise MalformedError(f"the data of {name} are in other files")
    if stored.dtype.kind not in _KINDS or stored.dtype.subdtype is not None:
        raise MalformedError(f"{name} is of the type {stored.dtype}")
    if stored.shape is None:
        raise MalformedError(f"{name} has no shape")
    if stored.chunks is not None:
        _check_chunks(name, stored, stored.dtype.itemsize * _product(stored.chunks))
    return int(stored.dtype.itemsize) * _product(stored.shape)


def _product(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=object))


def _check_chunks(name: str, stored: h5py.Dataset, chunk_bytes: int) -> None:
    """Raise MalformedError if some chunk could unpack to more than memory holds."""
    import h5py

    packing = stored.id.get_create_plist()
    filters = [packing.get_filter(i)[0] for i in range(packing.get_nfilters())]
    if filters not in ([], [h5py.h5z.FILTER_SHUFFLE, h5py.h5z.FILTER_DEFLATE]):
        raise MalformedError(f"{name} is packed in an unknown way")
    count = stored.id.get_num_chunks()
    if count > MAX_CHUNKS or chunk_bytes > MAX_CHUNK_BYTES:
        raise MalformedError(f"{name} has {count:,} chunks of {chunk_bytes:,} bytes")
    for number in range(count):
        if stored.id.get_chunk_info(number).size > 2 * chunk_bytes + 64:
            raise MalformedError(f"a chunk of {name} is larger packed than unpacked")


def _dataset(name: str, stored: h5py.Dataset) -> Dataset:
    """Return one dataset with its units and description."""
    import h5py

    is_text = h5py.check_string_dtype(stored.dtype) is not None
    values = np.asarray(stored.asstr()[()] if is_text else stored[()])
    dtype = np.dtype(np.str_) if is_text else np.dtype(stored.dtype.str).newbyteorder("=")
    return Dataset(values.astype(dtype), _text(name, stored, "units"), _text(name, stored))


def _text(name: str, stored: h5py.Dataset, attribute: str = "description") -> str:
    """Return an attribute that is text; MalformedError if it is missing, or something else."""
    text = stored.attrs.get(attribute)
    if not isinstance(text, str):
        raise MalformedError(f"{name} lacks its {attribute}")
    return text
