"""The verb ``strategies``: the list of built-in strategies."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TypedDict

from rich.console import RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gpu_wordle.options.outcome import Outcome, verb
from gpu_wordle.report import keys
from gpu_wordle.report.keys import schema
from gpu_wordle.report.table import columns_of
from gpu_wordle.strategies.named import STRATEGIES


@schema
class StrategyRow(TypedDict):
    """A built-in strategy."""

    strategy: keys.Strategy
    description: keys.Description


MIN_DESCRIPTION = 32
"""Least width of descriptions beside the names, in characters; narrower ones go below."""


@verb
def strategies() -> Outcome:
    """List the strategies that simulate plays.

    Examples:
        $ gpu-wordle strategies
    """
    named = STRATEGIES.values()
    rows = [{"strategy": each.name, "description": each.description} for each in named]
    return Outcome(lines=lambda width: _lines(rows, width), columns=columns_of(rows))


def _lines(rows: Sequence[dict[str, str]], width: int) -> Iterator[RenderableType]:
    """Names and descriptions, side by side where there is room."""
    if width < max(len(row["strategy"]) for row in rows) + MIN_DESCRIPTION:
        for row in rows:
            yield Text(row["strategy"], "bold")
            yield Padding(row["description"], (0, 0, 0, 2))
        return
    table = Table(box=None, show_header=False, pad_edge=False)
    for row in rows:
        table.add_row(Text(row["strategy"], "bold"), Text(row["description"]))
    yield table
