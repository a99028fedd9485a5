"""CUDA's run-time compiler, which CuPy uses, alone: no device and no CuPy are needed.

It comes with PyPI's ``nvidia-cuda-nvrtc``, on systems that have one.
"""

from __future__ import annotations

import ctypes
import re
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from typing import NamedTuple

ARCHITECTURES = ("80", "90", "100")
STRICT = ("-std=c++17", "-Werror", "all-warnings", "-Xptxas", "--warn-on-spills", "-Xptxas", "-v")
UNUSED = "-diag-suppress=177"
"""Accepts constants of included headers that a kernel does not use."""

REPORT = r"entry function '(\w+)'.*?(\d+) bytes stack frame.*?Used (\d+) registers"


class Used(NamedTuple):
    """The resources of a kernel's thread, by the compiler's report."""

    registers: int
    local_bytes: int


def installed(pattern: str) -> Path | None:
    """Return a file of NVIDIA's packages that matches a pattern; None if there is none."""
    try:
        spec = find_spec("nvidia.cu13")
    except ModuleNotFoundError:
        return None
    places = [] if spec is None else spec.submodule_search_locations or []
    return next((file for place in places for file in sorted(Path(place).glob(pattern))), None)


@cache
def library() -> ctypes.CDLL | None:
    """Return the compiler's library; None if it is not installed."""
    found = installed("lib/libnvrtc.so.*")
    return None if found is None else ctypes.CDLL(str(found))


def compile_cuda(
    source: str, name: str, architecture: str, *options: str
) -> tuple[str, bytes, dict[str, Used]]:
    """Return the compiler's messages, the machine code, and the resources of each kernel in it.

    No code means failure. Warnings are errors, and so are spilled registers.
    """
    compiler, program = library(), ctypes.c_void_p()
    assert compiler is not None, "nvidia-cuda-nvrtc is not installed"
    created = compiler.nvrtcCreateProgram(
        ctypes.byref(program), source.encode(), name.encode(), 0, None, None
    )
    assert created == 0
    arguments = [f"-arch=sm_{architecture}", *STRICT, UNUSED, *options]
    encoded = [argument.encode() for argument in arguments]
    array = (ctypes.c_char_p * len(encoded))(*encoded)
    failed = compiler.nvrtcCompileProgram(program, len(encoded), array)
    size = ctypes.c_size_t()
    compiler.nvrtcGetProgramLogSize(program, ctypes.byref(size))
    log = ctypes.create_string_buffer(size.value)
    compiler.nvrtcGetProgramLog(program, log)
    code = b""
    if not failed:
        compiler.nvrtcGetCUBINSize(program, ctypes.byref(size))
        held = ctypes.create_string_buffer(size.value)
        compiler.nvrtcGetCUBIN(program, held)
        code = held.raw
    compiler.nvrtcDestroyProgram(ctypes.byref(program))
    said = log.value.decode()
    used = {
        kernel: Used(int(registers), int(local_bytes))
        for kernel, local_bytes, registers in re.findall(REPORT, said, re.DOTALL)
    }
    return re.sub(r"ptxas (info|    )    .*\n*", "", said), code, used
