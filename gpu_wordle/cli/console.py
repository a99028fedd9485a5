"""Where a verb writes: results to stdout, everything else to stderr."""

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

from gpu_wordle.errors import counted, one_line
from gpu_wordle.options import telling
from gpu_wordle.options.telling import COMPILING, Compile
from gpu_wordle.ranking.job import Progress
from gpu_wordle.ranking.stop_token import Reason, StopToken
from gpu_wordle.streams import complain as complain

INTERRUPTED = 130
"""Exit code of a job that was interrupted."""

SHOWN_AFTER_S, TOLD_AFTER_S = 1.0, 5.0
"""When people who wait are told that the work goes on: on a terminal, and elsewhere."""


class Output(Console):
    """Console on stdout: colours only on a terminal, and text as it is, for it may hold names."""

    def __init__(self) -> None:
        super().__init__(highlight=False, markup=False, emoji=False)

    def on_broken_pipe(self) -> None:
        """Leave it to the caller."""
        raise


def output() -> Console:
    """Where results go."""
    return Output()


def note(line: str, *, quiet: bool) -> None:
    """A remark for people, on stderr, unless --quiet."""
    if not quiet:
        console = Console(stderr=True, highlight=False, markup=False, emoji=False, style="dim")
        console.print(one_line(line), soft_wrap=True)


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


def ending_of(time_limit: float | None = None) -> StopToken:
    """A job ends early on Ctrl-C, when it is told to terminate, and when its time is over."""
    return StopToken(time_limit, signals=(signal.SIGINT, signal.SIGTERM))


def exit_early(stop_token: StopToken, kept: str) -> None:
    """If a job has ended early, say so and what became of its work, and leave if interrupted.

    A time limit that was asked for is no failure, so that the exit code stays 0.
    """
    if stop_token.reason is Reason.TIME_LIMIT:
        complain(f"out of time; {kept}")
    elif stop_token.reason is not None:
        complain(f"interrupted; {kept}")
        raise typer.Exit(INTERRUPTED)


class Rate(ProgressColumn):
    """How many are done in a second, of late."""

    def render(self, task: Task) -> Text:
        """The rate, once it is known."""
        return Text("" if task.speed is None else f"{task.speed:,.1f}/s")


class NotedProgress(LiveBars):
    """Bars, and below each of them its note: on a narrow screen there is no room beside it."""

    def get_renderables(self) -> Iterable[RenderableType]:
        """What is shown at the moment."""
        yield self.make_tasks_table(self.tasks)
        for task in self.tasks:
            if task.visible and task.fields["note"]:
                yield Text(task.fields["note"], no_wrap=True, overflow="ellipsis")
            if task.visible and task.fields.get("table"):
                yield task.fields["table"]


def progress_bar(*, quiet: bool, console: Console | None = None) -> LiveBars:
    """A live bar on stderr, which stays away from pipes and files; tasks have a ``note``."""
    console = console or Console(stderr=True)
    return NotedProgress(
        SpinnerColumn("line"),
        TextColumn("{task.description}", markup=False),
        BarColumn(bar_width=24),
        MofNCompleteColumn(),
        Rate(),
        TimeElapsedColumn(),
        TimeRemainingColumn(),
        console=console,
        disable=quiet or not console.is_terminal,
        transient=True,
    )


def compile_first(work: Compile, *, quiet: bool) -> None:
    """Have machine code compiled before a dialogue begins, and say how far that is."""
    with Bar(quiet=quiet) as bar:
        telling.compile_first(work, bar.tell)


class Bar:
    """How far one job has come, phase by phase; a context manager.

    On a terminal it is a live bar, from SHOWN_AFTER_S on. Elsewhere it is a line from time to time,
    the first after TOLD_AFTER_S, and each pause twice as long as the one before.

    Attributes:
        workers: who does the work, if not this process; as text it says how many and how fast.
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
        """Whether there is a terminal to show it on."""
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
        """Show how far the work has come; a new name begins a new phase."""
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
        """Show what a verb tells."""
        self._bar.update(self._task, table=progress.table)
        self.show(progress.done, progress.total, progress.note, progress.phase)
        if progress.phase == COMPILING and not progress.done and not self.is_live:
            functions = f"{progress.total} functions"
            note(f"compiling the search, once on this machine ({functions})", quiet=self._quiet)

    def _tell(self) -> None:
        """Tell people who wait that the work goes on."""
        if self.is_live:
            if not self._is_over.wait(SHOWN_AFTER_S):
                self._bar.update(self._task, visible=True)
            return
        started, pause = time.monotonic(), TOLD_AFTER_S
        while not self._is_over.wait(pause):
            waited = counted(round(time.monotonic() - started), "second")
            note(f"still {self._phase} after {waited}{self._far}; Ctrl-C ends it", quiet=False)
            pause *= 2
