"""Rowdy Racers: what the state is made of, and the numbers all chapters share.

The grid lies in a frame of wall squares one square wide, so that no rule has to ask whether a
neighbour is inside: a row has `width + 2` cells, the top left square is cell `width + 3`, and
cell 0, a corner of the frame, means "no square". Row by row, as in every game.
"""

from __future__ import annotations

from turntile.core.dice import Dice
from turntile.core.events import Log
from turntile.forge import i16, i32, many, record, u8

MAX_SEATS = 2
MIN_SIDE = 10
MAX_SIDE = 64
MAX_CELLS = (MAX_SIDE + 2) * (MAX_SIDE + 2)
MAX_DOORS = (3 * MAX_SIDE * MAX_SIDE + 99) // 100

NO_SQUARE = 0
ACTIONS_A_TURN = 3
MAX_ITEMS = 6
TRAIL_LENGTH = 3

# What a square is and holds: bits of `cells`. Discs are counted apart, since they pile up.
WALL = 1
TELEPORTER = 2
GRENADES = 12  # two bits: none, or one of the three below (G4: one unexploded grenade a square)
GRENADE = 4  # inactive: it lies there for all to see
ARMED = 8  # active, hidden: ARMED is player 1's, ARMED + GRENADE player 2's
DEBRIS = 16
CHARGED = 32
SUSPECT = 64  # player 1 may have armed a grenade here; twice that: player 2 (H2)

# Kinds of items, in the order in which an inventory is shown.
GRENADE_ITEM = 0
DISC_ITEM = 1
CHARGED_ITEM = 2
KINDS = 3

# How a match ended.
RUNNING = 0
REACHED_GOAL = 1
WAS_TRAPPED = 2
TURNS_RAN_OUT = 3

# Distances to a goal.
UNREACHABLE = 255


@record
class Racer:
    cell: i32
    goal: i32  # where the other one started
    penalty: u8  # actions of coming turns that are lost
    skips: u8  # turns to be skipped, a disc each
    placed: bool  # he stands on a grenade he has used: it arms when he leaves
    hops: list[bool] = many(TRAIL_LENGTH)  # that square was left through a teleporter
    held: bytearray = many(KINDS)
    trail: list[i16] = many(TRAIL_LENGTH)  # squares left by his last, last but one ... performed action


@record
class Door:
    """A teleporter: where it stands and where it leads."""

    cell: i16
    exit: i16


@record
class Racers:
    width: i32
    height: i32
    # Options.
    failure_percent: u8
    turn_limit: i32  # 0: none
    # Position.
    dice: Dice
    turn: i32  # counted from 1; both players' turns count
    due: u8  # whose turn it is
    actions_left: u8
    secretive: bool  # a grenade was armed in this turn
    ended: u8
    winner: u8
    began: i32  # the square on which this turn began
    racers: list[Racer] = many(MAX_SEATS)
    doors_placed: i32
    doors: list[Door] = many(MAX_DOORS)  # in the order of their cells
    cells: bytearray = many(MAX_CELLS)
    discs: bytearray = many(MAX_CELLS)
    failures: bytearray = many(MAX_CELLS)  # bit k: a failure began here k turns ago
    far: bytearray = many(2 * MAX_CELLS)  # moves from a cell to player 1's goal, then to player 2's
    log: Log
