"""ETags: what a browser has already is not sent again."""

from __future__ import annotations

import hashlib

from starlette.requests import Request
from starlette.responses import Response


def tag_of(body: bytes) -> str:
    return f'"{hashlib.sha256(body).hexdigest()[:24]}"'


def has_it(request: Request, tag: str) -> bool:
    """Whether the client has what bears this tag."""
    said = request.headers.get("if-none-match", "")
    return said.strip() == "*" or any(one.strip().removeprefix("W/") == tag for one in said.split(","))


def tagged(
    request: Request, body: bytes, media_type: str, *, tag: str = "", headers: dict[str, str] | None = None
) -> Response:
    """The body with its tag, or 304. Browsers ask each time, so that nobody sees what was."""
    tag = tag or tag_of(body)
    more = {"ETag": tag, "Cache-Control": "no-cache", **(headers or {})}
    if has_it(request, tag):
        return Response(status_code=304, headers=more)
    return Response(body, 200, more, media_type=media_type)
