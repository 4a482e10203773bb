"""A client of the match's socket for tests: it says JSON and keeps what it hears."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any

import httpx
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin, Subprotocol

from turntile.server.messages import PROTOCOL

PATIENCE_S = 60.0


class Talker:
    """One connection. `client` brings the cookie or the token, as in a browser or a script."""

    def __init__(self, url: str, match_id: str, client: httpx.Client | None = None, **query: object) -> None:
        words = "&".join(f"{name}={value}" for name, value in query.items() if name != "origin")
        headers: dict[str, str] = {}
        if client is not None:
            cookies = "; ".join(f"{name}={value}" for name, value in client.cookies.items())
            headers = {"Cookie": cookies} if cookies else {}
            if "authorization" in client.headers:
                headers["Authorization"] = client.headers["authorization"]
        self.connection: ClientConnection = connect(
            f"ws{url.removeprefix('http')}/api/v1/matches/{match_id}/socket?{words}",
            origin=Origin(str(query.get("origin", url))),
            subprotocols=[Subprotocol(PROTOCOL)],
            additional_headers=headers,
            compression=None,
            proxy=None,
            open_timeout=PATIENCE_S,
            close_timeout=2,
            max_size=None,
            legacy=True,  # a connection, not a context manager that makes one
        )
        self.heard: list[dict[str, Any]] = []

    def say(self, **message: object) -> None:
        self.connection.send(json.dumps(message))

    def act(self, seq: int, text: str, **more: object) -> None:
        self.say(type="act", seq=seq, text=text, **more)

    def hear(self) -> dict[str, Any]:
        """The next message. Raises ConnectionClosed."""
        message: dict[str, Any] = json.loads(self.connection.recv(timeout=PATIENCE_S))
        self.heard.append(message)
        return message

    def hear_a(self, *kinds: str) -> dict[str, Any]:
        """The next message of one of these kinds."""
        while (message := self.hear())["type"] not in kinds:
            pass
        return message

    def frame_at(self, step: int) -> dict[str, Any]:
        """The first frame that shows at least that step."""
        while (frame := self.hear_a("frame"))["step"] < step:
            pass
        return frame

    def closed_with(self) -> int:
        """Hear all that still comes; the code it was closed with."""
        try:
            while True:
                self.hear()
        except ConnectionClosed as closed:
            assert closed.rcvd is not None, closed
            return closed.rcvd.code

    def drop(self) -> None:
        """Gone without a word."""
        self.connection.socket.close()

    def __enter__(self) -> Talker:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.connection.close()
