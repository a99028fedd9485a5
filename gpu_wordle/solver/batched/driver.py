"""Work that waits on a device, done so that nothing else waits with it.

Threads of their own draw it. Each runs several coroutines at a time: while one waits for what
threads do for it, another has the device. So device and threads are at work together.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, Generic, TypeVar

from gpu_wordle.solver.memory.stop import Stop

Item = TypeVar("Item")


@dataclass(frozen=True)
class End:
    """The end of the items, because of an error if there is one."""

    error: BaseException | None = None


class Shared(Generic[Item]):
    """An iterator that several threads draw from, one at a time."""

    def __init__(self, items: Iterator[Item]) -> None:
        self._items = items
        self._turn = threading.Lock()

    def __iter__(self) -> Iterator[Item]:
        return self

    def __next__(self) -> Item:
        with self._turn:
            return next(self._items)


class Driver(Generic[Item]):
    """Draws items by threads of its own, before they are asked for; iterate over it once.

    An error that drawing raises is raised in its turn. :meth:`close` ends the threads, and waits
    for the items that they may be drawing.

    Args:
        sources: iterators of items, each drawn from by a thread alone.
        most: items that are drawn ahead at most.
    """

    def __init__(self, sources: Sequence[Iterator[Item]], most: int) -> None:
        self._ready: SimpleQueue[Item | End] = SimpleQueue()
        self._room = threading.Semaphore(most)
        self._is_closed = False
        self._threads = [
            threading.Thread(target=self._draw, args=(items,), name=f"device-{turn}", daemon=True)
            for turn, items in enumerate(sources)
        ]
        self._at_work = len(self._threads)
        for thread in self._threads:
            thread.start()

    def __iter__(self) -> Iterator[Item]:
        while self._at_work:
            found = self._ready.get()
            if not isinstance(found, End):
                self._room.release()
                yield found
                continue
            self._at_work -= 1
            if found.error is not None:
                raise found.error

    def close(self) -> None:
        """End the threads; whoever waits for an item is told that there is none."""
        self._is_closed = True
        # A thread may wait for room; it sees the end only once it is let through.
        for _ in self._threads:
            self._room.release()
        for thread in self._threads:
            thread.join()

    def _draw(self, items: Iterator[Item]) -> None:
        try:
            while self._room.acquire() and not self._is_closed:
                self._ready.put(next(items))
        except StopIteration:
            self._ready.put(End())
        except BaseException as error:
            self._ready.put(End(error))
        else:
            self._ready.put(End())


Result = TypeVar("Result")

Job = Generator[list[Future[Any]], None, Result]
"""A coroutine: it yields the futures that it waits for, and is resumed when all are done."""


STOP_SECONDS = 0.1
"""Time between two looks for a stop: cancelled futures wake nobody."""


def interleave(jobs: Iterator[Job[Result]], in_flight: int, stop: Stop) -> Iterator[Result]:
    """Yield what the jobs return, as they end, with ``in_flight`` of them running at a time.

    Ends early when a stop is asked for.
    """
    running: list[tuple[Job[Result], list[Future[Any]]]] = []
    while not stop.is_set():
        while len(running) < in_flight and (job := next(jobs, None)) is not None:
            running.append((job, []))
        if not running:
            return
        ready = next((at for at, (_, futures) in enumerate(running) if all_done(futures)), None)
        if ready is None:
            wait([f for _, futures in running for f in futures if not f.done()],
                 timeout=STOP_SECONDS, return_when=FIRST_COMPLETED)  # fmt: skip
            continue
        job, futures = running.pop(ready)
        for future in futures:
            future.result()  # an error of a thread is one of the job
        if stop.is_set():  # and what was waited for may have been broken off
            return
        try:
            running.append((job, next(job)))
        except StopIteration as end:
            yield end.value


def all_done(futures: list[Future[Any]]) -> bool:
    """True if all futures are done."""
    return all(future.done() for future in futures)
