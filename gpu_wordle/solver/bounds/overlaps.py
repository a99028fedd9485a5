"""Bounds on the parts of a state from those of states that were counted before.

Let M(P) be the most parts that any guess makes of P. An answer more makes one part more at most,
and an answer less never makes more parts. So for any other state Q

    M(P) <= M(P and Q) + |P without Q| <= M(Q) + |P without Q|,

and what was counted on Q bounds P, the better the more of P it covers. A search of a large state
meets thousands of parts that overlap. One look at what was counted so far gives more than half of
what counting anew would, in less than a tenth of the time.

Overlaps belong to a matrix, since all states that are looked up in it are made of its answers. A
block holds as many overlaps as a slice has bits. In it, each answer has a slice of a bit for each
overlap: whether the answer is in it.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.machine.bitslice import (
    BLOCK,
    COUNT_PLANES,
    MAX_BLOCK,
    MIN_BLOCK,
    SLICE_BYTES,
    clear_bits,
    highest_sum,
    set_bits,
)
from gpu_wordle.solver.machine.layout import PATTERNS
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import INT, INT32S, NOTHING
from gpu_wordle.solver.memory.workspace import overlap_bytes
from gpu_wordle.tunables import OVERLAP_BLOCKS

_ROOM = OVERLAP_BLOCKS * MAX_BLOCK
"""The most overlaps of a matrix."""
_COUNTS_BYTES = COUNT_PLANES * SLICE_BYTES

bytes_of_overlaps = inlined(INT(INT))(overlap_bytes)


@inlined(INT(INT))
def block_bytes(answers):
    """Bytes of a block of overlaps: a slice for each bit of the counts, and one for each answer."""
    return (COUNT_PLANES + answers) * SLICE_BYTES


@linked(NOTHING(INT, INT, INT, INT32S, INT, INT, INT))
def add_overlap(overlaps, number, answers, places, at, k, max_parts):
    """Enter a state of which no guess makes more than ``max_parts`` parts.

    Args:
        overlaps: address of the overlaps of a matrix.
        number: how many were entered before.
        answers: number of answers of the matrix.
        places: int32[...], which answer of the matrix each answer of a state is.
        at: where the answers of the state begin in ``places``.
        k: number of answers of the state.
        max_parts: the bound to be entered.
    """
    lane = number % BLOCK
    block = overlaps + number % _ROOM // BLOCK * block_bytes(answers)
    slices = block + _COUNTS_BYTES
    # A block in use for the second time loses its oldest overlaps, as many on every processor.
    if lane % MIN_BLOCK == 0:
        end = lane + MIN_BLOCK if number >= _ROOM else BLOCK
        for start in range(block, block + block_bytes(answers), SLICE_BYTES):
            for word in range(start + lane // 8, start + end // 8, 8):
                clear_bits(word)
    word = 8 * (lane // 64)
    bit = np.uint64(1) << np.uint64(lane % 64)
    for j in range(at, at + k):
        set_bits(slices + places[j] * SLICE_BYTES + word, bit)
    for t in range(COUNT_PLANES):
        if (PATTERNS - max_parts) >> t & 1:
            set_bits(block + t * SLICE_BYTES + word, bit)


@linked(INT(INT, INT, INT, INT32S, INT, INT))
def most_by_overlaps(overlaps, number, answers, places, at, k):
    """An upper bound on the parts that any guess makes of k answers, at most k; see add_overlap."""
    # For a counted state Q, a lane sums up 256 - M(Q) + |P and Q|, where P is the state asked for.
    # So the highest sum belongs to the least bound M(Q) + |P without Q| = k - (sum - 256).
    highest = PATTERNS
    address = places.ctypes.data + 4 * at
    block = overlaps
    for _ in range((min(number, _ROOM) + BLOCK - 1) // BLOCK):
        highest = max(highest, highest_sum(block, address, k, block + _COUNTS_BYTES))
        block += block_bytes(answers)
    return k - (highest - PATTERNS)
