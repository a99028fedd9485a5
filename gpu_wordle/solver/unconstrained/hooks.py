"""The hooks of the search as the rules without constraints fill them, and what splits a state."""

from __future__ import annotations

from gpu_wordle.solver.guesses import generate, tree_lists
from gpu_wordle.solver.machine.templates import instantiate
from gpu_wordle.solver.memory.workspace import ARRAYS, STATE, WORKSPACE
from gpu_wordle.solver.search.hooks import filled_by
from gpu_wordle.solver.search.split import TEMPLATES as SPLITTING
from gpu_wordle.solver.unconstrained import bounding, lookup

RULE = "unconstrained"
SUPPLIED = {
    **filled_by(generate, tree_lists, lookup, bounding),
    "WORKSPACE": WORKSPACE,
    "ARRAYS": ARRAYS,
    "STATE": STATE,
    "MAX_SHALLOW": 0,
}
SUPPLIED |= instantiate(RULE, SPLITTING, SUPPLIED)
"""All that the search is compiled with, but for what is made of these (see fates.py)."""
