"""The queue of questions, in which clients take turns.

When a client leaves, its waiting questions are dropped and its running ones are stopped.
"""

from __future__ import annotations

import asyncio
import threading
from collections import Counter, OrderedDict, deque
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import TypeVar

from gpu_wordle.web.hands import Hands

MAX_WAITING = 256
"""Most waiting questions; further ones are refused."""

MAX_WAITING_OF_CLIENT = 32
"""Most waiting questions of one client."""

AT_ONCE = 2
"""Questions in progress for each thread, so that no thread idles while one is read or written.

One client has at most half of these places.
"""

READERS = 2
"""Threads for questions that need no search."""

RETRY_AFTER_S = 2
"""Seconds after which a refused client may try again."""

Answer = TypeVar("Answer")


class BusyError(Exception):
    """Too many questions are waiting."""


@dataclass(eq=False)
class Job:
    """A question in the queue.

    Attributes:
        client: the name of the client.
        left: set when the client has left.
        turn: done when its turn has come.
    """

    client: str
    left: threading.Event = field(default_factory=threading.Event)
    turn: asyncio.Future[None] = field(
        default_factory=lambda: asyncio.get_running_loop().create_future()
    )


class RequestQueue:
    """The queue of a server; belongs to one event loop."""

    def __init__(self, hands: Hands) -> None:
        self.hands = hands
        self.working = 0
        self._places = AT_ONCE * hands.threads
        self._conductors = ThreadPoolExecutor(self._places, "conductor")
        self._readers = ThreadPoolExecutor(READERS, "reader")
        self._queues: OrderedDict[str, deque[Job]] = OrderedDict()
        self._places_of: Counter[str] = Counter()
        self._reading = 0

    @property
    def waiting(self) -> int:
        """Number of waiting questions."""
        return sum(map(len, self._queues.values()))

    async def ask(
        self,
        client: str,
        work: Callable[[Job], Answer],
        ahead: Callable[[int], None] = lambda questions: None,
    ) -> Answer:
        """Run ``work(job)`` on its own thread when it is the client's turn.

        ``ahead`` receives the number of questions before it. Cancelling the call stops the work.
        Raises BusyError if too many questions are waiting.
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
        running.add_done_callback(lambda done: self._tell(loop, client))
        try:
            return await asyncio.wrap_future(running)
        except asyncio.CancelledError:
            job.left.set()
            raise

    async def read(self, work: Callable[[], Answer]) -> Answer:
        """Run short work outside the queue; BusyError if too much is waiting."""
        if self._reading >= MAX_WAITING:
            raise BusyError
        self._reading += 1
        try:
            return await asyncio.get_running_loop().run_in_executor(self._readers, work)
        finally:
            self._reading -= 1

    def close(self) -> None:
        """Refuse further questions and end the threads."""
        for threads in (self._conductors, self._readers):
            threads.shutdown(wait=False, cancel_futures=True)
        self.hands.close()

    def _tell(self, loop: asyncio.AbstractEventLoop, client: str) -> None:
        """Free the place of a finished question, from any thread."""
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._free, client)

    def _free(self, client: str) -> None:
        self.working -= 1
        self._places_of -= Counter([client])  # in-place subtraction drops counts of 0
        self._begin_next()

    def _give_up(self, job: Job) -> None:
        """Drop a waiting question, or free its place if its turn has just come."""
        queue = self._queues.get(job.client)
        if queue is not None and job in queue:
            queue.remove(job)
            if not queue:
                del self._queues[job.client]
        elif job.turn.done() and not job.turn.cancelled():
            self._free(job.client)

    def _begin_next(self) -> None:
        """Give free places to the clients, in turn."""
        while self.working < self._places:
            client = next(filter(self._may_begin, self._queues), None)
            if client is None:
                return
            queue = self._queues.pop(client)
            job = queue.popleft()
            if queue:
                self._queues[client] = queue  # behind the other clients
            if not job.turn.done():
                self.working += 1
                self._places_of[client] += 1
                job.turn.set_result(None)

    def _may_begin(self, client: str) -> bool:
        """Whether a client has fewer places than its share."""
        return self._places_of[client] < max(1, self._places // 2)
