"""Tron's boards: five of our own, each with a character, and how a board's text is read.

A board is drawn with `#` wall, `.` empty, `b` bomb, `l` landmine, `i` invincibility and
`p` bonus points. All five are point-symmetric, so no seat is better off, and leave the four
starts free.
"""

from __future__ import annotations

from collections.abc import Sequence

from turntile.core.errors import InvalidOptions
from turntile.games.tron.records import BOMB, BONUS, EMPTY, INVINCIBILITY, LANDMINE, MAX_SIDE, WALL

MIN_SIDE = 5
# A blast frees at most 25 cells, so a match on a board with no more powerups than this ends
# within 32767 turns, the largest number a cell can remember.
MAX_POWERUPS = 1000

CELL_OF = {".": EMPTY, "#": WALL, "b": BOMB, "l": LANDMINE, "i": INVINCIBILITY, "p": BONUS}
POWERUPS = "blip"
CELLS_DRAWN = "# wall, . empty, b bomb, l landmine, i invincibility, p bonus points"

# Nothing but the border: pure racing.
ARENA = """
#####################
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#...................#
#####################
"""

# Two halves with three gates between them: who holds the gates shuts the other out.
GATES = """
#######################
#.....................#
#...p.............l...#
#.....................#
#.....................#
#.....................#
#..........#..........#
#......i...#...b......#
#..........#..........#
#..........#..........#
#.....................#
#.....................#
#.....................#
#..........#..........#
#..........#..........#
#......b...#...i......#
#..........#..........#
#.....................#
#.....................#
#.....................#
#...l.............p...#
#.....................#
#######################
"""

# A grid of pillars: short runs, many corners.
PILLARS = """
###################
#.................#
#.................#
#..#..#.....#..#..#
#.................#
#....p.......b....#
#..#..#.....#..#..#
#.................#
#.................#
#.......i.i.......#
#.................#
#.................#
#..#..#.....#..#..#
#....b.......p....#
#.................#
#..#..#.....#..#..#
#.................#
#.................#
###################
"""

# Small and full of powerups: blasts all the time.
MINEFIELD = """
#################
#.b...l...l...i.#
#...............#
#...............#
#..l...p.i...l..#
#...............#
#...............#
#......l........#
#...............#
#........l......#
#...............#
#...............#
#..l...i.p...l..#
#...............#
#...............#
#.i...l...l...b.#
#################
"""

# A long way round a broken ring, with the prizes inside.
RING = """
###########################
#.........................#
#.........................#
#.........................#
#....########.########....#
#....#...............#....#
#....#...............#....#
#....#..p.........p..#....#
#....#...............#....#
#....#....i.....b....#....#
#....#...............#....#
#....#...............#....#
#....#......###......#....#
#...........###...........#
#....#......###......#....#
#....#...............#....#
#....#...............#....#
#....#....b.....i....#....#
#....#...............#....#
#....#..p.........p..#....#
#....#...............#....#
#....#...............#....#
#....########.########....#
#.........................#
#.........................#
#.........................#
###########################
"""

BOARDS = {
    "arena": ARENA,
    "gates": GATES,
    "pillars": PILLARS,
    "minefield": MINEFIELD,
    "ring": RING,
}


def read_board(text: str) -> list[str]:
    """A board's rows, or the first thing that is wrong with it, with row and column."""
    rows = [line.strip() for line in text.strip().splitlines()]
    height, width = len(rows), max((len(row) for row in rows), default=0)
    if not rows:
        raise InvalidOptions(f"the board is empty: draw at least {MIN_SIDE}x{MIN_SIDE} cells ({CELLS_DRAWN})")
    for y, row in enumerate(rows):
        if len(row) != len(rows[0]):
            raise InvalidOptions(
                f"the board is not rectangular: row {y} has {len(row)} cells, row 0 has {len(rows[0])}; "
                "make all rows equally long"
            )
    if not MIN_SIDE <= width <= MAX_SIDE or not MIN_SIDE <= height <= MAX_SIDE:
        raise InvalidOptions(f"a board of {width}x{height} cells is refused: both sides need {MIN_SIDE} to {MAX_SIDE}")
    for y, row in enumerate(rows):
        for x, drawn in enumerate(row):
            if drawn not in CELL_OF:
                raise InvalidOptions(f"{drawn!r} in row {y}, column {x} of the board is no cell: use {CELLS_DRAWN}")
            if drawn != "#" and on_border(x, y, width, height):
                raise InvalidOptions(
                    f"the board has a hole in its border: {drawn!r} in row {y}, column {x}; put # there"
                )
    count_powerups(rows)
    return rows


def on_border(x: int, y: int, width: int, height: int) -> bool:
    return x in (0, width - 1) or y in (0, height - 1)


def count_powerups(rows: Sequence[str]) -> None:
    powerups = sum(drawn in POWERUPS for row in rows for drawn in row)
    if powerups > MAX_POWERUPS:
        raise InvalidOptions(f"the board has {powerups} powerups: at most {MAX_POWERUPS} are allowed")
