"""What every request passes, before and after the routes: plain ASGI, since it must cost little.

In: an id, the limits, the size of the body, the page it comes from. Out: the security headers,
the session's cookie, the limits' headers. Sockets are counted here and check the rest themselves.
"""

from __future__ import annotations

import re
import secrets
from typing import Any

from starlette.datastructures import Headers
from starlette.requests import ClientDisconnect, HTTPConnection, Request
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from starlette.websockets import WebSocket

from turntile.server.identity import COOKIE
from turntile.server.limits import Limiter
from turntile.server.neighbours import neighbours_of
from turntile.server.origins import SAFE_METHODS, same_site
from turntile.server.problems import Problem, our_fault, problem
from turntile.server.settings import Settings

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors {ancestors}"
)
SECURITY_HEADERS = (
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), microphone=(), geolocation=(), payment=(), usb=()"),
)
PAGE_POLICY = (b"content-security-policy", POLICY.format(ancestors="'self'").encode())
EMBED_POLICY = (b"content-security-policy", POLICY.format(ancestors="*").encode())
EMBED = re.compile(r"/embed(/|$)")
LARGER_BODIES = (  # path, and the setting that says how much
    (re.compile(r"/api/v1/bots(/|$)"), "upload_bytes", 16 * 1024),  # and the form around the file
    (re.compile(r"/api/v1/contests(/|$)"), "publish_bytes", 0),
)


class Door:
    """The outermost layer of the app."""

    def __init__(self, app: ASGIApp, settings: Settings, limits: Limiter) -> None:
        self.app = app
        self.settings = settings
        self.limits = limits

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        state = scope.setdefault("state", {})
        state.setdefault("request_id", secrets.token_hex(8))
        neighbours = neighbours_of(scope)
        passed_on = neighbours is not None and neighbours.recognise(scope)
        if scope["type"] != "http":
            await self.let_socket_in(scope, receive, send, counted=not passed_on)
            return

        started = False

        async def send_with_headers(message: Message) -> None:
            nonlocal started
            started = True
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message["headers"], *headers_for(scope, message["headers"])]}
            await send(message)

        try:
            if passed_on:  # it went through a neighbour's door
                self.limits.admit_known(scope)
            else:
                self.limits.admit(scope)
                self.check_origin(scope)
            receive = await self.bounded(scope, receive)
        except Problem as refusal:
            answer = problem(Request(scope), refusal.status, str(refusal), refusal.key, refusal.headers)
            await answer(scope, receive, send_with_headers)
            return
        try:
            await self.app(scope, receive, send_with_headers)
        except ClientDisconnect:
            return  # nobody is there to be told
        except Exception as error:  # our own fault: told here, so that this answer has its headers too
            answer = our_fault(Request(scope), error)
            if started:
                raise  # it cannot be taken back: the server closes the connection
            await answer(scope, receive, send_with_headers)

    async def let_socket_in(self, scope: Scope, receive: Receive, send: Send, *, counted: bool) -> None:
        """One address may hold so many sockets open; what is said over them is the socket's own affair."""
        if not counted:
            await self.app(scope, receive, send)
            return
        try:
            address = self.limits.open_socket(scope)
        except Problem as refusal:
            answer = problem(HTTPConnection(scope), refusal.status, str(refusal), refusal.key, refusal.headers)
            await WebSocket(scope, receive, send).send_denial_response(answer)
            return
        try:
            await self.app(scope, receive, send)
        finally:
            self.limits.close_socket(address)

    def check_origin(self, scope: Scope) -> None:
        """A write from another site's page is refused; with the cookie it must say that it is from ours."""
        if scope["method"] in SAFE_METHODS:
            return
        request = Request(scope)
        if request.headers.get("authorization"):  # an empty one leaves the cookie in force
            return
        ours = same_site(request, self.settings)
        if ours is False:
            raise Problem(403, "this request comes from another site's page: open the arena itself", key="ORIGIN")
        if ours is None and COOKIE in request.cookies:
            raise Problem(
                403,
                "a write with the session's cookie must say where it comes from: send the header Origin",
                key="ORIGIN",
            )

    async def bounded(self, scope: Scope, receive: Receive) -> Receive:
        """The body, read before the routes see it, so that one that is too large is refused in the middle."""
        headers = Headers(scope=scope)
        said = headers.get("content-length")
        if said is None and "transfer-encoding" not in headers:
            return receive
        most = self.most_bytes(scope["path"])
        if said is not None and (not said.isdigit() or int(said) > most):
            raise too_large(most)
        body = b""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return receive  # gone in the middle: the route hears the same, and nobody takes a part for the whole
            body += message.get("body", b"")
            if len(body) > most:
                raise too_large(most)
            if not message.get("more_body", False):
                break
        given = False

        async def again() -> Message:
            nonlocal given
            if given:
                return await receive()
            given = True
            return {"type": "http.request", "body": body, "more_body": False}

        return again

    def most_bytes(self, path: str) -> int:
        for pattern, setting, around in LARGER_BODIES:
            if pattern.match(path):
                return max(self.settings.body_bytes, int(getattr(self.settings, setting)) + around)
        return self.settings.body_bytes


def too_large(most: int) -> Problem:
    return Problem(413, f"the body is too large: at most {most // 1024} KB", headers={"Connection": "close"})


def headers_for(scope: Scope, there: Any) -> list[tuple[bytes, bytes]]:
    """What every answer carries, except what the route has said itself."""
    state = scope["state"]
    headers = [*SECURITY_HEADERS, (b"x-request-id", state["request_id"].encode())]
    headers.append(EMBED_POLICY if EMBED.match(scope["path"]) else PAGE_POLICY)
    if not EMBED.match(scope["path"]):
        headers.append((b"x-frame-options", b"SAMEORIGIN"))
    headers.extend(state.get("rate_headers", ()))
    if scope["path"].startswith("/api/"):
        headers.append((b"cache-control", b"no-store"))
        headers.append((b"vary", b"Cookie, Authorization"))
    said = {name for name, _ in there}
    headers = [(name, value) for name, value in headers if name not in said]
    if "set_cookie" in state:
        headers.append((b"set-cookie", state["set_cookie"].encode("latin-1")))
    return headers
