"""A thread pool that serves several jobs in turn, one task of each at a time.

A short job therefore does not wait for a long one, and a single job has all threads. The tasks of
one job run in their order. Python's own executors run all tasks in the order of submission.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any


class Hands:
    """A fixed number of worker threads; they end with the program or after :meth:`close`."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._waiting: deque[Share] = deque()  # shares with tasks, the next one first
        self._changed = threading.Condition()
        self._is_closed = False
        for number in range(threads):
            name = f"hand-{number}"
            threading.Thread(target=self._work, name=name, daemon=True).start()

    def share(self) -> Share:
        """An executor for the tasks of one job."""
        return Share(self._changed, self._waiting)

    def close(self) -> None:
        """End the threads after their current tasks."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()

    def _work(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._waiting or self._is_closed)
                if self._is_closed:
                    return
                share = self._waiting.popleft()
                future, task = share.take()
                if share.has_tasks:
                    self._waiting.append(share)
            _do(future, task)
            with self._changed:
                share.running -= 1
                self._changed.notify_all()
            del share, future, task  # they hold a game and its memory while this thread waits


class Share(Executor):
    """The executor of one job; its tasks take turns with those of other jobs.

    Attributes:
        running: number of tasks in progress.
    """

    def __init__(self, changed: threading.Condition, waiting: deque[Share]) -> None:
        self.running = 0
        self._changed = changed
        self._waiting = waiting
        self._tasks: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._is_over = False

    @property
    def has_tasks(self) -> bool:
        """Whether tasks are waiting to start."""
        return bool(self._tasks)

    def take(self) -> tuple[Future[Any], Callable[[], Any]]:
        """Remove the first task and count it as running."""
        self.running += 1
        return self._tasks.popleft()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """Add a task; returns its future."""
        future: Future[Any] = Future()
        with self._changed:
            if self._is_over:
                raise RuntimeError("cannot schedule new futures after shutdown")
            if not self._tasks:
                self._waiting.append(self)
            self._tasks.append((future, partial(fn, *args, **kwargs)))
            self._changed.notify()
        return future

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = False) -> None:
        """Refuse further tasks; optionally cancel those waiting, and wait for the others."""
        with self._changed:
            self._is_over = True
            if cancel_futures and self._tasks:
                for future, _ in self._tasks:
                    future.cancel()
                self._tasks.clear()
                self._waiting.remove(self)
            if wait:
                self._changed.wait_for(lambda: not self._tasks and not self.running)


def _do(future: Future[Any], task: Callable[[], Any]) -> None:
    """Run a task and store its result or error in the future."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(task())
    except BaseException as error:
        future.set_exception(error)
        del future, task  # break the cycle: the error holds this frame, which holds the future
