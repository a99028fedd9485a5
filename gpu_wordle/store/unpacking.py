"""What an HDF5 file holds, read with suspicion: whoever can compute a hash can sign anything.

Taken are numbers and fixed-width texts one group below the root, as this program writes them. Data
in other files, links, plugins and what would unpack to more than :data:`MAX_BYTES` are refused
before any of it is read. That the HDF5 library itself trips over metadata that somebody has altered
on purpose, and signed, cannot be helped here.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np

from gpu_wordle.store.contents import MAX_BYTES, Contents, Dataset, MalformedError

if TYPE_CHECKING:
    import h5py

MAX_MEMBERS = 100
"""Of a group, and attributes of the file."""
MAX_CHUNKS = 10_000
"""Of a dataset."""
MAX_CHUNK_BYTES = 2**20
"""The HDF5 library unpacks a chunk whole, whatever it comes to: a thousandfold at most."""

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
"""What h5py raises of files that it cannot read."""


def unpack(image: bytes) -> Contents:
    """What an HDF5 file in memory holds; MalformedError if it is not of the form of our files."""
    import h5py

    try:
        with h5py.File(io.BytesIO(image), "r") as file:
            return Contents(_attributes(file), _datasets(file))
    except _FAULTS as error:
        reason = (str(error).splitlines() or [type(error).__name__])[0]
        raise MalformedError(reason) from None


def _attributes(file: h5py.File) -> dict[str, str | int]:
    """The root attributes: text and whole numbers."""
    if len(file.attrs) > MAX_MEMBERS:
        raise MalformedError(f"it has {len(file.attrs):,} attributes")
    result: dict[str, str | int] = {}
    for name, value in file.attrs.items():
        if not isinstance(value, str | np.integer):
            raise MalformedError(f"its attribute {name} is neither text nor a whole number")
        result[name] = value if isinstance(value, str) else int(value)
    return result


def _datasets(file: h5py.File) -> dict[str, Dataset]:
    """The datasets by path; what stands at the root are dimension scales, which say nothing new."""
    found = dict(_members(file))
    unpacked = sum(_unpacked_bytes(name, stored) for name, stored in found.items())
    if unpacked > MAX_BYTES:
        raise MalformedError(f"its datasets unpack to {unpacked:,} bytes; {MAX_BYTES:,} are read")
    return {name: _dataset(name, stored) for name, stored in found.items()}


def _members(file: h5py.File) -> Iterator[tuple[str, h5py.Dataset]]:
    """The datasets one group below the root."""
    import h5py

    for outer in _names(file):
        if file.get(outer, getclass=True) is h5py.Group:
            for inner in _names(file[outer]):
                if file[outer].get(inner, getclass=True) is not h5py.Dataset:
                    raise MalformedError(f"{outer}/{inner} is no dataset")
                yield f"{outer}/{inner}", file[outer][inner]


def _names(group: h5py.Group) -> list[str]:
    """The members of a group; MalformedError if they are too many, or elsewhere."""
    import h5py

    if len(group) > MAX_MEMBERS:
        raise MalformedError(f"{group.name} has {len(group):,} members")
    for name in group:
        if not isinstance(group.get(name, getlink=True), h5py.HardLink):
            raise MalformedError(f"{name} is a link to what is elsewhere")
    return list(group)


def _unpacked_bytes(name: str, stored: h5py.Dataset) -> int:
    """Bytes of a dataset in memory; MalformedError for what this program does not write."""
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
    """MalformedError if some chunk could unpack to more than memory holds."""
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
    """One dataset with its units and description."""
    import h5py

    is_text = h5py.check_string_dtype(stored.dtype) is not None
    values = np.asarray(stored.asstr()[()] if is_text else stored[()])
    dtype = np.dtype(np.str_) if is_text else np.dtype(stored.dtype.str).newbyteorder("=")
    return Dataset(values.astype(dtype), _text(name, stored, "units"), _text(name, stored))


def _text(name: str, stored: h5py.Dataset, attribute: str = "description") -> str:
    """An attribute that is text; MalformedError if it is missing, or something else."""
    text = stored.attrs.get(attribute)
    if not isinstance(text, str):
        raise MalformedError(f"{name} lacks its {attribute}")
    return text
