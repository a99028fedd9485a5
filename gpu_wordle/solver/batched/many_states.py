"""The table and the search for many states in one call, so that Python is not asked for each."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np
from numba import types

from gpu_wordle.game.values import INFEASIBLE, NO_LIMIT
from gpu_wordle.jit.functions import Need, compiled
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT, INT32S, NOTHING, TABLE
from gpu_wordle.solver.memory.arenas import ARENA_MARKS, STOPPED, ArenaMarks, Asked
from gpu_wordle.solver.memory.move_cache import write_shortlist
from gpu_wordle.solver.memory.table import COUNTED, probe, record
from gpu_wordle.solver.memory.workspace import STATE, State
from gpu_wordle.solver.unconstrained.machine_code import MACHINE_CODE
from gpu_wordle.states.bounds import state_lower_bound

KEYS = types.Array(types.uint64, 2, "C", readonly=True)
INDICES = types.Array(types.int64, 1, "C", readonly=True)
ANSWERS = types.Array(types.uint16, 1, "C", readonly=True)
COLUMN = types.int64[::1]

search = MACHINE_CODE["search"]
fetch = MACHINE_CODE["fetch"]
_bound = inlined(INT(INT))(state_lower_bound)


@compiled(NOTHING(TABLE, KEYS, INDICES, COLUMN, COLUMN), Need.RARE)
def recall_all(table, keys, sizes, lower, height):
    """Read bounds and heights of B states without a guess limit into int64[B] and int64[B].

    ``height`` is that of a tree of total ``lower`` where that is exact, else 0.
    """
    for b in range(sizes.size):
        n = sizes[b]
        lower[b] = _bound(n)
        height[b] = n if n <= 2 else 0
        if n > 2:
            least, greatest, tallness, _ = probe(table, keys[b, 0], keys[b, 1])
            lower[b] = max(lower[b], least)
            height[b] = tallness if least == greatest else 0


@compiled(NOTHING(TABLE, KEYS, INDICES, COLUMN, COLUMN), Need.RARE)
def record_all(table, keys, sizes, lower, height):
    """Enter B states: exact values with the height of a tree, or bounds with height 0.

    A bound does not replace an exact value, or as good a bound, that another thread has entered.
    """
    for b in range(sizes.size):
        least, greatest, _, marks = probe(table, keys[b, 0], keys[b, 1])
        is_known = least == greatest or (least >= lower[b] and marks & COUNTED != 0)
        if is_known and height[b] == 0:
            continue
        upper = lower[b] if height[b] > 0 else np.int64(INFEASIBLE)
        record(table, keys[b, 0], keys[b, 1], sizes[b], lower[b], upper, height[b], COUNTED)


@compiled(NOTHING(TABLE, KEYS, INDICES, COLUMN, COLUMN, INDICES, INT32S), Need.RARE)
def shortlist_all(move_cache, keys, sizes, values, max_parts, indptr, columns):
    """Enter the shortlists of B states, ``columns[indptr[b]:indptr[b + 1]]`` each.

    ``values`` are those of the states, ``max_parts`` the most parts that any guess makes of them.
    """
    for b in range(sizes.size):
        listed = columns[indptr[b] : indptr[b + 1]]
        write_shortlist(
            move_cache, keys[b, 0], keys[b, 1], sizes[b], values[b], max_parts[b], listed
        )


@compiled(NOTHING(INT, STATE, ARENA_MARKS, INT, INT, INDICES, ANSWERS, INDICES, COLUMN, COLUMN,
                  COLUMN, COLUMN, COLUMN), Need.RARE)  # fmt: skip
def attempt(
    address, root, marks, matrix, stride, indptr, answers, tries, columns, bounds, max_parts,
    best, height,
):  # fmt: skip
    """Search guesses on states in turn, as far as each might be better than those before it.

    Args:
        address: of the workspace, see entry.py.
        root: a state entered at the bottom of the arenas: the states are looked up in its matrix.
        marks: first free entries of the arenas with any of the states in the place of ``root``.
        matrix: address of the root's matrix.
        stride: bytes from one of its rows to the next.
        indptr: int64[B + 1], the states as in a StateBatch; three answers or more each.
        answers: uint16[nnz], the answers of the states as in a StateBatch.
        tries: int64[B + 1]; state b tries ``columns[tries[b]:tries[b + 1]]``.
        columns: int64[T], the guesses, as numbers of columns.
        bounds: int64[T], a lower bound of each.
        max_parts: int64[B], a bound on the parts that any guess makes of the state.
        best: int64[B], the value to be beaten; lowered in place.
        height: int64[B], height of a tree that reaches it; set where ``best`` is lowered.

    A stopped search leaves what it has found by then.
    """
    w = fetch(address)
    for b in range(best.size):
        members = answers[indptr[b] : indptr[b + 1]]
        n = members.size
        state = State(root.at, n, root.first, root.columns, root.info)
        above = ArenaMarks(root.at + n, marks.column, marks.part, marks.byte)
        for t in range(tries[b], tries[b + 1]):
            # A guess tried before may have lowered the best to this bound.
            if bounds[t] >= best[b]:
                continue
            for i in range(n):
                a = np.int64(members[i])
                w.answers[root.at + i] = a
                w.pos[root.at + i] = a
                w.rows[root.at + i] = matrix + stride * a
            asked = Asked(best[b], np.int64(NO_LIMIT), columns[t], max_parts[b], np.int64(0))
            total, found_height = search(w, state, above, asked)
            if w.counters[STOPPED] != 0:
                return
            if total < best[b]:
                best[b] = total
                height[b] = found_height
