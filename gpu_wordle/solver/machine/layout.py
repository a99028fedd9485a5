"""The layout of the rows of a matrix in memory, for all that read them.

A row holds the patterns of the state's own answers as guesses, then those of the columns; each is
padded to whole vectors. The labels of the columns follow in bit slices.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numba import types
from numpy.typing import NDArray

from gpu_wordle.solver.machine.bitslice import MAX_BLOCK, PLANES
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT, INT32S, INT64S
from gpu_wordle.solver.machine.simd import LANES

PATTERNS = 256
"""Patterns that a byte tells apart."""


class Rows(NamedTuple):
    """The rows of a state: ``addresses[at : at + n]``."""

    addresses: NDArray[np.int64]
    at: int
    n: int


class Columns(NamedTuple):
    """The columns of a matrix that are counted.

    Attributes:
        first: offset of the first of them in a row.
        number: number of columns.
        ceiling: int32[...], upper bounds on the parts of each column, from ``info`` on; descending.
        info: where the bounds of this matrix begin.
    """

    first: int
    number: int
    ceiling: NDArray[np.int32]
    info: int


ROWS = types.NamedTuple([INT64S, INT, INT], Rows)
COLUMNS = types.NamedTuple([INT, INT, INT32S, INT], Columns)
"""numba's types of rows and columns."""


def padded(columns: int) -> int:
    """``columns`` rounded up to whole vectors."""
    return -(-columns // LANES) * LANES


@inlined(INT(INT))
def sliced_bytes(columns):
    """Bytes that the labels of ``columns`` columns take in a row, the same on every processor."""
    return (columns + MAX_BLOCK - 1) // MAX_BLOCK * PLANES * (MAX_BLOCK // 8)


@inlined(INT(INT, INT))
def sliced_at(first, columns):
    """Offset of the labels in a row; they follow the bytes of the columns."""
    return first + (columns + LANES - 1) // LANES * LANES
