"""The CUDA device: finds it, compiles its kernels, manages its memory, translates its errors.

Only this module looks for a device, once, when the first caller needs to know.
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

from gpu_wordle.backends.cuda.streams import Streams, fetched, reuse_pinned_memory
from gpu_wordle.errors import JobError
from gpu_wordle.game.patterns import PatternMatrix
from gpu_wordle.tunables import BLOCKS_PER_MULTIPROCESSOR

LINE_BYTES = 128  # rows of the matrix begin on a cache line
MIN_CUPY = (14, 2)  # as in pyproject.toml
MIN_CAPABILITY = 80  # 8.0, the first with the warp reductions (__reduce_*_sync) of the kernels
WORD_BYTES = 4

MAX_BLOCK_THREADS = 256
"""Most threads of a block: 256 threads of 255 registers fit a multiprocessor's 65,536 registers.

So kernels need no launch bounds, which make the compiler spill registers to fit more blocks.
"""

_COMPILING = threading.Lock()


@cache
def probe() -> tuple[Any, str | None]:
    """Look for a device: (CuPy, None) if one answers, else (None, reason and remedy)."""
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
    reuse_pinned_memory(cupy)
    return cupy, None


def is_installed() -> bool:
    """Whether CuPy is installed; does not import it."""
    return importlib.util.find_spec("cupy") is not None


def unavailable() -> str | None:
    """Why the CUDA backend cannot be used here and what to do about it; None if it can."""
    return probe()[1]


class DeviceMatrix:
    """A game's patterns on the device, and the limits of the device that kernels need.

    Threads may share it; each works on a stream of its own.

    Args:
        cupy: the module.
        patterns: the patterns, [A, G].
        work_bytes: budget for work arrays; half of the free memory if that is less, or if None.
        threads: number of threads that work at a time and share the budget.

    Attributes:
        words: the patterns, answer-major, in rows of ``pitch_bytes``, padded with zeros.
        bins: number of patterns.
        pattern_bits: 8, or 16 for words of more than five letters.
        most_shared_bytes: largest shared memory of a block.
        multiprocessors: number of multiprocessors of the device.
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
        runtime = cupy.cuda.runtime  # device.attributes fails on drivers that lack some of them
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
    def arguments(self) -> tuple[Any, ...]:
        """The first arguments of kernels that read the matrix: words, pitch and patterns."""
        return self.words, np.uint32(self.pitch_bytes), np.uint32(self.bins)

    @property
    def most_blocks(self) -> int:
        """Number of blocks that keeps the device busy."""
        return BLOCKS_PER_MULTIPROCESSOR * self.multiprocessors

    @contextmanager
    def at_work(self) -> Iterator[None]:
        """Context manager for work on the matrix: selects its device and lends a stream.

        Errors of CUDA and CuPy become JobError. At the end all work on the stream is done.
        """
        with device_errors(), self.cupy.cuda.Device(self._device_id), self._streams.lent():
            yield

    def fetched(self, *arrays: Any) -> tuple[NDArray[Any], ...]:
        """Copy device arrays to the host, with one wait for all of them."""
        return fetched(self.cupy, *arrays)

    def free_bytes(self) -> int:
        """Device memory that can still be allocated, CuPy's pool included."""
        pool = self.cupy.get_default_memory_pool()
        return int(self.cupy.cuda.runtime.memGetInfo()[0] + pool.free_bytes())

    def work_bytes(self) -> int:
        """Budget of one thread's work arrays, in bytes."""
        most = self.free_bytes() // 2
        if self._most_work_bytes is not None:
            most = min(most, self._most_work_bytes)
        return most // self._threads

    def scratch_blocks(self, bytes_each: int) -> int:
        """Number of blocks for which there is scratch memory of ``bytes_each``, at least one."""
        return max(1, min(self.most_blocks, self.work_bytes() // 2 // bytes_each))

    def in_chunks(self, count: int, bytes_each: int, work: Callable[[int, int], None]) -> None:
        """Call ``work(start, stop)`` over ``range(count)``, in chunks that fit into memory.

        A chunk takes about :meth:`work_bytes`. If memory runs out anyway, that chunk and all later
        ones are halved. Raises MemoryError if not even one item fits.
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
        """Kernel ``name`` of ``file``, compiled for this matrix and counting method."""
        bits = f"-DPATTERN_BITS={self.pattern_bits}"
        return kernel(file, name, bits, f"-DMETHOD={method}", *options)


def kernel_folder() -> Path:
    """Folder of the kernels: in the installed package, or beside it in a checkout."""
    package = Path(__file__).resolve().parents[2]
    for folder in (package / "kernels", package.parent / "kernels"):
        if (folder / "tally.cuh").is_file():
            return folder
    raise JobError("the kernels are missing from this installation; reinstall gpu-wordle")


def kernel_source(file: str) -> str:
    """Source of a kernel with its headers inserted.

    CuPy caches compiled kernels by their source, so that a changed header must change the source.
    """
    folder = kernel_folder()
    source = (folder / file).read_text("utf-8")
    include = r'#include "(\w+\.cuh)"'
    return re.sub(include, lambda found: (folder / found[1]).read_text("utf-8"), source)


def kernel(file: str, name: str, *options: str) -> Any:
    """Kernel ``name`` of ``file``, compiled for the device with ``options``."""
    with _COMPILING:  # two threads may want the same kernel
        return module(file, *options).get_function(name)


@cache
def module(file: str, *options: str) -> Any:
    """Compile ``file`` with ``options``; cached."""
    return probe()[0].RawModule(code=kernel_source(file), options=("-std=c++17", *options))


@contextmanager
def setting_up(cupy: Any) -> Iterator[None]:
    """Context manager for arrays that stay on the device: waits until all streams can read them."""
    with device_errors():
        yield
        cupy.cuda.get_current_stream().synchronize()


@contextmanager
def device_errors() -> Iterator[None]:
    """Context manager: turn errors of CUDA and CuPy into JobError."""
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
    """First line of an error's message, or the name of its type if it has none."""
    lines = str(error).strip().splitlines()
    return lines[0] if lines else type(error).__name__
