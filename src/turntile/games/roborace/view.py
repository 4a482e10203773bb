"""What one seat may know of a race: everything but the others' hands (R7) and the dice."""

from __future__ import annotations

import msgspec

from turntile.games.roborace.board_text import SIGN_OF_TILE, TILE_SIGNS
from turntile.games.roborace.boards import DIRECTIONS, Decoration, Hall, Start, Wall, hall_of
from turntile.games.roborace.records import RoboRace
from turntile.games.roborace.rules import over
from turntile.games.roborace.words import card_text


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


def view(s: RoboRace, seat: int | None) -> View:
    hall = hall_of(s)
    signs = "".join(SIGN_OF_TILE[tile] for tile in hall.tiles)
    return View(
        seat=seat,
        width=s.width,
        height=s.height,
        round=s.round,
        round_limit=s.round_limit,
        over=over(s),
        winner=s.winner - 1 if s.winner else None,
        tiles=tuple(signs[y * s.width : (y + 1) * s.width] for y in range(s.height)),
        walls=hall.walls,
        decorations=hall.decorations,
        starts=hall.starts,
        robots=tuple(view_robot(s, other) for other in range(s.players)),
        hand=view_hand(s, seat) if seat is not None else (),
        hands=tuple(view_hand(s, other) for other in range(s.players)) if seat is None else (),
    )


def view_robot(s: RoboRace, seat: int) -> RobotView:
    robot = s.robots[seat]
    if not robot.alive:
        return RobotView(-1, -1, DIRECTIONS[robot.facing], False)
    return RobotView(robot.cell % s.width, robot.cell // s.width, DIRECTIONS[robot.facing], True)


def view_hand(s: RoboRace, seat: int) -> tuple[CardView, ...]:
    return tuple(CardView(card, card_text(card)) for card in s.robots[seat].hand)


def hall_in(view: View) -> Hall:
    """The hall of a view, as boards.py has it."""
    tiles = tuple(TILE_SIGNS[sign] for row in view.tiles for sign in row)
    return Hall(view.width, view.height, tiles, view.decorations, view.starts, view.walls)
