"""Clients that do not finish what they began are given up; nobody else waits for them or is cut off."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import msgspec
import pytest
import uvicorn
from websockets.sync.client import connect

from turntile.server.slow_clients import ImpatientProtocol

PATIENCE_S = 20.0


class VeryImpatientProtocol(ImpatientProtocol):
    """The real one with a shorter breath."""

    head_s = 0.4
    body_s = 0.4
    reading_s = 0.4


@dataclass
class Echo:
    """An app that answers with what it was sent; /slow waits for `go_on`, /large sends without end."""

    go_on: threading.Event = field(default_factory=threading.Event)
    cut_off: threading.Event = field(default_factory=threading.Event)
    waiting: threading.Event = field(default_factory=threading.Event)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "websocket":
            await receive()
            await send({"type": "websocket.accept"})
            while (message := await receive())["type"] == "websocket.receive":
                await send({"type": "websocket.send", "text": message["text"]})
            return
        if scope["path"] == "/slow":
            self.waiting.set()
            while not self.go_on.is_set():
                await asyncio.sleep(0.02)
        body = b""
        while True:
            message = await receive()
            if message["type"] == "http.disconnect":
                self.cut_off.set()
                return
            body += message.get("body", b"")
            if not message.get("more_body"):
                break
        if scope["path"] == "/large":
            await self.send_for_ever(send)
            return
        length = str(len(body)).encode()
        await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", length)]})
        await send({"type": "http.response.body", "body": body})

    async def send_for_ever(self, send: Any) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        for _ in range(100_000):
            await send({"type": "http.response.body", "body": bytes(65536), "more_body": True})
            if self.cut_off.is_set():
                return


@dataclass
class Running:
    app: Echo
    port: int
    server: uvicorn.Server

    def connection(self) -> socket.socket:
        return socket.create_connection(("127.0.0.1", self.port), timeout=PATIENCE_S)

    def connections(self) -> int:
        return len(self.server.server_state.connections)


@pytest.fixture
def running() -> Iterator[Running]:
    app = Echo()
    config = uvicorn.Config(
        app,
        http=VeryImpatientProtocol,
        ws="websockets-sansio",
        lifespan="off",
        log_config=None,
        timeout_keep_alive=60,
        timeout_graceful_shutdown=1,
    )
    server = uvicorn.Server(config)
    with closing(socket.create_server(("127.0.0.1", 0))) as listening:
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        yield Running(app, listening.getsockname()[1], server)
        app.go_on.set()
        app.cut_off.set()
        server.should_exit = True
        thread.join(PATIENCE_S)
        assert not thread.is_alive()


def said_before_the_end(client: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    said = b""
    while piece := client.recv(65536):
        said += piece
    return said


def problem(answer: bytes) -> dict[str, Any]:
    head, _, body = answer.partition(b"\r\n\r\n")
    assert b"content-type: application/problem+json" in head
    found: dict[str, Any] = msgspec.json.decode(body)
    assert head.startswith(b"HTTP/1.1 %d " % found["status"])
    return found


REQUEST = b"GET / HTTP/1.1\r\nHost: arena\r\n\r\n"


def test_a_head_that_does_not_come_to_its_end_is_given_up(running: Running) -> None:
    with running.connection() as client:
        client.sendall(b"GET / HTTP/1.1\r\nHost: are")
        answer = problem(said_before_the_end(client))
    assert answer["status"] == 408
    assert "head of the request did not arrive" in answer["detail"]


def test_a_connection_that_says_nothing_is_closed(running: Running) -> None:
    with running.connection() as client:
        assert said_before_the_end(client) == b""


def test_an_empty_line_after_a_request_earns_no_eternity(running: Running) -> None:
    """It ends uvicorn's own wait for the next request."""
    with running.connection() as client:
        client.sendall(REQUEST)
        assert client.recv(65536).startswith(b"HTTP/1.1 200")
        client.sendall(b"\r\n")
        assert problem(said_before_the_end(client))["status"] == 408


def test_a_head_without_end_is_refused(running: Running) -> None:
    with running.connection() as client:
        client.sendall(b"GET / HTTP/1.1\r\nX-Long: " + b"a" * 70_000)
        answer = problem(said_before_the_end(client))
    assert answer["status"] == 431


def test_a_large_body_in_one_piece_is_no_large_head(running: Running) -> None:
    with running.connection() as client:
        for _ in range(2):
            client.sendall(b"POST / HTTP/1.1\r\nHost: arena\r\nContent-Length: 200000\r\n\r\n" + b"b" * 200_000)
            answer = b""
            while len(answer) < 200_000:
                answer += client.recv(65536)
            assert answer.startswith(b"HTTP/1.1 200")


def test_a_body_that_does_not_arrive_is_given_up_and_its_handler_hears_of_it(running: Running) -> None:
    with running.connection() as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: arena\r\nContent-Length: 100\r\n\r\nhalf")
        answer = problem(said_before_the_end(client))
    assert answer["status"] == 408
    assert "body of the request did not arrive" in answer["detail"]
    assert running.app.cut_off.wait(PATIENCE_S)


def test_a_body_that_trickles_is_given_up(running: Running) -> None:
    """Bytes that come singly do not buy more time than they are worth."""
    with running.connection() as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: arena\r\nContent-Length: 100000\r\n\r\n")
        client.settimeout(0.05)
        answer = b""
        for _ in range(400):
            client.sendall(b"x")
            try:
                answer = client.recv(65536)
                break
            except TimeoutError:
                continue
    assert problem(answer)["status"] == 408


def test_a_steady_upload_may_take_longer(running: Running) -> None:
    """Fifteen pieces, each a tenth of a second after the one before: three times as long as a trickle has."""
    piece = b"p" * 8192
    with running.connection() as client:
        client.sendall(b"POST / HTTP/1.1\r\nHost: arena\r\nContent-Length: %d\r\n\r\n" % (15 * len(piece)))
        for _ in range(15):
            threading.Event().wait(0.1)
            client.sendall(piece)
        answer = b""
        while len(answer) < 15 * len(piece):
            answer += client.recv(65536)
    assert answer.startswith(b"HTTP/1.1 200")


def test_a_slow_handler_and_a_silent_socket_live(running: Running) -> None:
    """They outlive clients that were given up after them."""
    with connect(f"ws://127.0.0.1:{running.port}/") as silent, running.connection() as patient:
        patient.sendall(b"GET /slow HTTP/1.1\r\nHost: arena\r\n\r\n")
        assert running.app.waiting.wait(PATIENCE_S)
        for _ in range(2):
            with running.connection() as client:
                client.sendall(b"GET /")
                assert problem(said_before_the_end(client))["status"] == 408
        running.app.go_on.set()
        assert patient.recv(65536).startswith(b"HTTP/1.1 200")
        silent.send("still here")
        assert silent.recv(timeout=PATIENCE_S) == "still here"


def test_an_answer_nobody_reads_is_given_up(running: Running) -> None:
    with running.connection() as client:
        client.sendall(b"GET /large HTTP/1.1\r\nHost: arena\r\n\r\n")
        assert client.recv(100).startswith(b"HTTP/1.1 200")
        assert gone(running), "the connection and what is buffered for it are let go"


def gone(running: Running) -> bool:
    for _ in range(int(PATIENCE_S / 0.05)):
        if running.connections() == 0:
            return True
        threading.Event().wait(0.05)
    return False
