"""Factory halls as plain data: what is asked of one (R6), and how it gets into a record and out again.

The two written forms of a hall are in board_text.py and board_xml.py.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from turntile.core.errors import InvalidOptions
from turntile.core.grid import DOWN, LEFT, RIGHT, STEP_X, STEP_Y, UP
from turntile.games.roborace.efforts import measure_efforts
from turntile.games.roborace.records import (
    ABYSS,
    BELT,
    CRUSHER,
    DECORATION_SHIFT,
    FLOOR,
    GEAR_LEFT,
    GEAR_RIGHT,
    GOAL,
    MAX_SIDE,
    MAX_STARTS,
    NEVER,
    PHASES,
    PIT,
    PUSHER,
    RoboRace,
)

DIRECTIONS = ("north", "east", "south", "west")
TILE_WORDS = {
    FLOOR: "floor",
    PIT: "pit",
    GOAL: "goal",
    GEAR_RIGHT: "gear clockwise",
    GEAR_LEFT: "gear anticlockwise",
    **{BELT + way: f"belt {word}" for way, word in enumerate(DIRECTIONS)},
}
PHASES_OF = {"crusher": 2, "pusher": 3}  # RR-crusher, RR-pusher


class InvalidBoard(InvalidOptions):
    """A hall nobody can race in: the place and the reason, and which of its parts is to blame."""

    def __init__(self, sentence: str, part: object = None) -> None:
        super().__init__(sentence)
        self.part = part


class Decoration(msgspec.Struct, frozen=True, order=True):
    """A crusher or a pusher on a cell, and the phases it acts in."""

    x: int
    y: int
    kind: Literal["crusher", "pusher"]
    phases: tuple[int, ...]
    direction: str = ""  # of a pusher


class Start(msgspec.Struct, frozen=True):
    x: int
    y: int
    direction: str


class Wall(msgspec.Struct, frozen=True, order=True):
    """F2: the north or west edge of a cell; y = height and x = width are the far borders."""

    x: int
    y: int
    side: Literal["north", "west"]


class Hall(msgspec.Struct, frozen=True):
    """A factory hall: tiles row by row, decorations and walls sorted, starts in the players' order."""

    width: int
    height: int
    tiles: tuple[int, ...]
    decorations: tuple[Decoration, ...]
    starts: tuple[Start, ...]
    walls: tuple[Wall, ...]


def checked_hall(hall: Hall) -> Hall:
    """The hall, if it can be raced in; else InvalidBoard with the place and the reason (R6)."""
    if not (1 <= hall.width <= MAX_SIDE and 1 <= hall.height <= MAX_SIDE):
        raise InvalidBoard(f"a hall of {hall.width}x{hall.height} cells: each side must be 1 to {MAX_SIDE}")
    if len(hall.tiles) != hall.width * hall.height:
        raise InvalidBoard(
            f"{len(hall.tiles)} tiles for {hall.width}x{hall.height} cells: there must be {hall.width * hall.height}"
        )
    check_decorations(hall)
    check_starts(hall)
    for wall in hall.walls:
        wide, high = (hall.width - 1, hall.height) if wall.side == "north" else (hall.width, hall.height - 1)
        if not (0 <= wall.x <= wide and 0 <= wall.y <= high):
            reason = f"is outside the hall: x may be 0 to {wide}, y 0 to {high}"
            raise InvalidBoard(f"the {wall.side} wall at ({wall.x}, {wall.y}) {reason}", wall)
    if GOAL not in hall.tiles:
        raise InvalidBoard("the hall has no goal: at least one cell must be one")
    return hall


def check_decorations(hall: Hall) -> None:
    seen: set[tuple[int, int]] = set()
    for decoration in hall.decorations:
        what = f"the {decoration.kind} at ({decoration.x}, {decoration.y})"
        if not inside(hall, decoration.x, decoration.y):
            raise InvalidBoard(f"{what} is outside the hall of {hall.width}x{hall.height} cells", decoration)
        if (decoration.x, decoration.y) in seen:
            raise InvalidBoard(f"{what} is the second decoration of its cell: a cell has at most one", decoration)
        seen.add((decoration.x, decoration.y))
        wanted = PHASES_OF[decoration.kind]
        if len(decoration.phases) != wanted or len(set(decoration.phases)) != wanted:
            reason = f"{what} must act in {wanted} different phases, not in {spelled(decoration.phases)}"
            raise InvalidBoard(reason, decoration)
        for phase in decoration.phases:
            if not 1 <= phase <= PHASES:
                raise InvalidBoard(f"{what} cannot act in phase {phase}: phases are 1 to {PHASES}", decoration)
        if decoration.kind == "pusher" and decoration.direction not in DIRECTIONS:
            raise InvalidBoard(f"{what} has no direction: give it north, east, south or west", decoration)


