"""The service: requests in, answers out, by way of the desk.

Starlette routes them. What was found for one client is kept for the next, as far as there is room.
"""

from __future__ import annotations

import asyncio
import gzip
import json
import logging
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, TypeVar

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute
from starlette.routing import Route as Address

from gpu_wordle.errors import JobError, UserError, quoted
from gpu_wordle.report.document import Document
from gpu_wordle.report.formats import as_object
from gpu_wordle.version import __version__
from gpu_wordle.web import advice, browsing, games  # noqa: F401 - declare the questions
from gpu_wordle.web.addresses import described_page
from gpu_wordle.web.asked import Asked, OverdueError
from gpu_wordle.web.assets import INDEX_PAGE, Asset, assets
from gpu_wordle.web.desk import RETRY_AFTER_S, BusyError, Desk, Job
from gpu_wordle.web.kept import Kept
from gpu_wordle.web.openapi import described
from gpu_wordle.web.parameters import CLIENT, MAX_BODY_BYTES, read_all
from gpu_wordle.web.questions import LIVE, Question, questions_of
from gpu_wordle.web.safety import problem
from gpu_wordle.web.shelf import Shelf, describe_default

MAX_KEPT_BYTES = 64 << 20
"""Of answers that are kept, with the questions to which they belong."""

KEEPING_BYTES = 1024
"""Taken by each of them besides, at most."""

MIN_PACKED = 1024
"""Bytes from which on an answer is packed."""

MAX_BODY_SECONDS = 10
"""For which a body may take to arrive."""

MAX_STAY_SECONDS = 120
"""From a question to its answer, the wait included."""

STILL_HERE_S = 15
"""Between two signs of life in a stream."""

Found = TypeVar("Found")
Event = tuple[str, Any]
Key = tuple[str, str]
"""The address of a question and its parameters, by which answers are kept."""

_log = logging.getLogger("gpu_wordle")


@dataclass(frozen=True)
class Packed:
    """An answer, ready to be sent.

    Attributes:
        content: JSON.
        packed: the same by gzip; None if it is short.
        is_whole: whether nothing is left open that more time would settle.
    """

    content: bytes
    packed: bytes | None
    is_whole: bool = True

    def weight(self, key: Key) -> int:
        """Bytes that it takes to keep it as the answer to a question."""
        return len(self.content) + len(self.packed or b"") + sum(map(len, key)) + KEEPING_BYTES


class Refused(Exception):  # noqa: N818 - what is raised is an answer
    """A request that gets no answer but a status and a reason."""

    def __init__(self, status: int, message: str) -> None:
        super().__init__(message)
        self.status = status


