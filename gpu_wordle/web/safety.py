"""The security checks of every request, and the security headers of every answer.

A page of another site can send requests to a server on the same computer. It can also have its own
name resolved to that computer (DNS rebinding). A request must therefore use a host name of the
server and must not come from another site. Starlette's host check knows only names.
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
"""Most characters of an address with its parameters."""

MAX_PORT = 65535

METHODS = ("GET", "HEAD", "POST")

OTHER_SITES = frozenset({"cross-site", "same-site"})
"""Values of sec-fetch-site for other sites, which include other ports of this computer."""

OTHER_SITE = "the request came from another site; send it from a page of this server"

_HOST = re.compile(r"(?:\[(?P<six>[0-9A-Fa-f:.]+)\]|(?P<name>[^\[\]:]+))(?::(?P<port>[0-9]{0,5}))?")
"""A host and its port. Everything before the port must be a name or an address."""

_POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; "
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; base-uri 'none'; "
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
"""Headers of every answer: no other sources, no frames, no guessing of content types."""


def problem(status: int, message: str) -> bytes:
    """The body of an error."""
    return json.dumps({"error": {"status": status, "message": message}}).encode()


class Safety:
    """An ASGI application that checks requests before it passes them on.

    Args:
        app: the protected application.
        names: the allowed host names; numeric addresses are always allowed.
    """

    def __init__(self, app: ASGIApp, names: Collection[str]) -> None:
        self._app = app
        self._names = frozenset(name.lower() for name in names)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handle an ASGI request: pass it on, or refuse it."""
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
        """Status and message of a refusal; None if the request is allowed."""
        if scope["method"] not in METHODS:
            given, known = scope["method"][:20], ", ".join(METHODS)
            return 405, f"the method {given!r} is not allowed; use one of {known}"
        if len(scope["raw_path"]) + len(scope["query_string"]) > MAX_TARGET:
            return 414, f"the address is too long; at most {MAX_TARGET:,} characters are read"
        headers = Headers(scope=scope)
        hosts = headers.getlist("host")
        if len(hosts) != 1 or not self._is_named(hosts[0]):
            return 403, "unknown host name; use the address that the server was started with"
        origins = headers.getlist("origin")
        if origins and not all(_is_same(origin, hosts[0]) for origin in origins):
            return 403, OTHER_SITE
        is_foreign = not OTHER_SITES.isdisjoint(headers.getlist("sec-fetch-site"))
        if is_foreign and not _is_followed(scope, headers):
            return 403, OTHER_SITE
        return None

    def _is_named(self, host: str) -> bool:
        """Whether a host is an allowed name or a numeric address."""
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
    """Whether the request opens the page from a link, instead of asking a question."""
    return (
        scope["method"] == "GET"
        and scope["path"] == "/"
        and headers.getlist("sec-fetch-mode") == ["navigate"]
        and headers.getlist("sec-fetch-dest") == ["document"]
    )


def _is_same(origin: str, host: str) -> bool:
    """Whether an origin is this server."""
    return origin.lower() in (f"http://{host.lower()}", f"https://{host.lower()}")


def _refuse(status: int, message: str) -> Response:
    """The error response, which also closes the connection."""
    headers = {"connection": "close"}
    if status == 405:
        headers["allow"] = ", ".join(METHODS)
    return Response(problem(status, message), status, headers, "application/json")
