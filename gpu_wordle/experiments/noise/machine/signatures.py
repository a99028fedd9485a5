"""numba's types of the arguments that the functions of the experiment share."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

ANSWERS = types.int32[::1]
REVEALED = types.uint64[::1]
GUESSES = types.int32[::1]
CELLS = types.uint8[:, ::1]
ROWS = types.int32[::1]
PART_OF = types.int16[::1]
VALUES = types.int64[:, ::1]
CHOSEN = types.int32[:, ::1]


class Parts(NamedTuple):
    """The parts that a guess makes of a state of n answers, at most P.

    Attributes:
        part_of: int16[n], the part of each answer; -1 for the one that is found.
        sizes: int64[n], answers of each part.
        keys: uint64[n, 2], keys of the parts.
        firsts: int32[n], their first answers.
        tags: uint64[P, 2], their keys in the memory of nodes.
        places: int64[P], their indices there; -1 for parts that need no search.
        members: int32[n], scratch: the answers of one part.
        rows: int32[n], scratch: their rows.
    """

    part_of: NDArray[np.int16]
    sizes: NDArray[np.int64]
    keys: NDArray[np.uint64]
    firsts: NDArray[np.int32]
    tags: NDArray[np.uint64]
    places: NDArray[np.int64]
    members: NDArray[np.int32]
    rows: NDArray[np.int32]


PARTS = types.NamedTuple(
    [
        PART_OF, types.int64[::1], types.uint64[:, ::1], types.int32[::1],
        types.uint64[:, ::1], types.int64[::1], types.int32[::1], types.int32[::1],
    ],
    Parts,
)  # fmt: skip
"""numba's type of Parts."""
