"""Tron's records, its numbers, and the small questions every chapter of the rules asks of them."""

from __future__ import annotations

from turntile.core.dice import Dice
from turntile.core.events import Log
from turntile.core.grid import DOWN, LEFT, RIGHT, STEP_X, STEP_Y, UP
from turntile.forge import i16, i32, many, record, table, u8

MAX_SEATS = 4
MAX_SIDE = 50
MAX_CELLS = MAX_SIDE * MAX_SIDE
PLANES = 9

# What a cell holds.
EMPTY = 0
WALL = 1
BOMB = 2
LANDMINE = 3
INVINCIBILITY = 4
BONUS = 5
GREY = 6
TRAIL = 8  # + the seat that laid it

# Actions: a direction, alone or together with the powerup held.
STRAIGHT = 0
TURN = 1  # + the heading
ACTIVATE = 5  # + STRAIGHT or TURN + heading
MAX_ACTIONS = 10

# Why an action is refused.
NO_SUCH_ACTION = 1
MATCH_OVER = 2
NO_SUCH_SEAT = 3
CYCLE_DEAD = 4

# What happened.
CRASHED = 1  # seat, cell it ran into, what was there
ACTIVATED = 2  # seat, which powerup
EXPLODED = 3  # seat, cell, heading, which of the two
PICKED_UP = 4  # seat, cell, what it was
SEVERED = 5  # whose trail, cell, by whom

# What a cycle ran into, besides the contents of a cell.
CYCLE = 32

INVINCIBLE_MOVES = 10
BLAST = 5  # the side of a blast's square
POWERUP_KINDS = 4
START_HEADING = table(RIGHT, LEFT, DOWN, UP)


@record
class Cycle:
    cell: i32
    target: i32  # the cell it moved to in this turn; for a dead cycle, the one it ran into
    distance: i32
    bonus: i32  # points from powerups
    died: i32  # the turn of its death, counted from 1; 0 while it lives
    heading: u8
    held: u8  # EMPTY, BOMB or INVINCIBILITY
    invincible: u8  # moves left
    alive: bool
    # Of one turn only; nothing of it is left between turns.
    hit: u8  # what it runs into: the contents of a cell, CYCLE, or EMPTY
    mined: bool  # it has picked up a landmine, which goes off when all have moved


@record
class Tron:
    width: i32
    height: i32
    players: i32
    turn: i32
    # Options.
    random_board: bool
    survivor_travels_on: bool
    win_points: i32
    tie_points: i32
    loss_points: i32
    square_points: i32
    powerup_points: i32
    bonus_points: i32
    # Position.
    dice: Dice
    cycles: list[Cycle] = many(MAX_SEATS)
    cells: bytearray = many(MAX_CELLS)
    laid: list[i16] = many(MAX_CELLS)  # the turn in which a trail cell was entered
    log: Log


def living(s: Tron) -> int:
    n = 0
    for seat in range(s.players):
        if s.cycles[seat].alive:
            n += 1
    return n


def ahead(s: Tron, heading: int) -> int:
    """How far the next cell in a heading is from a cell, counted row by row."""
    return STEP_Y[heading] * s.width + STEP_X[heading]


def is_trail(content: int) -> bool:
    return content >= GREY


def blocked(s: Tron, seat: int, heading: int) -> bool:
    cycle = s.cycles[seat]
    content = s.cells[cycle.cell + ahead(s, heading)]
    return content == WALL or (is_trail(content) and cycle.invincible == 0)


def blast_left(s: Tron, seat: int) -> int:
    """F6: a blast begins in the cycle's own row and spreads ahead, two cells to either side."""
    x = s.cycles[seat].cell % s.width
    heading = s.cycles[seat].heading
    return x if heading == RIGHT else x - BLAST + 1 if heading == LEFT else x - BLAST // 2


def blast_top(s: Tron, seat: int) -> int:
    y = s.cycles[seat].cell // s.width
    heading = s.cycles[seat].heading
    return y if heading == DOWN else y - BLAST + 1 if heading == UP else y - BLAST // 2
