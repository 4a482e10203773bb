"""/openapi.json: FastAPI's document, with the schemas of what msgspec writes and every error as a problem."""

from __future__ import annotations

from functools import cache
from http import HTTPStatus
from typing import Any

import msgspec
from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from turntile.server.answers import schemas_of
from turntile.server.identity import COOKIE
from turntile.server.problems import ProblemBody, documented, told_as_problem
from turntile.server.tags import tagged

DESCRIPTION = """\
The arena's HTTP interface. People come with a cookie, programs with `Authorization: Bearer tt_...`; the first
match somebody plays makes him a guest. Every error is `application/problem+json` with one sentence in `detail`.
Lists come in pages: ask again with `cursor` set to `next`. Live matches are played over the socket
`/api/v1/matches/{id}/socket`, whose messages `/api/v1/schemas/socket.json` describes.
"""

TAGS = (
    ("accounts", "Who one is: guests, accounts, sessions, tokens."),
    ("games", "What can be played, and how it looks."),
    ("matches", "Tables: set up, joined, played, and given up."),
    ("replays", "What was played, to be watched and kept."),
    ("players", "Who plays how well."),
    ("bots", "Bots of one's own: behind NAT, as web servers, uploaded."),
    ("bot streams", "How bots behind NAT play: streams of JSON lines, in lichess's shape."),
    ("robot fight", "Robot fight's own interface, in the words of its rulebook."),
    ("contests", "Published contests between bots."),
    ("running it", "For those who run the server."),
)

# For operations that anybody may call, though credentials that do not hold are refused.
OPEN_TO_ALL: dict[str, Any] = {"security": [{}, {"session": []}, {"token": []}]}

SHOWN: dict[str, type[msgspec.Struct]] = {}


def responses(
    told: type[msgspec.Struct] | None,
    *errors: int,
    status: int = 200,
    what: str = "",
    media: dict[str, Any] | None = None,
) -> dict[int | str, dict[str, Any]]:
    """The `responses` of an operation: what it answers, these errors and those that can happen anywhere."""
    listed: dict[int | str, dict[str, Any]] = {}
    if told is not None:
        SHOWN[told.__name__] = told
        content: dict[str, Any] = {"application/json": {"schema": {"$ref": f"#/components/schemas/{told.__name__}"}}}
    else:
        content = media or {}
    listed[status] = {"description": what or (told.__doc__ if told and told.__doc__ else HTTPStatus(status).phrase)}
    if content:
        listed[status]["content"] = content
    return {**listed, **documented(*errors)}


def describe(app: FastAPI) -> None:
    """Let the app tell of itself by our document, made when it is first asked for."""

    def document() -> dict[str, Any]:
        if app.openapi_schema is None:
            app.openapi_schema = complete(
                get_openapi(
                    title=app.title,
                    version=app.version,
                    summary=app.summary,
                    description=DESCRIPTION,
                    routes=app.routes,
                    tags=[{"name": name, "description": told} for name, told in TAGS],
                )
            )
        return app.openapi_schema

    @cache
    def written() -> bytes:
        return msgspec.json.encode(document())

    async def tell(request: Request) -> Response:
        # In a thread: it takes half a second the first time.
        return tagged(request, await run_in_threadpool(written), "application/json")

    app.openapi = document  # type: ignore[method-assign]
    app.add_api_route("/openapi.json", tell, methods=["GET"], include_in_schema=False)


def complete(document: dict[str, Any]) -> dict[str, Any]:
    components = document.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    schemas.update(schemas_of(SHOWN.values()))
    schemas["Problem"] = ProblemBody.model_json_schema()
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    components["securitySchemes"] = {
        "session": {
            "type": "apiKey",
            "in": "cookie",
            "name": COOKIE,
            "description": "of a person's browser",
        },
        "token": {"type": "http", "scheme": "bearer", "description": "of a program: tt_..."},
    }
    for operations in document["paths"].values():
        for operation in operations.values():
            complete_operation(operation)
    return document


def complete_operation(operation: dict[str, Any]) -> None:
    """FastAPI's own 422 becomes ours. Where nobody is ever forbidden anything (403), anybody may ask."""
    told = operation["responses"]
    if "HTTPValidationError" in str(told.get("422")):
        told["422"] = told_as_problem(422)
    if "requestBody" in operation:
        told.setdefault("413", told_as_problem(413))
    if "401" in told:
        ways: list[dict[str, Any]] = OPEN_TO_ALL["security"]
        operation.setdefault("security", ways[1:] if "403" in told else ways)
