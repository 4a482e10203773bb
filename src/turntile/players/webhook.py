"""A web server at a seat, in Battlesnake's shape: GET /, POST /start, /move, /end.

Requests go to the address that was named and nowhere else. An answer is read as it comes, so
that servers asked at the same time are waited for together, by the same clock as programs.
"""

from __future__ import annotations

import contextlib
import io
import select
import socket
import time
from collections.abc import Sequence
from http.client import HTTPException, HTTPResponse
from math import ceil
from secrets import token_hex
from typing import Any
from urllib.parse import urlsplit

import msgspec

import turntile
from turntile.core.errors import TurntileError
from turntile.core.game import Outcome
from turntile.match.remarks import Failure, FailureKind, Remark
from turntile.players.guests import Answer, Guest, GuestFailed, Opening, Question

CONNECT_S = 5.0
REPLY_S = 10.0  # to GET / and POST /start, outside the clock
MOST_REPLY = 256 * 1024  # bytes of an answer, head included


class InvalidAddress(TurntileError):
    """An address no webhook can have."""


class Description(msgspec.Struct, frozen=True):
    """What GET / answers with; more is allowed."""

    apiversion: str = "1"
    author: str = ""
    version: str = ""


class Reply(msgspec.Struct, frozen=True):
    """What POST /move answers with."""

    move: str
    shout: str = ""


class Silent:
    """The bytes of an answer, as something http.client can read from."""

    def __init__(self, data: bytes) -> None:
        self.data = data

    def makefile(self, mode: str, *rest: Any, **more: Any) -> io.BytesIO:
        return io.BytesIO(self.data)


