"""Our own written form of a hall: a picture and a few lines, for people and for tests.

    +----+----+----+----+
    | .1   >    *    .  |
    +    +----+    +    +
    |a.    (    o   b.2      open to the east: whoever goes on there is lost
    +----+----+----+----+
    a: crusher 2 4
    b: pusher south 1 3 5
    start 1: east
    start 2: north

Between four corners `+` lies a cell: its tile, and beside it in any order the number of a
start, the sign of a decoration that a line below explains, and in positions a robot A to D.
Tiles: `.` floor, `o` pit, `*` goal, `^ > v <` belts, `)` gear clockwise, `(` gear anticlockwise.
Walls are drawn, also those of the border. Lines that begin with # say nothing.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Literal, cast

from turntile.games.roborace.board_xml import read_xml
from turntile.games.roborace.boards import Decoration, Hall, InvalidBoard, Start, Wall, checked_hall
from turntile.games.roborace.records import BELT, FLOOR, GEAR_LEFT, GEAR_RIGHT, GOAL, MAX_SIDE, MAX_STARTS, PIT

MAX_TEXT = 50_000  # characters; the largest hall needs half of it
STRIDE = 5  # from one corner to the next

TILE_SIGNS = {
    ".": FLOOR,
    "o": PIT,
    "*": GOAL,
    ")": GEAR_RIGHT,
    "(": GEAR_LEFT,
    "^": BELT,
    ">": BELT + 1,
    "v": BELT + 2,
    "<": BELT + 3,
}
SIGN_OF_TILE = {tile: sign for sign, tile in TILE_SIGNS.items()}
ROBOTS = "ABCD"
DECORATION_SIGNS = "abcdefghijklmnpqrstuwxyzEFGHIJKLMNOPQRSTUVWXYZ!$%&"  # as many as there are kinds
NUMBERS = "12345678"


@dataclass
class Drawing:
    """What a picture shows, before the lines below it are read."""

    width: int = 0
    height: int = 0
    tiles: list[int] = field(default_factory=list)
    walls: set[Wall] = field(default_factory=set)
    decorations: dict[tuple[int, int], str] = field(default_factory=dict)  # cell -> sign
    starts: dict[int, tuple[int, int]] = field(default_factory=dict)  # number -> cell
    robots: dict[int, tuple[int, int]] = field(default_factory=dict)  # seat -> cell
    lines: dict[object, int] = field(default_factory=dict)  # where each wall, cell and sign stands in the text
    legend: dict[str, Decoration] = field(default_factory=dict)
    facings: dict[int, str] = field(default_factory=dict)  # of starts


def read_board(text: str) -> Hall:
    """A hall from either of its written forms."""
    return read_xml(text) if text.lstrip().startswith("<") else read_text(text)


def read_text(text: str) -> Hall:
    """A hall from a picture and its lines; InvalidBoard with line and reason."""
    drawing, rest = read_drawing(text)
    for number, line in rest:
        if not read_hall_line(drawing, number, line):
            raise InvalidBoard(f"line {number}: {line!r} is not understood: say a: crusher 2 4 or start 1: north")
    for seat, (x, y) in drawing.robots.items():
        where = f"line {drawing.lines[x, y]}: robot {ROBOTS[seat]} at ({x}, {y})"
        raise InvalidBoard(f"{where}: a board has starts 1 to {MAX_STARTS}, robots belong to positions")
    return finish_hall(drawing)


def read_drawing(text: str) -> tuple[Drawing, list[tuple[int, str]]]:
    """The picture, and the numbered lines below or above it."""
    if len(text) > MAX_TEXT:
        raise InvalidBoard(f"the text has {len(text)} characters: a board has at most {MAX_TEXT}")
    lines = [(number, line.expandtabs().rstrip()) for number, line in enumerate(text.splitlines(), 1)]
    rows = [place for place, (_, line) in enumerate(lines) if line.lstrip().startswith("+")]
    if not rows:
        raise InvalidBoard("line 1: no picture of the hall: begin with its upper border, such as +----+----+")
    first, last = rows[0], rows[-1]
    indent = min(len(lines[row][1]) - len(lines[row][1].lstrip()) for row in rows)
    drawing = Drawing(width=len(lines[first][1][indent:]) // STRIDE, height=(last - first) // 2)
    if not (1 <= drawing.width <= MAX_SIDE and 1 <= drawing.height <= MAX_SIDE) or (last - first) % 2:
        raise InvalidBoard(
            f"line {lines[first][0]}: a picture of {drawing.width}x{drawing.height} cells cannot be read: "
            f"rows of corners and rows of cells take turns, each side has 1 to {MAX_SIDE} cells"
        )
    for y in range(drawing.height + 1):
        number, line = lines[first + 2 * y]
        read_corners(drawing, number, line[indent:], y)
        if y < drawing.height:
            number, line = lines[first + 2 * y + 1]
            read_cells(drawing, number, line[indent:], y)
    rest = [(n, line.strip()) for n, line in lines[:first] + lines[last + 1 :]]
    return drawing, [(n, line) for n, line in rest if line and not line.startswith("#")]


def read_corners(drawing: Drawing, number: int, line: str, y: int) -> None:
    line = line.ljust(drawing.width * STRIDE + 1)
    for x in range(drawing.width + 1):
        corner, edge = line[x * STRIDE], line[x * STRIDE + 1 : (x + 1) * STRIDE]
        if corner != "+" or edge.strip(" ") not in ("", "----"):
            raise InvalidBoard(
                f"line {number}, column {x * STRIDE + 1}: {corner + edge!r}: write +---- or + and blanks"
            )
        if edge.startswith("-"):
            drawing.walls.add(Wall(x, y, "north"))
            drawing.lines[Wall(x, y, "north")] = number


def read_cells(drawing: Drawing, number: int, line: str, y: int) -> None:
    line = line.ljust(drawing.width * STRIDE + 1)
    for x in range(drawing.width + 1):
        edge, signs = line[x * STRIDE], line[x * STRIDE + 1 : (x + 1) * STRIDE]
        where = f"line {number}, column {x * STRIDE + 1}"
        if edge not in "| ":
            raise InvalidBoard(f"{where}: {edge!r}: between two cells is a wall | or a blank")
        if edge == "|":
            drawing.walls.add(Wall(x, y, "west"))
            drawing.lines[Wall(x, y, "west")] = number
        if x < drawing.width:
            drawing.lines[x, y] = number
            read_cell(drawing, where, signs.replace(" ", ""), x, y)
        elif signs.strip():
            raise InvalidBoard(f"{where}: {signs.strip()!r} stands outside the hall of {drawing.width} columns")


def read_cell(drawing: Drawing, where: str, signs: str, x: int, y: int) -> None:
    tiles = [sign for sign in signs if sign in TILE_SIGNS]
    if len(tiles) != 1:
        raise InvalidBoard(f"{where}: {signs!r}: a cell needs one tile of {' '.join(TILE_SIGNS)}, not {len(tiles)}")
    drawing.tiles.append(TILE_SIGNS[tiles[0]])
    for sign in signs.replace(tiles[0], "", 1):
        if sign in NUMBERS:
            put_once(drawing.starts, int(sign), (x, y), f"{where}: start {sign}")
        elif sign in ROBOTS:
            put_once(drawing.robots, ROBOTS.index(sign), (x, y), f"{where}: robot {sign}")
        elif sign in DECORATION_SIGNS:
            if (x, y) in drawing.decorations:
                raise InvalidBoard(f"{where}: {signs!r}: a cell has at most one decoration")
            drawing.decorations[x, y] = sign
        else:
            raise InvalidBoard(f"{where}: unknown sign {sign!r}: tiles are {' '.join(TILE_SIGNS)}")


def put_once(places: dict[int, tuple[int, int]], key: int, cell: tuple[int, int], what: str) -> None:
    if key in places:
        raise InvalidBoard(f"{what} is drawn twice: also at {places[key]}")
    places[key] = cell


LEGEND = re.compile(r"(\S) ?: ?(crusher|pusher)(?: (north|east|south|west))?((?: \d+)*)", re.IGNORECASE)
START = re.compile(r"start (\d+) ?: ?(north|east|south|west)", re.IGNORECASE)


def read_hall_line(drawing: Drawing, number: int, line: str) -> bool:
    """Read a line about a decoration or a start; False if it is about something else."""
    line = " ".join(line.split())
    if found := LEGEND.fullmatch(line):
        sign, kind, direction, phases = found[1], found[2].lower(), (found[3] or "").lower(), found[4].split()
        if sign not in DECORATION_SIGNS:
            raise InvalidBoard(f"line {number}: {sign!r} is no sign for a decoration: use {DECORATION_SIGNS}")
        if sign in drawing.legend:
            raise InvalidBoard(f"line {number}: {sign!r} is explained twice")
        if (kind == "pusher") != bool(direction):
            raise InvalidBoard(f"line {number}: {line!r}: a pusher has a direction, a crusher has none")
        known = cast(Literal["crusher", "pusher"], kind)
        drawing.legend[sign] = Decoration(-1, -1, known, tuple(sorted(int(phase) for phase in phases)), direction)
        return True
    if found := START.fullmatch(line):
        start = int(found[1])
        if start not in drawing.starts:
            raise InvalidBoard(f"line {number}: start {start} is not drawn in the picture")
        if start in drawing.facings:
            raise InvalidBoard(f"line {number}: start {start} has two lines: keep one")
        drawing.facings[start] = found[2].lower()
        return True
    return False


def finish_hall(drawing: Drawing) -> Hall:
    """The checked hall of a picture and its lines."""
    for sign in drawing.legend:
        if sign not in drawing.decorations.values():
            raise InvalidBoard(f"the decoration {sign!r} is explained, but not drawn")
    decorations = []
    for (x, y), sign in drawing.decorations.items():
        if sign not in drawing.legend:
            raise InvalidBoard(
                f"line {drawing.lines[x, y]}: unknown sign {sign!r} at ({x}, {y}): "
                f"explain it in a line such as {sign}: crusher 2 4"
            )
        told = drawing.legend[sign]
        decorations.append(Decoration(x, y, told.kind, told.phases, told.direction))
    starts = []
    for number in range(1, len(drawing.starts) + 1):
        if number not in drawing.starts:
            raise InvalidBoard(f"start {number} is missing: starts are numbered from 1 without a gap")
        if number not in drawing.facings:
            raise InvalidBoard(f"start {number} has no direction: add the line start {number}: north")
        starts.append(Start(*drawing.starts[number], drawing.facings[number]))
    hall = Hall(
        drawing.width,
        drawing.height,
        tuple(drawing.tiles),
        tuple(sorted(decorations)),
        tuple(starts),
        tuple(sorted(drawing.walls)),
    )
    try:
        return checked_hall(hall)
    except InvalidBoard as error:
        part = error.part
        key: object = (part.x, part.y) if isinstance(part, Decoration | Start) else part
        if key in drawing.lines:
            raise InvalidBoard(f"line {drawing.lines[key]}: {error}", part) from error
        raise


# ------------------------------------------------------------------------- writing


def write_text(hall: Hall) -> str:
    """The picture and lines of a hall; `read_text` gives the hall back."""
    return "\n".join([*draw_hall(hall, {}), *describe_hall(hall), ""])


def draw_hall(hall: Hall, robots: dict[tuple[int, int], str]) -> list[str]:
    walls = set(hall.walls)
    signs = decoration_signs(hall)
    numbers = {(start.x, start.y): NUMBERS[n] for n, start in enumerate(hall.starts)}
    rows = []
    for y in range(hall.height + 1):
        row = "".join("+----" if Wall(x, y, "north") in walls else "+    " for x in range(hall.width))
        rows.append(row + "+")
        if y < hall.height:
            row = ""
            for x in range(hall.width):
                row += "|" if Wall(x, y, "west") in walls else " "
                row += signs.get((x, y), " ") + SIGN_OF_TILE[hall.tiles[y * hall.width + x]]
                row += numbers.get((x, y), " ") + robots.get((x, y), " ")
            rows.append((row + ("|" if Wall(hall.width, y, "west") in walls else "")).rstrip())
    return rows


def decoration_signs(hall: Hall) -> dict[tuple[int, int], str]:
    """A sign for each cell with a decoration; decorations that act alike share theirs."""
    kinds: dict[tuple[str, str, tuple[int, ...]], str] = {}
    signs = {}
    for decoration in hall.decorations:
        kind = (decoration.kind, decoration.direction, decoration.phases)
        kinds.setdefault(kind, DECORATION_SIGNS[len(kinds)])
        signs[decoration.x, decoration.y] = kinds[kind]
    return signs


def describe_hall(hall: Hall) -> list[str]:
    signs = decoration_signs(hall)
    lines = {}
    for decoration in hall.decorations:
        way = f" {decoration.direction}" if decoration.direction else ""
        phases = " ".join(map(str, decoration.phases))
        sign = signs[decoration.x, decoration.y]
        lines[sign] = f"{sign}: {decoration.kind}{way} {phases}"
    return [*lines.values(), *(f"start {n}: {start.direction}" for n, start in enumerate(hall.starts, 1))]
