"""Tactics: what is worth trying here, for random playouts and the tree search.

Nothing here is a rule. A turn is tried in one order only (walk, choose, act), and shots only
where they reach an enemy or the ground under one: all else a search would try is the same
turn spelled differently.
"""

from __future__ import annotations

from turntile.core.dice import Dice, below
from turntile.core.grid import KING_X, KING_Y, STEP_X, STEP_Y
from turntile.forge import i32
from turntile.games.worms.records import (
    AIR,
    AIRSTRIKE,
    BAZOOKA,
    BLOWTORCH,
    CHOOSE,
    EARTH,
    GONE,
    GUN,
    IDLE,
    MAX_STEPS,
    MELEE,
    MOVE,
    SHOOT,
    STRIKE,
    SWING,
    TELEPORTER,
    WATER,
    WEAPONS,
    WORM,
    Worms,
    is_chest,
    player_of,
    worm_at,
)
from turntile.games.worms.walking import foothold
from turntile.games.worms.weapons import NOWHERE, TORCH_REACH, aim, aim_from_above

TELEPORT_SPOTS = 10  # about how many columns a teleport is tried to
ROLLOUT_STEPS = 10  # how far a playout of the search goes before the estimate speaks
WORM_WORTH = 60  # what a living worm counts besides its HP
AMMUNITION_WORTH = 3


def candidates(s: Worms, seat: int, out: list[i32]) -> int:
    """The actions worth searching, in rising order."""
    n = 0
    if s.weapon == GUN:
        if not s.moved:
            for action in range(MOVE, CHOOSE):
                if action & 3 != 0 and is_walkable(s, action):
                    out[n] = action
                    n += 1
        for weapon in range(BAZOOKA, WEAPONS):
            if s.worms[s.worm].ammunition[weapon] > 0 and is_useful(s, weapon):
                out[n] = CHOOSE + weapon
                n += 1
    if s.weapon == MELEE:
        if meets_enemy_around(s):
            out[n] = SWING
            n += 1
    elif s.weapon == AIRSTRIKE:
        for column in range(s.width):
            if is_enemy(s, aim_from_above(s, column)):
                out[n] = STRIKE + column
                n += 1
    elif s.weapon == TELEPORTER:
        n = teleport_spots(s, out, n)
    else:
        n = insert_idle(s, out, n)
        for direction in range(8):
            if reaches_enemy(s, s.weapon, direction) or (s.weapon == GUN and digs(s, direction)):
                out[n] = SHOOT + direction
                n += 1
    if n == 0:
        n = insert_idle(s, out, n)
    return n


def insert_idle(s: Worms, out: list[i32], n: int) -> int:
    out[n] = IDLE
    return n + 1


def is_walkable(s: Worms, action: int) -> bool:
    """Not into a wall at once, and nowhere from where there is no way back: water, or off the map."""
    return safe_step(s, s.worms[s.worm].cell, 1 if action >= MOVE + 4 else -1)


def safe_step(s: Worms, cell: int, dx: int) -> bool:
    column = cell % s.width + dx
    if column < 0 or column >= s.width:
        return False
    target = foothold(s, cell, dx)
    return target != NOWHERE and holds(s, target)


def holds(s: Worms, cell: int) -> bool:
    """Who comes down from here lands on something firm."""
    under = cell + s.width
    while under < s.width * s.height and (s.cells[under] == AIR or is_chest(s.cells[under])):
        under += s.width
    return under < s.width * s.height and s.cells[under] != WATER


def is_useful(s: Worms, weapon: int) -> bool:
    if weapon == MELEE:
        return meets_enemy_around(s)
    if weapon == AIRSTRIKE:
        return exposed_enemy(s) != NOWHERE
    if weapon == TELEPORTER:
        return not s.moved
    direction = 0
    while direction < 8 and not reaches_enemy(s, weapon, direction):
        direction += 1
    return direction < 8


def is_enemy(s: Worms, cell: int) -> bool:
    """The field is inside the map and holds a worm of the other side."""
    return cell != NOWHERE and s.cells[cell] == WORM and player_of(s, worm_at(s, cell)) != s.player


def threatens(s: Worms, cell: int) -> bool:
    """To hit this field hurts an enemy, or takes the ground from under one."""
    if s.cells[cell] == EARTH:
        return cell >= s.width and is_enemy(s, cell - s.width)
    return is_enemy(s, cell)


def reaches_enemy(s: Worms, weapon: int, direction: int) -> bool:
    if weapon == BLOWTORCH:
        return burns_enemy(s, direction)
    target = aim(s, s.worm, direction)
    if target == NOWHERE or s.cells[target] == WATER:
        return False
    if threatens(s, target):
        return True
    if weapon == BAZOOKA:
        for side in range(4):
            row = target // s.width + STEP_Y[side]
            column = target % s.width + STEP_X[side]
            if 0 <= row < s.height and 0 <= column < s.width and threatens(s, row * s.width + column):
                return True
    return False


