"""The doorbell: what happens to a player anywhere in the hall, for the streams of events of bots behind NAT.

A bot that is invited hears of a challenge. If it does not answer in time, the seat is free again.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Coroutine
from typing import TYPE_CHECKING, Any

from turntile.core.errors import TurntileError
from turntile.server.bots.streams import Holds, Lines
from turntile.server.messages import MatchInfo
from turntile.store.rows import PlayerRow

if TYPE_CHECKING:
    from turntile.server.hall import Hall
    from turntile.server.table import Table

log = logging.getLogger("turntile.server.bots")

MOST_STREAMS = 4  # of one player: the oldest is closed for a new one


class EventLines(Lines):
    """The events of one stream.

    What is going on is gathered while more is happening, and word from another process may come
    after the store has told the same: the gathered stands first, and nothing is told twice.
    """

    def __init__(self) -> None:
        super().__init__()
        self.gathering: list[dict[str, Any]] | None = []  # what happens meanwhile
        self.going_on: dict[tuple[str, int], str] = {}  # by match and seat: what was told last

    def ring(self, event: dict[str, Any]) -> None:
        if self.gathering is not None:
            self.gathering.append(event)
        elif self.is_news(event):
            self.put(event)

    def begin(self, going_on: list[dict[str, Any]]) -> None:
        meanwhile, self.gathering = self.gathering or [], None
        for event in [*going_on, *meanwhile]:
            self.ring(event)

    def is_news(self, event: dict[str, Any]) -> bool:
        kind = event["type"]
        about = event["challenge"] if kind in ("challenge", "challengeCanceled") else event["game"]
        place = about["id"], about["seat"]
        told = self.going_on.get(place)
        if kind in ("challengeCanceled", "gameFinish"):
            self.going_on.pop(place, None)
            return True
        if told == kind or told == "gameStart":  # a challenge that has been accepted
            return False
        self.going_on[place] = kind
        return True


class Doorbell:
    """A bystander of the hall."""

    def __init__(self, hall: Hall) -> None:
        self.hall = hall
        self.streams: dict[int, list[EventLines]] = {}
        self.tasks: set[asyncio.Task[None]] = set()

    # ------------------------------------------------------------------- what happens in the hall

    def invited(self, table: Table, seat: int, player_id: int) -> None:
        self.tell(player_id, challenge(table, seat))
        self.start(self.await_answer(table, seat, player_id))

    def uninvited(self, table: Table, seat: int, player_id: int) -> None:
        self.tell(player_id, {"type": "challengeCanceled", "challenge": {"id": table.id, "seat": seat}})

    def began(self, table: Table) -> None:
        for seat in table.seats:
            if seat.player_id in self.streams:
                self.tell(seat.player_id, game_event("gameStart", table, seat.seat))

    def ended(self, table: Table) -> None:
        for seat in table.seats:
            if seat.player_id in self.streams:
                self.tell(seat.player_id, game_event("gameFinish", table, seat.seat))

    # ------------------------------------------------------------------- streams

    def tell(self, player_id: int, event: dict[str, Any]) -> None:
        for lines in self.streams.get(player_id, ()):
            lines.ring(event)

    def listens(self, player_id: int) -> bool:
        """Whether a program of this player reads events now."""
        return player_id in self.streams

    async def sent(self, player: PlayerRow, keep_alive_s: float, holds: Holds) -> AsyncIterator[bytes]:
        """A stream of events, which begins with all that is going on."""
        lines = EventLines()
        mine = self.streams.setdefault(player.id, [])
        mine.append(lines)
        if len(mine) > MOST_STREAMS:
            mine[0].end()
        try:
            lines.begin([*self.going_on(player.id), *await self.going_on_elsewhere(player.id)])
            async for piece in lines.sent(keep_alive_s, holds):
                yield piece
        finally:
            mine.remove(lines)
            if not mine and self.streams.get(player.id) is mine:
                del self.streams[player.id]

    def going_on(self, player_id: int) -> list[dict[str, Any]]:
        events = []
        for table in list(self.hall.tables.values()):
            for seat in table.seats:
                if seat.player_id != player_id:
                    continue
                if seat.kind == "open":
                    events.append(challenge(table, seat.seat))
                elif table.match is not None and not table.match.over:
                    events.append(game_event("gameStart", table, seat.seat))
        return events

    async def going_on_elsewhere(self, player_id: int) -> list[dict[str, Any]]:
        """At the tables of other processes, as the store knows them."""
        store = self.hall.store
        events = []
        for row in await store.matches.going_on_of(player_id) if store.shared else ():
            info = await self.hall.info(row.id, player_id) if row.id not in self.hall.tables else None
            for seat in row.seats if info is not None else ():
                if seat.player_id == player_id and info is not None:
                    awaited = seat.kind == "open"
                    events.append(challenge_of(info, seat.seat) if awaited else event_of("gameStart", info, seat.seat))
        return events

    def closing(self) -> None:
        for task in self.tasks:
            task.cancel()
        for streams in self.streams.values():
            for lines in streams:
                lines.end()

    # ------------------------------------------------------------------- answers that do not come

    def start(self, work: Coroutine[Any, Any, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def await_answer(self, table: Table, seat: int, player_id: int) -> None:
        """A bot that says nothing declines. People who are invited (a rematch) take the time they like."""
        if await self.hall.store.bots.get(player_id) is None:
            return
        await asyncio.sleep(self.hall.settings.challenge_s)
        kept = table.seats[seat]
        if kept.kind != "open" or kept.player_id != player_id or table.match is not None:
            return
        player = await self.hall.store.players.get(player_id)
        if player is not None:
            try:
                await self.hall.leave(table, player)
            except TurntileError as refusal:
                log.info("match %s: the invitation of %s ended otherwise: %s", table.id, player.name, refusal)


def challenge(table: Table, seat: int) -> dict[str, Any]:
    return challenge_of(table.info(), seat)


def challenge_of(info: MatchInfo, seat: int) -> dict[str, Any]:
    return {
        "type": "challenge",
        "challenge": {
            "id": info.id,
            "status": "created",
            "challenger": {"name": info.created_by},
            "game": info.game,
            "options": info.options,
            "clock": info.clock,
            "rated": info.rated,
            "seat": seat,
            "players": [{"seat": one.seat, "name": one.name, "kind": one.kind} for one in info.seats],
        },
    }


def game_event(kind: str, table: Table, seat: int) -> dict[str, Any]:
    return event_of(kind, table.info((seat,)), seat)


def event_of(kind: str, info: MatchInfo, seat: int) -> dict[str, Any]:
    return {
        "type": kind,
        "game": {
            "id": info.id,
            "gameId": info.id,
            "game": info.game,
            "seat": seat,
            "clock": info.clock,
            "rated": info.rated,
            "status": info.status,
            "isMyTurn": seat in info.to_act,
            "outcome": info.outcome,
            "players": [{"seat": one.seat, "name": one.name, "kind": one.kind} for one in info.seats],
        },
    }
