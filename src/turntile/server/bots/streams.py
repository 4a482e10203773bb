"""Streams of JSON lines for programs behind NAT: a line each time something happens, a blank one to keep them alive.

A reader who is too slow is not waited for: of a match he gets the newest state when he reads
again, and a stream of events that overflows ends, so that he opens it anew and hears all that is.
Who is no longer known (a token was revoked, an account closed) hears no more.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import TYPE_CHECKING, Any

import msgspec
from starlette.responses import StreamingResponse

from turntile.players.protocol import some_of
from turntile.server.ears import Feed, Letter
from turntile.server.identity import STILL_KNOWN_S
from turntile.server.messages import Frame, MatchInfo, Picture, Reconnect, SeatInfo, Told

if TYPE_CHECKING:
    from turntile.server.table import Table

MEDIA_TYPE = "application/x-ndjson"
MOST_WAITING = 500  # lines of an event stream that nobody reads
MOST_STREAMS = 4  # of one player at one table
MOST_STATES = 8  # states of a match that nobody reads; then only the newest counts

Holds = Callable[[], Awaitable[bool]]  # whether who opened a stream is still known


class Lines:
    """What is still to be sent on one stream."""

    def __init__(self) -> None:
        self.waiting: deque[bytes] = deque()
        self.arrived = asyncio.Event()
        self.ended = False

    def put(self, message: Any) -> None:
        if self.ended:
            return
        if len(self.waiting) >= MOST_WAITING:
            self.end()
            return
        self.waiting.append(msgspec.json.encode(message) + b"\n")
        self.arrived.set()

    def end(self) -> None:
        """Send what is waiting, then close."""
        self.ended = True
        self.arrived.set()

    def cut(self) -> None:
        """Close at once: what is waiting is not for this reader any more."""
        self.waiting.clear()
        self.end()

    async def cut_when_unknown(self, holds: Holds) -> None:
        while not self.ended:
            await asyncio.sleep(STILL_KNOWN_S)
            if not await holds():
                self.cut()

    async def sent(
        self, keep_alive_s: float, holds: Holds, drained: Callable[[], None] = lambda: None
    ) -> AsyncIterator[bytes]:
        """The stream's pieces, as they come, while who opened it is known."""
        asking = asyncio.get_running_loop().create_task(self.cut_when_unknown(holds))
        try:
            async for piece in self.pieces(keep_alive_s, drained):
                yield piece
        finally:
            asking.cancel()

    async def pieces(self, keep_alive_s: float, drained: Callable[[], None] = lambda: None) -> AsyncIterator[bytes]:
        while True:
            while self.waiting:
                yield self.waiting.popleft()
            if self.ended:
                return
            drained()
            if self.waiting:
                continue
            self.arrived.clear()
            try:
                async with asyncio.timeout(keep_alive_s):
                    await self.arrived.wait()
            except TimeoutError:
                yield b"\n"


def answer_lines(pieces: AsyncIterator[bytes]) -> StreamingResponse:
    # Proxies must pass lines on as they come.
    return StreamingResponse(pieces, media_type=MEDIA_TYPE, headers={"X-Accel-Buffering": "no"})


# ------------------------------------------------------------------- one match


class GameStream:
    """A seat's stream of one match, as an ear of its table."""

    feed: Feed = "view"

    def __init__(self, table: Table, seat: int) -> None:
        self.table = table
        self.seat = seat
        self.seats: tuple[int, ...] = (seat,)
        self.player_id = table.seats[seat].player_id
        self.lines = Lines()
        self.full = False  # gameFull has been said
        self.gone: dict[int, bool] = {}

    def open(self) -> None:
        """The oldest of too many ends: whoever opened them anew does not read it any more."""
        mine = [ear for ear in self.table.ears() if isinstance(ear, GameStream) and ear.player_id == self.player_id]
        for old in mine[: max(0, len(mine) - MOST_STREAMS + 1)]:
            old.lines.end()
            self.table.unsubscribe(old)
        self.table.subscribe(self)
        if not self.full:  # the match has not begun: there is nothing to see yet
            self.say_full(None)

    async def sent(self, keep_alive_s: float, holds: Holds) -> AsyncIterator[bytes]:
        self.open()
        try:
            async for piece in self.lines.sent(keep_alive_s, holds, self.catch_up):
                yield piece
        finally:
            self.table.unsubscribe(self)

    def catch_up(self) -> None:
        self.table.catch_up(self)

    def ready(self) -> bool:
        return len(self.lines.waiting) < MOST_STATES

    def hear(self, letter: Letter) -> None:
        message = letter.message
        if isinstance(message, Frame):
            state = self.state(message)
            if self.full:
                self.lines.put({"type": "gameState", **state})
            else:
                self.say_full(state)
            if message.outcome is not None:
                self.lines.end()
        elif isinstance(message, Told):
            self.hear_told(message)
        elif isinstance(message, Reconnect):
            self.lines.end()

    def hear_told(self, told: Told) -> None:
        if told.match is not None:
            for seat in told.match.seats:
                self.watch(seat)
            if told.match.status in ("over", "stopped"):
                if told.match.status == "stopped":
                    self.lines.put({"type": "gameState", "status": "stopped", "reason": told.match.stopped})
                self.lines.end()
                return
        if told.match is None or told.match.draw_offers:  # a queued action refused; a draw offered
            self.lines.put({"type": "told", "text": told.sentence})

    def watch(self, seat: SeatInfo) -> None:
        """Whether a person at another seat is connected."""
        if seat.seat == self.seat or seat.kind != "human":
            return
        before = self.gone.get(seat.seat)
        self.gone[seat.seat] = not seat.present
        if before is not None and before == seat.present:
            self.lines.put({"type": "opponentGone", "seat": seat.seat, "gone": not seat.present})

    def say_full(self, state: dict[str, Any] | None) -> None:
        self.full = True
        info = self.table.info((self.seat,))
        for seat in info.seats:
            self.watch(seat)
        self.lines.put(game_full(info, self.seat, state))

    def state(self, frame: Frame) -> dict[str, Any]:
        picture = next(picture for picture in frame.pictures if picture.seat == self.seat)
        return {
            "step": frame.step,
            "view": picture.view,
            "legal": self.some_legal(picture),
            "legal_count": picture.legal_count,
            "heard": picture.lines,
            "to_act": frame.to_act,
            "my_turn": self.seat in frame.waiting,
            "next_seq": picture.next_seq,
            "clock": frame.clocks[self.seat] if self.seat < len(frame.clocks) else None,
            "status": "playing" if frame.outcome is None else "over",
            "outcome": frame.outcome,
        }

    def some_legal(self, picture: Picture) -> tuple[str, ...]:
        """All legal actions, or a random choice where they are too many to list."""
        match = self.table.match
        if picture.legal or not picture.legal_count or match is None or self.seat not in match.waiting():
            return picture.legal
        return some_of(match.turn(self.seat).legal, match.step_number)


def game_full(info: MatchInfo, seat: int, state: dict[str, Any] | None) -> dict[str, Any]:
    """The first line of a match's stream."""
    return {
        "type": "gameFull",
        "id": info.id,
        "game": info.game,
        "title": info.title,
        "options": info.options,
        "clock": info.clock,
        "rated": info.rated,
        "createdAt": info.created,
        "seat": seat,
        "players": [{"seat": one.seat, "name": one.name, "kind": one.kind, "rating": one.rating} for one in info.seats],
        "status": info.status,
        "state": state,
    }
