"""The functions that Python calls: the search with a workspace given by its address.

Python cannot pass fifty arrays quickly, and numba would count references to each of them.
"""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.solver.machine.linking import save_borrowed
from gpu_wordle.solver.machine.signatures import BOOL, INT, INT32_ROWS, INT64S, NOTHING, PAIR
from gpu_wordle.solver.machine.templates import compiled_template
from gpu_wordle.solver.memory.arenas import ARENA_MARKS, ASKED, BRANCH
from gpu_wordle.solver.search.hooks import ARRAYS, STATE, fetch, measure_all
from gpu_wordle.solver.search.openers import SOLVED, TURNS, search_in_turn, solve_openers
from gpu_wordle.solver.search.search import bound_guess, search, value
from gpu_wordle.solver.search.strategy import extract_tree


@compiled_template(NOTHING(ARRAYS, INT))
def save(w, address):
    """Write a workspace at ``address``; its arrays must be kept alive."""
    save_borrowed(w, address)


@compiled_template(PAIR(INT, STATE, ARENA_MARKS, ASKED))
def call_search(address, state, marks, asked):
    """Call search.search with the workspace at ``address``."""
    return search(fetch(address), state, marks, asked)


@compiled_template(PAIR(INT, STATE, ARENA_MARKS, INT, INT))
def call_value(address, state, marks, cutoff, guesses_left):
    """Call search.value with the workspace at ``address``."""
    return value(fetch(address), state, marks, cutoff, guesses_left)


@compiled_template(PAIR(INT, STATE, ARENA_MARKS, ASKED))
def call_bound_guess(address, state, marks, asked):
    """Call search.bound_guess with the workspace at ``address``."""
    return bound_guess(fetch(address), state, marks, asked)


@compiled_template(BOOL(INT, STATE, ARENA_MARKS, BRANCH, INT32_ROWS))
def call_extract_tree(address, state, marks, branch, nodes):
    """Call strategy.extract_tree with the workspace at ``address``."""
    return extract_tree(fetch(address), state, marks, branch, nodes)


@compiled_template(INT(INT, STATE, ARENA_MARKS, INT, INT64S, SOLVED))
def call_openers(address, state, marks, guesses_left, numbers, into):
    """Call openers.solve_openers with the workspace at ``address``."""
    return solve_openers(fetch(address), state, marks, guesses_left, numbers, into)


@compiled_template(INT(INT, STATE, ARENA_MARKS, INT, INT, TURNS))
def call_search_in_turn(address, state, marks, guesses_left, max_parts, turns):
    """Call openers.search_in_turn with the workspace at ``address``."""
    return search_in_turn(fetch(address), state, marks, guesses_left, max_parts, turns)


@compiled_template(NOTHING(INT, STATE))
def call_measure(address, state):
    """Call hooks.measure_all with the workspace at ``address``."""
    measure_all(fetch(address), state)


TEMPLATES = (
    save, call_search, call_value, call_bound_guess, call_extract_tree, call_openers,
    call_search_in_turn, call_measure,
)  # fmt: skip
