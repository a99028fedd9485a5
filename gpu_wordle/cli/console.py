"""Where a verb writes: results to stdout, everything else to stderr."""

from __future__ import annotations

import sys
from collections.abc import Iterable

from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    Progress,
    ProgressColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.text import Text


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


class Rate(ProgressColumn):
    """How many are done in a second, of late."""

    def render(self, task: Task) -> Text:
        """The rate, once it is known."""
        return Text("" if task.speed is None else f"{task.speed:,.1f}/s")


class NotedProgress(Progress):
    """Bars, and below each of them its note: on a narrow screen there is no room beside it."""

    def get_renderables(self) -> Iterable[RenderableType]:
        """What is shown at the moment."""
        yield self.make_tasks_table(self.tasks)
        for task in self.tasks:
            if task.fields["note"]:
                yield Text(task.fields["note"], no_wrap=True, overflow="ellipsis")


def progress_bar(*, quiet: bool, console: Console | None = None) -> Progress:
    """A live bar on stderr, which stays away from pipes and files; tasks have a ``note``."""
    console = console or Console(stderr=True)
    return NotedProgress(
        TextColumn("{task.description}"),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=quiet or not console.is_terminal,
        transient=True,
    )
