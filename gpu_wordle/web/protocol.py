"""HTTP with bounds on connections: how many there are, and how long each may do nothing useful.

uvicorn bounds a head only until it is whole, so that one that arrives at once may have any size. It
waits for a head for as long as that takes, and likewise for clients that ask and do not read.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

MAX_CONNECTIONS = 512
"""Connections that are open at once; more are closed as they come."""

MAX_HEAD_BYTES = 24 * 1024
"""Of a request ahead of its body."""

MAX_IDLE_SECONDS = 10
"""From connecting, or from the end of an answer, to the end of the next head."""

MAX_TAKING_SECONDS = 60
"""For a client to take what was sent, where it takes it more slowly than it comes."""


class BoundedHeads(h11.Connection):
    """The side of a server, to which a head above the limit is malformed."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, MAX_HEAD_BYTES)

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """See h11.Connection."""
        waits_for_head = self.their_state is h11.IDLE
        held = len(self.trailing_data[0]) if waits_for_head else 0
        event = super().next_event()
        if isinstance(event, h11.Request) and held - len(self.trailing_data[0]) > MAX_HEAD_BYTES:
            raise h11.RemoteProtocolError(f"a head of more than {MAX_HEAD_BYTES:,} bytes")
        return event


class BoundedProtocol(H11Protocol):
    """One connection."""

    _deadline: asyncio.TimerHandle | None = None
    _cut: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = BoundedHeads()

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
