"""The server and those who mean it harm: they get an error, and it stays up."""

import gzip
import json
import random
import re
import socket
import time

import pytest

from gpu_wordle.errors import UserError
from gpu_wordle.verbs import suggest as suggesting
from gpu_wordle.web import protocol, service
from gpu_wordle.web.page import page_files
from gpu_wordle.web.parameters import MAX_BODY_BYTES
from gpu_wordle.web.protocol import MAX_HEAD_BYTES
from gpu_wordle.web.safety import HEADERS, MAX_TARGET
from gpu_wordle.web.server import Server
from gpu_wordle.web.shelf import Offer
from support.web import PATIENCE_S, ask, get, send, served

JSON = {"Content-Type": "application/json"}


@pytest.fixture(scope="module")
def server():
    with served() as server:
        yield server


@pytest.fixture(autouse=True)
def _stays_up(server):
    yield
    assert get(server, "api/health")["status"] == "ok"


def status_of(answer):
    """The status of a raw answer; None where the server only closes the connection."""
    return int(answer.split(b" ", 2)[1]) if answer.startswith(b"HTTP/1.1 ") else None


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({}, 200),
        ({"Host": "localhost"}, 200),
        ({"Host": "LOCALHOST:80"}, 200),
        ({"Host": "127.0.0.1"}, 200),
        ({"Host": "[::1]:8780"}, 200),
        ({"Host": "192.168.1.5:8780"}, 200),
        ({"Host": "example.com"}, 403),
        ({"Host": "localhost.example.com"}, 403),
        ({"Host": "127.0.0.1.example.com"}, 403),
        ({"Host": "localhost:port"}, 403),
        ({"Host": "user@example.com"}, 403),
        ({"Host": "[::1"}, 403),
        ({"Host": ""}, 403),
        ({"Host": "localhost:"}, 200),
        ({"Host": "127.0.0.1:65535"}, 200),
        ({"Host": "[::FFFF:127.0.0.1]"}, 200),
        ({"Host": "127.0.0.1/evil"}, 403),
        ({"Host": "127.0.0.1?evil"}, 403),
        ({"Host": "127.0.0.1#evil"}, 403),
        ({"Host": "localhost/"}, 403),
        ({"Host": "user@127.0.0.1"}, 403),
        ({"Host": "user:secret@localhost:80"}, 403),
        ({"Host": "127.0.\t0.1"}, 403),
        ({"Host": "127.0.0.1 evil"}, 403),
        ({"Host": "localhost, example.com"}, 403),
        ({"Host": "127.0.0.1:65536"}, 403),
        ({"Host": "127.0.0.1:99999999999999999999"}, 403),
        ({"Host": "127.0.0.1:-1"}, 403),
        ({"Host": "127.0.0.1:80:80"}, 403),
        ({"Host": "127.0.0.1."}, 403),
        ({"Host": "localhost."}, 403),
        ({"Host": "127.1"}, 403),
        ({"Host": "[::1%25lo]"}, 403),
        ({"Host": "[::1%lo]"}, 403),
        ({"Host": "[127.0.0.1]"}, 403),
        ({"Host": "[localhost]"}, 403),
        ({"Host": "::1"}, 403),
        ({"Host": "[]"}, 403),
        ({"Host": ":80"}, 403),
        ({"Host": "\u00b2"}, 403),
        ({"Host": "localhost", "Origin": "http://localhost"}, 200),
        ({"Host": "localhost:8780", "Origin": "http://localhost"}, 403),
        ({"Host": "localhost", "Origin": "http://example.com"}, 403),
        ({"Host": "localhost", "Origin": "http://localhost/evil"}, 403),
        ({"Host": "localhost", "Origin": "http://local\thost"}, 403),
        ({"Host": "localhost", "Origin": "HTTP://LocalHost"}, 200),
        ({"Host": "localhost", "Origin": "null"}, 403),
        ({"Host": "localhost", "Origin": "file://"}, 403),
        ({"Host": "localhost", "Origin": "http://[::1"}, 403),
        ({"Host": "localhost", "Sec-Fetch-Site": "same-origin"}, 200),
        ({"Host": "localhost", "Sec-Fetch-Site": "cross-site"}, 403),
        ({"Host": "localhost", "Sec-Fetch-Site": "none", "Sec-Fetch-Mode": "navigate"}, 200),
        ({"Host": "localhost", "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate"}, 403),
        ({"Host": "localhost", "Sec-Fetch-Site": "same-site"}, 403),
    ],
)
def test_only_pages_of_this_server_are_answered(server, headers, status):
    found, said, seen = ask(server, "api/health", headers=headers)
    assert found == status, said
    assert HEADERS.items() <= seen.items()
    assert (status == 403) == ("error" in said)
    assert status == 200 or re.search("; (use|send)", said["error"]["message"])


