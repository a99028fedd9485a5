"""Compiles the machine code of items before they are computed, once on each machine."""

from __future__ import annotations

from collections.abc import Sequence

from gpu_wordle.experiments.noise import ready as noise
from gpu_wordle.experiments.reproduce.item import Item
from gpu_wordle.jit.ahead import Show
from gpu_wordle.jit.functions import Need
from gpu_wordle.solver.ready import CONSTRAINED, STATISTICS, UNCONSTRAINED, make_modules_ready

MODULES = {"normal": UNCONSTRAINED, "hard": CONSTRAINED, "noise": noise.FREE}
"""Modules with the machine code that an item needs beyond that of greedy rules."""


def make_ready(items: Sequence[Item], show: Show | None = None) -> int:
    """Compile functions that the items need and the cache lacks; return their number."""
    searches = dict.fromkeys(name for item in items for name in item.searches)
    modules = dict.fromkeys([*STATISTICS, *(m for name in searches for m in MODULES[name])])
    needs = (Need.STATISTICS, Need.GREEDY, *([Need.SEARCH] if searches else []))
    return make_modules_ready(tuple(modules), needs, show)
