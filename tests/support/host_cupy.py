"""A stand-in for CuPy that runs the shipped kernels on the CPU.

It has what ``backends/cuda/`` uses of CuPy, over numpy. A RawModule is the kernel's text compiled
as C++ by the system's g++ with ``host_shim.h``; a launch runs the blocks one after another
and the threads of a block as threads. Fresh memory, shared memory too, is poisoned, and a kernel
that writes beyond the shared memory it was launched with is found out.
"""

import ctypes
import hashlib
import os
import subprocess
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.cuda import lists as cuda_lists

SHIM = Path(__file__).parent / "host_shim.h"
POISON = 0xA5
SCALARS = {"int32": ctypes.c_int32, "uint32": ctypes.c_uint32, "int64": ctypes.c_void_p}


class HostCupy:
    """CuPy's names over a device that is this computer, with limits of one's choice."""

    asarray = staticmethod(np.ascontiguousarray)

    def __init__(self, folder, shared_bytes=232_448, free_bytes=1 << 30, multiprocessors=1):
        self._folder = folder
        self._free_bytes = free_bytes
        self.refused = 0  # allocations beyond free_bytes
        attributes = {
            "MaxSharedMemoryPerBlockOptin": shared_bytes,
            "MultiProcessorCount": multiprocessors,
        }
        runtime = SimpleNamespace(
            memGetInfo=lambda: (8 * free_bytes, 8 * free_bytes),  # hopeful, as a busy device may be
            getDevice=lambda: 0,
            getDeviceProperties=lambda _: {"name": b"host shim"},
            driverGetVersion=lambda: 13000,
        )
        self.cuda = SimpleNamespace(
            runtime=runtime, Device=lambda: SimpleNamespace(attributes=attributes)
        )

    def __getattr__(self, name):
        """What works on arrays is numpy's."""
        return getattr(np, name)

    def RawModule(self, code, options):  # noqa: N802 (CuPy's name)
        library = compile_kernel(self._folder, code, options)
        return SimpleNamespace(get_function=lambda name: HostKernel(library, name))

    def empty(self, shape, dtype):
        array = np.empty(shape, dtype)
        if array.nbytes > self._free_bytes:
            self.refused += 1
            raise MemoryError("out of memory")
        array.reshape(-1).view(np.uint8)[:] = POISON
        return array

    def asnumpy(self, array):
        return array.copy()

    def get_default_memory_pool(self):
        return SimpleNamespace(free_bytes=lambda: 0)


class HostKernel:
    """A kernel as CuPy's RawKernel."""

    max_dynamic_shared_size_bytes = 48 * 1024
    max_threads_per_block = 1024

    def __init__(self, library, name):
        self.name = name
        self._library = library
        self._function = getattr(library, name)
        self._function.restype = None

    def __call__(self, grid, block, arguments, *, shared_mem=0):
        (threads,) = block
        assert shared_mem <= self.max_dynamic_shared_size_bytes
        shared = (ctypes.c_uint8 * (1 << 18)).from_address(self._library.shim_shared_memory())
        ctypes.memset(shared, POISON, len(shared))
        values = [_by_value(argument) for argument in arguments]

        def run(thread):
            self._library.shim_thread(thread)
            for y in range(grid[1]):
                for x in range(grid[0]):
                    if thread == 0:
                        self._library.shim_block(x, y)
                    self._library.shim_barrier()
                    self._function(*values)
                    self._library.shim_barrier()

        self._library.shim_launch(*grid, threads)
        if threads == 1:
            run(0)
        else:
            with ThreadPoolExecutor(threads) as pool:
                list(pool.map(run, range(threads)))
        beyond = np.frombuffer(shared, np.uint8)[shared_mem:]
        assert (beyond == POISON).all(), "wrote beyond its shared memory"


def _by_value(argument):
    if isinstance(argument, np.ndarray):
        assert argument.flags.c_contiguous
        return ctypes.c_void_p(argument.ctypes.data)
    return SCALARS[argument.dtype.name](argument.item())


@cache
def compile_kernel(folder, code, options):
    """Shared library of a kernel's text."""
    digest = hashlib.sha256("\0".join([code, *options]).encode()).hexdigest()[:16]
    path = folder / f"{digest}.so"
    if not path.exists():  # by another process, which shares the folder
        _compile(path, code, options)
    library = ctypes.CDLL(str(path))
    library.shim_shared_memory.restype = ctypes.c_void_p
    return library


def _compile(path, code, options):
    """Put a library in its place as a whole, for other processes may look for it."""
    unfinished = path.with_suffix(f".{os.getpid()}")
    # Counters are set back to zero as words; CUDA allows that, C++ only without strict aliasing.
    flags = ["-shared", "-fPIC", "-O1", "-fno-strict-aliasing", "-pthread", "-include", str(SHIM)]
    command = ["g++", *options, *flags, "-x", "c++", "-", "-o", str(unfinished)]
    done = subprocess.run(command, input=code, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"g++ failed on a kernel:\n{done.stderr}"
    unfinished.replace(path)


def pretend(patch, host):
    """Put ``host`` in CuPy's place."""
    patch.setattr(device, "probe", lambda: (host, None))
    patch.setattr(cuda_lists, "address_of", lambda array: array.ctypes.data)
