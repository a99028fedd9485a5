"""Print results on stdout in the requested format."""

from __future__ import annotations

import sys
from collections.abc import Callable

from gpu_wordle.errors import JobError, all_of
from gpu_wordle.report.document import Document, Format, encode


def show(
    document: Callable[[], Document],
    chosen: Format,
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
        _print(document, chosen, for_people)
    finally:
        if failure is not None:
            raise failure


def _print(
    document: Callable[[], Document], chosen: Format, for_people: Callable[[], None]
) -> None:
    if chosen is Format.TABLE:
        for_people()
    elif chosen is Format.PARQUET:
        sys.stdout.buffer.write(encode(document(), chosen))
        sys.stdout.buffer.flush()
    else:
        print(encode(document(), chosen).decode(), end="")
