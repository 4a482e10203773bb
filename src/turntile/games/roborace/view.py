"""What one seat may know of a race: everything but the others' hands (R7) and the dice."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from turntile.games.roborace.board_text import SIGN_OF_TILE, TILE_SIGNS
from turntile.games.roborace.boards import DIRECTIONS, Decoration, Hall, Start, Wall, hall_of
from turntile.games.roborace.records import DECK, RoboRace
from turntile.games.roborace.rules import over
from turntile.games.roborace.words import card_text

HALLS = 256  # as many are remembered as matches run side by side


class RobotView(msgspec.Struct, frozen=True):
    """One robot. A destroyed one stands nowhere: it is at (-1, -1)."""

    x: int
    y: int
    direction: str  # north, east, south, west
    alive: bool


class CardView(msgspec.Struct, frozen=True):
    priority: int  # 1 to 84, the higher first
    does: str  # turn right, turn left, u-turn, back up, move 1, move 2, move 3


class View(msgspec.Struct, frozen=True):
    """The hall as it stands, the robots, and one's own hand; the judge sees every hand.

    `tiles` has a row of signs for each row: . floor, o pit, * goal, ^ > v < belts, ) and ( gears
    clockwise and anticlockwise.
    """

    seat: int | None
    width: int
    height: int
    round: int
    round_limit: int  # 0: none
    over: bool
    winner: int | None
    tiles: tuple[str, ...]
    walls: tuple[Wall, ...]
    decorations: tuple[Decoration, ...]
    starts: tuple[Start, ...]
    robots: tuple[RobotView, ...]
    hand: tuple[CardView, ...]  # one's own; empty for the judge
    hands: tuple[tuple[CardView, ...], ...]  # everybody's; only for the judge


CARDS = tuple(CardView(card, card_text(card)) for card in range(DECK + 1))


def view(s: RoboRace, seat: int | None) -> View:
    hall, rows = hall_and_rows(s)
    return View(
        seat=seat,
        width=s.width,
        height=s.height,
        round=s.round,
        round_limit=s.round_limit,
        over=over(s),
        winner=s.winner - 1 if s.winner else None,
        tiles=rows,
        walls=hall.walls,
        decorations=hall.decorations,
        starts=hall.starts,
        robots=tuple([view_robot(s, other) for other in range(s.players)]),
        hand=view_hand(s, seat) if seat is not None else (),
        hands=tuple([view_hand(s, other) for other in range(s.players)]) if seat is None else (),
    )


def hall_and_rows(s: RoboRace) -> tuple[Hall, tuple[str, ...]]:
    """The hall of a record, and its tiles as rows of signs."""
    size = s.width * s.height
    return remembered_hall(
        s.width,
        s.height,
        bytes(s.tiles[:size]),
        bytes(s.edges[:size]),
        bytes(s.decorations[:size]),
        tuple(s.start_cells[: s.starts]),
        bytes(s.start_facings[: s.starts]),
    )


@lru_cache(maxsize=HALLS)
def remembered_hall(
    width: int,
    height: int,
    tiles: bytes,
    edges: bytes,
    decorations: bytes,
    start_cells: tuple[int, ...],
    facings: bytes,
) -> tuple[Hall, tuple[str, ...]]:
    """A hall does not change during a race, but every picture of the race needs it."""
    s = RoboRace()
    s.width, s.height, s.starts = width, height, len(start_cells)
    s.tiles[: len(tiles)] = tiles
    s.edges[: len(edges)] = edges
    s.decorations[: len(decorations)] = decorations
    s.start_cells[: s.starts] = start_cells
    s.start_facings[: s.starts] = facings
    signs = "".join([SIGN_OF_TILE[tile] for tile in tiles])
    return hall_of(s), tuple([signs[y * width : (y + 1) * width] for y in range(height)])


def view_robot(s: RoboRace, seat: int) -> RobotView:
    robot = s.robots[seat]
    if not robot.alive:
        return RobotView(-1, -1, DIRECTIONS[robot.facing], False)
    return RobotView(robot.cell % s.width, robot.cell // s.width, DIRECTIONS[robot.facing], True)


def view_hand(s: RoboRace, seat: int) -> tuple[CardView, ...]:
    return tuple([CARDS[card] for card in s.robots[seat].hand])


def hall_in(view: View) -> Hall:
    """The hall of a view, as boards.py has it."""
    tiles = tuple(TILE_SIGNS[sign] for row in view.tiles for sign in row)
    return Hall(view.width, view.height, tiles, view.decorations, view.starts, view.walls)
