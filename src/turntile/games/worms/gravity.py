"""Gravity: worms and chests come down until something holds them.

Called for a column after everything that can have taken the ground away in it. At rest
nothing hangs in the air, so whatever was not disturbed stays where it is. The lowest come
first, because one may land on another that is itself about to fall.
"""

from __future__ import annotations

from turntile.core.events import tell
from turntile.games.worms.records import (
    AIR,
    BY_EDGE,
    BY_FALL,
    BY_WATER,
    CHEST,
    CHEST_LANDED,
    CHEST_LOST,
    DIED,
    FELL,
    GONE,
    PICKED_UP,
    WATER,
    WORM,
    Worms,
    is_chest,
    player_of,
    worm_at,
)

FALL_DAMAGE = 10


def settle(s: Worms, column: int) -> None:
    """G2, G3: within a column the lowest first, each once and all the way."""
    for row in range(s.height - 1, -1, -1):
        cell = row * s.width + column
        content = s.cells[cell]
        if content == WORM:
            fall(s, worm_at(s, cell), True)
        elif is_chest(content):
            drop_chest(s, cell)


def fall(s: Worms, worm: int, hurts: bool) -> None:
    """R-fall, G1: through air and chests, collecting these. R-spawn-fall: at spawn it does not hurt."""
    start = s.worms[worm].cell
    cell = start
    s.cells[cell] = AIR
    under = cell + s.width
    while under < s.width * s.height and (s.cells[under] == AIR or is_chest(s.cells[under])):
        cell = under
        collect(s, worm, cell)
        under += s.width
    if under >= s.width * s.height:
        bury(s, worm, BY_EDGE, s.worms[worm].hp)  # M3
    elif s.cells[under] == WATER:
        bury(s, worm, BY_WATER, s.worms[worm].hp)  # R-drown
    else:
        s.worms[worm].cell = cell
        s.cells[cell] = WORM
        if hurts:
            land(s, worm, (cell - start) // s.width)


def land(s: Worms, worm: int, fields: int) -> None:
    """R-fall-damage: each field after the first costs. O4: a deadly fall tells only of the death."""
    points = FALL_DAMAGE * (fields - 1)
    if points > 0:
        if points >= s.worms[worm].hp:
            bury(s, worm, BY_FALL, s.worms[worm].hp)
        else:
            s.worms[worm].hp -= points
            tell(s.log, FELL, worm, points)


def collect(s: Worms, worm: int, cell: int) -> None:
    """R-pick-up: a chest on this field, if there is one, gives the worm one more of its weapon."""
    content = s.cells[cell]
    if is_chest(content):
        s.cells[cell] = AIR
        hand_over(s, worm, content - CHEST)


def hand_over(s: Worms, worm: int, weapon: int) -> None:
    s.worms[worm].ammunition[weapon] += 1
    tell(s.log, PICKED_UP, worm, weapon)


def bury(s: Worms, worm: int, cause: int, hp: int) -> None:
    """R-death: a dead worm is gone at once. (Its field is air already, or made so here.)"""
    cell = s.worms[worm].cell
    if s.cells[cell] == WORM:
        s.cells[cell] = AIR
    s.worms[worm].cell = GONE
    s.worms[worm].hp = 0
    s.living[player_of(s, worm)] -= 1
    tell(s.log, DIED, worm, cause, hp)


def drop_chest(s: Worms, start: int) -> bool:
    """R-chest-fall, C1: onto earth or a chest it stays, a worm gets it, water and the edge take it.

    Returns whether it is still there.
    """
    content = s.cells[start]
    cell = start
    s.cells[cell] = AIR
    while cell + s.width < s.width * s.height and s.cells[cell + s.width] == AIR:
        cell += s.width
    under = cell + s.width
    if under >= s.width * s.height or s.cells[under] == WATER:
        tell(s.log, CHEST_LOST, cell % s.width)
        return False
    if s.cells[under] == WORM:
        hand_over(s, worm_at(s, under), content - CHEST)
        return False
    s.cells[cell] = content
    if cell != start:
        tell(s.log, CHEST_LANDED, cell // s.width, cell % s.width)
    return True
