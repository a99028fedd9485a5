"""How the rows of a matrix are laid out in memory, for all that read them.

A row holds the patterns of the state's own answers as guesses, then those of the columns; each is
padded to whole vectors. The labels of the columns follow in bit slices.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.solver.machine.bitslice import BLOCK, PLANES, SLICE_BYTES
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT
from gpu_wordle.solver.machine.simd import LANES

PATTERNS = 256
"""Patterns are held as one byte."""


def padded(columns: int) -> int:
    """``columns`` rounded up to whole vectors."""
    return -(-columns // LANES) * LANES


@inlined(INT(INT))
def sliced_bytes(columns):
    """Bytes that the labels of so many columns take in a row."""
    return (columns + BLOCK - 1) // BLOCK * PLANES * SLICE_BYTES


@inlined(INT(INT, INT))
def sliced_at(first, columns):
    """Offset of the labels in a row; they follow the bytes of the columns."""
    return first + (columns + LANES - 1) // LANES * LANES
