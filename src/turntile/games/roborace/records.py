"""RoboRace's records and numbers: the hall, the robots, the cards, what can happen.

Cells are counted row by row. Directions are those of `core.grid`: up is north. A *pose* is a
cell and a facing in one number (`cell * 4 + facing`): what a robot is when it is alone.
"""

from __future__ import annotations

from turntile.core.dice import Dice
from turntile.core.events import Log
from turntile.forge import i16, i32, many, record, u8

MAX_SEATS = 4
MAX_SIDE = 24
MAX_CELLS = MAX_SIDE * MAX_SIDE
MAX_POSES = MAX_CELLS * 4
MAX_STARTS = 8
PLANES = 20

DECK = 84  # F1
HAND = 7
PHASES = 5
MAX_ACTIONS = 2520  # 7 * 6 * 5 * 4 * 3: the programs

# What a card does (F1), in the deck's order: a kind begins where the one before it ends.
TURN_RIGHT = 0
TURN_LEFT = 1
U_TURN = 2
BACK_UP = 3
MOVE_1 = 4
MOVE_2 = 5
MOVE_3 = 6
KINDS = 7

# The tile of a cell.
FLOOR = 0
PIT = 1
GOAL = 2
GEAR_RIGHT = 3  # clockwise
GEAR_LEFT = 4
BELT = 5  # + its direction

# The decoration of a cell: the phases it acts in (bit 0 is phase 1), and above them what it is.
DECORATION_SHIFT = 5
PHASE_BITS = 31
CRUSHER = 1
PUSHER = 2  # + its direction

# The edges of a cell: bit d is a wall on that side; bit ABYSS + d, no wall, but a pit or the
# outside of the board behind it. (Derived from tiles and walls once, because every step asks.)
ABYSS = 4
WALL_BITS = 15

# What lies one step away, where it is not a cell.
BLOCKED = -1
FALL = -2

# What became of a robot alone in the hall, where it is not a pose.
DEAD = -1
HOME = -2  # on a goal when the hall acted

NOWHERE = -1  # the cell of a destroyed robot
NEVER = 255  # the effort of a pose from which no cards lead to a goal

# Why an action is refused.
NO_SUCH_ACTION = 1
MATCH_OVER = 2
NO_SUCH_SEAT = 3

# What happened.
DEALT = 1  # seat, cards 1 to 4 and cards 5 to 7, seven bits each; only for that seat
PHASE_BEGAN = 2  # phase
PLAYED = 3  # seat, card, phase, its place in the order of priority
STEPPED = 4  # seat, cell it came to, direction, 1 + the seat that pushed it or 0
TURNED = 5  # seat, new facing, quarter turns to the right
BUMPED = 6  # seat, cell it stays on, direction, 1 + the seat in its way or 0 for a wall
DESTROYED = 7  # seat, cell it was on, how (FELL_INTO_PIT ...), direction + 4 * (1 + pusher's seat, or 0)
HALL_BEGAN = 8  # phase, the order of the robots, four bits each, the first one lowest
ACTED = 9  # seat, its cell, what acted (a tile's number, or ACTED_DECORATION + a decoration's)
REVITALISED = 10  # seat, cell, facing, number of the start
WON = 11  # seat, cell
ROUNDS_USED_UP = 12  # how many

FELL_INTO_PIT = 0
LEFT_THE_BOARD = 1
CRUSHED = 2
ACTED_DECORATION = 16


@record
class Robot:
    cell: i16
    facing: u8
    alive: bool
    hand: bytearray = many(HAND)  # cards by their priority


@record
class RoboRace:
    width: i32
    height: i32
    players: i32
    round: i32  # the one being programmed, from 1
    round_limit: i32  # R8; 0 is none
    winner: i32  # 1 + the seat, or 0
    # The hall.
    starts: i32
    start_cells: list[i16] = many(MAX_STARTS)
    start_facings: bytearray = many(MAX_STARTS)
    tiles: bytearray = many(MAX_CELLS)
    edges: bytearray = many(MAX_CELLS)
    decorations: bytearray = many(MAX_CELLS)
    efforts: bytearray = many(MAX_POSES)  # how far it is to a goal from a pose; see efforts.py
    # The race.
    dice: Dice
    robots: list[Robot] = many(MAX_SEATS)
    log: Log
