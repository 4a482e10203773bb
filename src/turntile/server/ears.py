"""Who listens to a table: sockets, streams, tests. And what they are given: letters.

A letter is a message whose JSON is written once, however many listen. A table never waits for
an ear: one that is behind says so, and later asks for the newest frame with all it has missed.
"""

from __future__ import annotations

from typing import Literal, Protocol

from turntile.server.messages import Message, write_message

Feed = Literal["scene", "view", "lines"]


class Letter:
    """A message, and its JSON once somebody has asked for it."""

    __slots__ = ("known_data", "message")

    def __init__(self, message: Message) -> None:
        self.message = message
        self.known_data: bytes | None = None

    @property
    def data(self) -> bytes:
        if self.known_data is None:
            self.known_data = write_message(self.message)
        return self.known_data

    @property
    def text(self) -> str:
        return self.data.decode()


class Hearer(Protocol):
    """Who is told something. `hear` never waits and never raises."""

    def hear(self, letter: Letter) -> None: ...


class Ear(Hearer, Protocol):
    """Who hears all that happens at a table, with the eyes of `seats`: () is a watcher's."""

    feed: Feed
    seats: tuple[int, ...]  # set anew by the table when its player takes a seat or gets up
    player_id: int | None  # whose seats those are; None: it only watches

    def ready(self) -> bool:
        """Whether it can take a frame now. If not, it calls `Table.catch_up` when it can."""
        ...


class NotStored(Exception):
    """Our fault: the action could not be written down. Nothing has changed; send it again."""
