"""CUDA's run-time compiler, which CuPy uses, by itself: no device and no CuPy are needed.

It comes with PyPI's ``nvidia-cuda-nvrtc``, where there is one for the system.
"""

import ctypes
from functools import cache
from importlib.util import find_spec
from pathlib import Path

ARCHITECTURES = ("80", "90", "100")
STRICT = ("-std=c++17", "-Werror", "all-warnings", "-Xptxas", "--warn-on-spills")
UNUSED = "-diag-suppress=177"
"""Constants of a header that a kernel has no use for: it was put into the text."""


@cache
def library():
    """The compiler's library; None where it is not installed."""
    try:
        spec = find_spec("nvidia.cu13")
    except ModuleNotFoundError:
        return None
    places = [] if spec is None else spec.submodule_search_locations
    found = [file for place in places for file in Path(place, "lib").glob("libnvrtc.so.*")]
    return ctypes.CDLL(str(found[0])) if found else None


def compile_cuda(source, name, architecture, *options):
    """What the compiler says of a kernel's text, and the size of the machine code, in bytes.

    Zero bytes stand for a failure.
    """
    compiler, program = library(), ctypes.c_void_p()
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
    code_bytes = ctypes.c_size_t()
    if not failed:
        compiler.nvrtcGetCUBINSize(program, ctypes.byref(code_bytes))
    compiler.nvrtcDestroyProgram(ctypes.byref(program))
    return log.value.decode(), code_bytes.value
