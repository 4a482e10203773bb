"""A hall on a real database inside the test's own event loop, and ears that keep what they hear."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar
from unittest.mock import patch

from tests.server.arena import QUICK
from turntile.server.ears import Feed, Letter
from turntile.server.hall import Hall
from turntile.server.messages import Ack, Frame, Message, Refused, Told
from turntile.server.seating import NewTable, SeatWish
from turntile.server.table import Table
from turntile.store import open_store
from turntile.store.rows import PlayerRow

Kind = TypeVar("Kind", bound=Message)
Result = TypeVar("Result")
PATIENCE_S = 60.0

SEED = f"{7:016x}"  # of all matches: none ends by chance before its test does

ME = SeatWish("me")
OPEN = SeatWish("open")


def bot(text: str) -> SeatWish:
    return SeatWish("bot", bot=text)


@asynccontextmanager
async def open_hall(folder: Path, **changes: Any) -> AsyncIterator[Hall]:
    """A hall as the server has it; what it stores outlives it, so that the next one goes on."""
    settings = replace(QUICK, **{"db": f"sqlite:///{folder / 'arena.db'}", "countdown_s": 0.0, **changes})
    store = await open_store(settings.db)
    hall = Hall(store, settings)
    await hall.start()
    try:
        with patch("turntile.server.hall.draw_seed", lambda: SEED):
            yield hall
    finally:
        await hall.stop()
        await store.close()


async def person(hall: Hall, name: str) -> PlayerRow:
    found = await hall.store.players.by_name(name)
    return found or await hall.store.players.create(name, "person", time.time())


async def guest(hall: Hall, name: str) -> PlayerRow:
    return await hall.store.players.create(name, "guest", time.time())


def wish(
    game: str, *seats: SeatWish, clock: str = "", listed: bool = True, rated: bool = False, **options: Any
) -> NewTable:
    return NewTable(game=game, seats=seats, clock=clock, listed=listed, rated=rated, options=options)


class Listener:
    """An ear that keeps everything, in order."""

    def __init__(self, *seats: int, feed: Feed = "lines", player_id: int | None = None) -> None:
        self.seats = seats
        self.feed: Feed = feed
        self.player_id = player_id
        self.heard: list[Message] = []
        self.letters: list[Letter] = []
        self.can_hear = True

    def ready(self) -> bool:
        return self.can_hear

    def hear(self, letter: Letter) -> None:
        self.heard.append(letter.message)
        self.letters.append(letter)

    def all(self, kind: type[Kind]) -> list[Kind]:
        return [message for message in self.heard if isinstance(message, kind)]

    @property
    def frames(self) -> list[Frame]:
        return self.all(Frame)

    @property
    def lines(self) -> list[str]:
        return [line for frame in self.frames for picture in frame.pictures for line in picture.lines]

    @property
    def told(self) -> list[str]:
        return [message.sentence for message in self.all(Told)]

    @property
    def answers(self) -> list[Ack | Refused]:
        return [message for message in self.heard if isinstance(message, Ack | Refused)]


async def until(fact: Callable[[], object]) -> None:
    """Wait until something is so."""
    async with asyncio.timeout(PATIENCE_S):
        while not fact():
            await asyncio.sleep(0.002)


def run(story: Coroutine[Any, Any, Result]) -> Result:
    """A test's story, in an event loop of its own; one that hangs fails."""

    async def within() -> Result:
        async with asyncio.timeout(PATIENCE_S):
            return await story

    return asyncio.run(within())


def first_legal(table: Table, seat: int) -> str:
    assert table.match is not None
    return table.match.turn(seat).legal[0]


async def play(table: Table, actions: int = 1) -> None:
    """So many actions, each the first legal one of whoever is to act."""
    for _ in range(actions):
        assert table.match is not None
        seat = table.match.waiting()[0]
        await table.act(seat, 0, first_legal(table, seat))


async def play_out(table: Table, most: int = 2000) -> None:
    """All seats take their first legal actions until the match is over."""
    for _ in range(most):
        if table.match is None or table.match.over:
            break
        await play(table)
    await table.settled()