class Service:
    """What answers requests, as an application of Starlette.

    Attributes:
        shelf: the games that there are.
        desk: where questions take turns.
        questions: what it answers.
        app: the application.
    """

    def __init__(self, shelf: Shelf, desk: Desk) -> None:
        self.shelf = shelf
        self.desk = desk
        self.questions = questions_of(shelf.offer)
        self._kept: Kept[Key, Packed] = Kept(MAX_KEPT_BYTES, lambda key, each: each.weight(key))
        self._described = pack(described(self.questions))
        self.app = Starlette(
            routes=self._addresses(),
            exception_handlers={
                404: lambda request, error: _failure(404, "there is nothing at this address"),
                405: lambda request, error: _failure(405, "this address takes another method"),
            },
        )

        self.app.router.redirect_slashes = False

    def _addresses(self) -> list[BaseRoute]:
        """The addresses of the page, of its files and of all questions."""
        found: list[BaseRoute] = [
            Address(f"/{'' if name == INDEX_PAGE else name}", partial(_asset, asset))
            for name, asset in assets().items()
        ]
        for each in self.questions:
            endpoint = _guarded(partial(self._listen if each.events else self._ask, each))
            methods = ["GET", "POST"] if each.body else ["GET"]
            found.append(Address(f"/{each.path}", endpoint, methods=methods))
        return [
            *found,
            Address("/site.json", self._site),
            Address("/openapi.json", self._openapi),
            Address("/api/health", self._health),
        ]

    async def _ask(self, question: Question, request: Request) -> Response:
        """Answer one question."""
        asked, client = await self._read(question, request)
        answer = self._kept.get(_key(question, asked))
        if answer is None:
            work = (
                self.desk.ask(client, partial(self._work, question, asked))
                if question.searches
                else self.desk.read(partial(self._work, question, asked))
            )
            async with asyncio.timeout(MAX_STAY_SECONDS):
                answer = await unless_gone(request, work)
        lasting = "private, max-age=300" if question.keys else "private, max-age=3600"
        return _sent(request, answer, lasting if answer.is_whole else "no-store")

    async def _listen(self, question: Question, request: Request) -> Response:
        """Answer one question by events; what is wrong with it is told at once, without any."""
        asked, client = await self._read(question, request)
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[Event] = asyncio.Queue()

        def tell(event: str, said: Any) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(events.put_nowait, (event, said))

        answering = partial(self._work, question, replace(asked, tell=tell))
        if self._kept.get(_key(question, asked)) is None:
            work = self.desk.ask(
                client,
                answering,
                lambda questions: events.put_nowait(("waiting", {"ahead": questions})),
            )
        else:
            work = self.desk.read(answering)
        running = asyncio.ensure_future(work)
        first = asyncio.ensure_future(events.get())
        try:
            async with asyncio.timeout(MAX_STAY_SECONDS):
                await asyncio.wait((running, first), return_when=asyncio.FIRST_COMPLETED)
            if running.done():
                running.result()  # which raises what is wrong with the question
        except BaseException:
            running.cancel()
            first.cancel()
            raise
        headers = {"cache-control": "no-store", "x-accel-buffering": "no"}
        stream = _stream(running, first, events)
        return StreamingResponse(stream, headers=headers, media_type="text/event-stream")

    def _work(self, question: Question, asked: Asked, job: Job | None = None) -> Packed:
        """Answer a question, on a thread of its own; another client may have asked it meanwhile."""
        asked = replace(asked, job=job)
        if question.opening is not None:
            question.opening(asked)
        key = _key(question, asked)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        answer = question.answered(asked)
        said = as_object(answer) if isinstance(answer, Document) else answer
        packed = pack(said, is_whole=not asked.is_cut_short)
        return self._kept.put(key, packed) if packed.is_whole else packed

    async def _read(self, question: Question, request: Request) -> tuple[Asked, str]:
        """The question of a request, and who asks."""
        body = await _body(request, question) if request.method == "POST" else None
        given = [*request.query_params.multi_items(), *request.path_params.items()]
        values = read_all(question.parameters, [*given, *(body or {}).items()])
        address = request.client.host if request.client else ""
        client = f"{address}/{values.pop(CLIENT.name) or ''}"
        return Asked(values, self.shelf), client

    async def _site(self, request: Request) -> Response:
        default = self.shelf.offer.default
        said = {
            "source": "server",
            "version": __version__,
            "defaults": describe_default(default),
            "parameters": described_page(self.shelf.offer),
        }
        return _sent(request, pack(said), "no-store")

    async def _openapi(self, request: Request) -> Response:
        return _sent(request, self._described, "no-cache")

    async def _health(self, request: Request) -> Response:
        desk = self.desk
        busy = {"waiting": desk.waiting, "working": desk.working, "threads": desk.hands.threads}
        return _sent(request, pack({"status": "ok", **busy}), "no-store")


def pack(said: Any, *, is_whole: bool = True) -> Packed:
    """An answer as bytes."""
    content = json.dumps(said, separators=(",", ":"), allow_nan=False).encode()
    packed = gzip.compress(content, 6, mtime=0) if len(content) >= MIN_PACKED else None
    return Packed(content, packed, is_whole)


def _key(question: Question, asked: Asked) -> Key:
    """By which the answer to a question is kept, whether it comes at once or as a stream."""
    return question.path.removesuffix(LIVE), json.dumps(asked.values, sort_keys=True)