@pytest.mark.parametrize(
    ("path", "site", "kind", "status"),
    [
        ("", "cross-site", "document", 200),
        ("", "same-site", "document", 200),
        ("", "cross-site", "iframe", 403),
        ("api/health", "cross-site", "document", 403),
        ("api/suggest", "cross-site", "iframe", 403),
        ("api/suggest", "same-site", "document", 403),
        ("static/main.js", "cross-site", "document", 403),
        ("api/health", "none", "document", 200),
    ],
)
def test_other_sites_may_lead_to_the_page_and_have_nothing_worked_on(
    server, path, site, kind, status
):
    mode = {"Sec-Fetch-Site": site, "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": kind}
    assert ask(server, path, headers=mode)[0] == status


def test_further_names_are_allowed_by_the_command_line(server):
    with served(names=["words.example.com"]) as named:
        assert ask(named, "api/health", headers={"Host": "words.example.com"})[0] == 200
        assert ask(named, "api/health", headers={"Host": "other.example.com"})[0] == 403


def test_the_page_may_use_nothing_of_other_sites(server):
    policy = ask(server, "site.json")[2]["content-security-policy"]
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules["default-src"] == "'none'"
    for name, sources in rules.items():
        assert set(sources.split()) <= {"'none'", "'self'", "data:", "blob:"}, name
    assert "data:" not in rules["script-src"]


@pytest.mark.parametrize(
    "path",
    [
        "static/../../shelf.py", "static/..%2f..%2fshelf.py", "../../../etc/passwd", "%2e%2e/etc",
        "static//etc/passwd", "static/%00", "etc/passwd", "static/", "static/page.css/",
        "static/%c0%ae%c0%ae/shelf.py", "static\\..\\shelf.py", "api/rankings/..%2f..%2fsmall",
        "api/rankings/%2fetc%2fpasswd", "api/rankings/",
    ],
)  # fmt: skip
def test_no_file_is_served_but_those_of_the_page(server, path):
    status, said, _ = ask(server, path)
    assert status in (400, 404), path
    assert "root:" not in json.dumps(said)


def test_files_of_the_page_are_served_as_they_are(server):
    kinds = {".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8",
             ".js": "text/javascript; charset=utf-8", ".svg": "image/svg+xml",
             ".png": "image/png", ".webmanifest": "application/manifest+json"}  # fmt: skip
    for name, file in page_files().items():
        path = "" if name == "index.html" else name
        status, said, headers = ask(server, path)
        assert (status, headers["content-type"]) == (200, kinds[file.suffix])
        content = said if isinstance(said, bytes) else said.encode()
        assert (content, headers["cache-control"]) == (file.read_bytes(), "no-cache")
        status, said, headers = ask(server, path, headers={"If-None-Match": headers["etag"]})
        assert (status, said, headers["cache-control"]) == (304, "", "no-cache")
        assert ask(server, path, headers={"If-None-Match": '"another"'})[0] == 200
        status, said, headers = ask(server, path, method="HEAD")
        assert (status, said) == (200, "")
        assert int(headers["content-length"]) == file.stat().st_size
        assert HEADERS.items() <= headers.items()
    assert ask(server, "static/page.css", method="POST", body=b"")[0] == 405


