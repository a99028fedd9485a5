"""HTTP with limits on the number of connections, their idle time and the size of heads.

uvicorn checks the size of a head only while it is incomplete, so a head that arrives in one piece
may have any size. It also waits without limit for heads, and for clients that do not read.
"""

from __future__ import annotations

import asyncio
from typing import Any

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol

from gpu_wordle.web.safety import HEADERS, problem

MAX_CONNECTIONS = 512
"""Most open connections; further ones are closed at once."""

MAX_HEAD_BYTES = 24 * 1024
"""Most bytes of the head of a request."""

MAX_IDLE_SECONDS = 10
"""Longest time from the connection, or the last answer, to the end of the next head."""

MAX_TAKING_SECONDS = 60
"""Longest time in which a slow client may receive its pending data."""


class BoundedHeads(h11.Connection):
    """The server side of a connection; treats a head above the limit as malformed."""

    def __init__(self) -> None:
        super().__init__(h11.SERVER, MAX_HEAD_BYTES)

    def next_event(self) -> h11.Event | type[h11.NEED_DATA] | type[h11.PAUSED]:
        """The next event of h11; raises RemoteProtocolError for a head that is too long."""
        waits_for_head = self.their_state is h11.IDLE
        held = len(self.trailing_data[0]) if waits_for_head else 0
        event = super().next_event()
        if isinstance(event, h11.Request) and held - len(self.trailing_data[0]) > MAX_HEAD_BYTES:
            raise h11.RemoteProtocolError(f"a head of more than {MAX_HEAD_BYTES:,} bytes")
        return event


class BoundedProtocol(H11Protocol):
    """A connection with deadlines for idle and slow clients."""

    _deadline: asyncio.TimerHandle | None = None
    _cut: asyncio.TimerHandle | None = None

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self.conn = BoundedHeads()

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """Start the idle deadline; close the connection if there are too many."""
        super().connection_made(transport)
        if len(self.connections) > MAX_CONNECTIONS:
            transport.abort()
        else:
            self._watch()

    def data_received(self, data: bytes) -> None:
        """Handle data, and stop the idle deadline once a request is complete."""
        super().data_received(data)
        self._watch()

    def send_400_response(self, msg: str) -> None:
        """Refuse a malformed head in the form of all errors, and close the connection."""
        told = f"not an HTTP request with a head of at most {MAX_HEAD_BYTES:,} bytes; send one"
        body = problem(400, told)
        headers = {
            **HEADERS,
            "content-type": "application/json",
            "content-length": str(len(body)),
            "connection": "close",
        }
        begun = h11.Response(status_code=400, headers=list(headers.items()), reason=b"Bad Request")
        for event in (begun, h11.Data(data=body), h11.EndOfMessage()):
            self.transport.write(self.conn.send(event) or b"")
        self.transport.close()

    def on_response_complete(self) -> None:
        """Restart the idle deadline for the next request."""
        super().on_response_complete()
        self._watch()

    def connection_lost(self, exc: Exception | None) -> None:
        """Cancel both deadlines."""
        self._forget()
        self._spare()
        super().connection_lost(exc)

    def pause_writing(self) -> None:
        """Start the deadline of a slow client."""
        super().pause_writing()
        self._cut_later()

    def resume_writing(self) -> None:
        """Cancel the deadline of a slow client."""
        super().resume_writing()
        if not self.transport.is_closing():
            self._spare()

    def _watch(self) -> None:
        """Run the idle deadline only while there is no request to answer."""
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
        """Close the connection after sending what remains, or at the deadline."""
        self.transport.close()
        self._cut_later()

    def _cut_later(self) -> None:
        if self._cut is None:
            self._cut = self.loop.call_later(MAX_TAKING_SECONDS, self.transport.abort)

    def _spare(self) -> None:
        if self._cut is not None:
            self._cut.cancel()
            self._cut = None
