"""What may be chosen in Robot fight, and the record a match is set up from.

The rulebook's further ideas are off by default (X8): more robots or a larger grid are asked for
by `players`, `width` and `height` (X1), teams by `teams`, messages and mines by their names.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from turntile.core.errors import InvalidOptions
from turntile.games.robots.records import (
    EMPTY_MAP,
    MAX_SEATS,
    MAX_SIDE,
    MAX_TURNS,
    MIN_SIDE,
    RANDOM_MAP,
    STANDARD,
    Robots,
)

MAP_NUMBERS = {"standard": STANDARD, "empty": EMPTY_MAP, "random": RANDOM_MAP}


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Robot fight's options (R7, R8, X1 to X8)."""

    players: Annotated[int, Meta(description="how many robots fight, 2 to 8")] = 2
    width: Annotated[int, Meta(description="cells from left to right, 10 to 50")] = MIN_SIDE
    height: Annotated[int, Meta(description="cells from top to bottom, 10 to 50")] = MIN_SIDE
    map: Annotated[
        Literal["auto", "standard", "empty", "random"],
        Meta(description="obstacles: standard (10 x 10 only), none, or drawn; auto: standard if it fits, else drawn"),
    ] = "auto"
    turn_limit: Annotated[int, Meta(description="turns of all robots together until it is a draw, 1 to 2000")] = 200
    teams: Annotated[int, Meta(description="how many teams, dealt round in joining order; 0: each for itself")] = 0
    messages: Annotated[bool, Meta(description="robots may send each other messages")] = False
    mines: Annotated[bool, Meta(description="robots may carry mines")] = False


def prepare(options: Options) -> Robots:
    """A record ready for setup; everything that no match can be made of is refused here."""
    check(options)
    s = Robots()
    s.players = options.players
    s.width = options.width
    s.height = options.height
    s.map = MAP_NUMBERS[options.map if options.map != "auto" else default_map(options)]
    s.limit = options.turn_limit
    s.teams = options.teams
    s.messaging = options.messages
    s.mining = options.mines
    return s


def default_map(options: Options) -> str:
    return "standard" if (options.width, options.height) == (MIN_SIDE, MIN_SIDE) else "random"


def check(options: Options) -> None:
    players, width, height, teams = options.players, options.width, options.height, options.teams
    if not 2 <= players <= MAX_SEATS:
        raise InvalidOptions(f"{players} robots cannot fight: say 2 to {MAX_SEATS} players")
    if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
        raise InvalidOptions(f"a grid of {width} x {height} cells cannot be: both sides are {MIN_SIDE} to {MAX_SIDE}")
    if not 1 <= options.turn_limit <= MAX_TURNS:
        raise InvalidOptions(f"a limit of {options.turn_limit} turns cannot be: say 1 to {MAX_TURNS}")
    if options.map == "standard" and (width, height) != (MIN_SIDE, MIN_SIDE):
        raise InvalidOptions(
            f"the standard map has {MIN_SIDE} x {MIN_SIDE} cells, not {width} x {height}: say map empty or random"
        )
    if teams != 0 and not 2 <= teams < players:
        would_do = f"say 2 to {players - 1}, or 0 for none" if players > 2 else "teams need at least 3 players"
        raise InvalidOptions(f"{players} robots cannot make {teams} teams: {would_do}")