@pytest.mark.parametrize("path", ["", "static/page.css", "api/words", "api/health"])
def test_what_is_long_is_packed_for_those_who_take_it(server, path):
    def raw(*headers):
        head = (f"GET /{path} HTTP/1.1", "Host: localhost", "Connection: close", *headers, "", "")
        answer = send(server, "\r\n".join(head).encode())
        head, _, content = answer.partition(b"\r\n\r\n")
        return head.lower(), content

    plain, packed = raw(), raw("Accept-Encoding: br, gzip")
    assert b"content-encoding" not in plain[0]
    if path == "api/health":
        assert plain[1] == packed[1]
        return
    assert b"content-encoding: gzip" in packed[0]
    assert b"vary: accept-encoding" in packed[0]
    assert gzip.decompress(packed[1]) == plain[1]
    assert len(packed[1]) < len(plain[1]) / 2


def test_a_stream_is_never_packed(server):
    gzipped = {"Accept-Encoding": "gzip"}
    status, said, headers = ask(server, "api/suggest/live", {"turns": "salet:BYBBG"}, gzipped)
    assert (status, headers.get("content-encoding")) == (200, None)
    assert said.startswith("event: position\n")


@pytest.mark.parametrize(
    ("request_line", "status"),
    [
        (b"GET /" + b"x" * MAX_TARGET + b" HTTP/1.1", 414),
        (b"GET /" + b"x" * (2 * MAX_HEAD_BYTES) + b" HTTP/1.1", 400),
        (b"DELETE /api/health HTTP/1.1", 405),
        (b"PUT /api/analyse HTTP/1.1", 405),
        (b"POST /api/suggest HTTP/1.1", 405),
        (b"OPTIONS * HTTP/1.1", 405),
        (b"CONNECT example.com:443 HTTP/1.1", 405),
        (b"GET http://example.com/ HTTP/1.1", 404),
        (b"GET http://127.0.0.1/evil HTTP/1.1", 404),
        (b"GET //example.com/ HTTP/1.1", 404),
        (b"GET /api/suggest?turns=%ff%fe:BBBBB HTTP/1.1", 400),
        (b"GET /api/suggest?turns=%00%0a:BBBBB HTTP/1.1", 400),
        (b"GET /api/suggest?%F0%9F%92%A9=1 HTTP/1.1", 400),
        (b"GET /\xff\xfe HTTP/1.1", None),
        (b"GARBAGE", 400),
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03", 400),
        (b"", None),
    ],
)
def test_a_malformed_request_gets_an_error(server, request_line, status):
    head = b"\r\nHost: localhost\r\nConnection: close\r\n\r\n"
    said = send(server, request_line + head if request_line else b"\r\n", patience=12)
    found = status_of(said)
    assert found == status or {found, status} <= {None, 400, 414}
    if found is not None and found >= 400:
        told, _, body = said.partition(b"\r\n\r\n")
        assert b"\r\ncontent-type: application/json\r\n" in told
        assert b"\r\nx-frame-options: DENY\r\n" in told
        assert json.loads(body)["error"]["status"] == found


@pytest.mark.parametrize(
    ("method", "path", "allowed"),
    [
        ("POST", "api/suggest", "GET, HEAD"),
        ("POST", "site.json", "GET, HEAD"),
        ("POST", "", "GET, HEAD"),
        ("POST", "static/page.css", "GET, HEAD"),
        ("DELETE", "api/analyse", "GET, HEAD, POST"),
    ],
)
def test_a_refused_method_names_those_that_are_allowed(server, method, path, allowed):
    status, said, headers = ask(server, path, method=method)
    assert (status, headers["allow"]) == (405, allowed)
    assert re.search(f"{method}.*; use (one of )?GET", said["error"]["message"])


def test_two_hosts_or_none_are_refused(server):
    for hosts in (b"", b"Host: localhost\r\nHost: localhost\r\n"):
        answer = send(server, b"GET / HTTP/1.1\r\n" + hosts + b"Connection: close\r\n\r\n")
        assert status_of(answer) in (400, 403)


