"""A stand-in for CuPy that runs the shipped kernels on the CPU.

It has what ``backends/cuda/`` uses of CuPy, over numpy. A RawModule is the kernel's text compiled
as C++ by the system's g++ with ``emulator/cuda.h``. A launch runs whole blocks of warps, several
blocks at once, in an order of chance; see ``emulator/emulator.cpp``. Fresh memory, shared memory
too, is poisoned. What a kernel does that a device would not forgive raises EmulationError.
"""

import ctypes
import hashlib
import os
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

EMULATOR = Path(__file__).parent / "emulator"
ENTRY = "emulated_"
POISON = 0xA5
SCALARS = {"int32": ctypes.c_int32, "uint32": ctypes.c_uint32, "int64": ctypes.c_void_p}


class EmulationError(AssertionError):
    """A kernel broke a rule of CUDA."""


class DeviceFailureError(Exception):
    """As CuPy's errors: known by the module they come from."""

    __module__ = "cupy_backends.cuda.api.runtime"


class HostCupy:
    """CuPy's names over a device that is this computer, with limits of one's choice.

    Where it is ``checked``, accesses are watched one by one, which takes much longer. ``seed`` says
    in which order threads and blocks run, of which ``in_flight`` are begun at once. With
    ``most_blocks`` a grid has no more in a row, so that those of a kernel that strides go on.
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
        self._told = {}  # beginnings and ends of arrays whose address was taken
        self._free_bytes = free_bytes
        self.refused = 0  # allocations beyond free_bytes
        self._launching = threading.Lock()  # the emulator runs one kernel at a time
        self.most_shared = {}  # of each function, what all threads share
        self.carveouts = set()  # that kernels preferred when they were launched
        self.pause_s = 0  # after it is set, in which other threads go on
        self._of_thread = threading.local()
        self.streams = []
        runtime = SimpleNamespace(
            cudaDevAttrMaxSharedMemoryPerBlockOptin="shared bytes",
            cudaDevAttrMultiProcessorCount="multiprocessors",
            deviceGetAttribute=lambda which, _: {
                "shared bytes": shared_bytes,
                "multiprocessors": multiprocessors,
            }[which],
            memGetInfo=lambda: (8 * free_bytes, 8 * free_bytes),  # hopeful, as a busy device may be
            getDevice=lambda: 0,
            CUDARuntimeError=DeviceFailureError,
            getDeviceProperties=lambda _: {"name": b"emulated device"},
            driverGetVersion=lambda: 13000,
        )
        self.threads = set()  # that have chosen the device
        self.modules = []  # text and options of what was compiled
        self.cuda = SimpleNamespace(
            runtime=runtime,
            Device=lambda number=0: EmulatedDevice(self.threads),
            Stream=self._new_stream,
            get_current_stream=lambda: self._chosen_streams()[-1],
            alloc_pinned_memory=self._pinned,
        )

    def __getattr__(self, name):
        """Array functions are those of numpy."""
        return getattr(np, name)

    def RawModule(self, code, options):  # noqa: N802 (CuPy's name)
        self.modules.append((code, options))
        source = compile_kernel(self._folder, code, options, checked=self._checked)
        return SimpleNamespace(get_function=lambda name: HostKernel(self, source, name))

    def _new_stream(self, *, non_blocking):
        assert non_blocking  # others wait for the work of all
        stream = EmulatedStream(self._chosen_streams)
        self.streams.append(stream)
        return stream

    def _chosen_streams(self):
        """Streams that the calling thread is in, the one for whoever has chosen none first."""
        if not hasattr(self._of_thread, "streams"):
            self._of_thread.streams = [EmulatedStream(self._chosen_streams)]
            self.streams += self._of_thread.streams
        return self._of_thread.streams

    def _pinned(self, size):
        assert size > 0
        return np.full(size, POISON, np.uint8)

    def address_of(self, array):
        """Where an array begins, for kernels that find it so."""
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
        """Later work waits for the current stream."""
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
        """A copy, which is there at once or when the stream comes to it."""
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
    """As CuPy's Device: chosen for a thread by ``with``."""

    id = 0

    def __init__(self, threads):
        self._threads = threads

    def __enter__(self):
        self._threads.add(threading.current_thread().name)

    def __exit__(self, *_):
        pass


class EmulatedStream:
    """As CuPy's Stream: chosen for a thread by ``with``. Copies come when it is waited for.

    ``is_done`` says whether all was waited for that it was given.
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
    """A kernel as CuPy's RawKernel. What it may have of shared memory is its function's."""

    preferred_shared_memory_carveout = -1  # what the driver thinks best

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
    """The compiled emulator, whose functions other libraries can call."""
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
        """The emulator's message, with its line."""
        if found := re.search(r"at \+(\d+)", wrong):
            command = ["addr2line", "-e", str(self.path), hex(int(found[1]) - 1)]
            told = subprocess.run(command, capture_output=True, text=True, check=True).stdout
            wrong = wrong.replace(found[0], f"line {told.strip().rpartition(':')[2].split()[0]}")
        if found := re.search(r"line (\d+)", wrong):
            wrong += f": {self.code.splitlines()[int(found[1]) - 1].strip()}"
        return wrong


@cache
def compile_kernel(folder, code, options, *, checked):
    """A kernel's text and its shared library, with an entry for each kernel in it."""
    emulator(folder)
    for name in re.findall(r"__global__ void (\w+)\(", code):
        code += (
            f'\nextern "C" void {ENTRY}{name}(void **arguments)\n'
            f"{{\n    emulated::call({name}, arguments);\n}}\n"
        )
    # Counters are set back as words, which C++ allows without strict aliasing only.
    flags = ["-O1", "-fno-strict-aliasing", "-include", str(EMULATOR / "cuda.h")]
    watched = ["-g", "-fsanitize=thread"]
    path = _built(folder, code, [*options, *flags, *(watched if checked else [])])
    return Source(code, path, ctypes.CDLL(str(path)))


@cache
def _compiler():
    """What libraries depend on beside their code and flags: the compiler, and what all include."""
    version = subprocess.run(["g++", "--version"], capture_output=True, text=True, check=True)
    return version.stdout + (EMULATOR / "cuda.h").read_text("utf-8")


def _built(folder, code, flags):
    """The library of a text, which is compiled but once for whoever shares the folder.

    It is put in its place as a whole, for other processes may look for it.
    """
    content = "\0".join([_compiler(), code, *flags])
    path = folder / f"{hashlib.sha256(content.encode()).hexdigest()[:24]}.so"
    if path.exists():
        path.touch()  # it is of use still
        return path
    compiled, linked = (path.with_suffix(f".{os.getpid()}.{kind}") for kind in ("o", "so"))
    compile_ = ["g++", *flags, "-fPIC", "-c", "-x", "c++", "-", "-o", str(compiled)]
    done = subprocess.run(compile_, input=code, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"g++ failed on a kernel:\n{done.stderr}"
    # Linked without the sanitizer, whose part the emulator takes.
    subprocess.run(["g++", "-shared", str(compiled), "-o", str(linked)], check=True)
    compiled.unlink()
    return linked.replace(path)


def pretend(patch, host):
    """Put ``host`` in CuPy's place."""
    patch.setattr(device, "probe", lambda: (host, None))
    patch.setattr(device, "is_installed", lambda: True)
    patch.setattr(cuda_lists, "address_of", host.address_of)
