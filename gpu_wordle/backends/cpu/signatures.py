"""numba's types of the arguments that Python hands to the kernels.

Arrays that are only read may be read-only, as matrices in the cache are.
"""

from __future__ import annotations

from numba import types
from numba.types import Array, Type

INT = types.int64
NOTHING = types.void
LETTERS = types.uint16[:, ::1]
FLAGS = types.boolean[::1]
UINT16S = types.uint16[::1]
UINT32S = types.uint32[::1]
INT64S = types.int64[::1]
INT64_ROWS = types.int64[:, ::1]
UINT64_ROWS = types.uint64[:, ::1]


def given(kind: Type, axes: int = 1) -> Array:
    """Type of an array that is only read."""
    return Array(kind, axes, "C", readonly=True)


ANSWERS = given(types.uint16)
GUESSES = given(types.int32)
INDICES = given(types.int64)
ZOBRIST = given(types.uint64, 2)
