"""A job: resumes from its file, works unit by unit with checkpoints, and can end early.

A study supplies the units of work: a generator that changes the table of the job, and yields its
progress after each unit. The job prints nothing: progress goes to a callback, remarks to the
package's log.
"""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Generic, Protocol, TypeVar

from gpu_wordle.errors import JobError, UnsavedError, UserError
from gpu_wordle.game.numbers import decimal_number
from gpu_wordle.ranking.stop_token import StopToken

if TYPE_CHECKING:
    from rich.console import RenderableType

    from gpu_wordle.solver import Stop

CHECKPOINT_VARIABLE = "GPU_WORDLE_CHECKPOINT_S"  # seconds between checkpoints, default:
CHECKPOINT_SECONDS = 20.0

LOOK_SECONDS = 0.5
"""Least seconds between two searches for the best results that progress shows."""

_log = logging.getLogger("gpu_wordle")

Table = TypeVar("Table")


@dataclass(frozen=True)
class Progress:
    """The progress of a job, for a callback.

    Attributes:
        phase: what is being done, as in ``solving``, ``refuting`` or ``adding guess 3``. In the
            phase ``infeasible``, the job finds how many answers infeasible guesses can solve.
        done: guesses that are done; in the phase ``playing``, those of one strategy.
        total: guesses of the phase.
        best: the best guesses so far, each with its value; in the phase ``infeasible`` the guess
            that solves most, with how much it solves.
        note: a few words that people see beside the bar.
        table: a table for people, for rich.
        lower: of a proof in rounds, the proven lower bound of the least value.
        target: of a proof in rounds, the value that bounds are being raised to.
    """

    phase: str
    done: int
    total: int
    best: tuple[tuple[str, int], ...] = ()
    note: str = ""
    table: RenderableType = field(default="", repr=False, compare=False)
    lower: int | None = None
    target: int | None = None


ProgressCallback = Callable[[Progress], object]


def ignore_progress(progress: Progress) -> None:
    """Do nothing: the callback of a job that nobody follows."""


class Kept(Protocol[Table]):
    """The file of a job's table, or a stand-in. ``str`` of it is its name for people."""

    def held(self) -> AbstractContextManager[None]:
        """Keep other processes off the file; JobError if one holds it, or it cannot be written."""

    def load(self) -> Table | None:
        """Return the table that an earlier run of this job has saved; None if there is no file.

        Raises UserError if the file is of another job, or not one of ours.
        """

    def check_replaceable(self) -> None:
        """Raise UserError if there is a file that is not one of ours."""

    def save(self, table: Table) -> None:
        """Save a table, if there is anything in it; JobError if it cannot be written."""


class Job(Generic[Table]):
    """A table that units of work fill, its file, and what ends the work early.

    Args:
        table: the table at the beginning; ``str`` of it says how much is known.
        file: where to save the table; nowhere if not given.
        stop_token: ends the job early.
        on_progress: called with the progress after each unit.
        clock: returns seconds since any fixed time.

    Attributes:
        table: the table as it is now.
        stop_token: ends the job early.

    Raises UserError if the environment sets the pause between checkpoints to nonsense.
    """

    def __init__(
        self,
        table: Table,
        file: Kept[Table] | None = None,
        stop_token: StopToken | None = None,
        on_progress: ProgressCallback = ignore_progress,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.table = table
        self.stop_token = stop_token or StopToken()
        self._file = file
        self._on_progress = on_progress
        self._clock = clock
        self._pause = checkpoint_seconds()
        self._saved = clock()
        self._told = ""

    @contextmanager
    def held(self, *, fresh: bool = False) -> Iterator[None]:
        """Hold the file while the block runs. Resumes from it before, and saves the table after.

        Raises what :meth:`begin` and :meth:`finish` raise; JobError if the file cannot be held.
        """
        with nullcontext() if self._file is None else self._file.held():
            self.begin(fresh=fresh)
            yield
            self.finish()

    def begin(self, *, fresh: bool = False) -> None:
        """Load the table from the file, unless ``fresh`` replaces it.

        Raises UserError if the file is of another job, or not one of ours.
        """
        if self._file is None:
            return
        if fresh:
            self._file.check_replaceable()
            return
        known = self._file.load()
        if known is not None:
            self.table = known
            _log.info("going on from %s, %s", self._file, known)

    def run(self, units: Iterable[Progress | None], stop: Stop) -> None:
        """Do units of work, with checkpoints, until they are done or the job ends early.

        Each unit yields its progress, or None for no call. Sets ``stop`` when the job is to end. If
        a unit raises JobError, as a failing device does, the table is saved before.
        """
        with self.stop_token.of(stop):
            try:
                for progress in units:
                    if progress is not None:
                        self._on_progress(progress)
                    self._save_if_due()
            except JobError:
                if failure := self.attempt():
                    _log.warning("%s", failure)
                raise

    def save(self) -> None:
        """Save the table now; JobError if it cannot be saved."""
        if self._file is not None:
            self._file.save(self.table)
        self._saved = self._clock()

    def attempt(self) -> str:
        """Save the table, or return why it failed: the disk may have room again at the end."""
        try:
            self.save()
        except JobError as error:
            self._saved = self._clock()
            return str(error)
        return ""

    def finish(self) -> None:
        """Save the table at the end; UnsavedError if it cannot be saved."""
        try:
            self.save()
        except JobError as error:
            raise UnsavedError(str(error)) from error

    def _save_if_due(self) -> None:
        """Save if the last checkpoint is old enough. Warns once of each reason for a failure."""
        if self._clock() - self._saved > self._pause:
            failure = self.attempt()
            if failure and failure != self._told:
                _log.warning("%s; the work goes on", failure)
            self._told = failure


def checkpoint_seconds() -> float:
    """Return the seconds between checkpoints; UserError if the environment sets nonsense."""
    text = os.environ.get(CHECKPOINT_VARIABLE, str(CHECKPOINT_SECONDS))
    seconds = decimal_number(text)
    if seconds is None or seconds < 0:
        raise UserError(f"{CHECKPOINT_VARIABLE}={text}: give a number of seconds")
    return float(seconds)
