"""Errors as RFC 9457 problems: one JSON object, one sentence in `detail`, the right status.

Whatever goes wrong leaves through here: what we refuse (`Problem`, `TurntileError`), what
FastAPI and Starlette refuse (validation, 404, 405), and our own faults, of which the caller
learns only an id that also stands in the log.
"""

from __future__ import annotations

import logging
from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from pydantic import BaseModel, ConfigDict, Field
from starlette.exceptions import HTTPException
from starlette.requests import HTTPConnection, Request
from starlette.responses import Response

from turntile.core.errors import IllegalAction, TurntileError, UnknownGame
from turntile.server.allowed import methods_at
from turntile.server.ears import NotStored
from turntile.store.cursors import InvalidCursor
from turntile.store.errors import NameTaken, StoreError

AGAIN = {"Retry-After": "1"}
MEDIA_TYPE = "application/problem+json"

log = logging.getLogger("turntile.server")


class Problem(TurntileError):
    """A refusal with its status: what was refused, why, what would do."""

    def __init__(self, status: int, sentence: str, key: str = "", headers: dict[str, str] | None = None) -> None:
        super().__init__(sentence)
        self.status = status
        self.key = key
        self.headers = headers or {}


class ProblemBody(BaseModel):
    """An error: RFC 9457. `detail` is one sentence for people."""

    model_config = ConfigDict(
        title="Problem",
        json_schema_extra={
            "examples": [
                {
                    "type": "about:blank",
                    "title": "Not Found",
                    "status": 404,
                    "detail": "there is no match abcdefgh23: it may have been removed",
                    "instance": "urn:turntile:request:5f1c0a9be2d44c1b",
                }
            ]
        },
    )

    type: str = Field("about:blank", description="always about:blank: the status says what kind of error it is")
    title: str = Field(description="the status in words")
    status: int = Field(ge=400, le=599)
    detail: str = Field(description="what was refused, why, and what would do")
    instance: str = Field(description="this request's id, as it stands in the server's log")
    key: str = Field("", description="the rulebook's error key, or a word for programs; often empty")


def problem(
    request: HTTPConnection, status: int, sentence: str, key: str = "", headers: dict[str, str] | None = None
) -> Response:
    """The answer."""
    body: dict[str, Any] = {
        "type": "about:blank",
        "title": HTTPStatus(status).phrase,
        "status": status,
        "detail": sentence.encode("utf-8", "replace").decode(),  # it may quote half a sign of UTF-16
        "instance": f"urn:turntile:request:{request_id(request.scope)}",
    }
    if key:
        body["key"] = key
    return Response(msgspec.json.encode(body), status, headers, media_type=MEDIA_TYPE)


def request_id(scope: Any) -> str:
    return str(scope.get("state", {}).get("request_id", ""))


MEANINGS = {
    400: "The request cannot be read.",
    401: "Somebody must be logged in, or the token does not hold.",
    403: "Not for this account, guest or token; or a write from another site's page.",
    404: "There is no such thing, or not for you.",
    409: "It does not fit what is there: the match has gone on, the name is taken.",
    413: "The body is too large.",
    422: "It was understood and refused: the sentence says why and what would do.",
    429: "Too often: come again after Retry-After seconds.",
    500: "Our fault; the id in `instance` stands in the log.",
    503: "Not now: the server starts, stops or has too much to do.",
}


# The statuses any operation may answer with.
EVERYWHERE = (400, 429, 500)


def documented(*statuses: int) -> dict[int | str, dict[str, Any]]:
    """The errors of an operation, and those that can happen anywhere, for its `responses`."""
    return {status: told_as_problem(status) for status in sorted({*statuses, *EVERYWHERE})}


def told_as_problem(status: int) -> dict[str, Any]:
    return {
        "description": MEANINGS.get(status, HTTPStatus(status).phrase),
        "content": {MEDIA_TYPE: {"schema": {"$ref": "#/components/schemas/Problem"}}},
    }


def status_of(refusal: TurntileError) -> int:
    """The status of a refusal that bears none of its own."""
    if isinstance(refusal, Problem):
        return refusal.status
    return next((status for kind, status in STATUSES if isinstance(refusal, kind)), 422)


# The first that fits counts; all other refusals are of what was asked: 422.
STATUSES: tuple[tuple[type[TurntileError], int], ...] = (
    (UnknownGame, 404),
    (IllegalAction, 409),
    (NameTaken, 409),
    (InvalidCursor, 422),
    (StoreError, 503),
)


def sentence_of_validation(error: RequestValidationError) -> str:
    """The first thing that is wrong, as a sentence."""
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"][1:] if not isinstance(part, int) or len(first["loc"]) > 2)
    said = first["msg"]
    if first["type"] == "json_invalid":
        return f"the body is no JSON: {first.get('ctx', {}).get('error', said)}"
    if first["loc"] == ("body",) and first["type"] in ("missing", "model_attributes_type"):
        return "the body must be a JSON object (Content-Type: application/json)"
    said = said[0].lower() + said[1:]
    place = {"query": "the parameter ", "path": "the address's ", "header": "the header "}.get(str(first["loc"][0]), "")
    more = len(error.errors()) - 1
    return f"{place}{where or 'body'}: {said}" + (f" (and {more} more)" if more else "")


def install(app: FastAPI) -> None:
    """Let every error of this app leave as a problem."""

    async def refused(request: Request, error: Exception) -> Response:
        assert isinstance(error, TurntileError), error
        headers = error.headers if isinstance(error, Problem) else None
        return problem(request, status_of(error), str(error), getattr(error, "key", ""), headers)

    async def invalid(request: Request, error: Exception) -> Response:
        assert isinstance(error, RequestValidationError), error
        return problem(request, 422, sentence_of_validation(error))

    async def http_error(request: Request, error: Exception) -> Response:
        assert isinstance(error, HTTPException), error
        headers = dict(error.headers or {})
        if error.status_code == 405:
            headers["Allow"] = ", ".join(methods_at(app, request.url.path)) or headers.get("Allow", "GET, HEAD")
        return problem(request, error.status_code, sentence_of_http(request, error, headers), "", headers)

    async def not_stored(request: Request, error: Exception) -> Response:
        return problem(request, 503, "this could not be stored, and nothing has changed: send it again", "", AGAIN)

    app.add_exception_handler(TurntileError, refused)
    app.add_exception_handler(NotStored, not_stored)
    app.add_exception_handler(RequestValidationError, invalid)
    app.add_exception_handler(HTTPException, http_error)


def our_fault(request: Request, error: Exception) -> Response:
    """What the caller learns of our own mistake: the id under which the log tells the rest."""
    number = request_id(request.scope)
    log.error("request %s: %s %s failed", number, request.method, request.url.path, exc_info=error)
    return problem(request, 500, "the server made a mistake; it is in its log under the id of this answer")


def sentence_of_http(request: Request, error: HTTPException, headers: dict[str, str]) -> str:
    if error.status_code == 404:
        return f"there is nothing at {request.url.path}"
    if error.status_code == 405:
        return f"{request.method} is not possible at {request.url.path}: use {headers['Allow']}"
    return str(error.detail)
