"""The service: answers requests by way of the queue.

Starlette routes the requests. Answers are cached and shared by all clients.
"""

from __future__ import annotations

import asyncio
import json
import logging
import mimetypes
import re
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import suppress
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple, TypeVar

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.middleware.gzip import GZipMiddleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response, StreamingResponse
from starlette.routing import BaseRoute, Mount, Route
from starlette.staticfiles import StaticFiles
from starlette.types import Scope

from gpu_wordle.errors import JobError, UserError, quoted
from gpu_wordle.report.document import Document, as_object
from gpu_wordle.web import advice, browsing, games  # noqa: F401 - declare the questions
from gpu_wordle.web.kept import Kept
from gpu_wordle.web.openapi import described
from gpu_wordle.web.page import INDEX_PAGE, STATIC, WORKER, describe_site, edition_of
from gpu_wordle.web.parameters import CLIENT, read_all
from gpu_wordle.web.questions import LIVE, NAMING, Asked, OverdueError, Question, questions_of
from gpu_wordle.web.request_queue import RETRY_AFTER_S, BusyError, Job, RequestQueue
from gpu_wordle.web.safety import problem
from gpu_wordle.web.shelf import Shelf

MAX_KEPT_BYTES = 64 << 20
"""Most bytes of the cached answers with their questions."""

KEEPING_BYTES = 1024
"""Upper bound on the extra memory of each cached answer, in bytes."""

MIN_PACKED, PACKING = 1024, 6
"""Least bytes of a compressed answer, and the gzip level."""

MAX_BODY_SECONDS = 10
"""Longest time for a body to arrive."""

MAX_STAY_SECONDS = 120
"""Longest time from a question to its answer, including the queue."""

STILL_HERE_S = 15
"""Longest silence of a stream, in seconds, before a sign of life is sent."""

EDITION = "x-edition"
"""The header of answers that names the edition of the server; see page.edition_of."""

AMISS = {404: "there is nothing at this address", 405: "this address takes no POST; use GET"}
"""Messages for wrong addresses and methods, by status."""

RAISED = (HTTPException, UserError, BusyError, OverdueError, TimeoutError, MemoryError, Exception)
"""The exceptions with an error response; Starlette alone would raise the last one again."""

STATE = re.compile(r"^state (['\"]).*?\1: ")
OPTION = re.compile(r"(?<![\w'\"./-])((?:give|raise|as) )?--([a-z][a-z-]*)(=\w+)?")
ASKED = {**{name: name for name in NAMING}, "max-guesses": "guess limit"}
"""The options of the command line that a question has, too, by what a client calls them."""

Found = TypeVar("Found")
Event = tuple[str, Any]
END: Event = ("", None)
"""Marks the end of a stream."""

Key = tuple[str, str]
"""The key of a cached answer: the address of the question and its parameters."""

_log = logging.getLogger("gpu_wordle")


TYPES = {
    ".js": "text/javascript",
    ".css": "text/css",
    ".svg": "image/svg+xml",
    ".webmanifest": "application/manifest+json",
}
for suffix, kind in TYPES.items():
    mimetypes.add_type(kind, suffix)  # with some systems' own types, browsers refuse scripts


class CompilingError(Exception):
    """Machine code is still being compiled."""


class JsonAnswer(NamedTuple):
    """An answer as JSON; ``is_whole`` is False if more time could improve it."""

    content: bytes
    is_whole: bool = True


class Files(StaticFiles):
    """The files of the page; browsers cache them and revalidate each time."""

    def get_path(self, scope: Scope) -> str:
        """The path of a file; 404 for an address that ends in a slash."""
        if scope["path"].endswith("/"):
            raise HTTPException(404)
        return super().get_path(scope)

    def file_response(self, *given: Any, **named: Any) -> Response:
        """The response of a file, with the header that makes browsers revalidate it."""
        response = super().file_response(*given, **named)
        response.headers["cache-control"] = "no-cache"
        return response


