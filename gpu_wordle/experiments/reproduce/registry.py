"""All items by name, and the selection of items."""

from __future__ import annotations

from collections.abc import Sequence

from gpu_wordle.errors import UserError, quoted
from gpu_wordle.experiments.reproduce import (  # each registers the functions of its items
    ablation,  # noqa: F401
    exact_solution,  # noqa: F401
    mixture,  # noqa: F401
    optimal_strategies,  # noqa: F401
    solving_wordle,  # noqa: F401
    weary,  # noqa: F401
    weary_bigrams,  # noqa: F401
    weary_games,  # noqa: F401
    weary_notes,  # noqa: F401
    wordle_ai,  # noqa: F401
)
from gpu_wordle.experiments.reproduce.item import COMPUTED, PUBLISHED, Item, Source

ALL = "all"

ITEMS = {name: Item(name, printed, COMPUTED[name]) for name, printed in PUBLISHED.items()}
"""All items, in the order of the documents."""


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
