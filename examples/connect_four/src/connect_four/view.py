"""What a seat may know of Connect Four: everything."""

from __future__ import annotations

import msgspec

from connect_four.rules import ConnectFour, over, turn_of
from connect_four.words import picture


class View(msgspec.Struct, frozen=True):
    seat: int | None
    width: int
    height: int
    rows: tuple[str, ...]  # `.`, `x` and `o`, from the top
    turn: int  # whose turn it is, -1 when it is over
    winner: int  # the seat, or -1


def view(record: ConnectFour, seat: int | None) -> View:
    turn = -1 if over(record) else turn_of(record)
    return View(seat, record.width, record.height, tuple(picture(record)), turn, record.winner - 1)
