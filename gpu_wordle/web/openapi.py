"""The OpenAPI 3.1 description of all questions, made from their signatures and the keys."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gpu_wordle.report.page_rows  # noqa: F401 - declares the keys that only questions use
from gpu_wordle.options.declared import Declared
from gpu_wordle.report.keys import ENVELOPE, KEYS, Kind
from gpu_wordle.version import __version__
from gpu_wordle.web.parameters import schema_of
from gpu_wordle.web.questions import Question

_TYPES: dict[Kind, dict[str, Any]] = {
    Kind.TEXT: {"type": ["string", "null"]},
    Kind.WHOLE: {"type": ["integer", "null"]},
    Kind.NUMBER: {"type": ["number", "null"]},
    Kind.DECIMAL: {"type": ["number", "null"]},
    Kind.TRUTH: {"type": ["boolean", "null"]},
    Kind.COUNTS: {"type": ["array", "null"], "items": {"type": "integer"}},
    Kind.DECIMALS: {"type": ["array", "null"], "items": {"type": ["number", "null"]}},
    Kind.TEXTS: {"type": ["array", "null"], "items": {"type": "string"}},
    Kind.OBJECT: {"type": ["object", "null"]},
}

STATUSES = {
    400: "the question is not valid; the message says why",
    403: "the request came from another site or used a foreign host name",
    413: "the body is too long",
    415: "the content type of the body is not application/json",
    503: "too many questions are waiting; try again after Retry-After",
    504: "the answer took too long",
}
"""The error responses."""


def described(questions: Sequence[Question]) -> dict[str, Any]:
    """The OpenAPI document of the given questions."""
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "gpu-wordle serve",
            "version": __version__,
            "description": "Exact answers about guess-and-feedback games.",
        },
        "paths": {f"/{each.path}": _path(each) for each in questions} | _others(),
        "components": {"schemas": _schemas()},
    }


def _path(question: Question) -> dict[str, Any]:
    """The path item of a question: GET, and POST if it has a body."""
    get = {
        "summary": question.summary,
        "operationId": question.path.replace("/", "-").replace("{", "").replace("}", ""),
        "parameters": [_parameter(each, question) for each in question.parameters.values()],
        "responses": _responses(question),
    }
    if not question.body:
        return {"get": get}
    properties = {
        name: {"type": ["string", "null"], "description": question.parameters[name].meaning}
        for name in question.body
    }
    schema = {"type": "object", "properties": properties, "additionalProperties": False}
    body = {"required": True, "content": {"application/json": {"schema": schema}}}
    post = get | {"operationId": f"{get['operationId']}-post", "requestBody": body}
    return {"get": get, "post": post}


def _parameter(parameter: Declared, question: Question) -> dict[str, Any]:
    is_path = f"{{{parameter.name}}}" in question.path
    return {
        "name": parameter.name,
        "in": "path" if is_path else "query",
        "required": parameter.is_required,
        "description": parameter.meaning,
        "schema": schema_of(parameter),
    }


def _responses(question: Question) -> dict[str, Any]:
    """The responses of a question: the answer, events, and errors."""
    error = {"application/json": {"schema": {"$ref": "#/components/schemas/error"}}}
    errors = {str(status): {"description": said, "content": error}
              for status, said in STATUSES.items()}  # fmt: skip
    if question.events is not None:
        said = "; ".join(f"{name}: {meaning}" for name, meaning in question.events.items())
        content: dict[str, Any] = {"text/event-stream": {"schema": {"type": "string"}}}
        return {"200": {"description": f"events. {said}", "content": content}, **errors}
    schema: dict[str, Any] = {"type": "object"}
    if question.keys:
        reference = {"$ref": "#/components/schemas/document"}
        schema = {"allOf": [reference, {"required": list(question.keys)}]}
    return {
        "200": {"description": "the answer", "content": {"application/json": {"schema": schema}}},
        **errors,
    }


def _others() -> dict[str, Any]:
    """The paths that are not questions."""

    def plain(name: str, summary: str) -> dict[str, Any]:
        content = {"application/json": {"schema": {"type": "object"}}}
        answer = {"200": {"description": "the answer", "content": content}}
        return {"get": {"summary": summary, "operationId": name, "responses": answer}}

    return {
        "/api/health": plain("api-health", "Whether the server works, and how busy it is."),
        "/openapi.json": plain("openapi", "This description."),
        "/site.json": plain("site", "The source of the page's data, and the default game."),
    }


def _schemas() -> dict[str, Any]:
    """The schemas of documents, rows and errors; keys are those of the command line."""
    keys = {name: {**_TYPES[key.kind], "description": key.meaning} for name, key in KEYS.items()}
    rows = {"type": "array", "items": {"$ref": "#/components/schemas/row"}}
    error = {
        "type": "object",
        "properties": {"status": {"type": "integer"}, "message": {"type": "string"}},
        "required": ["status", "message"],
    }
    return {
        "row": {"type": "object", "properties": keys, "additionalProperties": False},
        "document": {
            "type": "object",
            "properties": {**keys, "rows": rows},
            "required": list(ENVELOPE),
            "additionalProperties": False,
        },
        "error": {"type": "object", "properties": {"error": error}, "required": ["error"]},
    }
