"""Sends a contest to a server, piece by piece over one connection; what is refused is told in one line.

Plain http.client: publishing needs nothing that a clean install does not bring.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from typing import Any
from urllib.parse import urlsplit

import msgspec

import turntile
from turntile.contest.course import Course
from turntile.contest.publication import head_of, pieces_of
from turntile.contest.results import Results
from turntile.core.errors import TurntileError

TIMEOUT_S = 60.0
TRIES = 6
LONGEST_WAIT_S = 60.0


class NotPublished(TurntileError):
    """The server could not be reached, or said no."""


class Address(msgspec.Struct, frozen=True):
    """Where a server is."""

    secure: bool
    host: str
    port: int | None
    path: str  # of a server that is not at the root of its host

    @property
    def text(self) -> str:
        port = f":{self.port}" if self.port else ""
        return f"{'https' if self.secure else 'http'}://{self.host}{port}{self.path}"


def read_address(text: str) -> Address:
    try:
        parts = urlsplit(text)
        port = parts.port
    except ValueError:
        parts, port = urlsplit(""), None
    if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
        raise NotPublished(f"{text!r} is no server's address: write it like http://127.0.0.1:8000")
    return Address(parts.scheme == "https", parts.hostname, port, parts.path.rstrip("/"))


class Server:
    """One connection, opened again when it breaks."""

    def __init__(self, address: Address, token: str, sleep: Callable[[float], None] = time.sleep) -> None:
        self.address = address
        self.token = token
        self.sleep = sleep
        self.connection: HTTPConnection | None = None

    def send(self, method: str, path: str, body: bytes) -> dict[str, Any]:
        """The answer; asked again where the server says that it was too soon or too busy."""
        for attempt in range(1, TRIES + 1):
            try:
                status, headers, told = self.ask(method, path, body)
            except (OSError, HTTPException) as error:
                self.close()
                if attempt == TRIES or isinstance(error, ConnectionRefusedError):
                    raise NotPublished(f"{self.address.text} cannot be reached: {error}") from None
                self.sleep(attempt)
                continue
            if status in (429, 503) and attempt < TRIES:
                wait = headers.get("retry-after", "")
                self.sleep(min(float(wait) if wait.isdigit() else 1.0, LONGEST_WAIT_S))
                continue
            return self.read(status, told)
        raise AssertionError(attempt)

    def ask(self, method: str, path: str, body: bytes) -> tuple[int, dict[str, str], bytes]:
        if self.connection is None:
            kind = HTTPSConnection if self.address.secure else HTTPConnection
            self.connection = kind(self.address.host, self.address.port, timeout=TIMEOUT_S)
        headers = {
            "Authorization": f"Bearer {self.token}",
            "Content-Type": "application/json",
            "User-Agent": f"turntile/{turntile.__version__}",
        }
        self.connection.request(method, f"{self.address.path}/api/v1{path}", body, headers)
        answer = self.connection.getresponse()
        told = answer.read()
        return answer.status, {name.lower(): value for name, value in answer.getheaders()}, told

    def read(self, status: int, told: bytes) -> dict[str, Any]:
        try:
            data = msgspec.json.decode(told)
        except msgspec.DecodeError:
            data = None
        if not isinstance(data, dict) or (status >= 400 and "detail" not in data):
            raise NotPublished(f"{self.address.text} answered {status}, but not as a Turntile server does")
        if status >= 400:
            raise NotPublished(f"{self.address.text} refused ({status}): {data['detail']}")
        return data

    def close(self) -> None:
        if self.connection is not None:
            self.connection.close()
            self.connection = None


def publish(
    course: Course, results: Results, name: str, server: Server, advance: Callable[[int], None] = lambda count: None
) -> tuple[str, int]:
    """Send all of it; the page's address, and how many replays were too large to be sent."""
    head = head_of(course, results, name)
    contest = server.send("POST", "/contests", msgspec.json.encode(head))["id"]
    left_out = 0
    for piece, too_large in pieces_of(results):
        server.send("PUT", f"/contests/{contest}/matches", msgspec.json.encode(piece))
        left_out += too_large
        advance(len(piece.matches))
    return f"{server.address.text}/contests/{contest}", left_out
