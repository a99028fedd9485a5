"""The machine code of the search under the constrained rules."""

from __future__ import annotations

from gpu_wordle.solver.constrained.bounding import (
    count_most,
    is_some_part_lost,
    look_at_overlaps,
    only_candidates,
    recall,
)
from gpu_wordle.solver.constrained.generate import generate
from gpu_wordle.solver.constrained.lookup import (
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
from gpu_wordle.solver.constrained.workspace import ARRAYS, STATE, WORKSPACE
from gpu_wordle.solver.machine.linking import fetcher
from gpu_wordle.solver.search.machine_code import compile_search
from gpu_wordle.tunables import MAX_SHALLOW_CONSTRAINED

HOOKS = {
    hook.py_func.__name__: hook
    for hook in (
        *(answer_place, answer_row, child, copy_answer, has_room, keep_rows, key_of, look_up),
        *(look_up_answer, measure_all, note_refuted, number_of, reveal),
        *(count_most, is_some_part_lost, look_at_overlaps, only_candidates, recall),
    )
}

MACHINE_CODE = compile_search(
    "constrained",
    {
        **HOOKS,
        "generate": generate,
        "fetch": fetcher(WORKSPACE),
        "WORKSPACE": WORKSPACE,
        "ARRAYS": ARRAYS,
        "STATE": STATE,
        "MAX_SHALLOW": MAX_SHALLOW_CONSTRAINED,
    },
)