async def unless_gone(request: Request, work: Awaitable[Found]) -> Found:
    """What comes of some work, which is cancelled when the client leaves."""
    running = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((running, gone), return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            raise Refused(499, "the client has left")
        return running.result()
    finally:
        for each in (running, gone):
            each.cancel()


async def _gone(request: Request) -> None:
    """Return once the client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _stream(
    running: asyncio.Future[Packed], first: asyncio.Future[Event], events: asyncio.Queue[Event]
) -> AsyncIterator[bytes]:
    """What clients hear: events as they come, and at last what came of it all."""
    running.add_done_callback(lambda done: events.put_nowait(("", None)))
    waiting = first
    try:
        async with asyncio.timeout(MAX_STAY_SECONDS):
            while True:
                done, _ = await asyncio.wait((waiting,), timeout=STILL_HERE_S)
                if not done:
                    yield b": still here\n\n"
                    continue
                event, said = waiting.result()
                if not event:
                    break
                yield _event(event, json.dumps(said, separators=(",", ":")).encode())
                waiting = asyncio.ensure_future(events.get())
            yield _event("suggestions", running.result().content)
    except Exception as error:
        yield _event("failed", problem(*_told(error)))
    finally:
        waiting.cancel()
        running.cancel()


def _event(name: str, content: bytes) -> bytes:
    """One event of a stream."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), content)


def _guarded(
    endpoint: Callable[[Request], Awaitable[Response]],
) -> Callable[[Request], Awaitable[Response]]:
    """The same, with an answer for whatever is raised."""

    async def answer(request: Request) -> Response:
        try:
            return await endpoint(request)
        except Exception as error:
            return _failure(*_told(error))

    return answer


def _told(error: Exception) -> tuple[int, str]:
    """Status and message of what was raised, which holds nothing from then on.

    Its frames have futures that hold it in turn, and solvers. Such a circle would keep what a game
    takes until Python looks for circles, which may be long.
    """
    try:
        return _reason(error)
    finally:
        error.__traceback__ = None


def _reason(error: Exception) -> tuple[int, str]:
    """Status and message of what was raised."""
    if isinstance(error, Refused):
        return error.status, str(error)
    if isinstance(error, UserError) and not isinstance(error, JobError):
        return 400, str(error)
    if isinstance(error, BusyError | TimeoutError | MemoryError):
        return 503, "many questions are waiting; try again in a moment"
    if isinstance(error, OverdueError):
        return 504, "this took too long; ask of a position with fewer answers"
    _log.error("a question failed", exc_info=error)
    return 500, str(error) if isinstance(error, JobError) else "the question failed"


def _failure(status: int, message: str) -> Response:
    """The answer to a request that gets no other."""
    headers = {"cache-control": "no-store"}
    if status == 503:
        headers["retry-after"] = str(RETRY_AFTER_S)
    return Response(problem(status, message), status, headers, "application/json")


def _sent(request: Request, answer: Packed, lasting: str) -> Response:
    """An answer in the form that the client takes."""
    return _response(request, answer.content, answer.packed, "application/json", lasting)


async def _asset(asset: Asset, request: Request) -> Response:
    """A file of the page; nothing but a word where the browser has it."""
    lasting = "no-cache"  # browsers keep it, and ask whether it is the same
    if request.headers.get("if-none-match") == asset.etag:
        return Response(status_code=304, headers={"etag": asset.etag, "cache-control": lasting})
    response = _response(request, asset.content, asset.packed, asset.media_type, lasting)
    response.headers["etag"] = asset.etag
    return response


def _response(
    request: Request, content: bytes, packed: bytes | None, media_type: str, lasting: str
) -> Response:
    """Content, packed if there is such a form and the client takes it."""
    headers = {"cache-control": lasting, "vary": "accept-encoding"}
    if packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        content = packed
        headers["content-encoding"] = "gzip"
    return Response(content, 200, headers, media_type)


async def _body(request: Request, question: Question) -> dict[str, str]:
    """What was sent beside the address: texts by the names that the question allows."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise Refused(415, "the body is to be JSON, and to say so")
    content = bytearray()
    try:
        async with asyncio.timeout(MAX_BODY_SECONDS):
            async for chunk in request.stream():
                content += chunk
                if len(content) > MAX_BODY_BYTES:
                    raise Refused(413, f"the body is too long; at most {MAX_BODY_BYTES:,} bytes")
    except TimeoutError:
        raise Refused(408, "the body took too long to arrive") from None
    given = None
    with suppress(ValueError, RecursionError):
        given = json.loads(content)
    if not isinstance(given, dict) or not all(isinstance(v, str | None) for v in given.values()):
        raise Refused(400, "the body is no JSON object of texts")
    unknown = [name for name in given if name not in question.body]
    if unknown:
        raise Refused(400, f"the body holds {quoted(unknown[0])}, which is not known here")
    return {name: value for name, value in given.items() if value is not None}