@pytest.mark.parametrize("padding", [b"X: " + b"y", b"X:" + b" "], ids=["value", "blanks"])
@pytest.mark.parametrize("piece", [MAX_HEAD_BYTES * 4, 1000])
def test_a_head_has_the_stated_size_at_most(server, padding, piece):
    """However it is filled, and whether it arrives at once or in pieces."""

    def head(size):
        begun = (
            b"GET /api/health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n" + padding[:-1]
        )
        ended = b"z\r\n\r\n"
        return begun + padding[-1:] * (size - len(begun) - len(ended)) + ended

    for size, allowed in (
        (MAX_HEAD_BYTES, {200}),
        (MAX_HEAD_BYTES + 1, {400}),
        (60_000, {400, None}),  # None where the connection is closed while more is sent
    ):
        said = head(size)
        assert len(said) == size
        pieces = [said[at : at + piece] for at in range(0, size, piece)]
        assert status_of(send(server, *pieces)) in allowed, size


def test_a_second_head_on_a_connection_is_bounded_as_well(server):
    first = b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n"
    answers = send(server, first + first[:-2] + b"X: " + b"y" * MAX_HEAD_BYTES + b"\r\n\r\n")
    assert re.findall(rb"HTTP/1\.1 (\d+)", answers) == [b"200", b"400"]


def test_headers_without_end_are_refused(server):
    many = b"".join(b"X-%d: %s\r\n" % (n, b"y" * 100) for n in range(1000))
    answer = send(server, b"GET / HTTP/1.1\r\nHost: localhost\r\n" + many)
    assert status_of(answer) in (400, 431, None)


@pytest.mark.parametrize(
    ("body", "status"),
    [
        (b"{}", 400),
        (b'{"text": "salet', 400),
        (b'{"text": 7}', 400),
        (b'{"file": "/etc/passwd"}', 400),
        (b"[1, 2]", 400),
        (b'{"text": "salet BYBBG", "answer": "abbot", "text": "salet BYBBG"}', 400),
        (b"\xff\xfe\x00", 400),
        (b"[" * 10_000, 400),
        (b'{"text": "' + b"x" * MAX_BODY_BYTES + b'"}', 413),
        (b"x" * 3_000_000, 413),
        (json.dumps({"text": "salet BYBBG " * 1000}).encode(), 400),
        (json.dumps({"text": "\x00\u202e\ud800", "answer": "\x1b[2J"}).encode(), 400),
    ],
    ids=lambda each: None if isinstance(each, int) else each[:16].decode("latin-1"),
)
def test_a_bad_body_gets_an_error(server, body, status):
    try:
        found, said, _ = ask(server, "api/analyse", {}, JSON, "POST", body)
    except (BrokenPipeError, ConnectionResetError):  # refused before all was sent
        assert status == 413
        return
    assert found == status, said
    assert said["error"]["message"].isprintable()


@pytest.mark.parametrize("path", ["api/suggest", "api/suggest/live"])
def test_a_failure_of_the_server_is_told_in_one_line(server, monkeypatch, path):
    monkeypatch.setattr(suggesting, "find", lambda *_: 1 / 0)
    status, said, headers = ask(server, path, {"turns": "salet:BYBBG,crony:BBGBB"})
    if status == 200:  # a stream that had begun
        said = json.loads(said.partition("event: failed\ndata: ")[2])
    else:
        assert (status, headers["cache-control"]) == (500, "no-store")
    assert said == {"error": {"status": 500, "message": "the question failed"}}