class Service:
    """The Starlette application that answers requests.

    Attributes:
        shelf: the open games.
        queue: the queue of questions.
        compiled: the share of the machine code that is compiled; until 1, no question is answered.
        questions: the questions that it answers.
        app: the application.
    """

    def __init__(
        self, shelf: Shelf, queue: RequestQueue, compiled: Callable[[], float] = lambda: 1.0
    ) -> None:
        self.shelf = shelf
        self.queue = queue
        self.compiled = compiled
        self.questions = questions_of(shelf.offer)
        self._kept: Kept[Key, JsonAnswer] = Kept(MAX_KEPT_BYTES, weight)
        self._files = Files(directory=STATIC, follow_symlink=True)
        self._edition = edition_of(shelf.offer)
        self._described = as_json(described(self.questions))
        self.app = Starlette(
            routes=self._addresses(),
            exception_handlers=dict.fromkeys(RAISED, _refuse),
            middleware=[Middleware(GZipMiddleware, minimum_size=MIN_PACKED, compresslevel=PACKING)],
        )
        self.app.router.redirect_slashes = False
        self.app.state.edition = self._edition

    def _addresses(self) -> list[BaseRoute]:
        """The addresses of the page, of its files and of all questions."""
        found: list[BaseRoute] = [
            Route("/", partial(self._file, INDEX_PAGE)),
            Route(f"/{WORKER}", partial(self._file, WORKER)),
            Mount("/static", self._files),
            Route("/site.json", self._site),
            Route("/openapi.json", self._openapi),
            Route("/api/health", self._health),
        ]
        for each in self.questions:
            endpoint = partial(self._listen if each.events else self._ask, each)
            methods = ["GET", "POST"] if each.body else ["GET"]
            found.append(Route(f"/{each.path}", endpoint, methods=methods))
        return found

    async def _file(self, name: str, request: Request) -> Response:
        return await self._files.get_response(name, request.scope)

    async def _ask(self, question: Question, request: Request) -> Response:
        """Answer one question."""
        asked, client = await self._read(question, request)
        answer = self._kept.get(_key(question, asked))
        if answer is None:
            work = (
                self.queue.ask(client, partial(self._work, question, asked))
                if question.searches
                else self.queue.read(partial(self._work, question, asked))
            )
            async with asyncio.timeout(MAX_STAY_SECONDS):
                answer = await unless_gone(request, work)
        lasting = "private, max-age=300" if question.keys else "private, max-age=3600"
        is_lasting = answer.is_whole and question.is_kept
        response = _sent(answer.content, lasting if is_lasting else "no-store")
        response.headers[EDITION] = self._edition
        return response

    async def _listen(self, question: Question, request: Request) -> Response:
        """Answer one question by events; an invalid question gets an error response instead."""
        asked, client = await self._read(question, request)
        loop = asyncio.get_running_loop()
        events: asyncio.Queue[Event] = asyncio.Queue()

        def tell(event: str, said: Any) -> None:
            if not loop.is_closed():
                loop.call_soon_threadsafe(events.put_nowait, (event, said))

        def ahead(questions: int) -> None:
            events.put_nowait(("waiting", {"ahead": questions}))

        answering = partial(self._work, question, replace(asked, tell=tell))
        is_known = self._kept.get(_key(question, asked)) is not None
        running = asyncio.ensure_future(
            self.queue.read(answering) if is_known else self.queue.ask(client, answering, ahead)
        )
        running.add_done_callback(lambda done: events.put_nowait(END))
        try:
            async with asyncio.timeout(MAX_STAY_SECONDS):
                first = await events.get()
            if running.done():
                running.result()  # raises the error of an invalid question
        except BaseException:
            running.cancel()
            raise
        headers = {"cache-control": "no-store", "x-accel-buffering": "no", EDITION: self._edition}
        stream = _stream(running, first, events)
        return StreamingResponse(stream, headers=headers, media_type="text/event-stream")

    def _work(self, question: Question, asked: Asked, job: Job | None = None) -> JsonAnswer:
        """Compute and cache an answer, unless another client's question has cached it by now."""
        asked = replace(asked, job=job)
        if question.opening is not None:
            question.opening(asked)
        key = _key(question, asked)
        kept = self._kept.get(key)
        if kept is not None:
            return kept
        answer = question.answered(asked)
        said = as_object(answer) if isinstance(answer, Document) else answer
        encoded = JsonAnswer(as_json(said), is_whole=not asked.is_cut_short)
        is_kept = encoded.is_whole and question.is_kept
        return self._kept.put(key, encoded) if is_kept else encoded

    async def _read(self, question: Question, request: Request) -> tuple[Asked, str]:
        """The question of a request, and its client; CompilingError while none can be answered."""
        if (share := self.compiled()) < 1:
            raise CompilingError(
                f"the search is being compiled, once on this machine: {share:.0%} so far; try again"
            )
        body = await _body(request, question) if request.method == "POST" else []
        given = [*request.query_params.multi_items(), *request.path_params.items()]
        values = read_all(question.parameters, [*given, *body])
        address = request.client.host if request.client else ""
        client = f"{address}/{values.pop(CLIENT.name) or ''}"
        return Asked(values, self.shelf), client

    async def _site(self, request: Request) -> Response:
        site = describe_site(self.shelf.offer, "server", self._edition)
        site |= {"compiled": self.compiled()}
        return _sent(as_json(site), "no-store")

    async def _openapi(self, request: Request) -> Response:
        return _sent(self._described, "no-cache")

    async def _health(self, request: Request) -> Response:
        queue = self.queue
        busy = {"waiting": queue.waiting, "working": queue.working, "threads": queue.hands.threads}
        return _sent(as_json({"status": "ok", **busy}), "no-store")


def as_json(said: Any) -> bytes:
    """An answer as compact JSON."""
    return json.dumps(said, separators=(",", ":"), allow_nan=False).encode()


def weight(key: Key, answer: JsonAnswer) -> int:
    """Bytes that a cached answer takes with its key."""
    return len(answer.content) + sum(map(len, key)) + KEEPING_BYTES


