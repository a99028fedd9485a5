"""Streams of a device: each thread at work has one, and waits for no other's.

So copies for one thread go on while kernels of another run. What comes back goes through pinned
memory, which the device reaches by itself.
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

    They are few, and lent again: what is freed on a stream, CuPy keeps for that stream.
    """

    def __init__(self, cupy: Any) -> None:
        self._cupy = cupy
        self._idle: list[Any] = []
        self._of_thread = threading.local()

    @contextmanager
    def lent(self) -> Iterator[None]:
        """Work on a stream that is the calling thread's until then, and on the same one within.

        In the end all is done that was begun, after an error too. So other threads may use what
        was made, and memory that is given up is in nobody's use.
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
            stream.synchronize()  # one that fails is not lent again
            self._idle.append(stream)


def fetched(cupy: Any, *arrays: Any) -> tuple[NDArray[Any], ...]:
    """Arrays of the device on the host, by one wait for all of them on the current stream.

    They come through pinned memory, which is no place for what is as large as a matrix.
    """
    landed = [_pinned(cupy, array.shape, array.dtype) for array in arrays]
    try:
        for array, host in zip(arrays, landed, strict=True):
            cupy.asnumpy(array, out=host, blocking=False)
    finally:  # pinned memory that is given up may be another's at once
        cupy.cuda.get_current_stream().synchronize()
    return tuple(host.copy() for host in landed)


def _pinned(cupy: Any, shape: tuple[int, ...], dtype: Any) -> NDArray[Any]:
    """An array in pinned memory, or in any memory where there is none."""
    count = math.prod(shape)
    if count > 0:
        try:
            memory = cupy.cuda.alloc_pinned_memory(count * np.dtype(dtype).itemsize)
        except cupy.cuda.runtime.CUDARuntimeError:
            pass  # copies wait for others then
        else:
            return np.frombuffer(memory, dtype, count).reshape(shape)
    return np.empty(shape, dtype)