def test_a_body_has_to_say_that_it_is_json(server):
    """So no form of another site can send one without being asked first."""
    for kind in ("text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""):
        found, _, _ = ask(server, "api/analyse", {}, {"Content-Type": kind}, "POST", b"{}")
        assert found == 415


def test_who_leaves_within_a_body_is_no_failure_of_the_server(server, caplog):
    head = b"POST /api/analyse HTTP/1.1", b"Host: localhost", b"Content-Length: 100"
    kind = b"Content-Type: application/json"
    with socket.create_connection((server.host, server.port), PATIENCE_S) as leaving:
        leaving.sendall(b"\r\n".join((*head, kind, b"", b'{"text"')))
        time.sleep(0.2)
    time.sleep(0.2)
    assert ask(server, "api/health")[0] == 200
    assert "a question failed" not in caplog.text


def test_who_dawdles_is_shown_out(monkeypatch):
    monkeypatch.setattr(protocol, "MAX_IDLE_SECONDS", 0.5)
    monkeypatch.setattr(service, "MAX_BODY_SECONDS", 0.5)
    with served() as server:
        begun = time.monotonic()
        for drip in (b"GET / HTTP/1.1\r\nHo", b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n"):
            with socket.create_connection((server.host, server.port), PATIENCE_S) as slow:
                slow.sendall(drip)
                ended = False
                while not ended and time.monotonic() - begun < 10:
                    try:
                        slow.sendall(b"x")
                        slow.settimeout(0.1)
                        ended = slow.recv(1) == b""
                    except TimeoutError:
                        continue
                    except OSError:
                        ended = True
                assert ended
        head = b"POST /api/analyse HTTP/1.1", b"Host: localhost", b"Content-Length: 100"
        kind = b"Content-Type: application/json"
        answer = send(server, b"\r\n".join((*head, kind, b"", b'{"text"')))
        assert status_of(answer) == 408
        assert time.monotonic() - begun < 15


def test_who_asks_and_does_not_read_is_shown_out(monkeypatch):
    """Else few such clients would hold all connections, and what waits for them all memory."""
    monkeypatch.setattr(protocol, "MAX_IDLE_SECONDS", 0.3)
    monkeypatch.setattr(protocol, "MAX_TAKING_SECONDS", 0.3)
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 1)
    asked = b"GET /api/words HTTP/1.1\r\nHost: localhost\r\n\r\n"
    with served() as server, socket.socket() as greedy:
        get(server, "api/words")
        greedy.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        greedy.connect((server.host, server.port))
        greedy.sendall(100 * asked)
        until = time.monotonic() + PATIENCE_S
        freed = b""
        while b"200 OK" not in freed and time.monotonic() < until:
            time.sleep(0.1)
            freed = send(server, asked.replace(b"\r\n\r\n", b"\r\nConnection: close\r\n\r\n"))
        assert b"200 OK" in freed


def test_connections_are_bounded(monkeypatch):
    monkeypatch.setattr(protocol, "MAX_CONNECTIONS", 4)
    with served() as server:
        held = [socket.create_connection((server.host, server.port), 5) for _ in range(4)]
        time.sleep(0.2)
        assert send(server, b"GET /api/health HTTP/1.1\r\nHost: localhost\r\n\r\n") == b""
        for each in held:
            each.close()
        time.sleep(0.2)
        assert get(server, "api/health")["status"] == "ok"


def test_noise_is_survived(server):
    """Random bytes, and well-formed questions of random pieces: never an error of the server."""
    drawn = random.Random(1)
    for _ in range(20):
        answer = send(server, drawn.randbytes(drawn.randint(1, 3000)) + b"\r\n\r\n", patience=12)
        assert status_of(answer) in (None, 400)
    pieces = ["salet", "BYBBG", ":", ",", "=", "⬛", "0", "-1", "GGGGG", "hard", "\x00", "é", "all"]
    names = ["turns", "guess", "words", "path", "by", "top", "rule", "guesses", "target", "text"]
    paths = ["position", "spectrum", "play", "guarantee", "analyse", "watch", "rankings", "nothing"]
    for _ in range(150):
        given = {name: "".join(drawn.choices(pieces, k=drawn.randint(0, 6)))
                 for name in drawn.sample(names, drawn.randint(0, 3))}  # fmt: skip
        status, said, _ = ask(server, f"api/{drawn.choice(paths)}", given)
        assert status in (200, 400, 404), (given, said)


def test_other_computers_are_let_in_only_on_demand():
    server = Server(Offer())
    assert (server.host, server.is_open) == ("127.0.0.1", False)
    assert server.address == f"http://127.0.0.1:{server.port}/"
    server.close()
    wide = Server(Offer(), host="0.0.0.0")
    assert wide.is_open
    assert wide.address == f"http://127.0.0.1:{wide.port}/"
    wide.close()
    with pytest.raises(UserError, match="no address of this computer"):
        Server(Offer(), host="no.such.host.invalid")
