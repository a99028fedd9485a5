"""The desk: which question is worked on next, how many wait, and what happens to those given up.

Clients take turns, whatever they ask and however often. A client that has left is not worked for
any more: a question that waits is dropped, and one in work is told to stop.
"""

from __future__ import annotations

import asyncio
import threading
from collections import OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

from gpu_wordle.web.hands import Hands

MAX_WAITING = 256
"""Questions that wait; more are turned away."""

MAX_WAITING_OF_CLIENT = 32
"""Of one client."""

AT_ONCE = 2
"""Questions for each thread that are worked on at once, so that none idles while another reads."""

RETRY_AFTER_S = 2
"""After which a client that was turned away may try again."""

Answer = TypeVar("Answer")


class BusyError(Exception):
    """Too many questions wait."""


@dataclass(eq=False)
class Job:
    """One question.

    Attributes:
        client: who asks.
        left: set when the client has left.
        turn: done when its turn has come.
    """

    client: str
    left: threading.Event = field(default_factory=threading.Event)
    turn: asyncio.Future[None] = field(default_factory=lambda: _future())


class Desk:
    """Questions and their turns; belongs to one event loop."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self.working = 0
        self._places = AT_ONCE * hands.threads
        self._conductors = ThreadPoolExecutor(self._places, "conductor")
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()

    @property
    def waiting(self) -> int:
        """Questions that wait."""
        return sum(map(len, self._queues.values()))

    async def ask(
        self,
        client: str,
        work: Callable[[Job], Answer],
        ahead: Callable[[int], None] = lambda questions: None,
    ) -> Answer:
        """Have ``work(job)`` done on a thread of its own when it is the client's turn.

        ``ahead`` is told how many questions come before it. To cancel the call stops the work.
        Raises BusyError if too many wait.
        """
        job = Job(client)
        queue = self._queues.setdefault(client, deque())
        if self.waiting >= MAX_WAITING or len(queue) >= MAX_WAITING_OF_CLIENT:
            if not queue:
                del self._queues[client]
            raise BusyError
        queue.append(job)
        self._begin_next()
        if not job.turn.done():
            ahead(self.waiting - 1)
        try:
            await job.turn
        except asyncio.CancelledError:
            self._give_up(job)
            raise
        running = self._conductors.submit(work, job)
        loop = asyncio.get_running_loop()
        running.add_done_callback(lambda done: self._tell(loop, done))
        try:
            return await asyncio.wrap_future(running)
        except asyncio.CancelledError:
            job.left.set()
            raise

    def close(self) -> None:
        """Take no more questions."""
        self._conductors.shutdown(wait=False, cancel_futures=True)
        self.hands.close()

    def _tell(self, loop: asyncio.AbstractEventLoop, done: Future[Any]) -> None:
        """Free the place of a question, whichever thread notices that it is over."""
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._free)

    def _free(self) -> None:
        self.working -= 1
        self._begin_next()

    def _give_up(self, job: Job) -> None:
        """Drop a question that waits; or free its place, if its turn came just then."""
        queue = self._queues.get(job.client)
        if queue is not None and job in queue:
            queue.remove(job)
            if not queue:
                del self._queues[job.client]
        elif job.turn.done() and not job.turn.cancelled():
            self._free()

    def _begin_next(self) -> None:
        """Give free places to the clients in turn."""
        while self.working < self._places and self._queues:
            client, queue = self._queues.popitem(last=False)
            job = queue.popleft()
            if queue:
                self._queues[client] = queue  # behind the others
            if not job.turn.done():
                self.working += 1
                job.turn.set_result(None)


def _future() -> asyncio.Future[None]:
    return asyncio.get_running_loop().create_future()
