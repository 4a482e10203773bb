"""A WebSocket client that costs next to nothing, so that a load of many is not what a measurement shows.

No tasks, no futures: plain sockets, one poll for all of them, messages told apart by their first
bytes. It masks with zeros, which the protocol allows and which leaves a text as it is.
"""

from __future__ import annotations

import base64
import select
import socket
from collections.abc import Iterator, Sequence
from urllib.parse import urlsplit

TEXT, CLOSE, PING = 0x81, 0x88, 0x89
ZERO_MASK = b"\0\0\0\0"
READ_AT_ONCE = 1 << 18
PATIENCE_S = 60.0


class SocketEnded(Exception):
    """The server has closed a connection that was still needed."""


def frame(payload: bytes) -> bytes:
    """A text message as a client sends it."""
    size = len(payload)
    if size < 126:
        return bytes((TEXT, 0x80 | size)) + ZERO_MASK + payload
    return bytes((TEXT, 0x80 | 126)) + size.to_bytes(2, "big") + ZERO_MASK + payload


class Line:
    """One open WebSocket."""

    __slots__ = ("received", "rest", "socket")

    def __init__(self, url: str, headers: Sequence[tuple[str, str]] = ()) -> None:
        parts = urlsplit(url)
        assert parts.hostname is not None and parts.port is not None, url
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=PATIENCE_S)
        self.socket.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        self.rest = b""
        self.received = 0  # bytes of messages
        self.shake_hands(parts.netloc, f"{parts.path}?{parts.query}", headers)

    def shake_hands(self, host: str, target: str, headers: Sequence[tuple[str, str]]) -> None:
        key = base64.b64encode(bytes(16)).decode()
        lines = [
            f"GET {target} HTTP/1.1",
            f"Host: {host}",
            "Upgrade: websocket",
            "Connection: Upgrade",
            f"Sec-WebSocket-Key: {key}",
            "Sec-WebSocket-Version: 13",
            *(f"{name}: {value}" for name, value in headers),
        ]
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        while b"\r\n\r\n" not in self.rest:
            data = self.socket.recv(READ_AT_ONCE)
            if not data:
                raise SocketEnded(f"no socket at {target}: {self.rest[:500]!r}")
            self.rest += data
        head, _, self.rest = self.rest.partition(b"\r\n\r\n")
        if b" 101 " not in head.split(b"\r\n")[0]:
            raise SocketEnded(f"no socket at {target}: {head[:500]!r} {self.rest[:500]!r}")

    def send(self, payload: bytes) -> None:
        self.socket.sendall(frame(payload))

    def read(self) -> Iterator[bytes]:
        """The messages that have come since, whole ones only. Call it when there is something to read."""
        data = self.socket.recv(READ_AT_ONCE)
        if not data:
            raise SocketEnded("the server has closed the connection")
        rest = self.rest + data if self.rest else data
        at, end = 0, len(rest)
        while end - at >= 2:
            kind, size, begin = rest[at], rest[at + 1], at + 2
            if size == 126:
                size, begin = int.from_bytes(rest[at + 2 : at + 4], "big"), at + 4
            elif size == 127:
                size, begin = int.from_bytes(rest[at + 2 : at + 10], "big"), at + 10
            if end < begin + size or begin > end:
                break
            payload = rest[begin : begin + size]
            at = begin + size
            if kind == TEXT:
                self.received += size
                yield payload
            elif kind == CLOSE:
                raise SocketEnded(f"closed by the server: {payload[2:].decode(errors='replace')}")
            elif kind == PING:
                self.socket.sendall(bytes((0x8A, 0x80 | size)) + ZERO_MASK + payload)
        self.rest = rest[at:]

    def close(self) -> None:
        self.socket.close()


class Poll:
    """Which of many lines have something to read."""

    def __init__(self, lines: Sequence[Line]) -> None:
        self.by_number: dict[int, Line] = {}
        self.epoll = select.epoll()
        for line in lines:
            self.add(line)

    def add(self, line: Line) -> None:
        number = line.socket.fileno()
        self.by_number[number] = line
        self.epoll.register(number, select.EPOLLIN)

    def remove(self, line: Line) -> None:
        number = line.socket.fileno()
        if self.by_number.pop(number, None) is not None:
            self.epoll.unregister(number)

    def wait(self, seconds: float = PATIENCE_S) -> list[Line]:
        return [self.by_number[number] for number, _ in self.epoll.poll(seconds)]

    def close(self) -> None:
        self.epoll.close()
