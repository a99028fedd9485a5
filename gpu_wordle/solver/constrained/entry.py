"""What Python calls under a constrained rule: the functions of the normal entry, by its names."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.solver.constrained import generate as survey
from gpu_wordle.solver.constrained import search as searching
from gpu_wordle.solver.constrained import strategy as extract
from gpu_wordle.solver.constrained.workspace import ARRAYS, STATE, TOPS, WORKSPACE
from gpu_wordle.solver.machine.compiling import compiled
from gpu_wordle.solver.machine.linking import fetcher, save_borrowed
from gpu_wordle.solver.machine.signatures import BOOL, INT, INT32_ROWS, NOTHING, PAIR

_fetch = fetcher(WORKSPACE)


@compiled(NOTHING(ARRAYS, INT))
def save(w, address):
    """Write a workspace at ``address``; its arrays must be kept alive."""
    save_borrowed(w, address)


@compiled(PAIR(INT, STATE, TOPS, INT, INT, INT, INT))
def search(address, state, tops, cutoff, left, forced, most):
    """See search.search."""
    return searching.search(_fetch(address), state, tops, cutoff, left, forced, most, 0)


@compiled(PAIR(INT, STATE, TOPS, INT, INT))
def value(address, state, tops, cutoff, left):
    """See search.value."""
    return searching.value(_fetch(address), state, tops, cutoff, left)


@compiled(PAIR(INT, STATE, TOPS, INT, INT, INT, INT))
def bound_guess(address, state, tops, cutoff, left, forced, most):
    """See search.bound_guess."""
    return searching.bound_guess(_fetch(address), state, tops, cutoff, left, forced, most)


@compiled(BOOL(INT, STATE, TOPS, INT, INT, INT, INT, INT32_ROWS))
def grow(address, state, tops, left, forced, parent, answer, nodes):
    """See extract.grow."""
    return extract.grow(_fetch(address), state, tops, left, forced, parent, answer, nodes)


@compiled(NOTHING(INT, STATE))
def measure(address, state):
    """See survey.measure_all."""
    survey.measure_all(_fetch(address), state.at, state.n)
