"""A core in which no answer is too many: nogoods cover the columns, and answers go while they do.

A nogood covers the columns that it refutes. The nogoods within a core cover all columns. An answer
may go if those without it still do. Clauses are made few in the same way where a set of them is
unsatisfiable, one after the other ("deletion-based"); here no trial takes a search.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

import numpy as np

from gpu_wordle.solver.guesses.membership import mark, unmark
from gpu_wordle.solver.machine.linking import inlined, linked
from gpu_wordle.solver.machine.signatures import BOOL, INT
from gpu_wordle.solver.machine.simd import LANES, greatest_lane, load, without
from gpu_wordle.solver.memory.workspace import STATE, WORKSPACE
from gpu_wordle.solver.unconstrained.column_sets import refuted_at, set_bytes
from gpu_wordle.solver.unconstrained.nogoods import is_within, swap_answers
from gpu_wordle.tunables import MAX_COVERING


@inlined(INT(WORKSPACE, STATE, INT))
def gather_covering(w, state, left):
    """Write the nogoods of ``left`` guesses within a state, MAX_COVERING at most; how many."""
    number = np.int64(0)
    mark(w, state.at, state.n)
    for t in range(state.at, state.at + state.n):
        nogood = np.int64(w.nogood_of_answer[left, w.answers[t]])
        while nogood > 0 and number < MAX_COVERING:
            if is_within(w, left, nogood):
                w.covering[number] = nogood
                number += 1
            nogood = np.int64(w.nogood_after[left, nogood])
    unmark(w, state.at, state.n)
    return number


@inlined(BOOL(WORKSPACE, INT, INT))
def is_covered(w, left, number):
    """Whether the nogoods ``w.covering[:number]`` of ``left`` guesses refute all columns."""
    for start in range(0, set_bytes(w), LANES):
        rest = load(w.columns.ctypes.data + start)
        for k in range(number):
            rest = without(rest, load(refuted_at(w, left, np.int64(w.covering[k])) + start))
        if greatest_lane(rest) > 0:
            return False
    return True


@inlined(INT(WORKSPACE, INT, INT, INT))
def put_last(w, left, number, answer):
    """Bring the nogoods that hold an answer to the end of ``w.covering``; how many do not."""
    without_it = np.int64(0)
    for k in range(number):
        nogood = w.covering[k]
        is_held = False
        for i in range(w.nogood_sizes[left, nogood]):
            if w.nogoods[left, nogood, i] == answer:
                is_held = True
        if not is_held:
            w.covering[k], w.covering[without_it] = w.covering[without_it], nogood
            without_it += 1
    return without_it


@linked(INT(WORKSPACE, STATE, INT))
def irreducible_core(w, state, left):
    """Bring answers of a state to the front that nogoods lose, none of them too many; how many.

    Nogoods of ``left`` guesses are to refute all columns. If they do not, all answers are left, and
    if there are more nogoods than MAX_COVERING, the first ones count.
    """
    number = gather_covering(w, state, left)
    if not is_covered(w, left, number):
        return state.n
    k = np.int64(0)
    for t in range(state.at, state.at + state.n):
        without_it = put_last(w, left, number, np.int64(w.answers[t]))
        if is_covered(w, left, without_it):
            number = without_it
        else:
            swap_answers(w, state.at + k, t)
            k += 1
    return k
