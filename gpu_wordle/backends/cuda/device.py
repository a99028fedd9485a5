"""The CUDA device: whether there is one, its kernels, its memory and its errors.

The one place that asks for a device, and it asks once, when something needs to know.
"""

from __future__ import annotations

import importlib.util
import re
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpu_wordle.backends.cuda.streams import Streams, fetched
from gpu_wordle.errors import JobError
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.tunables import BLOCKS_PER_MULTIPROCESSOR

LINE_BYTES = 128  # rows of the matrix begin on a cache line
MIN_CUPY = (14, 2)  # as in pyproject.toml
MIN_CAPABILITY = 80  # 8.0, the first with the reductions of a warp that kernels use
WORD_BYTES = 4

MAX_BLOCK_THREADS = 256
"""Threads of a block at most: a multiprocessor has 65,536 registers, a thread 255 at most.

So kernels state no launch bounds, which have compilers spill registers for the sake of more blocks.
"""

_COMPILING = threading.Lock()


@cache
def probe() -> tuple[Any, str | None]:
    """CuPy if a device answers, or why not, with the remedy; the one place that asks."""
    try:
        import cupy
    except ModuleNotFoundError:
        return None, (
            "cupy is not installed; pip install 'cupy-cuda13x[ctk]', "
            "or 'cupy-cuda12x[ctk]' for an older driver"
        )
    except ImportError as error:
        return None, f"cupy cannot be loaded ({first_line(error)}); reinstall it"
    if tuple(int(part) for part in cupy.__version__.split(".")[:2]) < MIN_CUPY:
        return None, (
            f"cupy {cupy.__version__} is too old, since some of its functions give wrong results "
            "when memory runs out; pip install -U 'cupy-cuda13x[ctk]', or 'cupy-cuda12x[ctk]'"
        )
    try:
        cupy.cuda.runtime.memGetInfo()  # makes the device answer
    except cupy.cuda.runtime.CUDARuntimeError as error:
        return None, f"no CUDA device answers ({first_line(error)}); see whether nvidia-smi does"
    capability = int(cupy.cuda.Device().compute_capability)
    if capability < MIN_CAPABILITY:
        return None, (
            f"the CUDA device has compute capability {capability / 10}, and kernels need "
            f"{MIN_CAPABILITY / 10} (Ampere) or more; use --backend cpu"
        )
    try:
        cupy.cuda.nvrtc.getVersion()
    except Exception as error:
        return None, (
            f"CUDA's run-time compiler is missing ({first_line(error)}); "
            "pip install 'cupy-cuda13x[ctk]', or 'cupy-cuda12x[ctk]' for an older driver"
        )
    return cupy, None


def is_installed() -> bool:
    """Whether there is a library that would ask for a device; it is not loaded."""
    return importlib.util.find_spec("cupy") is not None


def unavailable() -> str | None:
    """Why this backend cannot be used here and what to do about it; None if it can."""
    return probe()[1]


