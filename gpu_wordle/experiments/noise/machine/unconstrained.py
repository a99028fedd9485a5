"""The machine code of the experiment under the rules without constraints."""

# mypy: disable-error-code="no-untyped-def"

from __future__ import annotations

from gpu_wordle.experiments.noise.machine.code import compile_noise
from gpu_wordle.experiments.noise.machine.context import COLUMNS, FIRST, INFO, MATRIX, STRIDE
from gpu_wordle.experiments.noise.machine.signatures import ANSWERS, REVEALED
from gpu_wordle.solver.machine.linking import inlined
from gpu_wordle.solver.machine.signatures import INT64S
from gpu_wordle.solver.memory.workspace import STATE, WORKSPACE, State
from gpu_wordle.solver.unconstrained.machine_code import MACHINE_CODE


@inlined(STATE(WORKSPACE, INT64S, ANSWERS, REVEALED))
def enter_leaf(w, entered, answers, revealed):
    """Put a state at the bottom of the arenas; see leaves.py."""
    for i in range(answers.size):
        a = answers[i]
        w.answers[i] = a
        w.pos[i] = a
        w.rows[i] = entered[MATRIX] + entered[STRIDE] * a
    return State(0, answers.size, entered[FIRST], entered[COLUMNS], entered[INFO])


NOISE_CODE = compile_noise("noise", MACHINE_CODE, enter_leaf)
