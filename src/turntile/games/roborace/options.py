"""What may be chosen in RoboRace, and the record a race is set up from."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from turntile.core.errors import InvalidOptions
from turntile.games.roborace.board_text import read_board
from turntile.games.roborace.boards import Hall, InvalidBoard, lay_hall, starts_without_way
from turntile.games.roborace.generator import MAX_LEVEL, MIN_SIDE, make_hall
from turntile.games.roborace.halls import BOARDS
from turntile.games.roborace.records import MAX_SEATS, MAX_SIDE, RoboRace

MOST_ROUNDS = 100_000

Side = Annotated[int, Meta(ge=MIN_SIDE, le=MAX_SIDE)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """RoboRace's options (RR-robot, R8, F9)."""

    players: Annotated[int, Meta(ge=1, le=MAX_SEATS, description="how many robots race, 1 to 4")] = 4
    board: Annotated[
        Literal["yard", "belts", "gears", "presses", "abyss", "made"],
        Meta(description="one of five halls from easy to hard, or `made`: drawn from board_seed"),
    ] = "gears"
    map: Annotated[str, Meta(description="a hall as text or XML, used instead of `board`; in a file, its text")] = ""
    board_seed: Annotated[int, Meta(ge=0, le=2**63 - 1, description="which hall is made")] = 1
    width: Annotated[Side, Meta(description="the width of a made hall")] = 12
    height: Annotated[Side, Meta(description="the height of a made hall")] = 12
    level: Annotated[int, Meta(ge=1, le=MAX_LEVEL, description="how hard a made hall is, 1 to 5")] = 3
    round_limit: Annotated[
        int, Meta(ge=0, le=MOST_ROUNDS, description="after so many rounds it is a draw; 0: no limit")
    ] = 0


def prepare(options: Options) -> RoboRace:
    """A record ready for setup; everything that no race can be made of is refused here."""
    hall = chosen_hall(options)
    if options.players > len(hall.starts):
        raise InvalidOptions(
            f"{options.players} players, but the hall has {len(hall.starts)} starts: choose fewer players"
        )
    lost = starts_without_way(hall)
    if lost and not options.round_limit:
        raise InvalidOptions(
            f"no cards lead from start {lost[0]} to a goal, so the race might never end: "
            "change the hall or set a round_limit"
        )
    s = RoboRace()
    lay_hall(s, hall)
    s.players = options.players
    s.round_limit = options.round_limit
    return s


def chosen_hall(options: Options) -> Hall:
    if options.map:
        try:
            return read_board(options.map)
        except InvalidBoard as error:
            raise InvalidOptions(f"the map cannot be read: {error}") from error
    if options.board == "made":
        return make_hall(options.board_seed, options.width, options.height, options.players, options.level)
    return read_board(BOARDS[options.board])
