"""The six weapons: what they reach, what they do to it, and in which order.

First all damage, then gravity, column by column in the order the hit fields first reach
them (O4, G3).
"""

from __future__ import annotations

from turntile.core.events import tell
from turntile.core.grid import KING_X, KING_Y, STEP_X, STEP_Y
from turntile.forge import table
from turntile.games.worms.gravity import bury, collect, settle
from turntile.games.worms.records import (
    AIR,
    BAZOOKA,
    BY_WEAPON,
    CHEST,
    EARTH,
    HIT,
    HURT,
    MELEE,
    MISSED,
    TELEPORTED,
    WATER,
    WORM,
    Worms,
    is_chest,
    worm_at,
)

DAMAGE = table(25, 40, 0, 35, 50, 20)
TORCH_REACH = 5
NOWHERE = -1
STRAIGHT_DOWN = 4  # among the eight directions


def reach(s: Worms, row: int, column: int, dx: int, dy: int) -> int:
    """W1: the first field on a line that is not air, the given one included; NOWHERE at the edge."""
    while 0 <= row < s.height and 0 <= column < s.width:
        cell = row * s.width + column
        if s.cells[cell] != AIR:
            return cell
        row += dy
        column += dx
    return NOWHERE


def aim(s: Worms, worm: int, direction: int) -> int:
    """W6: where a shot of the worm in one of the eight directions arrives; it begins beside the worm."""
    row = s.worms[worm].cell // s.width
    column = s.worms[worm].cell % s.width
    dx = KING_X[direction]
    dy = KING_Y[direction]
    return reach(s, row + dy, column + dx, dx, dy)


def aim_from_above(s: Worms, column: int) -> int:
    """W6: where an airstrike arrives; its line begins with row 0."""
    return reach(s, 0, column, 0, 1)


def fire(s: Worms, weapon: int, target: int) -> None:
    """R-gun, R-bazooka, R-airstrike: what the first target on the line brings about."""
    if target == NOWHERE or s.cells[target] == WATER:
        tell(s.log, MISSED, weapon)
        return
    hit(s, weapon, target)
    if weapon == BAZOOKA:
        explode(s, target)
    settle(s, target % s.width)
    if weapon == BAZOOKA:
        settle_beside(s, target % s.width)


def explode(s: Worms, centre: int) -> None:
    """W2: around the centre up, right, down, left. W5: outside the map nothing happens."""
    for direction in range(4):
        row = centre // s.width + STEP_Y[direction]
        column = centre % s.width + STEP_X[direction]
        if 0 <= row < s.height and 0 <= column < s.width:
            hit(s, BAZOOKA, row * s.width + column)


def settle_beside(s: Worms, column: int) -> None:
    """G3: middle, right, left; the middle has come down already."""
    if column + 1 < s.width:
        settle(s, column + 1)
    if column > 0:
        settle(s, column - 1)


def burn(s: Worms, weapon: int, worm: int, direction: int) -> None:
    """R-blowtorch, W2: five fields by distance, through everything."""
    start_row = s.worms[worm].cell // s.width
    start_column = s.worms[worm].cell % s.width
    for distance in range(1, TORCH_REACH + 1):
        row = start_row + KING_Y[direction] * distance
        column = start_column + KING_X[direction] * distance
        if 0 <= row < s.height and 0 <= column < s.width:
            hit(s, weapon, row * s.width + column)
    if KING_X[direction] == 0:
        settle(s, start_column)
        return
    for distance in range(1, TORCH_REACH + 1):
        column = start_column + KING_X[direction] * distance
        if 0 <= column < s.width:
            settle(s, column)


def swing(s: Worms, worm: int) -> None:
    """R-melee, W2: the worms on the eight fields around, up first, then clockwise."""
    start_row = s.worms[worm].cell // s.width
    start_column = s.worms[worm].cell % s.width
    for direction in range(8):
        row = start_row + KING_Y[direction]
        column = start_column + KING_X[direction]
        if 0 <= row < s.height and 0 <= column < s.width and s.cells[row * s.width + column] == WORM:
            hit(s, MELEE, row * s.width + column)
    settle(s, start_column)
    settle_beside(s, start_column)


def hit(s: Worms, weapon: int, cell: int) -> None:
    """R-damage: worms are hurt, earth and chests destroyed. W5: air and water are silent."""
    content = s.cells[cell]
    row = cell // s.width
    column = cell % s.width
    if content == WORM:
        tell(s.log, HIT, weapon, WORM, row, column)
        harm(s, worm_at(s, cell), DAMAGE[weapon])
    elif content == EARTH:
        s.cells[cell] = AIR
        tell(s.log, HIT, weapon, EARTH, row, column)
    elif is_chest(content):
        s.cells[cell] = AIR
        tell(s.log, HIT, weapon, CHEST, row, column)


def harm(s: Worms, worm: int, points: int) -> None:
    """O4: a hit that kills tells of the death instead of the damage."""
    if points >= s.worms[worm].hp:
        bury(s, worm, BY_WEAPON, s.worms[worm].hp)
    else:
        s.worms[worm].hp -= points
        tell(s.log, HURT, worm, points)


def teleport(s: Worms, worm: int, target: int) -> None:
    """R-teleporter, E2: a chest on the target is collected. G3, G4: the new column, then the old."""
    start = s.worms[worm].cell
    tell(s.log, TELEPORTED, worm, target // s.width, target % s.width)
    relocate(s, worm, target)
    settle(s, target % s.width)
    if target % s.width != start % s.width:
        settle(s, start % s.width)


def relocate(s: Worms, worm: int, target: int) -> None:
    """From one field to another, taking a chest that stands there; gravity is the caller's."""
    s.cells[s.worms[worm].cell] = AIR
    collect(s, worm, target)
    s.worms[worm].cell = target
    s.cells[target] = WORM
