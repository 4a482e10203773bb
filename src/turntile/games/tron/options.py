"""What may be chosen in Tron, and the record a match is set up from."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from turntile.core.errors import InvalidOptions
from turntile.games.tron.boards import BOARDS, CELL_OF, MIN_SIDE, read_board
from turntile.games.tron.records import EMPTY, MAX_SEATS, MAX_SIDE, Tron
from turntile.games.tron.rules import start_cell

MOST_POINTS = 100_000  # a match's points always fit a score

Points = Annotated[int, Meta(ge=0, le=MOST_POINTS)]


class Options(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Tron's options (F1, F2, T1, T10)."""

    players: Annotated[int, Meta(ge=2, le=MAX_SEATS, description="how many cycles race, 2 to 4")] = 2
    board: Annotated[
        Literal["random", "arena", "gates", "pillars", "minefield", "ring"],
        Meta(description="`random` draws one from the seed; the others are fixed"),
    ] = "random"
    size: Annotated[int, Meta(ge=MIN_SIDE, le=MAX_SIDE, description="the side of a random board, 5 to 50")] = 21
    map: Annotated[
        str, Meta(description="a board as text (# . b l i p), used instead of `board`; in a file, its text")
    ] = ""
    playon: Annotated[
        bool, Meta(description="false: the survivor travels on for points; true: the match ends at the last duel")
    ] = False
    win_points: Annotated[Points, Meta(description="points for a win")] = 1000
    tie_points: Annotated[Points, Meta(description="points for a tie")] = 300
    loss_points: Annotated[Points, Meta(description="points for a loss")] = 0
    square_points: Annotated[Points, Meta(description="points for every square travelled")] = 1
    powerup_points: Annotated[Points, Meta(description="points for every powerup collected, bonus points aside")] = 50
    bonus_points: Annotated[Points, Meta(description="points that Bonus Points give, in all")] = 200


def prepare(options: Options) -> Tron:
    """A record ready for setup; everything that no match can be made of is refused here."""
    s = Tron()
    s.players = options.players
    s.survivor_travels_on = not options.playon  # T1
    s.win_points = options.win_points
    s.tie_points = options.tie_points
    s.loss_points = options.loss_points
    s.square_points = options.square_points
    s.powerup_points = options.powerup_points
    s.bonus_points = options.bonus_points
    if options.map or options.board != "random":
        lay_board(s, read_board(options.map or BOARDS[options.board]))
    else:
        s.random_board = True
        s.width = s.height = options.size
    check_starts(s)
    return s


def lay_board(s: Tron, rows: list[str]) -> None:
    s.width, s.height = len(rows[0]), len(rows)
    for y, row in enumerate(rows):
        for x, drawn in enumerate(row):
            s.cells[y * s.width + x] = CELL_OF[drawn]


def check_starts(s: Tron) -> None:
    """F2: every cycle starts on an empty cell of its own."""
    taken: dict[int, int] = {}
    for seat in range(s.players):
        at = start_cell(s, seat)
        x, y = at % s.width, at // s.width
        if at in taken:
            raise InvalidOptions(
                f"{s.players} players do not fit on {s.width}x{s.height} cells: seats {taken[at]} and {seat} "
                f"would both start in row {y}, column {x}; 9x9 is large enough for all"
            )
        if s.cells[at] != EMPTY:
            drawn = next(drawn for drawn, content in CELL_OF.items() if content == s.cells[at])
            raise InvalidOptions(
                f"seat {seat} starts in row {y}, column {x} of the board, but {drawn!r} is there: put . there"
            )
        taken[at] = seat
