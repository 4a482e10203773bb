"""What somebody wants of a new table: the game, its options, and who is to sit where."""

from __future__ import annotations

from typing import Any, Literal

import msgspec


class SeatWish(msgspec.Struct, frozen=True):
    """Who is to sit there."""

    kind: Literal["me", "open", "bot"] = "open"
    name: str = ""  # of a second person at the same screen
    bot: str = ""  # a level ("hard"), a bot of the game ("tree:200"), or a registered one ("@name")


class NewTable(msgspec.Struct, frozen=True, kw_only=True):
    """A wish for a table. Seats that are not named stay open."""

    game: str
    options: dict[str, Any] = {}
    seats: tuple[SeatWish, ...] = ()
    clock: str = ""  # "": none; a time control; "real 300ms" for a game in real time
    listed: bool = True
    rated: bool = False
