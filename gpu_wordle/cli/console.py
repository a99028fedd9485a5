"""Output of the terminal: results on stdout; notes, warnings and progress on stderr."""

from __future__ import annotations

import logging
import signal
import threading
import time
from collections.abc import Iterable

import typer
from rich.console import Console, RenderableType
from rich.progress import (
    BarColumn,
    MofNCompleteColumn,
    ProgressColumn,
    SpinnerColumn,
    Task,
    TextColumn,
    TimeElapsedColumn,
    TimeRemainingColumn,
)
from rich.progress import Progress as LiveBars
from rich.text import Text

from gpu_wordle.errors import INTERRUPTED, counted, one_line
from gpu_wordle.options import telling
from gpu_wordle.options.telling import COMPILING, Compile
from gpu_wordle.ranking.job import Progress
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.streams import complain

SHOWN_AFTER_S, TOLD_AFTER_S = 1.0, 5.0
"""Seconds before progress is first shown, on a terminal and elsewhere."""

NARROW = 64
"""Width of a terminal below which progress is shown without bar, rate and times."""


class Screen(Console):
    """Console with colours only on a terminal, and no markup, since text may hold names."""

    def on_broken_pipe(self) -> None:
        """Raise the BrokenPipeError again, for the caller to handle."""
        raise


def output(*, stderr: bool = False) -> Console:
    """A console: stdout, or stderr for remarks and where stdout carries machine output."""
    return Screen(stderr=stderr, highlight=False, markup=False, emoji=False)


def note(line: str, *, quiet: bool) -> None:
    """Print a remark for people on stderr, unless --quiet."""
    if not quiet:
        output(stderr=True).print(one_line(line), style="dim", soft_wrap=True)


class Remarks(logging.Handler):
    """Prints log records of jobs: remarks as notes, warnings like errors."""

    def emit(self, record: logging.LogRecord) -> None:
        """Print one line on stderr."""
        if record.levelno >= logging.WARNING:
            complain(f"warning: {record.getMessage()}")
        else:
            note(record.getMessage(), quiet=False)


def listen(*, quiet: bool) -> None:
    """Print the log records of jobs; only warnings with --quiet."""
    log = logging.getLogger("gpu_wordle")
    for handler in [each for each in log.handlers if isinstance(each, Remarks)]:
        log.removeHandler(handler)
    log.addHandler(Remarks())
    log.setLevel(logging.WARNING if quiet else logging.INFO)
    log.propagate = False


def stop_token_of(time_limit: float | None = None) -> StopToken:
    """A stop token that ends a job early on Ctrl-C, on SIGTERM and after its time limit."""
    return StopToken(time_limit, signals=(signal.SIGINT, signal.SIGTERM))


def exit_early(stop_token: StopToken, kept: str) -> None:
    """After an early end, say what became of the work; exit if it was interrupted.

    Reaching a requested time limit is no failure, so the exit code stays 0.
    """
    if stop_token.reason is Reason.TIME_LIMIT:
        complain(f"out of time; {kept}")
    elif stop_token.reason is not None:
        complain(f"interrupted; {kept}")
        raise typer.Exit(INTERRUPTED)


class Rate(ProgressColumn):
    """The current rate, in items per second."""

    def render(self, task: Task) -> Text:
        """The rate as text; empty until it is known."""
        return Text("" if task.speed is None else f"{task.speed:,.1f}/s")


class NotedProgress(LiveBars):
    """Progress bars, each with its note below, since narrow screens have no room beside it."""

    def get_renderables(self) -> Iterable[RenderableType]:
        """The bars, notes and tables to show now."""
        yield self.make_tasks_table(self.tasks)
        for task in self.tasks:
            if task.visible and task.fields["note"]:
                yield Text(task.fields["note"], no_wrap=True, overflow="ellipsis")
            if task.visible and task.fields.get("table"):
                yield task.fields["table"]


def progress_bar(*, quiet: bool, console: Console | None = None) -> LiveBars:
    """A live progress bar on stderr, off in pipes and files; tasks have a ``note``."""
    console = console or Console(stderr=True)
    phase, count = TextColumn("{task.description}", markup=False), MofNCompleteColumn()
    times = (Rate(), TimeElapsedColumn(), TimeRemainingColumn())
    is_wide = console.width >= NARROW
    return NotedProgress(
        SpinnerColumn("line"),
        *((phase, BarColumn(bar_width=24), count, *times) if is_wide else (phase, count)),
        console=console,
        disable=quiet or not console.is_terminal,
        transient=True,
    )


def compile_first(work: Compile, *, quiet: bool) -> None:
    """Compile machine code before a dialogue begins, with a progress bar."""
    with Bar(quiet=quiet) as bar:
        telling.compile_first(work, bar.tell)


class Bar:
    """The progress of one job, phase by phase; a context manager.

    On a terminal it is a live bar that appears after SHOWN_AFTER_S. Elsewhere it prints a line
    after TOLD_AFTER_S, and then at intervals that double.

    Attributes:
        workers: the workers that do the work, if any; their text says how many and how fast.
    """

    def __init__(self, name: str = "working", *, quiet: bool, first: str = "preparing") -> None:
        self._bar = progress_bar(quiet=quiet)
        self._quiet = quiet
        self._name, self._phase = name, first
        self._task = self._bar.add_task(self._phase, total=None, note="", visible=False)
        self._far = ""
        self.workers: object | None = None
        self._is_over = threading.Event()
        self._watch = threading.Thread(target=self._tell, daemon=True)

    @property
    def is_live(self) -> bool:
        """Whether it is a live bar on a terminal."""
        return not self._bar.disable

    def __enter__(self) -> Bar:
        self._bar.start()
        if not self._quiet:
            self._watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._is_over.set()
        self._bar.stop()

    def show(self, done: int, total: int, note: str = "", name: str = "") -> None:
        """Show the progress of the work; a new name begins a new phase."""
        phase = name or self._name
        if phase != self._phase:
            self._bar.reset(self._task, description=phase)
            self._phase = phase
        self._far = f", {done:,} of {total:,} done"
        if self.workers is not None:
            self._far += f" by {self.workers}"
            note = "; ".join(filter(None, (str(self.workers), note)))
        self._bar.update(self._task, completed=done, total=total)
        if note:
            self._bar.update(self._task, note=note)

    def tell(self, progress: Progress) -> None:
        """Show a progress report of a verb."""
        begins = progress.phase != self._phase
        self._bar.update(self._task, table=progress.table)
        self.show(progress.done, progress.total, progress.note, progress.phase)
        if begins and progress.phase == COMPILING and not self.is_live:
            functions = counted(progress.total, "function")
            note(f"compiling the search, once on this machine ({functions})", quiet=self._quiet)

    def _tell(self) -> None:
        """Make the bar visible, or print lines at growing intervals, until the work is over."""
        if self.is_live:
            if not self._is_over.wait(SHOWN_AFTER_S):
                self._bar.update(self._task, visible=True)
            return
        started, pause = time.monotonic(), TOLD_AFTER_S
        while not self._is_over.wait(pause):
            waited = counted(round(time.monotonic() - started), "second")
            note(f"still {self._phase} after {waited}{self._far}; Ctrl-C ends it", quiet=False)
            pause *= 2