def check_starts(hall: Hall) -> None:
    if not hall.starts:
        raise InvalidBoard("the hall has no start: every player needs one")
    if len(hall.starts) > MAX_STARTS:
        raise InvalidBoard(f"the hall has {len(hall.starts)} starts: at most {MAX_STARTS} are allowed")
    seen: set[tuple[int, int]] = set()
    for number, start in enumerate(hall.starts, 1):
        what = f"start {number} at ({start.x}, {start.y})"
        if not inside(hall, start.x, start.y):
            raise InvalidBoard(f"{what} is outside the hall of {hall.width}x{hall.height} cells", start)
        tile = hall.tiles[start.y * hall.width + start.x]
        if tile in (PIT, GOAL):
            raise InvalidBoard(f"{what} is on a {TILE_WORDS[tile]}: a start may be on any other tile", start)
        if (start.x, start.y) in seen:
            raise InvalidBoard(f"{what} is on the cell of another start: every start needs its own", start)
        if start.direction not in DIRECTIONS:
            raise InvalidBoard(f"{what} has no direction: give it north, east, south or west", start)
        seen.add((start.x, start.y))


def inside(hall: Hall, x: int, y: int) -> bool:
    return 0 <= x < hall.width and 0 <= y < hall.height


def spelled(phases: tuple[int, ...]) -> str:
    return " ".join(map(str, phases)) or "none"


# ------------------------------------------------------------------------- into a record and out


def lay_hall(s: RoboRace, hall: Hall) -> None:
    """Put a checked hall into a record, with its edges and efforts."""
    s.width, s.height = hall.width, hall.height
    s.tiles[: len(hall.tiles)] = bytes(hall.tiles)
    for decoration in hall.decorations:
        s.decorations[decoration.y * hall.width + decoration.x] = decoration_number(decoration)
    s.starts = len(hall.starts)
    for number, start in enumerate(hall.starts):
        s.start_cells[number] = start.y * hall.width + start.x
        s.start_facings[number] = DIRECTIONS.index(start.direction)
    sides = wall_sides(hall)
    for y in range(hall.height):
        for x in range(hall.width):
            s.edges[y * hall.width + x] = edges_of(hall, x, y, sides)
    measure_efforts(s)


def decoration_number(decoration: Decoration) -> int:
    kind = CRUSHER if decoration.kind == "crusher" else PUSHER + DIRECTIONS.index(decoration.direction)
    return kind << DECORATION_SHIFT | sum(1 << phase - 1 for phase in decoration.phases)


def wall_sides(hall: Hall) -> set[tuple[int, int, int]]:
    """Every wall from both of its sides: (x, y, direction), cells beyond the border included."""
    sides = set()
    for wall in hall.walls:
        way, back = (UP, DOWN) if wall.side == "north" else (LEFT, RIGHT)
        sides.add((wall.x, wall.y, way))
        sides.add((wall.x + STEP_X[way], wall.y + STEP_Y[way], back))
    return sides


def edges_of(hall: Hall, x: int, y: int, sides: set[tuple[int, int, int]]) -> int:
    edges = 0
    for way in range(4):
        there_x, there_y = x + STEP_X[way], y + STEP_Y[way]
        if (x, y, way) in sides:
            edges |= 1 << way
        elif not inside(hall, there_x, there_y) or hall.tiles[there_y * hall.width + there_x] == PIT:
            edges |= 1 << ABYSS + way
    return edges


def hall_of(s: RoboRace) -> Hall:
    """The hall of a record."""
    decorations = []
    walls = set()
    for cell in range(s.width * s.height):
        x, y = cell % s.width, cell // s.width
        if s.decorations[cell]:
            decorations.append(read_decoration(x, y, s.decorations[cell]))
        if s.edges[cell] >> UP & 1:
            walls.add(Wall(x, y, "north"))
        if s.edges[cell] >> LEFT & 1:
            walls.add(Wall(x, y, "west"))
        if s.edges[cell] >> DOWN & 1:
            walls.add(Wall(x, y + 1, "north"))
        if s.edges[cell] >> RIGHT & 1:
            walls.add(Wall(x + 1, y, "west"))
    starts = tuple(
        Start(s.start_cells[n] % s.width, s.start_cells[n] // s.width, DIRECTIONS[s.start_facings[n]])
        for n in range(s.starts)
    )
    tiles = tuple(s.tiles[: s.width * s.height])
    return Hall(s.width, s.height, tiles, tuple(sorted(decorations)), starts, tuple(sorted(walls)))


def read_decoration(x: int, y: int, number: int) -> Decoration:
    phases = tuple(phase for phase in range(1, PHASES + 1) if number >> phase - 1 & 1)
    kind = number >> DECORATION_SHIFT
    if kind == CRUSHER:
        return Decoration(x, y, "crusher", phases)
    return Decoration(x, y, "pusher", phases, DIRECTIONS[kind - PUSHER])


# ------------------------------------------------------------------------- is it a race?


def starts_without_way(hall: Hall) -> tuple[int, ...]:
    """The numbers of the starts from which no cards whatever lead a lone robot to a goal."""
    s = RoboRace()
    lay_hall(s, hall)
    return tuple(
        number + 1
        for number in range(s.starts)
        if s.efforts[s.start_cells[number] * 4 + s.start_facings[number]] == NEVER
    )