def _key(question: Question, asked: Asked) -> Key:
    """The cache key of a question; a stream shares it with the single answer."""
    return question.path.removesuffix(LIVE), json.dumps(asked.values, sort_keys=True)


async def unless_gone(request: Request, work: Awaitable[Found]) -> Found:
    """The result of some work, which is cancelled if the client leaves."""
    running = asyncio.ensure_future(work)
    gone = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((running, gone), return_when=asyncio.FIRST_COMPLETED)
        if not running.done():
            raise HTTPException(499, "the client has left")
        return running.result()
    finally:
        for each in (running, gone):
            each.cancel()


async def _gone(request: Request) -> None:
    """Return once the client has left."""
    while (await request.receive())["type"] != "http.disconnect":
        pass


async def _stream(
    running: asyncio.Future[JsonAnswer], first: Event, events: asyncio.Queue[Event]
) -> AsyncIterator[bytes]:
    """The bytes of a stream: events as they come, and finally the answer or the error."""
    event: Event | None = first
    try:
        async with asyncio.timeout(MAX_STAY_SECONDS):
            while event != END:
                yield b": still here\n\n" if event is None else _event(event[0], as_json(event[1]))
                try:
                    event = await asyncio.wait_for(events.get(), STILL_HERE_S)
                except TimeoutError:
                    event = None
            yield _event("suggestions", running.result().content)
    except Exception as error:
        yield _event("failed", problem(*_told(error)))
    finally:
        running.cancel()


def _event(name: str, content: bytes) -> bytes:
    """One event of a stream."""
    return b"event: %s\ndata: %s\n\n" % (name.encode(), content)


def _told(error: Exception) -> tuple[int, str]:
    """Status and message of an error; clears its traceback.

    The frames of the traceback hold futures that hold the error in turn, and solvers. Such a cycle
    would keep the memory of a game until the garbage collector finds it, which may take long.
    """
    try:
        return _reason(error)
    finally:
        error.__traceback__ = None


def _reason(error: Exception) -> tuple[int, str]:
    """Status and message of an error."""
    if isinstance(error, HTTPException):
        return error.status_code, AMISS.get(error.status_code, error.detail)
    if isinstance(error, UserError) and not isinstance(error, JobError):
        return 400, of_clients(str(error))
    if isinstance(error, CompilingError):
        return 503, str(error)
    if isinstance(error, BusyError | TimeoutError | MemoryError):
        return 503, "many questions are waiting; try again in a moment"
    if isinstance(error, OverdueError):
        return 504, "this took too long; ask about a position with fewer answers"
    _log.error("a question failed", exc_info=error)
    return 500, str(error) if isinstance(error, JobError) else "the question failed"


def of_clients(message: str) -> str:
    """A message in a client's words: parameters in place of options, or how to start the server."""

    def named(found: re.Match[str]) -> str:
        verb, name, value = found.groups("")
        if name in ASKED and not value:
            return f"{verb}{'the ' if verb else ''}{ASKED[name]}"
        return f"start gpu-wordle serve with --{name}{value}" if verb else found[0]

    return OPTION.sub(named, STATE.sub("", message))


async def _refuse(request: Request, error: Exception) -> Response:
    """The error response to a request."""
    status, message = _told(error)
    headers = {"cache-control": "no-store", EDITION: request.app.state.edition}
    if status == 503:
        headers["retry-after"] = str(RETRY_AFTER_S)
    if status == 405:
        headers["allow"] = "GET, HEAD"
    return Response(problem(status, message), status, headers, "application/json")


def _sent(content: bytes, lasting: str) -> Response:
    """The response with an answer; ``lasting`` is its cache-control header."""
    return Response(content, 200, {"cache-control": lasting}, "application/json")


async def _body(request: Request, question: Question) -> list[tuple[str, str]]:
    """The body of a request: names of parameters that the question allows there, and texts."""
    if request.headers.get("content-type", "").partition(";")[0].strip() != "application/json":
        raise HTTPException(415, "the body must be JSON, with content-type application/json")
    content = bytearray()
    try:
        async with asyncio.timeout(MAX_BODY_SECONDS):
            async for chunk in request.stream():
                content += chunk
                if len(content) > question.most:
                    raise HTTPException(
                        413, f"the body is too long; at most {question.most:,} bytes"
                    )
    except TimeoutError:
        raise HTTPException(408, "the body took too long to arrive") from None
    except ClientDisconnect:
        raise HTTPException(400, "the body ended too early") from None
    given = None
    with suppress(ValueError, RecursionError):
        given = json.loads(content, object_pairs_hook=tuple)
    if not isinstance(given, tuple) or not all(isinstance(v, str | None) for _, v in given):
        raise HTTPException(400, "the body must be a JSON object of texts")
    unknown = [name for name, _ in given if name not in question.body]
    if unknown:
        raise HTTPException(
            400, f"the body holds {quoted(unknown[0])}; it may hold {', '.join(question.body)}"
        )
    return [(name, value) for name, value in given if value is not None]
