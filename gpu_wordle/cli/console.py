"""Where a verb writes: results to stdout, everything else to stderr."""

from __future__ import annotations

import logging
import signal
import sys
from collections.abc import Callable, Iterable

import typer
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

from gpu_wordle.ranking.ending import Ending, Reason

INTERRUPTED = 130
"""Exit code of a job that was interrupted."""


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


class Remarks(logging.Handler):
    """What jobs have to say: remarks as notes, warnings in the manner of errors."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line on stderr."""
        if record.levelno >= logging.WARNING:
            complain(f"warning: {record.getMessage()}")
        else:
            note(record.getMessage(), quiet=False)


def listen(*, quiet: bool) -> None:
    """Print what jobs have to say; only warnings with --quiet."""
    log = logging.getLogger("gpu_wordle")
    for handler in [each for each in log.handlers if isinstance(each, Remarks)]:
        log.removeHandler(handler)
    log.addHandler(Remarks())
    log.setLevel(logging.WARNING if quiet else logging.INFO)
    log.propagate = False


def ending_of(time_limit: float | None = None) -> Ending:
    """A job ends early on Ctrl-C, when it is told to terminate, and when its time is over."""
    return Ending(time_limit, signals=(signal.SIGINT, signal.SIGTERM))


def exit_early(ending: Ending, kept: str) -> None:
    """If a job has ended early, say so and what became of its work, and leave if interrupted.

    A time limit that was asked for is no failure, so that the exit code stays 0.
    """
    if ending.reason is Reason.TIME_LIMIT:
        complain(f"out of time; {kept}")
    elif ending.reason is not None:
        complain(f"interrupted; {kept}")
        raise typer.Exit(INTERRUPTED)


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


def compile_first(work: Callable[[Callable[[int, int], None]], int], *, quiet: bool) -> int:
    """Have machine code compiled, and say how far that is, or nothing where there is nothing to do.

    ``work`` is one of solver/ready.py.
    """
    with Bar("compiling, once on this machine", quiet=quiet) as bar:

        def show(done: int, total: int) -> None:
            bar.show(done, total)
            if not done and not bar.is_live:
                note(f"compiling the search, once on this machine ({total} functions)", quiet=quiet)

        return work(show)


class Bar:
    """A live bar for one job, whose phases follow each other; a context manager."""

    def __init__(self, name: str, *, quiet: bool) -> None:
        self._bar = progress_bar(quiet=quiet)
        self._name = name
        self._task = self._bar.add_task(name, total=None, note="", visible=False)

    @property
    def is_live(self) -> bool:
        """Whether there is a terminal to show it on."""
        return not self._bar.disable

    def __enter__(self) -> Bar:
        self._bar.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._bar.stop()

    def show(self, done: int, total: int, note: str = "", name: str = "") -> None:
        """Show how far the work has come; a new name begins a new phase."""
        if name and name != self._name:
            self._bar.reset(self._task, description=name)
            self._name = name
        self._bar.update(self._task, completed=done, total=total, visible=True)
        if note:
            self._bar.update(self._task, note=note)
