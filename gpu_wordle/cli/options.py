"""What a terminal alone has: how results are printed there."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Annotated

import typer

from gpu_wordle.errors import UserError
from gpu_wordle.options.shared import OUTPUT
from gpu_wordle.report.formats import Format, check_format


@dataclass(frozen=True)
class OutputOptions:
    """What is printed, and how; UserError for formats that contradict each other."""

    asked_format: Annotated[
        Format | None,
        typer.Option(
            "--format",
            metavar="FORMAT",
            help="How to print results: a table for people, or for programs CSV, JSON, Markdown or "
            "Parquet, with all columns.",
            show_default=Format.TABLE.value,
            case_sensitive=False,
            rich_help_panel=OUTPUT,
        ),
    ] = None
    json_output: Annotated[
        bool, typer.Option("--json", help="The same as --format json.", rich_help_panel=OUTPUT)
    ] = False
    quiet: Annotated[
        bool,
        typer.Option(
            "--quiet", "-q", help="No remarks and no progress bar.", rich_help_panel=OUTPUT
        ),
    ] = False

    def __post_init__(self) -> None:
        if self.json_output and self.asked_format not in (None, Format.JSON):
            raise UserError(
                f"--json and --format {self.asked_format} contradict each other; leave one out"
            )
        check_format(self.format)
        if self.format is Format.PARQUET and sys.stdout is not None and sys.stdout.isatty():
            raise UserError(
                "--format parquet is not for terminals; send it to a file, as in > rows.parquet"
            )

    @property
    def format(self) -> Format:
        """How results are printed."""
        return Format.JSON if self.json_output else self.asked_format or Format.TABLE
