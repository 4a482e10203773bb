"""The JSON Schemas of the socket's messages, made from the types that read and write them."""

from __future__ import annotations

import sys
import typing
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
from fastapi import APIRouter, Request
from starlette.responses import Response

from turntile.server import messages
from turntile.server.openapi import responses
from turntile.server.tags import tagged

router = APIRouter(tags=["matches"], prefix="/schemas")

BEGIN = "<!-- schemas: written by `python -m turntile.server.api.schemas`, checked by a test -->"
CLOSE = "<!-- end of schemas -->"

FROM_CLIENTS: tuple[type[msgspec.Struct], ...] = typing.get_args(messages.Said)
TO_CLIENTS: tuple[type[msgspec.Struct], ...] = typing.get_args(messages.Message)


@router.get(
    "/socket.json",
    operation_id="readSocketSchemas",
    summary="JSON Schemas of the socket's messages",
    responses={
        **responses(None, media={"application/json": {"schema": {"type": "object"}}}, what="A JSON Schema."),
        304: {"description": "The client has it already (If-None-Match)."},
    },
)
async def read_socket_schemas(request: Request) -> Response:
    return tagged(request, socket_schemas(), "application/json")


@cache
def socket_schemas() -> bytes:
    """One document: `said` is what a client may send, `told` what the server may."""
    (said, told), needed = msgspec.json.schema_components(
        [messages.Said, messages.Message], ref_template="#/$defs/{name}"
    )
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"Turntile's socket, {messages.PROTOCOL}",
        "$defs": {**needed, "said": said, "told": told},
        "anyOf": [{"$ref": "#/$defs/said"}, {"$ref": "#/$defs/told"}],
    }
    return msgspec.json.encode(document)


# ------------------------------------------------------------------- the page


def type_of(message: type[msgspec.Struct]) -> str:
    return str(message.__struct_config__.tag)


def schema_of(message: type[msgspec.Struct]) -> dict[str, Any]:
    """The schema of one message; what it needs is said by name, and stands once at the end of the page."""
    _, needed = msgspec.json.schema_components([message], ref_template="#/$defs/{name}")
    schema: dict[str, Any] = needed[message.__name__]
    return schema


def shared_schemas() -> dict[str, Any]:
    _, needed = msgspec.json.schema_components([*FROM_CLIENTS, *TO_CLIENTS], ref_template="#/$defs/{name}")
    own = {message.__name__ for message in (*FROM_CLIENTS, *TO_CLIENTS)}
    return {name: schema for name, schema in needed.items() if name not in own}


def write_schemas() -> str:
    """The generated part of docs/server-api.md."""
    parts = [BEGIN]
    for title, group in (("From the client", FROM_CLIENTS), ("From the server", TO_CLIENTS)):
        parts.append(f"\n### {title}\n")
        for message in group:
            told = msgspec.json.format(msgspec.json.encode(schema_of(message)), indent=1).decode()
            parts.append(f"#### `{type_of(message)}`\n\n```json\n{told}\n```\n")
    told = msgspec.json.format(msgspec.json.encode({"$defs": shared_schemas()}), indent=1).decode()
    parts.append(f"### What they are made of\n\n```json\n{told}\n```\n")
    return "\n".join([*parts, CLOSE])


def write_page(page: Path) -> None:
    """Put the schemas of today into the page."""
    before, _, rest = page.read_text("utf-8").partition(BEGIN)
    page.write_text(before + write_schemas() + rest.partition(CLOSE)[2], "utf-8")


if __name__ == "__main__":
    write_page(Path(sys.argv[1] if len(sys.argv) > 1 else "docs/server-api.md"))
