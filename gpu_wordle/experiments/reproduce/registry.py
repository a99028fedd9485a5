"""All items by name, their selection, and the machine code that they need."""

from __future__ import annotations

from collections.abc import Sequence

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.experiments.noise import searcher as noise
from gpu_wordle.experiments.reproduce import (  # each registers the functions of its items
    ablation,  # noqa: F401
    exact_solution,  # noqa: F401
    mixture,  # noqa: F401
    optimal_strategies,  # noqa: F401
    solving_wordle,  # noqa: F401
    weary,  # noqa: F401
    weary_games,  # noqa: F401
    weary_notes,  # noqa: F401
    wordle_ai,  # noqa: F401
)
from gpu_wordle.experiments.reproduce.item import COMPUTED, PUBLISHED, Item, Source
from gpu_wordle.jit.ahead import Show
from gpu_wordle.jit.functions import Need
from gpu_wordle.solver.ready import CONSTRAINED, STATISTICS, UNCONSTRAINED, make_modules_ready

ALL = "all"

ITEMS = {name: Item(name, printed, COMPUTED[name]) for name, printed in PUBLISHED.items()}
"""All items, in the order of the documents."""

MODULES = {"normal": UNCONSTRAINED, "hard": CONSTRAINED, "noise": noise.FREE}
"""Modules with the machine code that a search needs beyond that of greedy rules."""


def select(names: Sequence[str]) -> list[Item]:
    """Return the items of some names, each once, in the order of the documents.

    A name is that of an item, of a document for its quick items, or ``all``. No names select all
    quick items. Raises UserError for an unknown name.
    """
    chosen = set()
    for name in map(str.lower, names or [source.value for source in Source]):
        if name == ALL:
            chosen |= set(ITEMS)
        elif name in ITEMS:
            chosen.add(name)
        elif name in set(Source):
            chosen |= {each.name for each in ITEMS.values()
                       if each.source == name and not each.is_slow}  # fmt: skip
        else:
            raise UserError(
                f"no item {quoted(name)}; reproduce --list tells all; documents are "
                f"{', '.join(source.value for source in Source)}"
            )
    return [item for name, item in ITEMS.items() if name in chosen]


def make_ready(items: Sequence[Item], show: Show | None = None) -> int:
    """Compile functions that the items need and the cache lacks; return their number."""
    searches = dict.fromkeys(name for item in items for name in item.searches)
    modules = dict.fromkeys([*STATISTICS, *(m for name in searches for m in MODULES[name])])
    needs = (Need.STATISTICS, Need.GREEDY, *([Need.SEARCH] if searches else []))
    return make_modules_ready(tuple(modules), needs, show)
