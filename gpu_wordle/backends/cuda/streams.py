"""CUDA streams: each working thread has its own, and waits for no other.

So copies for one thread overlap with kernels of another. Results come back through pinned memory,
into which the device copies without the host.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
from numpy.typing import NDArray


class Streams:
    """Lends streams to threads.

    Streams are reused, because CuPy's memory pool keeps freed memory for the stream it was used on.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._idle: list[Any] = []
        self._of_thread = threading.local()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Context manager: run on a stream of the calling thread; nested calls use the same stream.

        The end waits for all work on the stream, after an error too. So other threads may use the
        results, and freed memory is no longer in use.
        """
        if getattr(self._of_thread, "is_at_work", False):
            yield
            return
        try:
            stream = self._idle.pop()
        except IndexError:
            stream = self._cupy.cuda.Stream(non_blocking=True)
        self._of_thread.is_at_work = True
        try:
            with stream:
                yield
        finally:
            self._of_thread.is_at_work = False
            stream.synchronize()  # if this fails, the stream is not lent again
            self._idle.append(stream)


def reuse_pinned_memory(cupy: Any) -> None:
    """Have CuPy make pinned memory in powers of two, for all copies to and from the device.

    Its pool gives a block again only to requests of the same size, and those of batches hardly
    repeat. The driver takes long to make a block, and may wait for the device.
    """
    pool = cupy.get_default_pinned_memory_pool()

    def allocate(size: int) -> Any:
        return pool.malloc(1 << (size - 1).bit_length() if size else 0)

    cupy.cuda.set_pinned_memory_allocator(allocate)


def fetched(cupy: Any, *arrays: Any) -> tuple[NDArray[Any], ...]:
    """Copy device arrays to the host, with one wait for all of them on the current stream.

    The copies go through pinned memory, which is scarce: do not use this for a whole matrix.
    """
    landed = [_pinned(cupy, array.shape, array.dtype) for array in arrays]
    try:
        for array, host in zip(arrays, landed, strict=True):
            cupy.asnumpy(array, out=host, blocking=False)
    finally:  # wait before the pinned memory is freed, since another thread may get it at once
        cupy.cuda.get_current_stream().synchronize()
    return tuple(host.copy() for host in landed)


def _pinned(cupy: Any, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An empty array in pinned memory, or in ordinary memory if pinned memory runs out."""
    count = math.prod(shape)
    if count > 0:
        try:
            memory = cupy.cuda.alloc_pinned_memory(count * np.dtype(dtype).itemsize)
        except cupy.cuda.runtime.CUDARuntimeError:
            pass  # copies to ordinary memory are correct, and only slower
        else:
            return np.frombuffer(memory, dtype, count).reshape(shape)
    return np.empty(shape, dtype)
