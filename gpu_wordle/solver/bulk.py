"""The table and the search for many states in one call, so that Python is not asked for each."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.bounds import state_lower_bound
from gpu_wordle.objective import INFEASIBLE, NO_LIMIT
from gpu_wordle.solver import search as searching
from gpu_wordle.solver.compiling import compiled
from gpu_wordle.solver.linking import fetcher, inlined
from gpu_wordle.solver.signatures import BOOL, INT, NOTHING, TABLE
from gpu_wordle.solver.table import COUNTED, probe, record
from gpu_wordle.solver.workspace import STATE, STOPPED, TOPS, WORKSPACE, State, Tops

KEYS = types.Array(types.uint64, 2, "C", readonly=True)
INDICES = types.Array(types.int64, 1, "C", readonly=True)
ANSWERS = types.Array(types.uint16, 1, "C", readonly=True)
COLUMN = types.int64[::1]
FLAGS = types.boolean[::1]

_fetch = fetcher(WORKSPACE)
_bound = inlined(INT(INT))(state_lower_bound)


@compiled(NOTHING(TABLE, KEYS, INDICES, COLUMN, COLUMN, FLAGS))
def recall_all(table, keys, sizes, lower, height, counted):
    """What is known of B states without a guess limit, into int64[B], int64[B] and bool[B].

    ``height`` is that of a tree of total ``lower`` where that is exact, else 0; ``counted`` says
    whether the one-ply bound is in ``lower``.
    """
    for b in range(sizes.size):
        n = sizes[b]
        lower[b] = _bound(n)
        height[b] = n if n <= 2 else 0
        counted[b] = n <= 2
        if n > 2:
            least, most, tallness, marks = probe(table, keys[b, 0], keys[b, 1])
            lower[b] = max(lower[b], least)
            height[b] = tallness if least == most else 0
            counted[b] = (marks & COUNTED) != 0


@compiled(NOTHING(TABLE, KEYS, INDICES, COLUMN, COLUMN))
def record_all(table, keys, sizes, lower, height):
    """Enter B states: exact values with the height of a tree, or bounds with height 0.

    A bound does not replace what another thread has found out since: an exact value, or as much.
    """
    for b in range(sizes.size):
        least, most, _, marks = probe(table, keys[b, 0], keys[b, 1])
        is_known = least == most or (least >= lower[b] and marks & COUNTED != 0)
        if is_known and height[b] == 0:
            continue
        upper = lower[b] if height[b] > 0 else np.int64(INFEASIBLE)
        record(table, keys[b, 0], keys[b, 1], sizes[b], lower[b], upper, height[b], COUNTED)


@compiled(BOOL(INT, STATE, TOPS, INT, INT, INDICES, ANSWERS, COLUMN, COLUMN, INT))
def settle(address, root, tops, matrix, stride, indptr, answers, lower, height, missing):
    """Search states in turn until their lower bounds have risen by ``missing`` in all.

    Args:
        address: of the workspace, see entry.py.
        root: a state entered at the bottom of the arenas: the states are looked up in its matrix.
        tops: first free entries of the arenas with any of the states in the place of ``root``.
        matrix: address of the root's matrix.
        stride: bytes from one of its rows to the next.
        indptr: int64[B + 1], the states as in a StateBatch.
        answers: uint16[nnz], likewise.
        lower: int64[B], what is known of each, as in :func:`recall_all`; raised in place.
        height: int64[B], likewise.
        missing: see above.

    Returns:
        False if the search was stopped.
    """
    w = _fetch(address)
    for b in range(lower.size):
        if missing <= 0:
            break
        begin = indptr[b]
        n = indptr[b + 1] - begin
        for i in range(n):
            a = np.int64(answers[begin + i])
            w.answers[root.at + i] = a
            w.pos[root.at + i] = a
            w.rows[root.at + i] = matrix + stride * a
        state = State(root.at, n, root.first, root.columns, root.info)
        cutoff = lower[b] + missing
        above = Tops(root.at + n, tops.column, tops.part, tops.byte)
        found, found_height = searching.value(w, state, above, cutoff, np.int64(NO_LIMIT))
        if w.counters[STOPPED] != 0:
            return False
        found = max(found, lower[b])
        missing -= found - lower[b]
        lower[b] = found
        height[b] = found_height
    return True
