"""The job: goes on from its file, works unit by unit with checkpoints, and can be ended early.

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
"""Least time between two searches for the best results, which progress names."""

_log = logging.getLogger("gpu_wordle")

Table = TypeVar("Table")


@dataclass(frozen=True)
class Progress:
    """How far a job has come, as a progress callback is told.

    Attributes:
        phase: what is being done, as in ``solving``, ``refuting`` or ``adding guess 3``. While
            it is ``infeasible``, the most answers that infeasible guesses can solve are looked for.
        done: guesses that are done; while ``playing`` for each strategy.
        total: guesses of the phase.
        best: the best guesses so far, each with its value; while ``infeasible`` the one that solves
            most, with how much that is.
        note: what people see beside the bar, in a few words.
        table: more for people, as rich shows it.
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


Listener = Callable[[Progress], object]


def ignore_progress(progress: Progress) -> None:
    """Do nothing: the listener of a job that nobody follows."""


class Kept(Protocol[Table]):
    """Where a job keeps its table; ``str`` of it is its name for people."""

    def held(self) -> AbstractContextManager[None]:
        """Keep other processes off; JobError if one is at it, or it cannot be written."""
        ...

    def load(self) -> Table | None:
        """The table that an earlier run of this job has kept; None if there is no file.

        Raises UserError if the file is of another job, or not one of ours.
        """
        ...

    def check_replaceable(self) -> None:
        """UserError if there is a file that is not one of ours."""
        ...

    def save(self, table: Table) -> None:
        """Keep a table, if there is anything in it; JobError if that cannot be written."""
        ...


class Job(Generic[Table]):
    """A table that units of work fill, its file, and what ends the work early.

    Args:
        table: what is known before the job begins; ``str`` of it says how much.
        file: where to keep the table; nowhere if not given.
        stop_token: what may end the job early.
        on_progress: told after each unit how far the job is.
        clock: seconds, from any time on.

    Attributes:
        table: what is known by now.
        stop_token: the same.

    Raises UserError if the environment says nonsense of the pause between two checkpoints.
    """

    def __init__(
        self,
        table: Table,
        file: Kept[Table] | None = None,
        stop_token: StopToken | None = None,
        on_progress: Listener = ignore_progress,
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
        """Hold the file while the block runs: go on from it before, and save the table after.

        Raises what :meth:`begin` and :meth:`finish` raise; JobError if the file cannot be held.
        """
        with nullcontext() if self._file is None else self._file.held():
            self.begin(fresh=fresh)
            yield
            self.finish()

    def begin(self, *, fresh: bool = False) -> None:
        """Take over the table that the file holds, unless ``fresh`` is to replace it.

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
        """Do units of work, with checkpoints, until they are done or the job is to end.

        Each unit yields its progress, or None to tell nobody. ``stop`` is set when the job is to
        end. If a unit raises JobError, as a failing device does, the table is saved before.
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
        """Save the table now; JobError if that cannot be done."""
        if self._file is not None:
            self._file.save(self.table)
        self._saved = self._clock()

    def attempt(self) -> str:
        """Save, or return why that failed: the disk may have room again at the end."""
        try:
            self.save()
        except JobError as error:
            self._saved = self._clock()
            return str(error)
        return ""

    def finish(self) -> None:
        """Save at the end; UnsavedError if that cannot be done."""
        try:
            self.save()
        except JobError as error:
            raise UnsavedError(str(error)) from error

    def _save_if_due(self) -> None:
        """Save if the last checkpoint is old enough; warn once of each reason why that fails."""
        if self._clock() - self._saved > self._pause:
            failure = self.attempt()
            if failure and failure != self._told:
                _log.warning("%s; the work goes on", failure)
            self._told = failure


def checkpoint_seconds() -> float:
    """Seconds between checkpoints; UserError if the environment says nonsense."""
    text = os.environ.get(CHECKPOINT_VARIABLE, str(CHECKPOINT_SECONDS))
    seconds = decimal_number(text)
    if seconds is None or seconds < 0:
        raise UserError(f"{CHECKPOINT_VARIABLE}={text}: give a number of seconds")
    return float(seconds)
