"""What a job keeps, from time to time, whatever disk and device do; and where it goes on from."""

from __future__ import annotations

import logging
import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar

from gpu_wordle.errors import JobError, UnsavedError, UserError
from gpu_wordle.game.numbers import decimal_number

CHECKPOINT_VARIABLE = "GPU_WORDLE_CHECKPOINT_S"  # seconds between checkpoints, default:
CHECKPOINT_SECONDS = 20.0

_log = logging.getLogger("gpu_wordle")

Held = TypeVar("Held", covariant=True)


class Kept(Protocol[Held]):
    """Where a job keeps what it has; its text is its name for people."""

    def load(self) -> Held | None:
        """What an earlier run of the same job has kept; None if there is no file.

        Raises UserError if the file is of another job, or not one of ours.
        """
        ...

    def check_replaceable(self) -> None:
        """UserError if there is a file that is not one of ours."""
        ...


def taken_over(file: Kept[Held] | None, *, fresh: bool) -> Held | None:
    """What an earlier run has kept; None if there is nothing, or if ``fresh`` leaves it aside.

    Raises UserError if the file is of another job, or not one of ours.
    """
    if file is None:
        return None
    if fresh:
        file.check_replaceable()
        return None
    return file.load()


class Checkpoints:
    """Saves what a job has, as often as people want it.

    Args:
        save: writes what there is; JobError if that cannot be done.
        clock: seconds, from any time on.

    Raises UserError if the environment says nonsense of the pause between two of them.
    """

    def __init__(
        self, save: Callable[[], None], clock: Callable[[], float] = time.monotonic
    ) -> None:
        self._save = save
        self._clock = clock
        self._saved = clock()
        self._told = ""
        self._pause = checkpoint_seconds()

    def save(self) -> None:
        """Save now."""
        self._save()
        self._saved = self._clock()

    def finish(self) -> None:
        """Save at the end; UnsavedError if that cannot be done."""
        try:
            self.save()
        except JobError as error:
            raise UnsavedError(str(error)) from error

    def attempt(self) -> str:
        """Save, or return why not: there may be room again at the end, which says so if not."""
        try:
            self.save()
        except JobError as error:
            self._saved = self._clock()
            return str(error)
        return ""

    @contextmanager
    def on_failure(self) -> Iterator[None]:
        """Keep what there is where the work within fails, as a device may, and let it fail."""
        try:
            yield
        except JobError:
            if failure := self.attempt():
                _log.warning("%s", failure)
            raise

    def attempt_if_due(self) -> None:
        """Save if the last time is long enough ago; what stays in the way of it is said once."""
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
