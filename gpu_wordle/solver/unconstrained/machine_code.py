"""The machine code of the search under the rules without constraints."""

from __future__ import annotations

from gpu_wordle.solver.machine.linking import fetcher
from gpu_wordle.solver.memory.workspace import WORKSPACE
from gpu_wordle.solver.search.machine_code import compile_search
from gpu_wordle.solver.unconstrained.hooks import RULE, SUPPLIED
from gpu_wordle.solver.unconstrained.lost_parts import is_some_part_lost
from gpu_wordle.solver.unconstrained.winnable import is_lost

MACHINE_CODE = compile_search(
    RULE,
    {
        **SUPPLIED,
        "is_lost": is_lost,
        "is_some_part_lost": is_some_part_lost,
        "fetch": fetcher(WORKSPACE),
    },
)
