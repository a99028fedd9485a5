"""Contents as an HDF5 file, built in memory, that h5py, xarray and h5dump read without a manual."""

from __future__ import annotations

import io
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import numpy as np

from gpu_wordle.store.contents import DIMENSIONS, Contents, Dataset, encoded

if TYPE_CHECKING:
    import h5py

WORTH_PACKING = 64
"""Numbers from which on a dataset is compressed."""


def pack(contents: Contents, user_block_bytes: int) -> bytes:
    """The HDF5 file of ``contents`` with an empty user block.

    The HDF5 library never sees a disk. When a disk is full it is left with objects that it cannot
    close, and ends the process.
    """
    import h5py  # takes a tenth of a second, and most commands touch no file

    image = io.BytesIO()
    with h5py.File(image, "w", userblock_size=user_block_bytes) as file:
        file.attrs.update(contents.attributes)
        for name, dataset in contents.datasets.items():
            _add(file, name, dataset)
        _add_scales(file, contents.datasets)
    return image.getvalue()


def _add(file: h5py.File, name: str, dataset: Dataset) -> None:
    """Write one dataset with what describes it."""
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
    """Write a dimension scale for each dimension at the root, and attach it wherever it counts."""
    for name, dataset in datasets.items():
        for axis, dimension in enumerate(dataset.dimensions):
            if dimension not in file:
                _add_scale(file, dimension, dataset.values.shape[axis])
            if file[dimension] != file[name]:  # words name their own places
                file[name].dims[axis].attach_scale(file[dimension])


def _add_scale(file: h5py.File, name: str, length: int) -> None:
    """Write one dimension scale: the words themselves, or numbers."""
    dimension = DIMENSIONS[name]
    if dimension.words:
        file[name] = file[dimension.words]
    else:
        numbers = np.arange(dimension.first, dimension.first + length, dtype=np.int32)
        _add(file, name, Dataset(numbers, "index", dimension.description))
    file[name].make_scale(name)
