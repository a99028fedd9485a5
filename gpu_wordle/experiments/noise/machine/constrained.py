"""The machine code of the experiment under the constrained rules."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.experiments.noise.machine.code import compile_noise
from gpu_wordle.experiments.noise.machine.signatures import ANSWERS, REVEALED
from gpu_wordle.solver.constrained.machine_code import MACHINE_CODE
from gpu_wordle.solver.constrained.workspace import STATE, WORKSPACE, State
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT64S


@inlined(STATE(WORKSPACE, INT64S, ANSWERS, REVEALED))
def enter_leaf(w, entered, answers, revealed):
    """Put a state at the bottom of the arenas; see leaves.py."""
    for i in range(answers.size):
        w.answers[i] = answers[i]
    for k in range(revealed.size):
        w.revealed[0, k] = revealed[k]
    return State(0, answers.size, 0)


NOISE_CODE = compile_noise("noise_constrained", MACHINE_CODE, enter_leaf)
