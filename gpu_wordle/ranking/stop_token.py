"""How a job comes to an early end: out of time, asked to stop, or interrupted.

Whatever the reason, the search stops within moments and what it has proved is kept.
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
"""Between two looks at the event by which another thread asks for the end."""

GRACE_SECONDS = 10.0
"""For which a job may be prepared beyond its time limit, so that there is a result to give."""


class Reason(StrEnum):
    """Why a job ended before its work was done."""

    TIME_LIMIT = "time limit"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"


class StopToken:
    """When a job is to end early, and, once it has, why.

    Args:
        time_limit: seconds from now; no limit if infinite or not given.
        event: what another thread sets to ask for the end.
        signals: those that interrupt the job, in the main thread; a second one ends the program.
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
        """What ends a job of a caller: the token given, or one that Ctrl-C sets as well."""
        if isinstance(stop, StopToken):
            return stop
        return cls(time_limit, stop, (signal.SIGINT,))

    def limit_search(self, seconds: float) -> None:
        """End so long after the first search begins, unless there is a time limit."""
        if not self._is_limited:
            self._search_limit = seconds

    @contextmanager
    def paused(self) -> Iterator[None]:
        """While the block runs, its time stands still: for what is done once on a machine."""
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
        """As :meth:`is_due`, so that it can stand for the event of a caller."""
        return self.is_due()

    def is_due(self) -> bool:
        """Whether the job is to end, or has ended early."""
        if self.reason is None:
            if self._deadline is not None and time.monotonic() >= self._deadline:
                self.reason = Reason.TIME_LIMIT
            elif self._event is not None and self._event.is_set():
                self.reason = Reason.STOPPED
        return self.reason is not None

    @contextmanager
    def preparing(self) -> Iterator[None]:
        """Raise JobError in the main thread if time is long over before the first search begins.

        That is where nothing looks at the clock: games are built and solvers loaded.
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
        """From here on a search looks at the clock itself."""
        if self._search_limit is not None and self._deadline is None:
            self._deadline = time.monotonic() + self._search_limit
        if self._is_preparing:
            signal.setitimer(signal.ITIMER_REAL, 0)
            self._is_preparing = False

    @contextmanager
    def of(self, stop: Stop) -> Iterator[None]:
        """While the block runs, set ``stop`` as soon as the job is to end."""
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
        """While the block runs, look at the clock and the event, if there are any."""
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
        """Wait until the work is done or is to end, whichever comes first."""
        while not done.wait(self._patience()):
            if self.is_due():
                stop.set()
                return

    def _patience(self) -> float:
        """Seconds until the next look."""
        pause = threading.TIMEOUT_MAX if self._event is None else POLL_SECONDS
        if self._deadline is not None:
            pause = min(pause, self._deadline - time.monotonic())
        return max(pause, 0.0)

    @contextmanager
    def _interruptible(self, stop: Stop) -> Iterator[None]:
        """The first signal sets ``stop``; a second one raises KeyboardInterrupt."""

        def ask(number: int, frame: FrameType | None) -> None:
            if stop.is_set():
                raise KeyboardInterrupt
            self.reason = self.reason or Reason.INTERRUPTED
            stop.set()

        if threading.current_thread() is not threading.main_thread():
            yield  # Python hands signals to the main thread only
            return
        before = {number: signal.signal(number, ask) for number in self._signals}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler if handler is not None else signal.SIG_DFL)
