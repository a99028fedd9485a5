"""Machine code of the experiment made ready: compiled before it begins, once on a machine."""

from __future__ import annotations

import logging

from gpu_wordle.backends.cpu.threads import available_cores
from gpu_wordle.game.rule import Rule
from gpu_wordle.jit import ahead
from gpu_wordle.jit.ahead import Show
from gpu_wordle.solver.ready import CONSTRAINED, UNCONSTRAINED

_ROOM = "gpu_wordle.experiments.noise.machine"

_log = logging.getLogger("gpu_wordle")


def make_ready(rule: Rule, show: Show | None = None) -> int:
    """Compile what an experiment under the rule needs and the cache lacks; return how much."""
    modules = (
        (*CONSTRAINED, f"{_ROOM}.constrained")
        if rule.is_constrained
        else (*UNCONSTRAINED, f"{_ROOM}.unconstrained")
    )
    return ahead.compile_missing(modules, show or _log_start, available_cores())


def _log_start(done: int, total: int) -> None:
    if not done:
        _log.info("compiling the search, once on this machine (%s functions)", total)
