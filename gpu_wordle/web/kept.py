"""What is kept because it is likely to be asked for again, within bounds.

cachetools has such a table, but no lock for it, and weighs items without their keys.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Item = TypeVar("Item")


class Kept(Generic[Key, Item]):
    """Items by their keys; those that were asked for longest ago make room. Threads may share it.

    Args:
        most: what the items may weigh together.
        weigh: what an item weighs with its key; one each, if not given.
    """

    def __init__(self, most: int, weigh: Callable[[Key, Item], int] = lambda key, item: 1) -> None:
        self._most = most
        self._weigh = weigh
        self._items: OrderedDict[Key, Item] = OrderedDict()
        self._weight = 0
        self._lock = threading.Lock()

    def __len__(self) -> int:
        return len(self._items)

    def get(self, key: Key) -> Item | None:
        """The item, if it is kept."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
            return self._items.get(key)

    def put(self, key: Key, item: Item) -> Item:
        """Keep an item, or the one that another thread has kept first; that one is returned."""
        with self._lock:
            if key in self._items:
                return self._items[key]
            self._items[key] = item
            self._weight += self._weigh(key, item)
            while self._weight > self._most and self._items:
                self._weight -= self._weigh(*self._items.popitem(last=False))
            return item

    def made(self, key: Key, make: Callable[[], Item]) -> Item:
        """The item, made if it is not kept."""
        found = self.get(key)
        return self.put(key, make()) if found is None else found
