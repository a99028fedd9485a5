"""A server of the page, here or of an installed package; well-formed and malformed requests."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

from gpu_wordle.web.server import Server
from gpu_wordle.web.shelf import Offer
from support import ROOT

PATIENCE_S = 30.0


@contextmanager
def served(offer: Offer | None = None, **options: Any) -> Iterator[Server]:
    """Yield a server at a free port, on one thread unless ``options`` say otherwise."""
    server = Server(offer or Offer(), **{"threads": 1, **options})
    up = threading.Event()
    thread = threading.Thread(target=server.run, args=(up.set,))
    thread.start()
    try:
        assert up.wait(PATIENCE_S), "the server did not come up"
        yield server
    finally:
        server.stop()
        thread.join(PATIENCE_S)
        assert not thread.is_alive(), "the server did not end"


@dataclass(frozen=True)
class Installed:
    """A server in a process of its own."""

    host: str
    port: int

    @property
    def address(self) -> str:
        """Return the address; see Server."""
        return f"http://{self.host}:{self.port}/"


@contextmanager
def served_by(python: str, folder: Path) -> Iterator[Installed]:
    """Yield a server at a free port, started like a user from an installed package."""
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    options = {"cwd": folder, "env": environment, "stdout": subprocess.PIPE, "text": True}
    where = "import gpu_wordle; print(gpu_wordle.__file__)"
    found = subprocess.run([python, "-c", where], **options, check=True).stdout.strip()
    assert not Path(found).is_relative_to(ROOT), f"{python} has this checkout, and no wheel of it"
    command = [python, "-m", "gpu_wordle", "serve", "--port", "0", "--no-open", "--json"]
    with subprocess.Popen([*command, "--threads", "1", "--quiet"], **options) as process:
        said = ""
        while not said.rstrip().endswith('/"\n}'):
            line = process.stdout.readline()
            assert line, f"the server did not come up: {said}"
            said += line
        address = urlsplit(json.loads(said)["address"])
        try:
            yield Installed(address.hostname, address.port)
        finally:
            process.send_signal(signal.SIGINT)
            process.wait(PATIENCE_S)
    assert process.returncode == 0


def wait_until(happened: Callable[[], object]) -> None:
    """Return once something has happened; AssertionError if it never does."""
    deadline = time.monotonic() + PATIENCE_S
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def get(server: Server | Installed, path: str, /, **parameters: Any) -> Any:
    """Return the answer to a valid question."""
    status, said, _ = ask(server, path, parameters)
    assert status == 200, said
    return said


def ask(
    server: Server | Installed,
    path: str,
    parameters: Mapping[str, Any] | None = None,
    headers: Mapping[str, str] | None = None,
    method: str = "GET",
    body: bytes | None = None,
) -> tuple[int, Any, dict[str, str]]:
    """Return status, answer and headers; the answer is text or a picture if it is no JSON."""
    connection = HTTPConnection(server.host, server.port, timeout=PATIENCE_S)
    target = f"/{path}?{urlencode(parameters)}" if parameters else f"/{path}"
    try:
        connection.request(method, target, body, dict(headers or {}))
        response = connection.getresponse()
        content, found = response.read(), {k.lower(): v for k, v in response.getheaders()}
    finally:
        connection.close()
    if found.get("content-type") == "image/png" and content:
        return response.status, content, found
    is_json = found.get("content-type", "").startswith("application/json") and content
    return response.status, json.loads(content) if is_json else content.decode(), found


def send(server: Server, *pieces: bytes, patience: float = PATIENCE_S) -> bytes:
    """Send bytes on a new connection; return everything received until the server closes it."""
    with socket.create_connection((server.host, server.port), patience) as connection:
        received = b""
        try:
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            for piece in pieces:
                connection.sendall(piece)
            while chunk := connection.recv(1 << 16):
                received += chunk
        except OSError:
            pass
        return received


def events(server: Server, path: str, /, **parameters: Any) -> list[tuple[str, Any]]:
    """Return the events of a stream, to its end."""
    status, said, headers = ask(server, path, parameters)
    assert status == 200, said
    assert headers["content-type"].startswith("text/event-stream")
    blocks = [block.split("\n") for block in said.split("\n\n") if block.startswith("event:")]
    return [(name[7:], json.loads(data[6:])) for name, data in blocks]
