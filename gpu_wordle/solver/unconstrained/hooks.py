"""The hooks of the search as the rules without constraints fill them, and what splits a state."""

from __future__ import annotations

from gpu_wordle.solver.guesses.generate import generate
from gpu_wordle.solver.machine.templates import instantiate
from gpu_wordle.solver.memory.workspace import ARRAYS, STATE, WORKSPACE
from gpu_wordle.solver.search.split import TEMPLATES as SPLITTING
from gpu_wordle.solver.unconstrained.bounding import (
    count_most,
    look_at_overlaps,
    only_candidates,
    recall,
)
from gpu_wordle.solver.unconstrained.lookup import (
    answer_place,
    answer_row,
    child,
    copy_answer,
    has_room,
    keep_rows,
    key_of,
    look_up,
    look_up_answer,
    measure_all,
    note_refuted,
    number_of,
    reveal,
)

RULE = "unconstrained"
HOOKS = {
    hook.py_func.__name__: hook
    for hook in (
        *(answer_place, answer_row, child, copy_answer, has_room, keep_rows, key_of, look_up),
        *(look_up_answer, measure_all, note_refuted, number_of, reveal),
        *(count_most, look_at_overlaps, only_candidates, recall),
    )
}
SUPPLIED = {
    **HOOKS,
    "generate": generate,
    "WORKSPACE": WORKSPACE,
    "ARRAYS": ARRAYS,
    "STATE": STATE,
    "MAX_SHALLOW": 0,
}
SUPPLIED |= instantiate(RULE, SPLITTING, SUPPLIED)
"""All that the search is compiled with, but for what is made of these (see nogoods.py)."""
