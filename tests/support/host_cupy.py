"""A stand-in for CuPy that runs the shipped kernels on the CPU.

It has the parts of CuPy that ``backends/cuda/`` uses, over numpy. A RawModule is the kernel's text
compiled as C++ by the system's g++ with ``emulator/cuda.h``. A launch runs whole blocks of warps,
several blocks at once, in a random order; see ``emulator/emulator.cpp``. Fresh memory, including
shared memory, is poisoned. EmulationError reports errors that a device would not forgive.
"""

import ctypes
import random
import re
import subprocess
import threading
import time
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from types import SimpleNamespace

import numpy as np

from gpu_wordle.backends.cuda import device
from gpu_wordle.backends.cuda import lists as cuda_lists
from support.kept import kept, version

EMULATOR = Path(__file__).parent / "emulator"
ENTRY = "emulated_"
POISON = 0xA5
SCALARS = {"int32": ctypes.c_int32, "uint32": ctypes.c_uint32, "int64": ctypes.c_void_p}


class EmulationError(AssertionError):
    """A kernel broke a rule of CUDA."""


class DeviceFailureError(Exception):
    """A failure of the device; like CuPy's errors, it is recognised by its module."""

    __module__ = "cupy_backends.cuda.api.runtime"


class HostCupy:
    """CuPy's names over an emulated device, with limits of one's choice.

    A ``checked`` device watches each access, which takes much longer. ``seed`` decides the order of
    threads and blocks, and ``in_flight`` blocks are begun at once. ``most_blocks`` limits the
    blocks of a grid in one dimension, so that kernels have to stride.
    """

    def __init__(
        self, folder, shared_bytes=232_448, free_bytes=1 << 30, multiprocessors=1,
        checked=False, seed=0, in_flight=3, most_blocks=None,
    ):  # fmt: skip
        self._folder = folder
        self._checked = checked
        self._chance = random.Random(seed)
        self._in_flight = in_flight
        self._most_blocks = most_blocks
        self._told = {}  # first and last bytes of arrays whose address was taken
        self._free_bytes = free_bytes
        self.refused = 0  # allocations beyond free_bytes
        self._launching = threading.Lock()  # the emulator runs one kernel at a time
        self.most_shared = {}  # by function, the most shared memory that a launch asked for
        self.carveouts = set()  # those that kernels preferred at launch
        self.pause_s = 0  # pause after it is set, so that other threads run
        self._of_thread = threading.local()
        self.streams = []
        runtime = SimpleNamespace(
            cudaDevAttrMaxSharedMemoryPerBlockOptin="shared bytes",
            cudaDevAttrMultiProcessorCount="multiprocessors",
            deviceGetAttribute=lambda which, _: {
                "shared bytes": shared_bytes,
                "multiprocessors": multiprocessors,
            }[which],
            # too optimistic, as on a busy device
            memGetInfo=lambda: (8 * free_bytes, 8 * free_bytes),
            getDevice=lambda: 0,
            CUDARuntimeError=DeviceFailureError,
            getDeviceProperties=lambda _: {"name": b"emulated device"},
            driverGetVersion=lambda: 13000,
        )
        self.threads = set()  # threads that have chosen the device
        self.modules = []  # text and options of compiled modules
        self.cuda = SimpleNamespace(
            runtime=runtime,
            Device=lambda number=0: EmulatedDevice(self.threads),
            Stream=self._new_stream,
            get_current_stream=lambda: self._chosen_streams()[-1],
            alloc_pinned_memory=self._pinned,
        )

    def __getattr__(self, name):
        """Return numpy's function of that name."""
        return getattr(np, name)

    def RawModule(self, code, options):  # noqa: N802 (CuPy's name)
        self.modules.append((code, options))
        source = compile_kernel(self._folder, code, options, checked=self._checked)
        return SimpleNamespace(get_function=lambda name: HostKernel(self, source, name))

    def _new_stream(self, *, non_blocking):
        assert non_blocking  # other streams wait for the work of all streams
        stream = EmulatedStream(self._chosen_streams)
        self.streams.append(stream)
        return stream

    def _chosen_streams(self):
        """Return the streams that the calling thread has entered; at first the default one."""
        if not hasattr(self._of_thread, "streams"):
            self._of_thread.streams = [EmulatedStream(self._chosen_streams)]
            self.streams += self._of_thread.streams
        return self._of_thread.streams

    def _pinned(self, size):
        assert size > 0
        return np.full(size, POISON, np.uint8)

    def address_of(self, array):
        """Return the address of an array, for kernels that take addresses."""
        self._told[array.ctypes.data] = array.ctypes.data + array.nbytes
        return array.ctypes.data

    def launch(self, function, source, arguments, grid, threads, shared_bytes, arrays):
        """Run a kernel's entry. Raises EmulationError if the kernel breaks a rule of CUDA."""
        ranges = self._told | {a.ctypes.data: a.ctypes.data + a.nbytes for a in arrays}
        columns, rows = grid
        columns = min(columns, self._most_blocks or columns)
        flat = [end for pair in ranges.items() for end in pair]
        self._begin()
        with self._launching:
            wrong = emulator(self._folder).emulator_launch(
                function, (ctypes.c_void_p * len(arguments))(*arguments), columns, rows, threads,
                ctypes.c_size_t(shared_bytes), self._in_flight,
                ctypes.c_uint64(self._chance.getrandbits(32)), self._checked,
                (ctypes.c_size_t * len(flat))(*flat), ctypes.c_size_t(len(ranges)),
            )  # fmt: skip
        if wrong:
            raise EmulationError(source.explain(wrong.decode()))

    def _begin(self):
        """Note that the current stream has work that nobody has waited for."""
        self._chosen_streams()[-1].is_done = False

    def asarray(self, array):
        self._begin()
        return np.ascontiguousarray(array)

    def zeros(self, shape, dtype):
        self._begin()
        return np.zeros(shape, dtype)

    def empty(self, shape, dtype):
        array = np.empty(shape, dtype)
        if array.nbytes > self._free_bytes:
            self.refused += 1
            raise MemoryError("out of memory")
        array.reshape(-1).view(np.uint8)[:] = POISON
        return array

    def asnumpy(self, array, *, out=None, blocking=True):
        """Copy an array to the host, at once or when the stream is waited for."""
        if out is None:
            return array.copy()
        assert out.flags.c_contiguous
        assert (out.shape, out.dtype) == (array.shape, array.dtype)
        stream = self._chosen_streams()[-1]
        stream.put_off(out, array.copy())
        if blocking:
            stream.synchronize()
        return out

    def get_default_memory_pool(self):
        return SimpleNamespace(free_bytes=lambda: 0)


