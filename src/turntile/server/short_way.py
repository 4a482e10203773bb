"""The short way of a socket's texts: from the connection to the app and back without a task for each.

ASGI hands every message over through a queue and two tasks, which costs more than most actions
themselves. An app that finds this protocol in `scope["extensions"]` may ask for texts to be
given to it at once, and may write texts at once while the client keeps up. Everything else
(handshake, pings, closing, binary messages, a client that is behind) goes ASGI's way as ever,
and so does everything where another server or protocol runs the app.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, MutableMapping
from typing import Any, cast

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

EXTENSION = "turntile.short_way"
TEXT = 0x81  # the first byte of a whole text message
SHORT, LONG = 126, 127  # a length in two bytes, or in eight


def head(size: int) -> bytes:
    """What stands before a server's text of so many bytes."""
    if size < SHORT:
        return bytes((TEXT, size))
    if size < 1 << 16:
        return bytes((TEXT, SHORT)) + size.to_bytes(2, "big")
    return bytes((TEXT, LONG)) + size.to_bytes(8, "big")


class ShortWayProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket with a short way beside ASGI's."""

    takes: Callable[[str], None] | None = None  # who wants texts at once
    clogged = False  # the client reads more slowly than we write
    reading_s = 30.0  # a client that takes nothing for so long is cut off, and what waits for it is forgotten
    reading_deadline: asyncio.TimerHandle | None = None
    unsent: list[bytes] | None = None  # texts of this moment, which go out together

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        scope = cast("MutableMapping[str, Any] | None", getattr(self, "scope", None))
        if scope is not None:
            scope["extensions"][EXTENSION] = self  # the app's task has not begun yet

    def send_receive_event_to_app(self) -> None:
        # What has come before and was not asked for yet goes first.
        if self.takes is None or self.curr_msg_data_type != "text" or self.close_sent or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        try:
            text = b"".join(self.frames).decode()
        except UnicodeDecodeError:
            super().send_receive_event_to_app()  # it closes the connection
            return
        self.frames = []
        self.takes(text)

    def write_text(self, data: bytes) -> bool:
        """Write a text now; False if that cannot be done, and it should be sent as ever."""
        if self.clogged or self.close_sent or self.disconnected or self.transport.is_closing():
            return False
        if self.unsent is None:
            self.unsent = []
            self.loop.call_soon(self.flush)  # an acknowledgement and its frame cost one write, not two
        self.unsent += (head(len(data)), data)
        return True

    def flush(self) -> None:
        unsent, self.unsent = self.unsent, None
        if unsent and not self.close_sent and not self.transport.is_closing():
            self.transport.write(b"".join(unsent))

    async def send(self, message: ASGISendEvent) -> None:
        self.flush()  # what came before goes before
        await super().send(message)

    def handle_ping(self) -> None:
        """Pings are answered, but not heaped up for a client that sends them and reads no answers."""
        if self.clogged:
            self.conn.data_to_send()
        else:
            super().handle_ping()

    def pause_writing(self) -> None:
        self.clogged = True
        if self.reading_deadline is None:
            self.reading_deadline = self.loop.call_later(self.reading_s, self.transport.abort)
        super().pause_writing()

    def resume_writing(self) -> None:
        self.clogged = False
        self.stop_waiting_for_reader()
        super().resume_writing()

    def stop_waiting_for_reader(self) -> None:
        if self.reading_deadline is not None:
            self.reading_deadline.cancel()
            self.reading_deadline = None

    def connection_lost(self, exc: Exception | None) -> None:
        self.takes = None
        self.stop_waiting_for_reader()
        super().connection_lost(exc)
