"""A thread of its own for work that waits on a device, so that nothing else waits with it."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Generic, TypeVar

Item = TypeVar("Item")


@dataclass(frozen=True)
class End:
    """Nothing more will come, because of an error if there is one."""

    error: BaseException | None = None


class Driver(Generic[Item]):
    """Draws items by a thread of its own, before they are asked for; iterate over it once.

    An error that drawing raises is raised in its turn. :meth:`close` ends the thread, and waits for
    the item that it may be drawing.

    Args:
        items: what is drawn, by that thread alone.
        most: items that are drawn ahead at most.
    """

    def __init__(self, items: Iterator[Item], most: int) -> None:
        self._items = items
        self._ready: SimpleQueue[Item | End] = SimpleQueue()
        self._room = threading.Semaphore(most)
        self._is_closed = False
        self._thread = threading.Thread(target=self._draw, name="device", daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Item]:
        while not isinstance(found := self._ready.get(), End):
            self._room.release()
            yield found
        self._ready.put(found)  # whoever asks again
        if found.error is not None:
            raise found.error

    def close(self) -> None:
        """End the thread; who waits for an item is told that there is none."""
        self._is_closed = True
        self._room.release()
        self._thread.join()

    def _draw(self) -> None:
        try:
            while self._room.acquire() and not self._is_closed:
                self._ready.put(next(self._items))
        except StopIteration:
            self._ready.put(End())
        except BaseException as error:
            self._ready.put(End(error))
        else:
            self._ready.put(End())