class EmulatedDevice:
    """CuPy's Device, chosen for a thread by ``with``."""

    id = 0

    def __init__(self, threads):
        self._threads = threads

    def __enter__(self):
        self._threads.add(threading.current_thread().name)

    def __exit__(self, *_):
        pass


class EmulatedStream:
    """CuPy's Stream, chosen for a thread by ``with``. Its copies happen when it is waited for.

    ``is_done`` says whether all its work has been waited for.
    """

    def __init__(self, chosen):
        self.is_done = True
        self._chosen = chosen
        self._copies = []

    def __enter__(self):
        self._chosen().append(self)
        return self

    def __exit__(self, *_):
        assert self._chosen().pop() is self

    def put_off(self, out, values):
        """Copy values when the stream is waited for."""
        self.is_done = False
        self._copies.append((out, values))

    def synchronize(self):
        for out, values in self._copies:
            out[...] = values
        self._copies.clear()
        self.is_done = True


class HostKernel:
    """CuPy's RawKernel. Its limit of shared memory belongs to its function."""

    preferred_shared_memory_carveout = -1  # the driver decides

    def __init__(self, host, source, name):
        self.name = name
        self._host = host
        self._source = source
        self._function = getattr(source.library, ENTRY + name)

    @property
    def max_dynamic_shared_size_bytes(self):
        return self._host.most_shared.get((self._source.path, self.name), 48 * 1024)

    @max_dynamic_shared_size_bytes.setter
    def max_dynamic_shared_size_bytes(self, size):
        self._host.most_shared[self._source.path, self.name] = size
        time.sleep(self._host.pause_s)

    def __call__(self, grid, block, arguments, *, shared_mem=0):
        (threads,) = block
        assert threads <= device.MAX_BLOCK_THREADS
        assert shared_mem <= self.max_dynamic_shared_size_bytes
        self._host.carveouts.add(self.preferred_shared_memory_carveout)
        values = [_by_value(argument) for argument in arguments]
        places = [ctypes.cast(ctypes.byref(value), ctypes.c_void_p) for value in values]
        arrays = [argument for argument in arguments if isinstance(argument, np.ndarray)]
        self._host.launch(self._function, self._source, places, grid, threads, shared_mem, arrays)


