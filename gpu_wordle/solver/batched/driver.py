"""Threads of their own for work that waits on a device, so that nothing else waits with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class End:
    """Nothing more will come, because of an error if there is one."""

    error: BaseException | None = None


class Shared(Generic[Item]):
    """What several threads draw from, one at a time."""

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
        sources: what is drawn, each by a thread alone.
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
        """End the threads; who waits for an item is told that there is none."""
        self._is_closed = True
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