def burns_enemy(s: Worms, direction: int) -> bool:
    row = s.worms[s.worm].cell // s.width
    column = s.worms[s.worm].cell % s.width
    for _ in range(TORCH_REACH):
        row += KING_Y[direction]
        column += KING_X[direction]
        if not (0 <= row < s.height and 0 <= column < s.width):
            return False
        if threatens(s, row * s.width + column):
            return True
    return False


def digs(s: Worms, direction: int) -> bool:
    """A tunnel straight ahead may open a line of fire."""
    if direction != 2 and direction != 6:
        return False
    target = aim(s, s.worm, direction)
    return target != NOWHERE and s.cells[target] == EARTH


def meets_enemy_around(s: Worms) -> bool:
    start_row = s.worms[s.worm].cell // s.width
    start_column = s.worms[s.worm].cell % s.width
    for direction in range(8):
        row = start_row + KING_Y[direction]
        column = start_column + KING_X[direction]
        if 0 <= row < s.height and 0 <= column < s.width and is_enemy(s, row * s.width + column):
            return True
    return False


def exposed_enemy(s: Worms) -> int:
    """The column of an enemy with open sky above, or NOWHERE."""
    first = s.team * (1 - s.player)
    for worm in range(first, first + s.team):
        cell = s.worms[worm].cell
        if cell != GONE and aim_from_above(s, cell % s.width) == cell:
            return cell % s.width
    return NOWHERE


def teleport_spots(s: Worms, out: list[i32], n: int) -> int:
    """The ground under the open sky, every few columns: spots in rising order, row by row."""
    stride = max(1, s.width // TELEPORT_SPOTS)
    for row in range(s.height - 1):
        column = s.worm % stride  # not the same columns for every worm
        while column < s.width:
            cell = row * s.width + column
            if s.cells[cell] == AIR and aim_from_above(s, column) == cell + s.width and holds(s, cell):
                out[n] = STRIKE + s.width + cell
                n += 1
            column += stride
    return n


def rollout_action(s: Worms, seat: int, dice: Dice) -> int:
    """Shoot at an enemy if one is in reach, with the heavier weapon now and then; else walk, else dig."""
    draw = below(dice, 64)
    first = draw & 7
    if s.weapon == AIRSTRIKE:
        column = exposed_enemy(s)
        return IDLE if column == NOWHERE else STRIKE + column
    if s.weapon == MELEE:
        return SWING
    if s.weapon == TELEPORTER:
        return IDLE
    if s.weapon == GUN and not s.moved and draw < 24:
        walked = random_walk(s, draw)
        if walked != IDLE:
            return walked
    for turn in range(8):
        direction = (first + turn) & 7
        if reaches_enemy(s, s.weapon, direction):
            if s.weapon == GUN and s.worms[s.worm].ammunition[BAZOOKA] > 0 and not adjacent(s, direction):
                return CHOOSE + BAZOOKA
            return SHOOT + direction
    if s.weapon == GUN:
        if s.worms[s.worm].ammunition[MELEE] > 0 and meets_enemy_around(s):
            return CHOOSE + MELEE
        if s.worms[s.worm].ammunition[AIRSTRIKE] > 0 and draw >= 32 and exposed_enemy(s) != NOWHERE:
            return CHOOSE + AIRSTRIKE
        if not s.moved:
            walked = random_walk(s, draw)
            if walked != IDLE:
                return walked
    return SHOOT + 2 + (draw & 4)


def adjacent(s: Worms, direction: int) -> bool:
    """The target of a shot is so near that a bazooka would hurt the shooter."""
    target = aim(s, s.worm, direction)
    cell = s.worms[s.worm].cell
    rows = abs(target // s.width - cell // s.width)
    return rows + abs(target % s.width - cell % s.width) <= 1


def random_walk(s: Worms, draw: int) -> int:
    """Some steps to a side that is safe at first, or IDLE if there is none."""
    right = draw & 1
    for _ in range(2):
        if safe_step(s, s.worms[s.worm].cell, 2 * right - 1):
            return MOVE + 4 * right + 1 + (draw >> 1) % MAX_STEPS
        right = 1 - right
    return IDLE


def estimate(s: Worms, seat: int) -> int:
    """The share of all HP, worms and ammunition that is this side's."""
    mine = worth(s, seat)
    return 1000 * mine // max(1, mine + worth(s, 1 - seat))


def worth(s: Worms, seat: int) -> int:
    total = 0
    for worm in range(s.team * seat, s.team * seat + s.team):
        if s.worms[worm].cell != GONE:
            total += WORM_WORTH + s.worms[worm].hp
            for weapon in range(BAZOOKA, WEAPONS):
                total += AMMUNITION_WORTH * min(3, s.worms[worm].ammunition[weapon])
    return total
