"""Compiles the machine code of the experiment before it begins, once on each machine."""

from __future__ import annotations

from gpu_wordle.game.rule import Rule
from gpu_wordle.jit.ahead import Show
from gpu_wordle.jit.functions import Need
from gpu_wordle.solver.ready import CONSTRAINED, UNCONSTRAINED, make_modules_ready

_ROOM = "gpu_wordle.experiments.noise.machine"
FREE = (*UNCONSTRAINED, f"{_ROOM}.unconstrained")
BOUND = (*CONSTRAINED, f"{_ROOM}.constrained")
"""Modules with the machine code of the experiment, for each kind of rule."""


def make_ready(rule: Rule, show: Show | None = None) -> int:
    """Compile functions that the experiment needs and the cache lacks; return their number."""
    return make_modules_ready(BOUND if rule.is_constrained else FREE, (Need.SEARCH,), show)
