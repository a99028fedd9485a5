"""numba's types of what the functions of the experiment hand to each other."""

from __future__ import annotations

from numba import types

ANSWERS = types.int32[::1]
REVEALED = types.uint64[::1]
GUESSES = types.int32[::1]
CELLS = types.uint8[:, ::1]
ROWS = types.int32[::1]
VALUES = types.int64[:, ::1]
CHOSEN = types.int32[:, ::1]
