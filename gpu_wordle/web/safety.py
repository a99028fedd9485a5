"""What every request must pass, and what every answer says to browsers.

A page of another site may send requests to a server on the same computer, and may have its own
name resolved to that computer (DNS rebinding). So a request must call the server by one of its
names, and must not come from another site. Starlette's guard of hosts knows names alone.
"""

from __future__ import annotations

import ipaddress
import json
import re
from collections.abc import Collection

from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

MAX_TARGET = 8 * 1024
"""Characters of an address with its parameters."""

MAX_PORT = 65535

METHODS = ("GET", "HEAD", "POST")

OTHER_SITES = frozenset({"cross-site", "same-site"})
"""What browsers say of a request by another site; another port of this computer is one as well."""

_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:]+))(?::(?P<port>[0-9]{0,5}))?")
"""A host and its port. All that stands before the port has to be a name or an address."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'"
)
HEADERS = {
    "content-security-policy": _POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
"""Of every answer: no source but this server, no frame, no guessing of types."""


def problem(status: int, message: str) -> bytes:
    """The body of an error."""
    return json.dumps({"error": {"status": status, "message": message}}).encode()


class Safety:
    """An application behind its guard.

    Args:
        app: what is guarded.
        names: names by which the server may be called, beside addresses of numbers.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer, or refuse; see ASGI."""
        if scope["type"] == "lifespan":
            await self._app(scope, receive, send)
            return
        if scope["type"] != "http":
            return

        async def send_safely(message: Message) -> None:
            if message["type"] == "http.response.start":
                MutableHeaders(scope=message).update(HEADERS)
            await send(message)

        refused = self._refusal(scope)
        app = self._app if refused is None else _refuse(*refused)
        await app(scope, receive, send_safely)

    def _refusal(self, scope: Scope) -> tuple[int, str] | None:
        """Status and reason, if a request is refused."""
        if scope["method"] not in METHODS:
            return 405, f"the method {scope['method'][:20]!r}; there are {', '.join(METHODS)}"
        if len(scope["raw_path"]) + len(scope["query_string"]) > MAX_TARGET:
            return 414, f"the address is too long; at most {MAX_TARGET:,} characters are read"
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_named(hosts[0]):
            return 403, "this server is not called so; use the address that it was started with"
        origins = headers.getlist("origin")
        if origins and not all(_is_same(origin, hosts[0]) for origin in origins):
            return 403, "asked from another site"
        is_foreign = not OTHER_SITES.isdisjoint(headers.getlist("sec-fetch-site"))
        if is_foreign and not _is_followed(scope, headers):
            return 403, "asked from another site"
        return None

    def _is_named(self, host: str) -> bool:
        """Whether the server may be called so: by a name of its own, or by numbers."""
        told = _HOST.fullmatch(host)
        if told is None or int(told["port"] or 0) > MAX_PORT:
            return False
        if told["name"] and told["name"].lower() in self._names:
            return True
        try:
            ipaddress.IPv6Address(told["six"]) if told["six"] else ipaddress.IPv4Address(
                told["name"]
            )
        except ValueError:
            return False
        return True


def _is_followed(scope: Scope, headers: Headers) -> bool:
    """Whether somebody follows a link to the page, rather than a site has a question worked on."""
    return (
        scope["method"] == "GET"
        and scope["path"] == "/"
        and headers.getlist("sec-fetch-mode") == ["navigate"]
        and headers.getlist("sec-fetch-dest") == ["document"]
    )


def _is_same(origin: str, host: str) -> bool:
    """Whether a page of that origin came from this server."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _refuse(status: int, message: str) -> Response:
    """What is said in place of an answer, at the end of a connection."""
    headers = {"connection": "close"}
    if status == 405:
        headers["allow"] = ", ".join(METHODS)
    return Response(problem(status, message), status, headers, "application/json")
