"""The records of SEWorms, and what the numbers in them mean.

A field of the map is one byte and holds everything there is to know of it; where a worm
stands, the worm is found by its place. Fields are counted row by row from the top left.
"""

from __future__ import annotations

from turntile.core.dice import Dice
from turntile.core.events import Log
from turntile.forge import i16, i32, many, record, u8, u32
from turntile.games.worms.mersenne import Mersenne

MAX_SEATS = 2
MAX_TEAM = 8
MAX_WORMS = MAX_SEATS * MAX_TEAM
MAX_WIDTH = 128
MAX_HEIGHT = 64
MAX_CELLS = MAX_WIDTH * MAX_HEIGHT

# What a field holds. A chest is CHEST + the weapon in it, so anything above CHEST is a chest.
AIR = 0
EARTH = 1
WATER = 2
WORM = 3
CHEST = 4

# Weapons, in the rulebook's order. Chests hold the four from BAZOOKA to MELEE (Z2).
GUN = 0
BAZOOKA = 1
TELEPORTER = 2
BLOWTORCH = 3
MELEE = 4
AIRSTRIKE = 5
WEAPONS = 6
CHEST_KINDS = 4

FULL_HP = 100
FIXED_BYTES = 3040  # where the map's fields begin in a position; a test holds this number
GONE = -1  # the place of a worm that is no longer in the game

# Actions. Behind the strikes, one for each column of the map, come the teleports, one for each field.
MOVE = 0  # + 4 * (0 left, 1 right) + the number of steps
CHOOSE = 8  # + the weapon
IDLE = 14
SWING = 15  # melee
SHOOT = 16  # + the direction, clockwise from up
STRIKE = 24  # + the column; teleports follow at STRIKE + width, + the field
MAX_ACTIONS = STRIKE + MAX_WIDTH + MAX_CELLS
MAX_STEPS = 3

# Why an action is refused.
NO_SUCH_ACTION = 1
MATCH_OVER = 2
NO_SUCH_SEAT = 3
NOT_YOUR_TURN = 4
MOVED_ALREADY = 5
NO_AMMUNITION = 6
OTHER_WEAPON = 7
TARGET_TAKEN = 8
CHOSEN_TOO_OFTEN = 9

# What happened.
SPAWNED = 1  # worm, row, column
NO_ROOM = 2  # worm
MOVED = 3  # worm, row, column (-1, -1 if it is gone)
STOPPED = 4  # worm
CHOSE = 5  # worm, weapon, ammunition
IDLED = 6  # worm
HIT = 7  # weapon, what (EARTH, WORM or CHEST), row, column
MISSED = 8  # weapon
HURT = 9  # worm, points
FELL = 10  # worm, points
DIED = 11  # worm, cause, HP lost by it
PICKED_UP = 12  # worm, weapon
TELEPORTED = 13  # worm, row, column
CHEST_LANDED = 14  # row, column
CHEST_LOST = 15  # column
READY = 16  # player, worm, row, column
ENDED = 17  # 0 draw, 1 or 2 the player who wins, LIMIT draw by the turn limit

LIMIT = 3

# Causes of death.
BY_WEAPON = 0
BY_FALL = 1
BY_WATER = 2
BY_EDGE = 3


@record
class Worm:
    cell: i32  # GONE when it is dead
    name: i32  # which name of the list
    hp: u8
    ammunition: list[i16] = many(WEAPONS)  # the gun's is not counted


@record
class Worms:
    width: i32
    height: i32
    # Options.
    team: i32  # worms a player begins with
    names: i32  # how many names there are to draw from
    turn_limit: i32  # 0: none
    choose_limit: i32  # how often a weapon may be chosen in one turn; 0: as often as one likes
    rand_seed: u32
    seeded: bool  # rand_seed is to be used; else the dice give the seed
    random_map: bool
    # Position.
    player: u8  # whose turn it is
    weapon: u8  # the chosen one
    moved: bool
    turn_done: bool  # inside a step only: the turn ends with it
    ended: bool
    crowded: bool  # Z7: there was no room to spawn
    worm: i32  # whose turn it is
    turn: i32  # turns that have ended
    chosen: i32  # how often a weapon was chosen in this turn, if that is limited
    living: list[i32] = many(MAX_SEATS)
    before: list[i32] = many(MAX_SEATS)  # the worm that had the player's last turn
    worms: list[Worm] = many(MAX_WORMS)
    dice: Dice
    random: Mersenne
    cells: bytearray = many(MAX_CELLS)
    log: Log


def used_bytes(s: Worms) -> int:
    """How many bytes of the position are in use; all behind the map's own fields is zero."""
    return FIXED_BYTES + s.width * s.height


def player_of(s: Worms, worm: int) -> int:
    """I4: the first half of the worms is player 1's (seat 0), the second player 2's."""
    return 0 if worm < s.team else 1


def worm_at(s: Worms, cell: int) -> int:
    """The worm that stands on a field that holds one."""
    worm = 0
    while s.worms[worm].cell != cell:
        worm += 1
    return worm


def is_chest(content: int) -> bool:
    return content > CHEST
