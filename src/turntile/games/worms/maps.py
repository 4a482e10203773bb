"""Map files: from text to a map, with every fault and where it stands.

The prescribed program stops at any fault without saying which; `turntile worms map check`
lists them all. Both read with the functions of this file.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from heapq import merge
from typing import NamedTuple

from turntile.core.dice import seed_dice
from turntile.core.seeds import split_seed
from turntile.games.worms.records import Worms
from turntile.games.worms.terrain import draw_island

MAGIC = "#SWORMS"
LETTERS = "AEW"  # in the order of the numbers AIR, EARTH, WATER
TO_CELLS = bytes.maketrans(LETTERS.encode(), bytes(range(len(LETTERS))))
SIZE_LINE = re.compile(r"SIZE:[ \t]*([0-9]+)[ \t]+([0-9]+)[ \t]*")
MAP_LINE = re.compile(r"MAP:[ \t]*")
WRONG_LETTER = re.compile(f"[^{LETTERS}]")
GROUND = re.compile("[EW]")
LONGEST_NUMBER = 10  # digits; beyond that no file has so many rows or letters


class Map(NamedTuple):
    """A map as its file has it: fields row by row."""

    width: int
    height: int
    cells: bytes


class Fault(NamedTuple):
    """What is wrong with a map file, and where (both counted from 1)."""

    line: int
    column: int
    text: str

    def __str__(self) -> str:
        return f"line {self.line}, column {self.column}: {self.text}"


def read_number(digits: str) -> int:
    """E6: a number has any length and any leading zeros; absurd ones become one that is too large."""
    significant = digits.lstrip("0")
    return int(significant or "0") if len(significant) <= LONGEST_NUMBER else 10**LONGEST_NUMBER


def file_lines(text: str) -> list[str]:
    """I3: lines end with LF or CR LF; a final line end opens no further line."""
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line.removesuffix("\r") for line in lines]


def find_faults(text: str) -> Iterator[Fault]:
    """Every fault of a map file, line by line; none means `read_map` takes it. There may be millions."""
    return MapReader(text).faults()


def read_map(text: str) -> Map | None:
    """The map of a map file, or None if anything is wrong with it (R-bad-map)."""
    reader = MapReader(text)
    if next(reader.faults(), None) is not None:
        return None
    cells = "".join(reader.rows).encode("ascii").translate(TO_CELLS)
    return Map(reader.width, reader.height, cells)


class MapReader:
    """One pass over a map file (I1, I5)."""

    def __init__(self, text: str) -> None:
        self.lines = file_lines(text)
        self.width = 0
        self.height = 0
        self.rows: list[str] = []
        self.sized = False
        self.mapped = False

    def faults(self) -> Iterator[Fault]:
        if not self.lines or self.lines[0] != MAGIC:
            yield Fault(1, 1, f"the first line must be exactly {MAGIC}")
        for number, line in enumerate(self.lines, 1):
            if line.startswith("#") or not line.strip(" \t"):
                continue
            if line.startswith("SIZE"):
                yield from self.read_size(number, line)
            elif line.startswith("MAP"):
                yield from self.read_map_word(number, line)
            elif self.mapped:
                yield from self.read_row(number, line)
            else:
                yield Fault(number, 1, "only SIZE:, MAP:, comments and empty lines may stand before the rows")
        yield from self.read_end()

    def read_size(self, number: int, line: str) -> Iterator[Fault]:
        found = SIZE_LINE.fullmatch(line)
        if self.sized:
            yield Fault(number, 1, "SIZE stands here a second time: once is allowed")
        elif self.mapped:
            yield Fault(number, 1, "SIZE must stand before MAP")
        elif not found:
            yield Fault(number, 1, "write SIZE: and two whole numbers, width and height: SIZE: 40 11")
        else:
            self.width, self.height = read_number(found[1]), read_number(found[2])
            if self.width == 0 or self.height == 0:
                yield Fault(number, found.start(1) + 1, "width and height must be at least 1")
        self.sized = True

    def read_map_word(self, number: int, line: str) -> Iterator[Fault]:
        if self.mapped:
            yield Fault(number, 1, "MAP stands here a second time: once is allowed")
        elif not MAP_LINE.fullmatch(line):
            yield Fault(number, 1, "MAP: must stand alone on its line")
        if not self.sized:
            yield Fault(number, 1, "SIZE must stand before MAP")
        self.mapped = True

    def read_row(self, number: int, line: str) -> Iterator[Fault]:
        if self.sized and len(self.rows) == self.height:
            yield Fault(number, 1, f"text behind the map: it has its {self.height} rows already")
            return
        faults = [self.wrong_letters(number, line)]
        if self.sized and len(line) != self.width:
            text = f"this row has {len(line)} fields instead of {self.width}"
            faults.append(iter([Fault(number, min(len(line), self.width) + 1, text)]))
        if not self.rows:
            faults.append(self.ground_on_top(number, line))
        yield from merge(*faults)
        self.rows.append(line)

    def wrong_letters(self, number: int, line: str) -> Iterator[Fault]:
        for wrong in WRONG_LETTER.finditer(line):
            what = "a blank" if wrong[0] == " " else repr(wrong[0])
            yield Fault(number, wrong.start() + 1, f"{what} is no field: use A (air), E (earth) or W (water)")

    def ground_on_top(self, number: int, line: str) -> Iterator[Fault]:
        for ground in GROUND.finditer(line):
            yield Fault(number, ground.start() + 1, f"{ground[0]} in the top row: only A may stand there")

    def read_end(self) -> Iterator[Fault]:
        end = max(1, len(self.lines))
        if not self.sized:
            yield Fault(end, 1, "SIZE is missing: write SIZE: and two whole numbers before MAP:")
        if not self.mapped:
            yield Fault(end, 1, "MAP is missing: write MAP: and the rows below it")
        elif self.sized and len(self.rows) < self.height:
            yield Fault(end, 1, f"the map has {len(self.rows)} rows instead of {self.height}")


def spawn_room(width: int, height: int, cells: bytes) -> int | None:
    """Z7: how many worms find room at the start; None if some column lets them drown or fall out of the map.

    Such a column never fills up. All others fill from their first earth to the top.
    """
    room = 0
    for column in range(width):
        depth = next((row for row in range(height) if cells[row * width + column] != 0), height)
        if depth == height or cells[depth * width + column] == 2:
            return None
        room += depth
    return room


def make_island(seed: int, width: int, height: int) -> Map:
    """N-island: the map that a match on a random map of this size would have from this seed."""
    s = Worms()
    s.width, s.height = width, height
    s.cells = bytearray(width * height)
    seed_dice(s.dice, *split_seed(seed))
    draw_island(s)
    return Map(width, height, bytes(s.cells))


def write_map(world: Map, comment: str = "") -> str:
    """A map file that `read_map` reads back."""
    from_cells = bytes.maketrans(bytes(range(len(LETTERS))), LETTERS.encode())
    letters = world.cells.translate(from_cells).decode("ascii")
    rows = [letters[at : at + world.width] for at in range(0, len(letters), world.width)]
    head = [MAGIC, f"# {comment}"] if comment else [MAGIC]
    return "\n".join([*head, f"SIZE: {world.width} {world.height}", "", "MAP:", *rows, ""])
