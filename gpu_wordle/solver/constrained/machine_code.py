"""The machine code of the search under the constrained rules."""

from __future__ import annotations

from gpu_wordle.solver.constrained import generate, hooks
from gpu_wordle.solver.constrained.workspace import ARRAYS, STATE, WORKSPACE
from gpu_wordle.solver.machine.linking import fetcher
from gpu_wordle.solver.search.hooks import filled_by
from gpu_wordle.solver.search.machine_code import compile_search
from gpu_wordle.tunables import MAX_SHALLOW_CONSTRAINED

MACHINE_CODE = compile_search(
    "constrained",
    {
        **filled_by(vars(generate), vars(hooks)),
        "fetch": fetcher(WORKSPACE),
        "WORKSPACE": WORKSPACE,
        "ARRAYS": ARRAYS,
        "STATE": STATE,
        "MAX_SHALLOW": MAX_SHALLOW_CONSTRAINED,
    },
)
