"""Machine code made ready: all that a search needs is compiled before it begins."""

from __future__ import annotations

import logging

from gpu_wordle.backends.cpu.threads import available_cores
from gpu_wordle.game.rule import Rule
from gpu_wordle.jit import ahead
from gpu_wordle.jit.ahead import Show
from gpu_wordle.jit.functions import Need

STATISTICS = ("gpu_wordle.backends.cpu.backend",)
ANY_SEARCH = (*STATISTICS, "gpu_wordle.solver.machine_engine")
UNCONSTRAINED = (*ANY_SEARCH, "gpu_wordle.solver.unconstrained.machine_code")
CONSTRAINED = (*ANY_SEARCH, "gpu_wordle.solver.constrained.machine_code")
BATCHED = ("gpu_wordle.solver.batched.many_states",)
"""Modules that declare machine code, with all that they import."""

_log = logging.getLogger("gpu_wordle")


def make_ready(rule: Rule, show: Show | None = None, *, statistics: bool = False) -> int:
    """Compile what a search under the rule needs and the cache lacks; return how many functions.

    With ``statistics``, also compile what the statistics of all guesses need.
    """
    needs = (Need.SEARCH, Need.STATISTICS) if statistics else (Need.SEARCH,)
    return make_modules_ready(CONSTRAINED if rule.is_constrained else UNCONSTRAINED, needs, show)


def make_greedy_ready(show: Show | None = None) -> int:
    """Compile what games of greedy rules need and the cache lacks; return how many functions."""
    return make_modules_ready(STATISTICS, (Need.STATISTICS, Need.GREEDY), show)


_ready: set[tuple[tuple[str, ...], tuple[Need, ...]]] = set()


def make_modules_ready(
    modules: tuple[str, ...], needs: tuple[Need, ...], show: Show | None = None
) -> int:
    """Compile what modules declare and the cache lacks; return how many functions.

    A second call for the same modules and needs compiles nothing.
    """
    if (modules, needs) in _ready:
        return 0
    compiled = ahead.compile_missing(modules, show or _log_start, available_cores(), needs)
    _ready.add((modules, needs))
    return compiled


def _log_start(done: int, total: int) -> None:
    if not done:
        _log.info("compiling the search, once on this machine (%s functions)", total)
