"""The server: an address, the application behind its guard, and the loop that runs it."""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Callable, Iterable

import uvicorn

from gpu_wordle.backends.cpu.threads import granted
from gpu_wordle.errors import JobError, UserError
from gpu_wordle.web.hands import Hands
from gpu_wordle.web.protocol import BoundedProtocol
from gpu_wordle.web.request_queue import RequestQueue
from gpu_wordle.web.safety import Safety
from gpu_wordle.web.service import Service
from gpu_wordle.web.shelf import Offer, Shelf

LOOPBACK = "127.0.0.1"
LOCAL_NAMES = ("localhost",)

BACKLOG = 128
"""Connections that wait to be taken."""

MAX_PARTING_SECONDS = 2
"""For which answers under way are waited for when the server ends."""


class Server:
    """A server at an address, which it holds from the beginning on.

    Args:
        offer: what may be asked for by name.
        host: the address, or a name of it; UserError if this computer has no such address.
        port: 0 for any that is free; JobError if it is taken.
        threads: of the searches; one a core if not given.
        names: further names by which clients may call it.
    """

    def __init__(
        self,
        offer: Offer,
        host: str = LOOPBACK,
        port: int = 0,
        threads: int | None = None,
        names: Iterable[str] = (),
    ) -> None:
        self._socket = _bound(host, port)
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        self.queue = RequestQueue(Hands(granted(threads)))
        self.service = Service(Shelf(offer, self.queue.hands), self.queue)
        known = {*LOCAL_NAMES, host, *names} | ({socket.gethostname()} if self.is_open else set())
        config = uvicorn.Config(
            Safety(self.service.app, known),
            http=BoundedProtocol,
            ws="none",
            lifespan="off",
            log_level="critical",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=MAX_PARTING_SECONDS,
        )
        self._server = _Told(config)

    @property
    def address(self) -> str:
        """Where the page is."""
        try:
            number = ipaddress.ip_address(self.host)
        except ValueError:
            return f"http://{self.host}:{self.port}/"
        shown = LOOPBACK if number.is_unspecified else self.host
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}/"

    @property
    def is_open(self) -> bool:
        """Whether others than this computer can reach it."""
        return not ipaddress.ip_address(self._socket.getsockname()[0]).is_loopback

    def run(self, begun: Callable[[], None] = lambda: None) -> None:
        """Serve until Ctrl-C, a signal to end, or :meth:`stop`; ``begun`` is called when it is up.

        In another thread than the main one, signals are left alone.
        """
        self._server.begun = begun
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.close()

    def close(self) -> None:
        """Give the address up; for servers that do not run."""
        self.queue.close()
        self._socket.close()

    def stop(self) -> None:
        """End soon; for other threads."""
        self._server.should_exit = True


class _Told(uvicorn.Server):
    """uvicorn's server, which tells when it is up."""

    begun: Callable[[], None]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        if self.started:
            self.begun()


def _bound(host: str, port: int) -> socket.socket:
    """A socket that listens at an address."""
    try:
        found = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE)
    except (OSError, UnicodeError):
        raise UserError(f"--host {host}: no address of this computer; try {LOOPBACK}") from None
    family, kind, number, _, address = found[0]
    listening = socket.socket(family, kind, number)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        raise JobError(
            f"{host}, port {port}: cannot be served at ({error.strerror}); choose another --port, "
            "or --port 0 for any"
        ) from None
    return listening
