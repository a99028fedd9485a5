"""A bounded cache of the most recently used items, with a lock.

cachetools has such a table, but without a lock, and it weighs items without their keys.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable
from typing import Generic, TypeVar

Key = TypeVar("Key")
Item = TypeVar("Item")


class Kept(Generic[Key, Item]):
    """A thread-safe cache that drops the least recently used items.

    Args:
        most: greatest total weight of the items.
        weigh: the weight of an item with its key; by default 1.
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
        """The item of a key; None if it is not cached."""
        with self._lock:
            if key in self._items:
                self._items.move_to_end(key)
            return self._items.get(key)

    def put(self, key: Key, item: Item) -> Item:
        """Cache an item; if another thread was first, return that thread's item instead."""
        with self._lock:
            if key in self._items:
                return self._items[key]
            self._items[key] = item
            self._weight += self._weigh(key, item)
            while self._weight > self._most and self._items:
                self._weight -= self._weigh(*self._items.popitem(last=False))
            return item

    def made(self, key: Key, make: Callable[[], Item]) -> Item:
        """The item of a key, made if it is not cached."""
        found = self.get(key)
        return self.put(key, make()) if found is None else found
