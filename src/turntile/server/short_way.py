"""The short way of a socket's texts: from the connection to the app and back without a task for each.

ASGI hands every message over through a queue and two tasks, which costs more than most actions
themselves. An app that finds this protocol in `scope["extensions"]` may ask for texts to be
given to it at once, and may write texts at once while the client keeps up. A text that came whole
and alone, as nearly all do, is read here. Everything else (handshake, pings, closing, pieces,
binary messages, a client that is behind) goes uvicorn's way as ever, frame by whole frame, and so
does everything where another server or protocol runs the app.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, MutableMapping
from typing import Any, cast
from weakref import WeakKeyDictionary

from uvicorn._types import ASGISendEvent
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request
from websockets.protocol import State

try:
    from websockets.speedups import apply_mask
except ImportError:  # where it was built without a C compiler
    from websockets.utils import apply_mask

log = logging.getLogger(__name__)

EXTENSION = "turntile.short_way"
TEXT = 0x81  # the first byte of a whole text message
SHORT, LONG = 126, 127  # a length in two bytes, or in eight
MASKED = 0x80  # what a client adds to the length
MASK_SIZE = 4
LONGEST_HEAD = 14


HEADS = tuple([bytes((TEXT, size)) for size in range(SHORT)])


def head(size: int) -> bytes:
    """What stands before a server's text of so many bytes."""
    if size < SHORT:
        return HEADS[size]
    if size < 1 << 16:
        return bytes((TEXT, SHORT)) + size.to_bytes(2, "big")
    return bytes((TEXT, LONG)) + size.to_bytes(8, "big")


def frame_size(data: bytes | bytearray, at: int = 0) -> int:
    """How long the client's frame that begins there is, head included; 0 if too little has come to tell."""
    if len(data) < at + 2:
        return 0
    size = data[at + 1] & ~MASKED
    begin = 2 if size < SHORT else 4 if size == SHORT else 10
    if len(data) < at + begin:
        return 0
    if size >= SHORT:
        size = int.from_bytes(data[at + 2 : at + begin], "big")
    return begin + (MASK_SIZE if data[at + 1] & MASKED else 0) + size


class Together:
    """The sockets of one event loop that have something to write: one turn of the loop serves all of them."""

    def __init__(self) -> None:
        self.waiting: list[ShortWayProtocol] = []

    def flush(self) -> None:
        waiting, self.waiting = self.waiting, []
        for protocol in waiting:
            try:
                protocol.flush()
            except Exception:  # one connection's trouble; the others are to get theirs
                log.exception("a text could not be written")


TOGETHER: WeakKeyDictionary[asyncio.AbstractEventLoop, Together] = WeakKeyDictionary()


class ShortWayProtocol(WebSocketsSansIOProtocol):
    """uvicorn's WebSocket with a short way beside ASGI's."""

    takes: Callable[[str], None] | None = None  # who wants texts at once
    clogged = False  # the client reads more slowly than we write
    reading_s = 30.0  # a client that takes nothing for so long is cut off, and what waits for it is forgotten
    reading_deadline: asyncio.TimerHandle | None = None
    unsent: list[bytes] | None = None  # texts of this moment, which go out together
    unread: bytearray | None = None  # the beginning of a frame

    def handle_connect(self, event: Request) -> None:
        self.together = TOGETHER.setdefault(self.loop, Together())
        super().handle_connect(event)
        scope = cast("MutableMapping[str, Any] | None", getattr(self, "scope", None))
        if scope is not None:
            scope["extensions"][EXTENSION] = self  # the app's task has not begun yet

    def data_received(self, data: bytes) -> None:
        size = len(data)
        alone = size >= 6 and data[0] == TEXT and data[1] - MASKED == size - 6 < SHORT
        if alone and self.takes is not None and self.unread is None and self.reads_texts():
            self.take(apply_mask(data[6:], data[2:6]))
            return
        if self.conn.state is State.CONNECTING:
            super().data_received(data)  # the handshake; a client has to wait for the answer
        else:
            self.receive_frames(data)

    def reads_texts(self) -> bool:
        """Whether a text may come now: not in the middle of another one, not before others, not after the end."""
        conn = self.conn
        return conn.current_size is None and conn.state is State.OPEN and not self.close_sent and self.queue.empty()

    def receive_frames(self, data: bytes) -> None:
        """Give uvicorn whole frames, so that between two reads it is between two frames, and so are we."""
        if self.unread is not None:
            self.unread += data
            if self.is_piece(self.unread, 0):
                return
            data, self.unread = bytes(self.unread), None
        at = 0
        while at < len(data) and self.conn.state is State.OPEN:
            if self.is_piece(data, at):
                self.unread = bytearray(data[at:])
                return
            size = frame_size(data, at)
            super().data_received(data[at : at + size])
            at += size
        if at < len(data):
            super().data_received(data[at:])

    def is_piece(self, data: bytes | bytearray, at: int) -> bool:
        """Whether the frame that begins there has still to come in part. One that is too large is not waited for."""
        size = frame_size(data, at)
        return len(data) - at < size <= self.config.ws_max_size + LONGEST_HEAD if size else True

    def take(self, data: bytes) -> None:
        """A whole text."""
        assert self.takes is not None
        try:
            text = data.decode()
        except UnicodeDecodeError:
            self.curr_msg_data_type, self.frames = "text", [data]
            super().send_receive_event_to_app()  # it closes the connection
            return
        self.takes(text)

    def send_receive_event_to_app(self) -> None:
        # What has come before and was not asked for yet goes first.
        if self.takes is None or self.curr_msg_data_type != "text" or self.close_sent or not self.queue.empty():
            super().send_receive_event_to_app()
            return
        data, self.frames = b"".join(self.frames), []
        self.take(data)

    def write_text(self, data: bytes) -> bool:
        """Write a text now; False if that cannot be done, and it should be sent as ever."""
        if self.clogged or self.close_sent or self.disconnected or self.transport.is_closing():
            return False
        if self.unsent is None:  # an acknowledgement and its frame cost one write, not two
            self.unsent = [head(len(data)), data]
            if not self.together.waiting:
                self.loop.call_soon(self.together.flush)
            self.together.waiting.append(self)
        else:
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
