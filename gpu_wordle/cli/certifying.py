"""The option by which a verb writes a certificate of what it has found."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Annotated

import typer

from gpu_wordle.api.certifying import Certified
from gpu_wordle.certify.certificate import check_certificate_file
from gpu_wordle.certify.ledger import Progress
from gpu_wordle.certify.making import check_certifiable
from gpu_wordle.cli import console, options
from gpu_wordle.errors import counted
from gpu_wordle.game.game import Position
from gpu_wordle.ranking.ending import Ending

CertificateFile = Annotated[
    Path | None,
    typer.Option(
        "--certificate",
        metavar="FILE",
        help="Write a proof that others can check without this program to this text file.",
        dir_okay=False,
        rich_help_panel=options.OUTPUT,
    ),
]


def check_file(path: Path | None) -> None:
    """UserError if a certificate is asked for and may not be written there."""
    if path is not None:
        check_certificate_file(path)


def check_position(path: Path | None, position: Position) -> None:
    """UserError if a certificate is asked for and cannot be of this position."""
    if path is not None:
        check_certifiable(position)


def write(
    make: Callable[[Path, Ending, Progress], Certified | None],
    path: Path,
    ending: Ending,
    *,
    quiet: bool,
) -> None:
    """Have a certificate made and written, or say why not; leave if it was interrupted."""
    with console.Bar("certifying", quiet=quiet) as bar:
        written = make(path, ending, lambda name, done, total: bar.show(done, total, name=name))
    if written is None:
        console.exit_early(ending, f"{path} is not written, and the same command starts it anew")
        if ending.reason is not None:
            return
        console.complain(f"the value is not known, so {path} is not written")
        raise typer.Exit(1)
    states = counted(written.states, "state")
    size = f"{written.file_bytes:,} bytes, {written.seconds:.1f} s"
    console.note(f"certificate written to {path} (a ledger of {states}, {size})", quiet=quiet)
