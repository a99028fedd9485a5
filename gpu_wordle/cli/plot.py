"""``gpu-wordle plot``: a single figure of a file, as a picture for a paper."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from gpu_wordle.api.reporting import draw_figure
from gpu_wordle.cli import console, options
from gpu_wordle.cli.blocks import with_blocks
from gpu_wordle.cli.printing import show
from gpu_wordle.errors import UserError
from gpu_wordle.report.document import PROGRAM, Document, envelope
from gpu_wordle.report.sections.registry import FIGURES
from gpu_wordle.report.table import Column, FittedTable, columns_of

KEYS = ("figure", "of", "shows")


def complete_figures(incomplete: str) -> list[str]:
    """Figures that begin so."""
    names = dict.fromkeys(name for figures in FIGURES.values() for name in figures)
    return [name for name in names if name.startswith(incomplete)]


@with_blocks
def plot(
    game: options.GameOptions,
    output: options.OutputOptions,
    machine: options.MachineOptions,
    name: Annotated[
        str | None,
        typer.Argument(
            metavar="[NAME]",
            help="The figure; if not given, all that there are are listed.",
            autocompletion=complete_figures,
        ),
    ] = None,
    files: Annotated[
        list[Path] | None,
        typer.Argument(
            metavar="[FILE...]",
            help="A file that report takes; for figures that compare, two rankings.",
            dir_okay=False,
        ),
    ] = None,
    picture: Annotated[
        Path | None,
        typer.Option(
            "--out",
            help="The .svg, .png or .pdf file to draw to.",
            dir_okay=False,
            rich_help_panel=options.OUTPUT,
        ),
    ] = None,
    is_list: Annotated[
        bool, typer.Option("--list", help="Tell what there is, and compute nothing.")
    ] = False,
) -> None:
    """Draw one figure of a file, as it stands in a report.

    The options of the game are for files that do not say: trees in text, and games from a file of
    feedback.
    """
    console.listen(quiet=output.quiet)
    if name is None or is_list:
        if name is not None or files or picture is not None:
            raise UserError("--list tells what there is; leave name, file and --out out, or it")
        _list(output)
        return
    if not any(name in figures for figures in FIGURES.values()):
        raise UserError(f"no figure {name!r}; gpu-wordle plot --list tells what there is")
    if not files or picture is None:
        raise UserError(f"name what to draw, and where, as in plot {name} FILE --out x.svg")
    with console.Bar("drawing", quiet=output.quiet):
        drawn = draw_figure(name, files, picture, lambda: game.position(machine))
    rows = [{"figure": name, "of": " ".join(map(str, files)), "shows": drawn.title}]
    columns = columns_of(rows, KEYS)
    show(
        lambda: Document(envelope("plot"), {"out": str(picture)}, columns),
        output.format,
        lambda: console.output().print(f"{drawn.title}, in {picture}", soft_wrap=True),
    )


def _list(output: options.OutputOptions) -> None:
    """Print what figures there are."""
    rows = [
        {"figure": name, "of": kind.removeprefix(PROGRAM).strip(), "shows": shows}
        for kind, figures in FIGURES.items()
        for name, shows in figures.items()
    ]
    columns = columns_of(rows, KEYS)
    wrapping = [Column(c.name, c.values, wraps=c.name != "figure") for c in columns]
    show(
        lambda: Document(envelope("plot"), {"out": None}, columns),
        output.format,
        lambda: console.output().print(FittedTable(wrapping, KEYS)),
    )