class DeviceMatrix:
    """A game's patterns on the device, and what its kernels need to know of both.

    Attributes:
        words: the patterns, answer-major, rows ``pitch_bytes`` apart, zero beyond the last guess.
        bins: how many patterns there are.
        pattern_bits: 8, or 16 for words of more than five letters.
        most_shared_bytes: shared memory that a block may have.
        multiprocessors: of the device.

    Threads may share it, see streams.py; so many ``threads`` are at work at a time. ``work_bytes``
    is what their work may take, where that is less than half of what is free.
    """

    def __init__(
        self,
        cupy: Any,
        patterns: PatternMatrix,
        work_bytes: int | None = None,
        threads: int = 1,
    ) -> None:
        self.cupy = cupy
        self._most_work_bytes = work_bytes
        self._threads = threads
        device = cupy.cuda.Device()
        self._device_id = device.id
        self._streams = Streams(cupy)
        runtime = cupy.cuda.runtime  # device.attributes asks for more than some drivers know
        self.most_shared_bytes, self.multiprocessors = (
            int(runtime.deviceGetAttribute(which, device.id))
            for which in (
                runtime.cudaDevAttrMaxSharedMemoryPerBlockOptin,
                runtime.cudaDevAttrMultiProcessorCount,
            )
        )
        values = patterns.values
        self.answer_count, self.guess_count = values.shape
        self.bins = patterns.pattern_count
        self.pattern_bits = 8 * values.itemsize
        self.pitch_bytes = -(-self.guess_count * values.itemsize // LINE_BYTES) * LINE_BYTES
        padded = np.zeros((self.answer_count, self.pitch_bytes // values.itemsize), values.dtype)
        padded[:, : self.guess_count] = values
        self.words = cupy.asarray(padded)

    @property
    def most_blocks(self) -> int:
        """Blocks that keep the device busy."""
        return BLOCKS_PER_MULTIPROCESSOR * self.multiprocessors

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """What uses the matrix, on its device and on a stream of the calling thread.

        See :meth:`Streams.lent`. Errors become JobError.
        """
        with device_errors(), self.cupy.cuda.Device(self._device_id), self._streams.lent():
            yield

    def fetched(self, *arrays: Any) -> tuple[NDArray[Any], ...]:
        """See :func:`fetched`."""
        return fetched(self.cupy, *arrays)

    def free_bytes(self) -> int:
        """Device memory that may still be allocated."""
        pool = self.cupy.get_default_memory_pool()
        return int(self.cupy.cuda.runtime.memGetInfo()[0] + pool.free_bytes())

    def work_bytes(self) -> int:
        """What the arrays of one piece of work should take at most."""
        most = self.free_bytes() // 2
        if self._most_work_bytes is not None:
            most = min(most, self._most_work_bytes)
        return most // self._threads

    def scratch_blocks(self, bytes_each: int) -> int:
        """Blocks that can have so much memory each, where theirs is too small, at least one."""
        return max(1, min(self.most_blocks, self.work_bytes() // 2 // bytes_each))

    def in_chunks(self, count: int, bytes_each: int, work: Callable[[int, int], None]) -> None:
        """Call ``work(start, stop)`` over ``range(count)``, in chunks that fit into the memory.

        They are to take ``work_bytes``. A chunk for which memory runs out all the same is
        halved, and so are those that follow.
        """
        start = 0
        with self.at_work():
            most = max(1, self.work_bytes() // max(1, bytes_each))
            while start < count:
                stop = min(start + most, count)
                try:
                    work(start, stop)
                except MemoryError:
                    if stop - start == 1:
                        raise
                    most = (stop - start) // 2
                else:
                    start = stop

    def kernel(self, file: str, name: str, method: str, *options: str) -> Any:
        """Kernel ``name`` of ``file`` for this matrix; see :func:`kernel`."""
        bits = f"-DPATTERN_BITS={self.pattern_bits}"
        return kernel(file, name, bits, f"-DMETHOD={method}", *options)


def kernel_folder() -> Path:
    """Where the kernels are: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    for folder in (package / "kernels", package.parent / "kernels"):
        if (folder / "tally.cuh").is_file():
            return folder
    raise JobError("the kernels are missing from this installation; reinstall gpu-wordle")


def kernel_source(file: str) -> str:
    """Text of a kernel with its headers put in.

    CuPy keeps compiled kernels on disk under their text, so that of headers must be part of it.
    """
    folder = kernel_folder()
    source = (folder / file).read_text("utf-8")
    include = r'#include "(\w+\.cuh)"'
    return re.sub(include, lambda found: (folder / found[1]).read_text("utf-8"), source)


def kernel(file: str, name: str, *options: str) -> Any:
    """Kernel ``name`` of ``file``, compiled for the device with ``options``."""
    with _COMPILING:  # two threads may want the same
        return module(file, *options).get_function(name)


@cache
def module(file: str, *options: str) -> Any:
    """All kernels of ``file``, compiled with ``options`` once and kept."""
    return probe()[0].RawModule(code=kernel_source(file), options=("-std=c++17", *options))


@contextmanager
def setting_up(cupy: Any) -> Iterator[None]:
    """What is put on the device to stay; in the end it is there for the streams of all threads."""
    with device_errors():
        yield
        cupy.cuda.get_current_stream().synchronize()


@contextmanager
def device_errors() -> Iterator[None]:
    """Turn errors of CUDA and CuPy into JobError."""
    try:
        yield
    except MemoryError as error:
        raise JobError(
            f"the device's memory is too small ({first_line(error)}); "
            "free some, or use --backend cpu"
        ) from error
    except Exception as error:
        if type(error).__module__.split(".")[0] not in ("cupy", "cupy_backends"):
            raise
        raise JobError(
            f"the CUDA device failed ({first_line(error)}); try again, or use --backend cpu"
        ) from error


def first_line(error: BaseException) -> str:
    """What an error says, in one line."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
