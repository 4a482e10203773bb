"""Clients that do not finish what they began: uvicorn would wait for them for ever, we do not.

A head (the request line and headers) must be there within `head_s`, and be no larger than
`head_bytes_most`. A body must be there within `body_s`, or come at `body_bytes_a_second`, so that
an upload over a thin line gets through and a trickle does not. An answer that the client does not
read for `reading_s` is given up. Everything else may take its time: a handler that works long, a
stream that goes on for hours, a WebSocket on which nobody speaks (its pings find the dead ones).
"""

from __future__ import annotations

import asyncio
from typing import Any

import msgspec
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol

TITLES = {408: b"Request Timeout", 431: b"Request Header Fields Too Large"}


class ImpatientProtocol(HttpToolsProtocol):
    """uvicorn's HTTP protocol with an eye on the clock."""

    head_s = 10.0
    head_bytes_most = 64 * 1024
    body_s = 10.0
    body_bytes_a_second = 8 * 1024
    reading_s = 30.0

    def __init__(self, *args: Any, **more: Any) -> None:
        super().__init__(*args, **more)
        self.deadline: asyncio.TimerHandle | None = None
        self.reading_deadline: asyncio.TimerHandle | None = None
        self.in_head = True  # between two requests too: what comes next is a head
        self.head_bytes = 0
        self.body_bytes = 0
        self.body_began = 0.0
        self.requests = 0  # that have arrived whole
        self.upgraded = False  # a WebSocket now, and no longer ours

    # Where a request stands

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as in uvicorn
        super().connection_made(transport)
        self.wait_for_head()

    def data_received(self, data: bytes) -> None:
        arrived = self.requests
        super().data_received(data)
        if self.in_head and arrived == self.requests and not self.upgraded:
            self.head_bytes += len(data)
            if self.head_bytes > self.head_bytes_most:
                self.refuse(
                    431, f"the head of a request may have {self.head_bytes_most} bytes: send fewer or shorter headers"
                )
            elif self.deadline is None and self.nothing_to_answer():
                self.wait_for_head()  # an empty line between two requests has ended uvicorn's own wait

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self.wait_for_head()

    def on_headers_complete(self) -> None:
        self.in_head, self.head_bytes = False, 0
        super().on_headers_complete()
        self.body_bytes, self.body_began = 0, self.loop.time()
        self.wait(self.body_s, self.judge_body)

    def on_body(self, body: bytes) -> None:
        self.body_bytes += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        super().on_message_complete()
        self.in_head = True
        self.requests += 1
        self.stop_waiting()

    def handle_websocket_upgrade(self) -> None:
        self.upgraded = True
        self.stop_waiting()
        super().handle_websocket_upgrade()

    def connection_lost(self, exc: Exception | None) -> None:
        self.stop_waiting()
        self.stop_waiting_for_reader()
        super().connection_lost(exc)

    def nothing_to_answer(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    # What is waited for

    def wait_for_head(self) -> None:
        self.in_head = True
        self.wait(self.head_s, self.give_up_head)

    def give_up_head(self) -> None:
        self.deadline = None
        if self.head_bytes == 0 and self.cycle is None:
            self.transport.close()  # it never said a word: there is nothing to answer
        else:
            self.refuse(408, f"the head of the request did not arrive within {self.head_s:.0f} seconds: send it again")

    def judge_body(self) -> None:
        """The time is up: did the body come fast enough so far to be worth waiting on?"""
        self.deadline = None
        waited = self.loop.time() - self.body_began
        earned = self.body_s + self.body_bytes / self.body_bytes_a_second
        if self.flow.read_paused:
            self.wait(self.body_s, self.judge_body)  # we do not read: that is our slowness, not the client's
        elif earned > waited:
            self.wait(earned - waited, self.judge_body)
        else:
            self.refuse(408, f"the body of the request did not arrive within {waited:.0f} seconds: send it again")

    def wait(self, seconds: float, then: Any) -> None:
        self.stop_waiting()
        self.deadline = self.loop.call_later(seconds, then)

    def stop_waiting(self) -> None:
        if self.deadline is not None:
            self.deadline.cancel()
            self.deadline = None

    # Answers that are not read

    def pause_writing(self) -> None:
        super().pause_writing()
        if self.reading_deadline is None:
            self.reading_deadline = self.loop.call_later(self.reading_s, self.transport.abort)

    def resume_writing(self) -> None:
        self.stop_waiting_for_reader()
        super().resume_writing()

    def stop_waiting_for_reader(self) -> None:
        if self.reading_deadline is not None:
            self.reading_deadline.cancel()
            self.reading_deadline = None

    # How it ends

    def shutdown(self) -> None:
        """The server goes down: what has arrived whole is answered, half a request is not waited for."""
        if self.deadline is not None:
            self.stop_waiting()
            self.cut_off_handler()
            self.transport.close()
        else:
            super().shutdown()

    def refuse(self, status: int, sentence: str) -> None:
        """Say why where the answer has not begun yet, and close."""
        self.stop_waiting()
        if self.transport.is_closing():
            return
        if self.nothing_to_answer() or not self.cycle.response_started:
            self.transport.write(problem(status, sentence))
            self.cut_off_handler()
        self.transport.close()

    def cut_off_handler(self) -> None:
        """Whoever handles this request hears at once that nobody is there, and writes into nothing."""
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.disconnected = True
            self.cycle.message_event.set()


def problem(status: int, sentence: str) -> bytes:
    """The whole answer; below the application, so it is written by hand."""
    title = TITLES[status]
    body = msgspec.json.encode({"type": "about:blank", "title": title.decode(), "status": status, "detail": sentence})
    return (
        b"HTTP/1.1 %d %s\r\ncontent-type: application/problem+json\r\ncontent-length: %d\r\nconnection: close\r\n\r\n%s"
        % (status, title, len(body), body)
    )
