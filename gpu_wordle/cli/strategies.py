"""``gpu-wordle strategies``: the built-in ways to play."""

from __future__ import annotations

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.table import columns_of
from gpu_wordle.strategies.named import STRATEGIES

MIN_DESCRIPTION = 32
"""Columns beside the names from which on descriptions stand there; else they stand below."""


@with_blocks
def strategies(output: options.OutputOptions) -> None:
    """List the strategies that simulate plays."""
    console.listen(quiet=output.quiet)
    named = STRATEGIES.values()
    rows = [{"strategy": each.name, "description": each.description} for each in named]

    def for_people() -> None:
        printed = console.output()
        widest = max(len(row["strategy"]) for row in rows)
        if printed.width < widest + MIN_DESCRIPTION:
            for row in rows:
                printed.print(Text(row["strategy"], "bold"))
                printed.print(Padding(row["description"], (0, 0, 0, 2)))
            return
        table = Table(box=None, show_header=False, pad_edge=False)
        for row in rows:
            table.add_row(Text(row["strategy"], "bold"), Text(row["description"]))
        printed.print(table)

    show(
        lambda: Document(envelope("strategies"), columns=columns_of(rows)),
        output.format,
        for_people,
    )
