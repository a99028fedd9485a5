"""Compact matrices: the columns that a state keeps, copied for the states below it.

A row holds the state's own answers as guesses, then the columns kept, then room for their labels.
The overlaps follow after the rows. Rows and columns are padded to whole vectors.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.solver.bounds.overlaps import bytes_of_overlaps
from gpu_wordle.solver.machine import layout
from gpu_wordle.solver.machine.layout import sliced_at, sliced_bytes
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT, NOTHING
from gpu_wordle.solver.machine.simd import LANES, byte_at, store_byte
from gpu_wordle.solver.memory.workspace import (
    HOME_AT,
    HOME_SIZE,
    MATRIX_AT,
    OVERLAPS,
    OVERLAPS_AT,
    WORK,
    WORKSPACE,
)

padded = inlined(INT(INT))(layout.padded)


@inlined(INT(INT, INT))
def row_bytes(n, kept):
    """Bytes of a row in the compact matrix of n answers: own columns, kept ones, labels."""
    stride = sliced_at(padded(n), kept) + sliced_bytes(kept)
    # Rows at multiples of 4 kB would compete for the same lines of the cache.
    return stride + LANES if stride % 4096 < LANES else stride


@inlined(INT(INT, INT))
def matrix_bytes(n, kept):
    """Bytes of the compact matrix of n answers and ``kept`` columns, with its overlaps."""
    return row_bytes(n, kept) * n + bytes_of_overlaps(n)


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT, INT))
def copy_columns(w, at, n, column, kept, begin):
    """Make the compact matrix of a state at address ``begin``."""
    stride = row_bytes(n, kept)
    first = padded(n)
    for i in range(n):
        old = w.rows[at + i]
        new = begin + i * stride
        for j in range(n):
            store_byte(new + j, byte_at(old + w.pos[at + j]))
        for slot in range(kept):
            store_byte(new + first + slot, byte_at(old + w.source[column + slot]))
        for slot in range(first + kept, sliced_at(first, kept)):
            store_byte(new + slot, 0)  # whole vectors are read
    for slot in range(kept):
        w.source[column + slot] = first + slot
    matrix = w.matrix[column]
    matrix[WORK] = 0
    matrix[HOME_SIZE] = n
    matrix[MATRIX_AT] = begin
    matrix[OVERLAPS_AT] = begin + n * stride
    matrix[OVERLAPS] = 0


@inlined(NOTHING(WORKSPACE, INT, INT, INT, INT, INT))
def enter_home(w, at, n, column, kept, top_state):
    """Enter a state once more at ``top_state``, with the rows of its compact matrix."""
    matrix = w.matrix[column]
    stride = row_bytes(n, kept)
    for i in range(n):
        w.answers[top_state + i] = w.answers[at + i]
        w.rows[top_state + i] = matrix[MATRIX_AT] + i * stride
        w.pos[top_state + i] = i
    # The labels of the matrix are laid out from the rows here, if they ever are.
    matrix[HOME_AT] = top_state