class WebhookGuest(Guest):
    """One web server; the connection is kept where the server allows it."""

    def __init__(self, address: str) -> None:
        self.name = address
        try:
            parts = urlsplit(address)
            port = parts.port or 80
        except ValueError as error:
            raise InvalidAddress(f"{address} is no address: {error}") from None
        if parts.scheme != "http":
            raise InvalidAddress(f"{address}: a webhook is asked by http://, put a proxy in front of one that is not")
        if not parts.hostname or parts.username or parts.query or parts.fragment:
            raise InvalidAddress(f"{address} is no webhook's address: say http://127.0.0.1:9000")
        self.host, self.port, self.path = parts.hostname, port, parts.path.rstrip("/")
        self.connection: socket.socket | None = None
        self.received = b""
        self.request = b""
        self.fresh = False
        self.closing = False  # the server ends the connection after its answer
        self.latency_ms = 0.0
        self.asked_at = 0.0
        self.match_id = ""

    # ------------------------------------------------------------------- a match

    def begin(self, opening: Opening) -> None:
        self.opening = opening
        self.match_id = token_hex(8)
        self.stage = "hello"
        self.understand(self.exchange("GET", "/", b""), Description)
        self.stage = "newgame"
        self.exchange("POST", "/start", msgspec.json.encode({**self.common(), "turn": 0}))

    def common(self) -> dict[str, Any]:
        opening = self.opening
        assert opening is not None
        match = opening.match
        return {
            "game": {
                "id": self.match_id,
                "ruleset": {"name": match.game.name, "version": str(match.game.rules_version)},
                "options": None if match.start_position else match.options,
                "players": opening.players,
                "clock": opening.clock,
                "seed": opening.seed,
            },
            "you": {"id": str(opening.seat), "seat": opening.seat, "name": self.name, "latency": self.latency_ms},
        }

    def prepare(self, question: Question) -> bytes:
        self.seq += 1
        step = question.match.step_number + 1
        self.stage = f"turn {step}"
        limit_ms = None if question.limit_s is None else round(question.limit_s * 1000, 3)
        body = {
            **self.common(),
            "turn": step,
            "seq": self.seq,
            "board": question.view,
            "legal": question.legal,
            "legal_count": question.legal_count,
            "heard": question.heard,
            "refused": question.refused,
            "clock": {"limit_ms": limit_ms, "bank_ms": round(question.bank_s * 1000, 3)},
        }
        return self.http("POST", "/move", msgspec.json.encode(body))

    def send(self, message: bytes, patience_s: float | None) -> None:
        if self.connection is not None and self.unasked():
            self.disconnect()  # an answer to an earlier turn, or the server's goodbye
        self.write(message)
        self.asked_at = time.perf_counter()

    def filenos(self) -> tuple[int, ...]:
        return (self.connection.fileno(),) if self.connection is not None else ()

    def hear(self, ready: Sequence[tuple[int, int]]) -> Answer | None:
        body = self.read()
        if body is None:
            return None
        self.latency_ms = round((time.perf_counter() - self.asked_at) * 1000, 1)
        reply = self.understand(body, Reply)
        return Answer(reply.move, (Remark(reply.shout).shortened(),) if reply.shout else ())

    def end(self, outcome: Outcome) -> None:
        self.stage = "end"
        match = self.opening.match if self.opening is not None else None
        body = {**self.common(), "turn": match.step_number if match else 0, "outcome": outcome}
        with contextlib.suppress(GuestFailed):
            self.exchange("POST", "/end", msgspec.json.encode(body))

    def close(self) -> None:
        self.disconnect()

    # ------------------------------------------------------------------- one request

    def http(self, method: str, path: str, body: bytes) -> bytes:
        host = f"[{self.host}]" if ":" in self.host else self.host
        head = (
            f"{method} {self.path}{path} HTTP/1.1\r\nHost: {host}:{self.port}\r\n"
            f"User-Agent: turntile/{turntile.__version__}\r\nAccept: application/json\r\n"
        )
        if method == "POST":
            head += f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n"
        return head.encode() + b"\r\n" + body

    def exchange(self, method: str, path: str, body: bytes) -> bytes:
        """A request outside the clock, and the answer's body."""
        self.write(self.http(method, path, body))
        deadline = time.perf_counter() + REPLY_S
        while True:
            assert self.connection is not None
            poller = select.poll()
            poller.register(self.connection.fileno(), select.POLLIN)
            if not poller.poll(max(0, ceil((deadline - time.perf_counter()) * 1000))):
                raise self.fail("silence", f"{path} did not answer within {REPLY_S:g} s", REPLY_S, REPLY_S, fatal=True)
            answer = self.read()
            if answer is not None:
                return answer

    def write(self, request: bytes) -> None:
        self.received = b""
        self.request = request
        if self.closing:
            self.disconnect()
        self.fresh = self.connection is None
        if self.connection is None:
            self.connect()
        assert self.connection is not None
        try:
            self.connection.sendall(request)
        except OSError:
            self.again()

    def again(self) -> None:
        """A kept connection may have ended meanwhile: once more on a new one."""
        self.disconnect()
        if self.fresh:
            raise self.fail("crash", "it closed the connection", fatal=True)
        self.fresh = True
        self.connect()
        assert self.connection is not None
        try:
            self.connection.sendall(self.request)
        except OSError as error:
            raise self.fail("crash", f"it closed the connection: {error.strerror or error}", fatal=True) from None

    def connect(self) -> None:
        try:
            self.connection = socket.create_connection((self.host, self.port), CONNECT_S)
            self.connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        except OSError as error:
            what = f"nobody answers at {self.name}: {error.strerror or error}"
            raise self.fail("crash", what, fatal=True) from None

    def disconnect(self) -> None:
        if self.connection is not None:
            self.connection.close()
        self.connection = None
        self.closing = False

    def unasked(self) -> bool:
        assert self.connection is not None
        poller = select.poll()  # select() would refuse the file numbers of a server with many connections
        poller.register(self.connection.fileno(), select.POLLIN)
        return bool(poller.poll(0))

    def read(self) -> bytes | None:
        """The answer's body once it is whole."""
        assert self.connection is not None
        try:
            data = self.connection.recv(65536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return None
        except OSError:
            data = b""
        ended = not data
        if ended and not self.received:
            self.again()
            return None
        self.received += data
        if len(self.received) > MOST_REPLY:
            raise self.fail("protocol", f"an answer of more than {MOST_REPLY} bytes", fatal=True)
        if not whole(self.received, ended):
            if ended:
                raise self.fail("protocol", "the answer breaks off", fatal=True)
            return None
        response = HTTPResponse(Silent(self.received))  # type: ignore[arg-type]
        try:
            response.begin()
            body = response.read()
        except (HTTPException, OSError, ValueError) as error:
            raise self.fail("protocol", f"this is no HTTP answer: {error}", fatal=True) from None
        self.closing = ended or response.will_close
        if response.status != 200:
            raise self.fail("protocol", f"it answered with status {response.status}: {shown(body)}")
        return body

    def understand(self, body: bytes, wanted: type[Any]) -> Any:
        try:
            return msgspec.json.decode(body or b"{}", type=wanted)
        except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
            raise self.fail("protocol", f"the answer {shown(body)} is wrong: {error}") from None

    def fail(
        self, kind: FailureKind, what: str, time_s: float = 0.0, limit_s: float | None = None, fatal: bool = False
    ) -> GuestFailed:
        self.disconnect()  # whatever still comes on this connection answers an old question
        limit_ms = None if limit_s is None else round(limit_s * 1000, 3)
        return GuestFailed(
            Failure(kind=kind, stage=self.stage, what=what, time_ms=round(time_s * 1000, 3), limit_ms=limit_ms), fatal
        )


def whole(received: bytes, ended: bool) -> bool:
    """Whether these bytes are a whole HTTP answer."""
    head, found, body = received.partition(b"\r\n\r\n")
    if not found:
        return False
    headers = {}
    for line in head.split(b"\r\n")[1:]:
        key, _, value = line.partition(b":")
        headers[key.strip().lower()] = value.strip()
    if b"chunked" in headers.get(b"transfer-encoding", b"").lower():
        return body.endswith(b"0\r\n\r\n")
    length = headers.get(b"content-length", b"")
    if length.isdigit():
        return len(body) >= int(length[:9])
    return ended or b" 204 " in head.split(b"\r\n")[0] + b" "


def shown(body: bytes) -> str:
    text = body.decode("utf-8", "replace")
    return repr(text if len(text) <= 120 else text[:117] + "...")
