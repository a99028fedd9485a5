"""``gpu-wordle reproduce``: the tables and figures of the literature beside what comes out here."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import typer

from gpu_wordle.api import reproducing
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import counted
from gpu_wordle.experiments.reproduce.item import Item, Reproduced
from gpu_wordle.experiments.reproduce.registry import ITEMS, select
from gpu_wordle.report import reproduced as report
from gpu_wordle.report.document import Document, envelope
from gpu_wordle.report.table import columns_of


def complete_items(incomplete: str) -> list[str]:
    """Items that begin so."""
    return [name for name in ITEMS if name.startswith(incomplete)]


@dataclass(frozen=True)
class PagesOptions:
    """What pictures show, and where pages are written."""

    past: Annotated[
        Path | None,
        typer.Option(
            help="File of past answers, one a line, for the picture of days that were played.",
            dir_okay=False,
        ),
    ] = None
    folder: Annotated[
        Path | None,
        typer.Option(
            "--out",
            parser=options.folder,
            metavar=options.DIRECTORY,
            help="Folder to write pages, tables and pictures to; it is made if there is none.",
            rich_help_panel=options.OUTPUT,
        ),
    ] = None

    def check(self) -> None:
        """Make the folder if there is to be one; UserError if that cannot be."""
        if self.folder is not None:
            reproducing.check_folder_of_pages(self.folder)

    def write(self, made: report.Made, *, quiet: bool) -> None:
        """Write the pages, if there is a folder for them."""
        if self.folder is not None:
            files = reproducing.write_pages(self.folder, made)
            console.note(f"{counted(len(files), 'file')} written to {self.folder}", quiet=quiet)


@with_blocks
def reproduce(
    output: options.OutputOptions,
    machine: options.MachineOptions,
    pages: PagesOptions,
    names: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME...]",
            help="Items or documents, or all; if not given, what takes a minute in all.",
            autocompletion=complete_items,
        ),
    ] = None,
    is_list: Annotated[
        bool, typer.Option("--list", help="Tell what there is, and compute nothing.")
    ] = False,
) -> None:
    """Print tables and figures of five documents on Wordle beside the values computed here."""
    console.listen(quiet=output.quiet)
    items = select(names or [])
    if is_list:
        _list(list(ITEMS.values()) if not names else items, output)
        return
    pages.check()
    made: list[tuple[Item, Reproduced]] = []
    with console.Bar("computing", quiet=output.quiet) as bar:
        bench = reproducing.open_bench(machine.machine, pages.past)
        try:
            for number, item in enumerate(items):
                bar.show(number, len(items), item.name)
                made.append((item, item.compute(bench)))
        except KeyboardInterrupt:
            if not made:
                raise
    answer = {"verdicts": report.verdicts(made)}
    columns = columns_of(report.reproduced_rows(made), report.KEYS)
    show(
        lambda: Document(envelope("reproduce"), answer, columns),
        output.format,
        lambda: _print(made),
        save=lambda: pages.write(made, quiet=output.quiet),
    )
    if len(made) < len(items):
        console.complain(f"interrupted after {len(made)} of {counted(len(items), 'item')}")
        raise typer.Exit(console.INTERRUPTED)


def _print(made: report.Made) -> None:
    """Print a table and its remarks for each item, and how all figures compare."""
    printed = console.output()
    for item, reproduced in made:
        printed.print(report.item_table(item, reproduced))
        for remark in report.remarks(reproduced):
            printed.print(f"  {remark}")
        printed.print()
    printed.print(f"{counted(len(made), 'item')}: {report.summary(made)}")


def _list(items: list[Item], output: options.OutputOptions) -> None:
    """Print what there is."""
    columns = columns_of(report.describe_items(items), report.ITEM_KEYS)
    show(
        lambda: Document(envelope("reproduce"), columns=columns),
        output.format,
        lambda: console.output().print(report.items_table(items)),
    )
