"""The easel: pictures are drawn one after the other, between the actions of everybody.

An action takes microseconds, a picture hundreds of them. So an action is acknowledged at once, and
pictures wait here; between two of them the loop looks after all sockets. Those who play see theirs
first, and watchers get a turn now and then even so. A match that goes on before its picture was
drawn is drawn once, as it stands by then: under too much load people see fewer pictures, not older
ones, and nobody's action waits for them.
"""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

log = logging.getLogger(__name__)

PLAYERS_FIRST = 4  # pictures for players between two for watchers, while both wait


class Painter(Protocol):
    """Who draws when it is its turn: a lookout."""

    def draw(self, seats: tuple[int, ...]) -> None:
        """The picture that the holders of these seats see; () are watchers."""
        ...


Wish = tuple[Painter, tuple[int, ...]]


class Easel:
    """The pictures of all tables of a process that have still to be drawn."""

    def __init__(self) -> None:
        self.loop = asyncio.get_running_loop()
        self.for_players: dict[Wish, None] = {}  # in the order they were asked for, each once
        self.for_watchers: dict[Wish, None] = {}
        self.players_in_a_row = 0
        self.turn: asyncio.Handle | None = None

    @property
    def waiting(self) -> int:
        return len(self.for_players) + len(self.for_watchers)

    def ask(self, painter: Painter, seats: tuple[int, ...]) -> None:
        wishes = self.for_players if seats else self.for_watchers
        wishes[painter, seats] = None
        if self.turn is None:
            self.turn = self.loop.call_soon(self.draw_one)

    def draw_one(self) -> None:
        self.turn = None
        painter, seats = self.take()
        try:
            painter.draw(seats)
        except Exception:  # one table's fault: its match goes on, and others are to see theirs
            log.exception("a picture could not be drawn")
        if self.turn is None and self.waiting:
            self.turn = self.loop.call_soon(self.draw_one)

    def take(self) -> Wish:
        """The longest waiting, players before watchers for the most part."""
        watchers_turn = self.for_watchers and (not self.for_players or self.players_in_a_row >= PLAYERS_FIRST)
        self.players_in_a_row = 0 if watchers_turn else self.players_in_a_row + 1
        wishes = self.for_watchers if watchers_turn else self.for_players
        wish = next(iter(wishes))
        del wishes[wish]
        return wish

    def close(self) -> None:
        """Nothing is drawn any more."""
        self.for_players.clear()
        self.for_watchers.clear()
        if self.turn is not None:
            self.turn.cancel()
            self.turn = None
