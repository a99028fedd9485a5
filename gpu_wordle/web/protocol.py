"""HTTP with bounds on connections: how many there are, and how long each may do nothing useful.

uvicorn bounds the size of what is sent ahead of a body, and waits for it for as long as it takes.
It waits likewise for clients that ask and do not read.
"""

from __future__ import annotations

import asyncio
from typing import Any

from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 512
"""Connections that are open at once; more are closed as they come."""

MAX_HEAD_BYTES = 24 * 1024
"""Of a request ahead of its body."""

MAX_IDLE_SECONDS = 10
"""From connecting, or from the end of an answer, to the end of the next head."""

MAX_TAKING_SECONDS = 60
"""For a client to take what was sent, where it takes it more slowly than it comes."""


class BoundedProtocol(H11Protocol):
    """One connection."""

    _deadline: asyncio.TimerHandle | None = None
    _cut: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See asyncio.Protocol."""
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        """See asyncio.Protocol."""
        super().data_received(data)
        self._watch()

    def on_response_complete(self) -> None:
        """Begin to wait for the next request."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """See asyncio.Protocol."""
        self._forget()
        self._spare()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Give the client some time to take what waits for it."""
        super().pause_writing()
        self._cut_later()

    def resume_writing(self) -> None:
        """See asyncio.Protocol."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._spare()

    def _watch(self) -> None:
        """Let the time run while there is no request to answer, and only then."""
        cycle: Any = self.cycle
        if cycle is not None and not cycle.response_complete:
            self._forget()
        elif self._deadline is None:
            self._deadline = self.loop.call_later(MAX_IDLE_SECONDS, self._part)

    def _forget(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _part(self) -> None:
        """Close the connection once all has been taken, or else after a while."""
        self.transport.close()
        self._cut_later()

    def _cut_later(self) -> None:
        if self._cut is None:
            self._cut = self.loop.call_later(MAX_TAKING_SECONDS, self.transport.abort)

    def _spare(self) -> None:
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None
