"""``gpu-wordle report``: everything that files hold, as a page, as text or on paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Any

import typer

from gpu_wordle.api.reporting import report_on
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError, counted
from gpu_wordle.report.content import Picture, Report, Table
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.table import Column, FittedTable, columns_of
from gpu_wordle.report.written.files import check_report, save_report

KEYS = ("chapter", "section", "tables", "figures")


@with_blocks
def report(
    files: Annotated[
        list[Path],
        typer.Argument(
            metavar="FILE...",
            help="Rankings, simulations, pairs, trees, analyses, or what a verb printed as JSON, "
            "CSV or Parquet.",
            dir_okay=False,
        ),
    ],
    game: options.GameOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    page: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="The .html, .md or .pdf file to write.",
            dir_okay=False,
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
) -> None:
    """Write a report on files: tables, pictures, strategies, and where they come from.

    HTML is one page that needs no network. Two rankings or more are compared as well. The options
    of the game are for files that do not say: trees in text, and games from a file of feedback.
    """
    console.listen(quiet=output.quiet)
    if page is None:
        raise UserError("no file to write the report to; name one, as in --out report.html")
    check_report(page)
    with console.Bar("reading", quiet=output.quiet) as bar:
        made = report_on(files, lambda: game.position(machine), bar.show)
        bar.show(0, 1, page.name, "writing")
        size = save_report(page, made)
    columns = columns_of(_rows(made), KEYS)
    wrapping = [Column(each.name, each.values, wraps=True) for each in columns]
    show(
        lambda: Document(envelope("report"), {"out": str(page), "bytes": size}, columns),
        output.format,
        lambda: console.output().print(FittedTable(wrapping, KEYS)),
    )
    sections = counted(len(columns[0].values), "section")
    console.note(f"{sections}, {size:,} bytes, in {page}", quiet=output.quiet)


def _rows(made: Report) -> list[dict[str, Any]]:
    """What the report holds, a row for each section."""
    return [
        {
            "chapter": chapter.title,
            "section": section.title,
            "tables": [block.name for block in section.blocks if isinstance(block, Table)],
            "figures": [block.name for block in section.blocks if isinstance(block, Picture)],
        }
        for chapter in made.chapters
        for section in chapter.sections
    ]
