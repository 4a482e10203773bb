"""The socket of a live match: `GET /api/v1/matches/{id}/socket`.

One task reads what the client says and hands it to the table; another writes what the table
says. A client that reads slowly holds up nobody: frames it has no room for are skipped, and the
next one tells everything since. One that says nonsense is told so, and one that keeps at it, or
floods, is sent away.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from contextlib import suppress
from functools import partial
from typing import Any

import msgspec
from starlette.requests import HTTPConnection
from starlette.routing import BaseRoute, WebSocketRoute
from starlette.types import Receive, Scope, Send

from turntile import __version__
from turntile.core.errors import TurntileError
from turntile.core.gears import State
from turntile.match.match import Match
from turntile.server.ears import Feed, Letter
from turntile.server.explaining import Explainer, preview_marks, why_text
from turntile.server.hall import Hall
from turntile.server.identity import STILL_KNOWN_S, Identity, still_holds, who
from turntile.server.messages import (
    PROTOCOL,
    Act,
    Answer,
    Draw,
    Error,
    Frame,
    MatchInfo,
    Ping,
    Pong,
    Preview,
    Reconnect,
    Refused,
    Resign,
    Said,
    Welcome,
    Why,
    read_said,
)
from turntile.server.orders import Bid, Choose, GiveUp
from turntile.server.origins import same_site
from turntile.server.problems import Problem
from turntile.server.settings import Settings
from turntile.server.short_way import EXTENSION, ShortWayProtocol
from turntile.server.table import Table

log = logging.getLogger(__name__)

PATH = "/api/v1/matches/{match_id}/socket"
FEEDS: dict[str, Feed] = {"scene": "scene", "view": "view", "lines": "lines"}

GOING_AWAY, MISCONDUCT, TOO_BIG, COME_AGAIN = 1000, 1008, 1009, 1012
NOT_KNOWN, NOT_ALLOWED, NO_MATCH, TOO_SLOW = 4401, 4403, 4404, 4408

MOST_MISTAKES = 20  # messages that cannot be read, before the connection is closed
FRAMES_AHEAD = 1  # frames that wait to be written; the next one is made when there is room
GOODBYE_S = 2.0  # how long a client may take to hear that the connection is closed
MOVING_MS = 1000  # a match whose process has gone is claimed by another soon


class Closed(Exception):
    """The connection is to be closed, with a code and a sentence."""

    def __init__(self, code: int, sentence: str) -> None:
        super().__init__(sentence)
        self.code = code


class Refusals:
    """Hears only that something was refused: that it was not, frames and notes tell."""

    __slots__ = ("socket",)

    def __init__(self, socket: MatchSocket) -> None:
        self.socket = socket

    def hear(self, letter: Letter) -> None:
        if isinstance(letter.message, Refused):
            self.socket.hear(letter)


class Flood:
    """Messages, counted in windows."""

    __slots__ = ("began", "count", "most", "window_s")

    def __init__(self, most: int, window_s: float) -> None:
        self.most = most  # of one seat
        self.window_s = window_s
        self.began = 0.0
        self.count = 0

    def count_one(self, now: float) -> int:
        """How many that makes within the present window."""
        if now - self.began > self.window_s:
            self.began = now
            self.count = 0
        self.count += 1
        return self.count


class MatchSocket:
    """One client at one table: an ear, and a mouth."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.connection = HTTPConnection(scope)
        self.receive = receive
        self.send = send
        self.short_way: ShortWayProtocol | None = scope.get("extensions", {}).get(EXTENSION)
        self.hall: Hall = scope["app"].state.hall
        self.settings: Settings = scope["app"].state.settings
        self.loop = asyncio.get_running_loop()
        self.feed: Feed = "scene"
        self.seats: tuple[int, ...] = ()
        self.player_id: int | None = None
        self.table: Table | None = None
        self.queue: deque[Letter] = deque()
        self.frames = 0  # in the queue
        self.idle: asyncio.Future[None] | None = None  # the writer waits for something to write
        self.writer: asyncio.Task[None] | None = None
        self.mistakes = 0
        self.flood = Flood(self.settings.socket_messages, self.settings.socket_window_s)
        self.refusals = Refusals(self)
        self.closing: Closed | None = None
        self.answering = 0  # questions that are being thought about
        self.ended = False
        self.check_timer: asyncio.TimerHandle | None = None
        self.explainer: Explainer | None = None
        self.explained: tuple[int, int, State] | None = None  # whose eyes and which position that one knows

    # ------------------------------------------------------------------- as an ear

    def ready(self) -> bool:
        return self.frames < FRAMES_AHEAD

    def hear(self, letter: Letter) -> None:
        if self.closing is not None:
            return
        # Where nothing waits to be written, this need not wait for the writer either, if the client keeps up.
        at_once = self.idle is not None and not self.queue and type(letter.message) is not Reconnect
        if at_once and self.short_way is not None and self.short_way.write_text(letter.data):
            return
        self.queue.append(letter)
        if isinstance(letter.message, Frame):
            self.frames += 1
        if len(self.queue) > self.settings.socket_queue:
            self.close(TOO_SLOW, "you read too slowly: come again")
        elif isinstance(letter.message, Reconnect):
            self.close(COME_AGAIN, "the server restarts: come again")
        self.wake()

    def wake(self) -> None:
        if self.idle is not None and not self.idle.done():
            self.idle.set_result(None)

    def close(self, code: int, sentence: str) -> None:
        """What is queued is still written, then the connection is closed."""
        if self.closing is None:
            self.closing = Closed(code, sentence)
            self.wake()
            if self.writer is not None:  # it may wait for a client that takes nothing any more
                self.loop.call_later(GOODBYE_S, self.writer.cancel)

    # ------------------------------------------------------------------- the connection

    async def run(self) -> None:
        event = await self.receive()
        assert event["type"] == "websocket.connect", event
        wanted = self.connection.scope.get("subprotocols") or []
        await self.send(
            {"type": "websocket.accept", "subprotocol": PROTOCOL if PROTOCOL in wanted else None, "headers": []}
        )
        try:
            await self.enter()
        except Closed as refusal:
            await self.say_goodbye(refusal, with_error=True)
            return
        self.writer = writer = self.loop.create_task(self.write())
        reader = self.loop.create_task(self.read())
        if self.short_way is not None:
            self.short_way.takes = self.take_text
        self.check_later()
        try:
            await asyncio.wait({reader, writer}, return_when=asyncio.FIRST_COMPLETED)
        finally:
            self.ended = True
            if self.check_timer is not None:
                self.check_timer.cancel()
            if self.short_way is not None:
                self.short_way.takes = None
            assert self.table is not None
            self.table.unsubscribe(self)
            await end(reader)
            await end(writer)

    async def enter(self) -> None:
        """Who is it, what does he want to see? Raises Closed."""
        connection = self.connection
        if same_site(connection, self.settings) is False:
            raise Closed(MISCONDUCT, "this page may not open a socket here: its origin is not allowed")
        identity = await self.identify()
        query = connection.query_params
        feed = FEEDS.get(query.get("feed", "scene"))
        if feed is None:
            raise Closed(MISCONDUCT, "there is no such feed: say feed=scene, feed=view or feed=lines")
        self.feed = feed
        match_id = connection.path_params["match_id"]
        table = await self.hall.find(match_id) or self.hall.finished.get(match_id)
        if table is None:
            await self.tell_end(match_id, identity)
        assert table is not None
        self.table = table
        if identity is not None and query.get("watch", "0") != "1":
            if identity.scopes is not None:
                self.flood.most = self.settings.socket_messages_token
            if identity.may("play"):
                self.player_id = identity.player.id
                self.seats = table.seats_of(identity.player.id)
        if not self.seats and table.watchers >= self.settings.watchers_per_table:
            raise Closed(MISCONDUCT, "too many watch this match already: see the replay when it is over")
        self.hear(Letter(self.welcome(table)))
        table.subscribe(self, read_step(query.get("since", "")))

    async def identify(self) -> Identity | None:
        try:
            return await who(self.connection)
        except Problem as problem:
            code = NOT_KNOWN if problem.status == 401 else MISCONDUCT if problem.status == 429 else NOT_ALLOWED
            raise Closed(code, str(problem)) from None

    def check_later(self) -> None:
        if self.player_id is not None and not self.ended:
            self.check_timer = self.loop.call_later(STILL_KNOWN_S, lambda: self.hall.spawn(self.check()))

    async def check(self) -> None:
        """Does the cookie or token still hold? If not, the client comes again, as whoever it is by then."""
        if self.player_id is None or await still_holds(self.connection, self.player_id):
            self.check_later()
        else:
            self.hear(Letter(Reconnect(after_ms=MOVING_MS)))

    async def tell_end(self, match_id: str, identity: Identity | None) -> None:
        """A match that is not live: over, or none at all."""
        info = await self.hall.info(match_id, identity.player.id if identity is not None else None)
        if info is None:
            raise Closed(NO_MATCH, "there is no such match")
        if info.status in ("open", "playing"):
            await self.write_letter(Letter(Reconnect(after_ms=MOVING_MS)))
            raise Closed(COME_AGAIN, "the match is just moving to another process: come again")
        await self.write_letter(Letter(Welcome(turntile=__version__, match=info, seats=held_by(info))))
        raise Closed(GOING_AWAY, "the match is over: see its replay")

    def welcome(self, table: Table) -> Welcome:
        behind = not self.seats and not table.shown_live
        return Welcome(
            turntile=__version__,
            match=table.info(self.seats),
            seats=self.seats,
            delay_s=self.settings.watch_delay_s if behind else 0.0,
            delay_steps=self.settings.watch_delay_steps if behind else 0,
        )

    # ------------------------------------------------------------------- writing

    async def write(self) -> None:
        """Writes what is queued until the connection ends."""
        try:
            while True:
                while self.queue:
                    letter = self.queue.popleft()
                    if isinstance(letter.message, Frame):
                        self.frames -= 1
                    await self.write_letter(letter)
                if self.closing is not None:
                    await self.say_goodbye(self.closing)
                    return
                assert self.table is not None
                self.table.catch_up(self)
                if not self.queue:
                    self.idle = self.loop.create_future()
                    await self.idle
                    self.idle = None
        except (OSError, RuntimeError):  # the client has gone; whoever reads learns of it too
            return

    async def write_letter(self, letter: Letter) -> None:
        await self.send({"type": "websocket.send", "text": letter.text})

    async def say_goodbye(self, closed: Closed, with_error: bool = False) -> None:
        with suppress(OSError, RuntimeError):
            if with_error or closed.code not in (COME_AGAIN, GOING_AWAY):
                await self.write_letter(Letter(Error(sentence=str(closed))))
            await self.send({"type": "websocket.close", "code": closed.code, "reason": str(closed)[:100]})

    # ------------------------------------------------------------------- reading

    async def read(self) -> None:
        """Until the client goes, or is sent away."""
        while (event := await self.receive())["type"] != "websocket.disconnect":
            self.take_text(event.get("text"))  # while it is being closed: heard, and forgotten

    def take_text(self, text: str | None) -> None:
        """One message of the client; None for one that is no text."""
        if self.closing is not None:
            return
        now = self.loop.time()
        try:
            said = self.read_message(text, now)
        except Closed as refusal:
            self.close(refusal.code, str(refusal))
            return
        if said is None:
            return
        try:
            self.do(said, now)
        except TurntileError as refusal:
            seq = said.seq if isinstance(said, Act) else 0
            self.hear(Letter(Refused(seat=getattr(said, "seat", -1), seq=seq, sentence=str(refusal))))
        except Exception:  # ours: it is told and written down, and the connection goes on
            log.exception("table %s: %s failed", self.table.id if self.table is not None else "", type(said).__name__)
            self.hear(Letter(Error(sentence="the server made a mistake; it is in its log")))

    def read_message(self, text: str | None, now: float) -> Said | None:
        """None for what cannot be understood, which is told. Raises Closed."""
        if self.flood.count_one(now) > self.flood.most and self.flood.count > self.most_messages():
            raise Closed(
                MISCONDUCT,
                f"more than {self.most_messages()} messages in {self.flood.window_s:g} s are too many: be patient",
            )
        if text is None:
            self.complain("binary messages are not understood: send JSON as text")
            return None
        if len(text) > self.settings.socket_message_bytes:
            raise Closed(TOO_BIG, f"a message of {len(text)} characters is too long")
        try:
            return read_said(text)
        except msgspec.DecodeError as error:
            self.complain(f"this message cannot be read: {error}")
            return None

    def most_messages(self) -> int:
        """In one window: for each of several people at one keyboard, and in real time two for every step besides."""
        timing = self.table.timing if self.table is not None else None
        steps = self.flood.window_s / timing.real_s if timing is not None and timing.real_s else 0.0
        return int((self.flood.most + 2 * steps) * max(1, len(self.seats)))

    def complain(self, sentence: str) -> None:
        self.mistakes += 1
        if self.mistakes >= MOST_MISTAKES:
            raise Closed(MISCONDUCT, f"{self.mistakes} messages could not be read: goodbye")
        self.hear(Letter(Error(sentence=sentence[:500])))

    def do(self, said: Said, now: float) -> None:
        table = self.table
        assert table is not None
        if isinstance(said, Act):
            seat = self.own_seat(said.seat)
            if said.seq < 1:
                raise TurntileError("an action bears a seq of 1 or more: welcome and frames tell the next one")
            table.post(Choose(seat, said.seq, said.text, said.step, None, "", (), self, now))
        elif isinstance(said, Ping):
            self.hear(Letter(Pong(id=said.id)))
        elif isinstance(said, Resign):
            table.post(GiveUp(self.own_seat(said.seat), reply=self.refusals))
        elif isinstance(said, Draw):
            table.post(Bid(self.own_seat(said.seat), said.answer, self.refusals))
        elif isinstance(said, Preview):
            table.when_steady(partial(self.preview, table, said, self.own_seat(said.seat)))
        else:
            table.when_steady(partial(self.why, table, said, self.own_seat(said.seat)))

    def own_seat(self, seat: int) -> int:
        """The seat somebody speaks for. Raises TurntileError."""
        if not self.seats:
            raise TurntileError("you watch this match: only those who hold a seat can act")
        if seat == -1:
            if len(self.seats) > 1:
                raise TurntileError(f"you hold the seats {', '.join(map(str, self.seats))}: say which one acts")
            return self.seats[0]
        if seat not in self.seats:
            raise TurntileError(f"seat {seat} is not yours: you hold {', '.join(map(str, self.seats))}")
        return seat

    # ------------------------------------------------------------------- questions

    def preview(self, table: Table, said: Preview, seat: int) -> None:
        match = table.match
        marks = preview_marks(match, seat, said.text) if match is not None else ()
        self.hear(Letter(Answer(id=said.id, marks=marks)))

    def why(self, table: Table, said: Why, seat: int) -> None:
        match = table.match
        if match is None:
            self.hear(Letter(Answer(id=said.id, sentence="the match has not begun: seats are still open")))
        elif said.text:
            self.hear(Letter(Answer(id=said.id, sentence=why_text(match, seat, said.text))))
        elif self.answering:
            self.hear(Letter(Answer(id=said.id, sentence="one question at a time, please")))
        else:
            self.answering += 1
            self.hall.spawn(self.explain(self.explainer_of(match, seat), said))

    def explainer_of(self, match: Match, seat: int) -> Explainer:
        """What was found out about this position already is not found out again."""
        position = (seat, match.step_number, match.state)
        if self.explainer is None or self.explained != position:
            self.explainer, self.explained = Explainer(match, seat), position
        return self.explainer

    async def explain(self, explainer: Explainer, said: Why) -> None:
        try:
            async with self.hall.explaining:
                sentence = await asyncio.to_thread(explainer.why, said.key, said.cell)
        finally:
            self.answering -= 1
        self.hear(Letter(Answer(id=said.id, sentence=sentence)))


async def end(task: asyncio.Task[None]) -> None:
    task.cancel()
    with suppress(asyncio.CancelledError):
        await task


def held_by(info: MatchInfo) -> tuple[int, ...]:
    return tuple(seat.seat for seat in info.seats if seat.mine)


def read_step(text: str) -> int:
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else -1


class SocketEndpoint:
    """The ASGI app behind the route."""

    def __init__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.socket = MatchSocket(scope, receive, send)

    def __await__(self) -> Any:
        return self.socket.run().__await__()


ROUTES: tuple[BaseRoute, ...] = (WebSocketRoute(PATH, SocketEndpoint, name="match_socket"),)
