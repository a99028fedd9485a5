"""The server: its address, the protected application, and the loop that runs it."""

from __future__ import annotations

import errno
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
"""Most connections that wait to be accepted."""

MAX_PARTING_SECONDS = 2
"""Longest wait for running answers when the server ends."""


class Server:
    """A server; it binds its address when it is made.

    Args:
        offer: the lists, weights and rankings that questions may name.
        host: the address or its name; UserError if this computer has no such address.
        port: the port, or 0 for any free one; JobError if it is in use.
        threads: threads of the searches; by default one per core.
        names: further host names of the server.
        compiled: the share of the machine code that is compiled; until 1, no question is answered.
    """

    def __init__(
        self,
        offer: Offer,
        host: str = LOOPBACK,
        port: int = 0,
        threads: int | None = None,
        names: Iterable[str] = (),
        compiled: Callable[[], float] = lambda: 1.0,
    ) -> None:
        self._socket = _bound(host, port)
        self.host = host
        self.port: int = self._socket.getsockname()[1]
        self.queue = RequestQueue(Hands(granted(threads)))
        self.service = Service(Shelf(offer, self.queue.hands), self.queue, compiled)
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
        """The address of the page."""
        try:
            number = ipaddress.ip_address(self.host)
        except ValueError:
            return f"http://{self.host}:{self.port}/"
        shown = LOOPBACK if number.is_unspecified else self.host
        return f"http://{f'[{shown}]' if ':' in shown else shown}:{self.port}/"

    @property
    def is_open(self) -> bool:
        """Whether other computers can reach it."""
        return not ipaddress.ip_address(self._socket.getsockname()[0]).is_loopback

    def run(self, begun: Callable[[], None] = lambda: None) -> None:
        """Serve until Ctrl-C, SIGTERM or :meth:`stop`; calls ``begun`` when the server is up.

        Outside the main thread, signals are not handled.
        """
        self._server.begun = begun
        try:
            self._server.run(sockets=[self._socket])
        finally:
            self.close()

    def close(self) -> None:
        """Release the address; for a server that is not running."""
        self.queue.close()
        self._socket.close()

    def stop(self) -> None:
        """Ask the server to end; may be called from any thread."""
        self._server.should_exit = True


class _Told(uvicorn.Server):
    """uvicorn's server with a callback when it is up."""

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
        listening.setsockopt(socket.SOL_SOCKET, *address_option())
        listening.bind(address)
        listening.listen(BACKLOG)
    except OSError as error:
        listening.close()
        if error.errno == errno.EADDRINUSE:
            raise JobError(f"port {port} is in use; try --port {port + 1}") from None
        raise JobError(
            f"port {port} of {host} cannot be used ({error.strerror}); try another "
            "--port, or --port 0 for any free port"
        ) from None
    return listening


def address_option() -> tuple[int, int]:
    """The socket option by which a port is free as soon as its server has ended.

    On Windows it is free at once, and SO_REUSEADDR would let two servers share a port.
    """
    exclusive: int | None = getattr(socket, "SO_EXCLUSIVEADDRUSE", None)
    return (socket.SO_REUSEADDR, 1) if exclusive is None else (exclusive, 1)
