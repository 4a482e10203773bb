"""Passing a request or a socket on to another server process, and its answer back.

Each request has a connection of its own: requests that reach the wrong process are few, and a
connection that nobody else uses cannot mix up answers. A reader who is slow slows the owner
down as if he were connected there: nothing is kept here but the piece under way.
"""

from __future__ import annotations

import asyncio
import ssl
from collections.abc import AsyncGenerator, AsyncIterator, Sequence
from contextlib import suppress
from typing import Any
from urllib.parse import urlsplit

import h11
import msgspec
from starlette.types import Receive, Scope, Send
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, WebSocketException
from websockets.typing import Subprotocol

from turntile.server.messages import Reconnect, write_message

Header = tuple[bytes, bytes]

CONNECT_S = 3.0
ANSWER_S = 60.0  # to the head of an answer; streams may then take as long as they like
COME_AGAIN = 1012
AFTER_MS = 1000

# Of one connection, not of the request.
HOP_BY_HOP = frozenset(
    {
        b"connection",
        b"keep-alive",
        b"proxy-authenticate",
        b"proxy-authorization",
        b"te",
        b"trailer",
        b"transfer-encoding",
        b"upgrade",
    }
)


class Unreachable(Exception):
    """The other process does not answer: it is gone, or about to be."""


class Head(msgspec.Struct, frozen=True):
    status: int
    headers: list[Header]


async def forward(scope: Scope, receive: Receive, send: Send, address: str, extra: Sequence[Header]) -> None:
    """Pass a request on, and the answer back as it comes. Raises Unreachable if there is no answer at all."""
    body = await read_body(receive)
    kept = [(name, value) for name, value in scope["headers"] if name not in HOP_BY_HOP and name != b"content-length"]
    answer = ask(address, scope["method"], target_of(scope), [*kept, *extra], body)
    head = await anext(answer)
    assert isinstance(head, Head)
    gone = asyncio.ensure_future(wait_until_gone(receive))
    try:
        await send({"type": "http.response.start", "status": head.status, "headers": head.headers})
        pieces = answer.__aiter__()
        while True:
            piece = asyncio.ensure_future(next_piece(pieces))
            await asyncio.wait({piece, gone}, return_when=asyncio.FIRST_COMPLETED)
            if not piece.done():  # whoever asked has gone: the owner learns it from the closed connection
                piece.cancel()
                with suppress(asyncio.CancelledError):
                    await piece
                return
            data = piece.result()
            await send({"type": "http.response.body", "body": data or b"", "more_body": data is not None})
            if data is None:
                return
    finally:
        gone.cancel()
        await answer.aclose()


async def next_piece(pieces: AsyncIterator[Head | bytes]) -> bytes | None:
    async for piece in pieces:
        assert isinstance(piece, bytes)
        return piece
    return None


async def read_body(receive: Receive) -> bytes:
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body
        piece: bytes = message.get("body", b"")
        body += piece
        if not message.get("more_body", False):
            return body


async def wait_until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def target_of(scope: Scope) -> bytes:
    path: bytes = scope.get("raw_path") or scope["path"].encode()
    query: bytes = scope.get("query_string", b"")
    return path.partition(b"?")[0] + (b"?" + query if query else b"")


async def ask(
    address: str, method: str, target: bytes, headers: Sequence[Header], body: bytes
) -> AsyncGenerator[Head | bytes]:
    """One request: first the head of the answer, then its body in pieces. Raises Unreachable before the head."""
    place = urlsplit(address)
    secure = ssl.create_default_context() if place.scheme == "https" else None
    try:
        async with asyncio.timeout(CONNECT_S):
            reader, writer = await asyncio.open_connection(
                place.hostname, place.port or (443 if secure else 80), ssl=secure
            )
    except (OSError, TimeoutError) as error:
        raise Unreachable(str(error)) from error
    try:
        protocol = h11.Connection(h11.CLIENT)
        if not any(name == b"host" for name, _ in headers):
            headers = [(b"host", place.netloc.encode()), *headers]
        sized = [*headers, (b"content-length", b"%d" % len(body)), (b"connection", b"close")]
        request = h11.Request(method=method, target=target, headers=sized)
        for event in (request, h11.Data(data=body), h11.EndOfMessage()):
            writer.write(protocol.send(event) or b"")
        try:
            async with asyncio.timeout(ANSWER_S):
                head = await next_event(protocol, reader)
                while isinstance(head, h11.InformationalResponse):
                    head = await next_event(protocol, reader)
        except (OSError, TimeoutError, h11.RemoteProtocolError) as error:
            raise Unreachable(str(error)) from error
        if not isinstance(head, h11.Response):
            raise Unreachable("the connection was closed")
        yield Head(head.status_code, [(name, value) for name, value in head.headers if name not in HOP_BY_HOP])
        while isinstance(event := await next_event(protocol, reader), h11.Data):
            yield bytes(event.data)
    finally:
        writer.close()