def _by_value(argument):
    if isinstance(argument, np.ndarray):
        assert argument.flags.c_contiguous
        return ctypes.c_void_p(argument.ctypes.data)
    return SCALARS[argument.dtype.name](argument.item())


@cache
def emulator(folder):
    """Compile the emulator, whose functions the libraries of kernels call."""
    flags = ["-std=c++17", "-O2", "-U_FORTIFY_SOURCE"]  # fibers jump from stack to stack
    path = _built(folder, (EMULATOR / "emulator.cpp").read_text("utf-8"), flags)
    library = ctypes.CDLL(str(path), mode=ctypes.RTLD_GLOBAL)
    library.emulator_launch.restype = ctypes.c_char_p
    return library


@dataclass(frozen=True)
class Source:
    """A kernel's source and its compiled library."""

    code: str
    path: Path
    library: ctypes.CDLL

    def explain(self, wrong):
        """Return the emulator's message, with the line of the source."""
        if found := re.search(r"at \+(\d+)", wrong):
            command = ["addr2line", "-e", str(self.path), hex(int(found[1]) - 1)]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            wrong = wrong.replace(found[0], f"line {told.strip().rpartition(':')[2].split()[0]}")
        if found := re.search(r"line (\d+)", wrong):
            wrong += f": {self.code.splitlines()[int(found[1]) - 1].strip()}"
        return wrong


@cache
def compile_kernel(folder, code, options, *, checked):
    """Compile a kernel's text to a shared library, with an entry for each kernel in it."""
    emulator(folder)
    for name in re.findall(r"__global__ void (\w+)\(", code):
        code += (
            f'\nextern "C" void {ENTRY}{name}(void **arguments)\n'
            f"{{\n    emulated::call({name}, arguments);\n}}\n"
        )
    # Counters are cleared word by word, which C++ allows only without strict aliasing.
    flags = ["-fno-strict-aliasing", "-include", str(EMULATOR / "cuda.h")]
    # With more than -O1, a fault would be put down to a line beside its own.
    flags += ["-O1", "-g", "-fsanitize=thread"] if checked else ["-O2"]
    path = _built(folder, code, [*options, *flags])
    return Source(code, path, ctypes.CDLL(str(path)))


def _built(folder, code, flags):
    """Return the library of a text. It is compiled once for all who share the folder."""

    def build(into):
        compiled = into.with_suffix(".o")
        compile_ = ["g++", *flags, "-fPIC", "-c", "-x", "c++", "-", "-o", str(compiled)]
        done = subprocess.run(compile_, input=code, capture_output=True, text=True, check=False)
        assert done.returncode == 0, f"g++ failed on a kernel:\n{done.stderr}"
        # Linked without the sanitizer, whose functions the emulator provides.
        subprocess.run(["g++", "-shared", str(compiled), "-o", str(into)], check=True)
        compiled.unlink()

    included = (EMULATOR / "cuda.h").read_text("utf-8")
    return kept([version("g++") + included, code, *flags], ".so", build, folder)


def pretend(patch, host):
    """Replace CuPy by ``host``."""
    patch.setattr(device, "probe", lambda: (host, None))
    patch.setattr(device, "is_installed", lambda: True)
    patch.setattr(cuda_lists, "address_of", host.address_of)
