"""Where a verb writes: results to stdout, everything else to stderr."""

from __future__ import annotations

import sys

from rich.console import Console
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)


def complain(line: str) -> None:
    """One line on stderr, in the manner of Unix tools."""
    print(f"gpu-wordle: {line}", file=sys.stderr)


def output() -> Console:
    """Console on stdout: colours only on a terminal."""
    return Console(highlight=False)


def note(line: str, *, quiet: bool) -> None:
    """A remark for people, on stderr, unless --quiet."""
    if not quiet:
        Console(stderr=True, highlight=False, style="dim").print(line, markup=False, soft_wrap=True)


def progress_bar(*, quiet: bool) -> Progress:
    """A live bar on stderr, which stays away from pipes and files."""
    console = Console(stderr=True)
    return Progress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        TextColumn("{task.fields[note]}"),
        console=console,
        disable=quiet or not console.is_terminal,
        transient=True,
    )
