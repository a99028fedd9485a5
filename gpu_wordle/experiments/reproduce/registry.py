"""All items by name, and those that are asked for."""

from __future__ import annotations

from collections.abc import Sequence

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.experiments.reproduce import (
    ablation,
    exact_solution,
    noisy_values,
    optimal_strategies,
    solving_wordle,
    weary,
    weary_games,
    weary_rounding,
    wordle_ai,
)
from gpu_wordle.experiments.reproduce.item import Item, Source

ALL = "all"

ITEMS: dict[str, Item] = {
    item.name: item
    for module in (
        exact_solution,
        ablation,
        noisy_values,
        weary,
        weary_games,
        weary_rounding,
        optimal_strategies,
        wordle_ai,
        solving_wordle,
    )
    for item in module.ITEMS
}
"""In the order of the documents."""


def select(names: Sequence[str]) -> list[Item]:
    """The items of some names, each once, in the order of the documents.

    A name is that of an item, of a document for its quick items, or ``all``. Without any, all
    quick items are meant. UserError for a name that there is not.
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