async def next_event(protocol: h11.Connection, reader: asyncio.StreamReader) -> Any:
    while (event := protocol.next_event()) is h11.NEED_DATA:
        protocol.receive_data(await reader.read(65536))
    return event


async def post(address: str, path: str, headers: Sequence[Header], body: bytes) -> int:
    """A request of our own; its status. Raises Unreachable."""
    answer = ask(address, "POST", path.encode(), headers, body)
    head = await anext(answer)
    await answer.aclose()
    assert isinstance(head, Head)
    return head.status


# ------------------------------------------------------------------- sockets


async def relay(scope: Scope, receive: Receive, send: Send, address: str, extra: Sequence[Header]) -> None:
    """Pass a socket on: what the client says goes to the owner, what the owner says comes back."""
    event = await receive()
    assert event["type"] == "websocket.connect", event
    kept = [(name, value) for name, value in scope["headers"] if name in (b"cookie", b"authorization", b"user-agent")]
    place = urlsplit(address)
    scheme = "wss" if place.scheme == "https" else "ws"
    try:
        owner = await connect(
            f"{scheme}://{place.netloc}{target_of(scope).decode('latin-1')}",
            additional_headers=[(name.decode("latin-1"), value.decode("latin-1")) for name, value in (*kept, *extra)],
            subprotocols=[Subprotocol(name) for name in scope.get("subprotocols") or ()] or None,
            user_agent_header=None,
            compression=None,
            open_timeout=CONNECT_S,
            ping_interval=None,  # a dead owner's connection is closed by its system, a dead machine's match is claimed
            max_size=None,  # what a neighbour says is as long as it says
            proxy=None,
        )
    except (OSError, TimeoutError, WebSocketException):
        await send({"type": "websocket.accept", "subprotocol": None, "headers": []})
        await say_come_again(send)
        return
    async with owner:
        await send({"type": "websocket.accept", "subprotocol": owner.subprotocol, "headers": []})
        saying = asyncio.ensure_future(pass_on(receive, owner))
        hearing = asyncio.ensure_future(pass_back(owner, send))
        try:
            await asyncio.wait({saying, hearing}, return_when=asyncio.FIRST_COMPLETED)
            if saying.done() and saying.result():  # it is the owner who has gone: the client is told with which code
                await hearing
        finally:
            for task in (saying, hearing):
                task.cancel()
            await asyncio.gather(saying, hearing, return_exceptions=True)


async def pass_on(receive: Receive, owner: ClientConnection) -> bool:
    """Whether it ended because the owner has gone; else the client has."""
    try:
        while (event := await receive())["type"] != "websocket.disconnect":
            text = event.get("text")
            await owner.send(text if text is not None else event["bytes"])
    except ConnectionClosed:
        return True
    return False


async def pass_back(owner: ClientConnection, send: Send) -> None:
    with suppress(ConnectionClosed):
        async for message in owner:
            await send({"type": "websocket.send", "text" if isinstance(message, str) else "bytes": message})
    code = owner.close_code
    if code is None or code in (1005, 1006, 1001):  # it was killed, or its machine went away
        await say_come_again(send)
    else:
        await send({"type": "websocket.close", "code": code, "reason": owner.close_reason or ""})


async def say_come_again(send: Send) -> None:
    await send({"type": "websocket.send", "text": write_message(Reconnect(after_ms=AFTER_MS)).decode()})
    await send({"type": "websocket.close", "code": COME_AGAIN, "reason": "the match is moving to another process"})
