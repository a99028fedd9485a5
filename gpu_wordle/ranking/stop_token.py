"""Early ends of jobs: out of time, asked to stop, or interrupted.

Whatever the reason, the search stops within moments, and what it has proved is kept.
"""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from enum import StrEnum
from math import inf
from types import FrameType
from typing import TYPE_CHECKING

from gpu_wordle.errors import JobError, UserError, quoted

if TYPE_CHECKING:
    from gpu_wordle.solver import Stop

POLL_SECONDS = 0.05
"""Seconds between two looks at the event by which another thread asks for the end."""

GRACE_SECONDS = 10.0
"""Seconds beyond its time limit that a job may take to prepare, so that it can give a result."""


class Reason(StrEnum):
    """Why a job ended before its work was done."""

    TIME_LIMIT = "time limit"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"


class StopToken:
    """Decides when a job ends early, and remembers why.

    Args:
        time_limit: seconds from now; no limit if infinite or not given.
        event: another thread sets it to ask for the end.
        signals: signals that interrupt the job, in the main thread. A second one ends the program.
    """

    def __init__(
        self,
        time_limit: float | None = None,
        event: threading.Event | None = None,
        signals: Collection[signal.Signals] = (),
    ) -> None:
        is_number = isinstance(time_limit, int | float) and time_limit > 0
        if time_limit is not None and not is_number:
            raise UserError(f"a time limit of {quoted(time_limit)} seconds; give more than 0")
        self.reason: Reason | None = None
        self._deadline: float | None = None
        if time_limit is not None and time_limit < inf:
            self._deadline = time.monotonic() + time_limit
        self._is_limited = time_limit is not None
        self._search_limit: float | None = None
        self._event = event
        self._is_preparing = False
        self._signals = signals

    @classmethod
    def of_call(
        cls, time_limit: float | None, stop: threading.Event | StopToken | None
    ) -> StopToken:
        """Return a token for a caller: the one given, or a new one that Ctrl-C sets as well."""
        if isinstance(stop, StopToken):
            return stop
        return cls(time_limit, stop, (signal.SIGINT,))

    def limit_search(self, seconds: float) -> None:
        """End ``seconds`` after the first search begins, unless there is a time limit."""
        if not self._is_limited:
            self._search_limit = seconds

    @contextmanager
    def paused(self) -> Iterator[None]:
        """Stop the clock while the block runs: for work that is done once on a machine."""
        began = time.monotonic()
        left = signal.setitimer(signal.ITIMER_REAL, 0)[0] if self._is_preparing else 0.0
        try:
            yield
        finally:
            if self._deadline is not None:
                self._deadline += time.monotonic() - began
            if left:
                signal.setitimer(signal.ITIMER_REAL, left)

    def is_set(self) -> bool:
        """Return what :meth:`is_due` returns, so that a token can stand for a caller's event."""
        return self.is_due()

    def is_due(self) -> bool:
        """True if the job is to end, or has ended early."""
        if self.reason is None:
            if self._deadline is not None and time.monotonic() >= self._deadline:
                self.reason = Reason.TIME_LIMIT
            elif self._event is not None and self._event.is_set():
                self.reason = Reason.STOPPED
        return self.reason is not None

    @contextmanager
    def preparing(self) -> Iterator[None]:
        """Raise JobError in the main thread if time is long over before the first search begins.

        Until then nothing looks at the clock: games are built and solvers loaded.
        """

        def give_up(number: int, frame: FrameType | None) -> None:
            raise JobError("out of time before the search began; give a longer --time-limit")

        if self._deadline is None or not hasattr(signal, "SIGALRM"):
            yield
            return
        before = signal.signal(signal.SIGALRM, give_up)
        patience = self._deadline + GRACE_SECONDS - time.monotonic()
        signal.setitimer(signal.ITIMER_REAL, max(patience, GRACE_SECONDS))
        self._is_preparing = True
        try:
            yield
        finally:
            self._begin()
            signal.signal(signal.SIGALRM, before)

    def _begin(self) -> None:
        """Hand the clock to the search, which now looks at it itself."""
        if self._search_limit is not None and self._deadline is None:
            self._deadline = time.monotonic() + self._search_limit
        if self._is_preparing:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._is_preparing = False

    @contextmanager
    def of(self, stop: Stop) -> Iterator[None]:
        """Set ``stop`` as soon as the job is to end, while the block runs."""
        self._begin()
        with self._interruptible(stop):
            with self._watched(stop):
                if self.is_due():
                    stop.set()
                yield
            if stop.is_set() and self.reason is None:
                self.reason = Reason.STOPPED

    @contextmanager
    def _watched(self, stop: Stop) -> Iterator[None]:
        """Watch the clock and the event, if there are any, while the block runs."""
        if self._deadline is None and self._event is None:
            yield
            return
        done = threading.Event()
        watch = threading.Thread(target=self._watch, args=(stop, done), daemon=True)
        watch.start()
        try:
            yield
        finally:
            done.set()
            watch.join()

    def _watch(self, stop: Stop, done: threading.Event) -> None:
        """Wait until the work is done or is to end."""
        while not done.wait(self._patience()):
            if self.is_due():
                stop.set()
                return

    def _patience(self) -> float:
        """Return the seconds until the next look."""
        pause = threading.TIMEOUT_MAX if self._event is None else POLL_SECONDS
        if self._deadline is not None:
            pause = min(pause, self._deadline - time.monotonic())
        return max(pause, 0.0)

    @contextmanager
    def _interruptible(self, stop: Stop) -> Iterator[None]:
        """Let the first signal set ``stop`` while the block runs.

        A second raises KeyboardInterrupt.
        """

        def ask(number: int, frame: FrameType | None) -> None:
            if stop.is_set():
                raise KeyboardInterrupt
            self.reason = self.reason or Reason.INTERRUPTED
            stop.set()

        if threading.current_thread() is not threading.main_thread():
            yield  # Python delivers signals to the main thread only
            return
        before = {number: signal.signal(number, ask) for number in self._signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)
