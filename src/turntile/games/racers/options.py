"""What may be chosen for a match of Rowdy Racers, and what is refused with a sentence."""

from __future__ import annotations

from typing import Annotated

import msgspec

from turntile.core.errors import InvalidOptions
from turntile.games.racers.records import MAX_SIDE, MIN_SIDE, Racers

MAX_TURNS = 1_000_000


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    width: Annotated[int, msgspec.Meta(description=f"columns of the grid, {MIN_SIDE} to {MAX_SIDE}")] = 10
    height: Annotated[int, msgspec.Meta(description=f"rows of the grid, {MIN_SIDE} to {MAX_SIDE}")] = 10
    failure_percent: Annotated[
        int, msgspec.Meta(description="chance of a power failure on each square at the start of each turn, in per cent")
    ] = 5
    turn_limit: Annotated[
        int, msgspec.Meta(description="the match is a draw after so many turns of both players; 0 for no limit")
    ] = 0


def prepare(options: Options) -> Racers:
    """C6: a record ready for `setup`, or the reason why there cannot be one."""
    check_number("width", options.width)
    check_number("height", options.height)
    check_size(options.width, options.height)
    check_number("failure_percent", options.failure_percent)
    check_number("turn_limit", options.turn_limit)
    if not 0 <= options.failure_percent <= 100:
        raise InvalidOptions(f"failure_percent {options.failure_percent} is no chance in per cent: say 0 to 100")
    if not 0 <= options.turn_limit <= MAX_TURNS:
        raise InvalidOptions(f"turn_limit {options.turn_limit} cannot be: say 1 to {MAX_TURNS}, or 0 for no limit")
    record = Racers()
    record.width = options.width
    record.height = options.height
    record.failure_percent = options.failure_percent
    record.turn_limit = options.turn_limit
    return record


def check_number(name: str, value: object) -> None:
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidOptions(f"{name} {value!r} is not a whole number: say something like {name}=10")


def check_size(width: int, height: int) -> None:
    """C6: at least 10x10; at most what the records have room for."""
    if width < MIN_SIDE or height < MIN_SIDE:
        raise InvalidOptions(f"a {width}x{height} grid is too small: both sides need at least {MIN_SIDE} squares")
    if width > MAX_SIDE or height > MAX_SIDE:
        raise InvalidOptions(f"a {width}x{height} grid is too large: both sides may have at most {MAX_SIDE} squares")
