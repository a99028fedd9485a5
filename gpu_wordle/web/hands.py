"""Hands: the threads that do the tasks of all jobs, one task of each job in turn.

So a job of a moment is not kept waiting by one of many seconds, and a job that is alone has all
threads. What a job hands in is done in its order. An executor of Python would do all tasks in the
order in which they came, whoever handed them in.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable
from concurrent.futures import Executor, Future
from functools import partial
from typing import Any


class Hands:
    """So many threads; they end with the program, or when they are closed."""

    def __init__(self, threads: int) -> None:
        self.threads = threads
        self._waiting: deque[Share] = deque()  # shares with tasks, the next one first
        self._changed = threading.Condition()
        self._is_closed = False
        for number in range(threads):
            name = f"hand-{number}"
            threading.Thread(target=self._work, name=name, daemon=True).start()

    def share(self) -> Share:
        """What one job hands its tasks to."""
        return Share(self._changed, self._waiting)

    def close(self) -> None:
        """Let the threads end once they have done the tasks at hand."""
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
            del share, future, task  # which hold a game and its memory, however long this waits


class Share(Executor):
    """The part of one job in the hands: an executor whose tasks take turns with those of others.

    Attributes:
        running: tasks that are being done.
    """

    def __init__(self, changed: threading.Condition, waiting: deque[Share]) -> None:
        self.running = 0
        self._changed = changed
        self._waiting = waiting
        self._tasks: deque[tuple[Future[Any], Callable[[], Any]]] = deque()
        self._is_over = False

    @property
    def has_tasks(self) -> bool:
        """Whether tasks have not been begun."""
        return bool(self._tasks)

    def take(self) -> tuple[Future[Any], Callable[[], Any]]:
        """The first task, which is running from now on."""
        self.running += 1
        return self._tasks.popleft()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Future[Any]:
        """See Executor."""
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
        """See Executor."""
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
    """Do a task, and tell the future what came of it."""
    if not future.set_running_or_notify_cancel():
        return
    try:
        future.set_result(task())
    except BaseException as error:
        future.set_exception(error)
        del future, task  # else the error holds this frame, which holds the future with the error
