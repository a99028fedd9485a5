"""The order in which guesses are tried: a heap of small integers that sort as wanted.

Good guesses split a state into many parts of even size. So a guess comes the earlier the less ``n *
bound + 2 * (sum of squares of its parts)`` is. Here n counts the answers, and the bound is the
one-ply bound on the mean, whatever the objective. Ties go to guesses that may be the answer, then
to the lowest index. The order depends on the state alone, and not on how the search came to it. So
the first guess that reaches the value is always the same.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import BOOL, INT, NOTHING, UINT64S, WORD

NEVER = np.uint64(0xFFFFFFFFFFFFFFFF)
"""Key of a column that is not to be tried."""

_SLOT_BITS = np.uint64(16)
_SLOT_MASK = np.uint64(0xFFFF)


@inlined(WORD(INT, INT, INT, BOOL, INT, INT))
def order_key(n, parts, squares, is_candidate, guess, slot):
    """Sort key of a guess with its column's number in the low bits, uint64.

    31 bits of order, 1 for candidates, 16 each for guess and slot; guesses are below 65,536.
    """
    bound = 3 * n - parts - (1 if is_candidate else 0)
    order = n * bound + 2 * squares
    if n > 14_000:
        order >>= 4  # to fit; 65,535 answers need 34 bits
    rank = (np.uint64(order) << np.uint64(1)) | np.uint64(0 if is_candidate else 1)
    return (((rank << _SLOT_BITS) | np.uint64(guess)) << _SLOT_BITS) | np.uint64(slot)


@inlined(INT(WORD))
def slot_of_key(key):
    """The column's number in a key."""
    return np.int64(key & _SLOT_MASK)


@inlined(NOTHING(UINT64S, INT, INT, INT))
def sift_down(heap, at, size, node):
    """Restore the heap ``heap[at : at + size]`` (least on top) below ``node``."""
    moved = heap[at + node]
    while True:
        child = 2 * node + 1
        if child >= size:
            break
        if child + 1 < size and heap[at + child + 1] < heap[at + child]:
            child += 1
        if heap[at + child] >= moved:
            break
        heap[at + node] = heap[at + child]
        node = child
    heap[at + node] = moved


@inlined(NOTHING(UINT64S, INT, INT))
def heapify(heap, at, size):
    """Make a heap of ``heap[at : at + size]``."""
    for node in range(size // 2 - 1, -1, -1):
        sift_down(heap, at, size, node)


@inlined(WORD(UINT64S, INT, INT))
def pop_key(heap, at, size):
    """Take the least of the ``size + 1`` keys at ``heap[at:]`` from the heap, and return it."""
    key = heap[at]
    heap[at] = heap[at + size]
    sift_down(heap, at, size, 0)
    return key
