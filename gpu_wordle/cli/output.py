"""The output format of a terminal and --quiet: their options, and printing in that format."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass
from typing import Annotated

from gpu_wordle.errors import JobError, UserError, all_of
from gpu_wordle.options.declared import Option, declared
from gpu_wordle.options.reading import TRUTH, one_of
from gpu_wordle.options.shared import OUTPUT
from gpu_wordle.report.document import Document, Format, check_format, encode


@dataclass(frozen=True)
class Output:
    """The output format, and whether notes and progress are off."""

    format: Format
    quiet: bool

    def show(
        self,
        document: Callable[[], Document],
        for_people: Callable[[], None],
        *,
        save: Callable[[], None] | None = None,
        unsaved: JobError | None = None,
    ) -> None:
        """Print a document for programs, or call ``for_people`` in the table format.

        ``save`` runs first, because a closed pipe ends the program. The result is printed even if
        ``save`` fails. The error of ``save`` and the ``unsaved`` error of the job are raised
        afterwards, even if printing fails.
        """
        failure = unsaved
        try:
            if save is not None:
                save()
        except JobError as error:
            failure = all_of(failure, error)
        try:
            if self.format is Format.TABLE:
                for_people()
            elif self.format is Format.PARQUET:
                sys.stdout.buffer.write(encode(document(), self.format))
                sys.stdout.buffer.flush()
            else:
                print(encode(document(), self.format).decode(), end="")
        finally:
            if failure is not None:
                raise failure


def output_of(
    *,
    format: Annotated[
        str | None,
        Option(
            "Output format: a table for people; or CSV, JSON, Markdown or Parquet with all "
            "columns.",
            one_of(Format),
            OUTPUT,
            "FORMAT",
            default=Format.TABLE.value,
        ),
    ] = None,
    json: Annotated[
        bool,
        Option("Short for --format json.", TRUTH, OUTPUT),
    ] = False,
    quiet: Annotated[
        bool,
        Option("No notes and no progress bar.", TRUTH, OUTPUT, flag="--quiet -q"),
    ] = False,
) -> Output:
    """The output options; UserError for formats that contradict each other."""
    if json and format not in (None, Format.JSON):
        raise UserError(f"--json and --format {format} contradict each other; leave one out")
    chosen = Format.JSON if json else Format(format or Format.TABLE)
    check_format(chosen)
    if chosen is Format.PARQUET and sys.stdout is not None and sys.stdout.isatty():
        raise UserError("--format parquet is binary; write it to a file, as in > rows.parquet")
    return Output(chosen, quiet)


PRINTING = tuple(declared(output_of).values())
"""The options of :func:`output_of`, which every command has."""
