"""Walking: up to three steps left or right, each a fall of its own."""

from __future__ import annotations

from turntile.core.events import tell
from turntile.games.worms.gravity import bury, settle
from turntile.games.worms.records import (
    AIR,
    BY_EDGE,
    EARTH,
    GONE,
    MOVED,
    STOPPED,
    WORM,
    Worms,
    is_chest,
)
from turntile.games.worms.weapons import NOWHERE, relocate


def walk(s: Worms, worm: int, dx: int, steps: int) -> None:
    """R-move, M2: step by step until one cannot be done; that is said once. M4: the dead walk no further."""
    hp = s.worms[worm].hp
    for _ in range(steps):
        if s.worms[worm].cell != GONE and not take_step(s, worm, dx):
            tell(s.log, STOPPED, worm)
            break
    cell = s.worms[worm].cell
    if cell == GONE:
        tell(s.log, MOVED, worm, -1, -1)
    else:
        tell(s.log, MOVED, worm, cell // s.width, cell % s.width)
    if s.worms[worm].hp < hp:
        s.turn_done = True  # M4


def take_step(s: Worms, worm: int, dx: int) -> bool:
    """One step, and what falls because of it: the new column, then the old (G3, M5)."""
    start = s.worms[worm].cell
    column = start % s.width + dx
    if column < 0 or column >= s.width:
        bury(s, worm, BY_EDGE, s.worms[worm].hp)  # M3
    else:
        target = foothold(s, start, dx)
        if target == NOWHERE:
            return False
        relocate(s, worm, target)
        settle(s, column)
    settle(s, start % s.width)
    return True


def foothold(s: Worms, start: int, dx: int) -> int:
    """M1: the field a step leads to inside the map, or NOWHERE: beside, or up onto what stands there."""
    beside = s.cells[start + dx]
    if beside == AIR or is_chest(beside):
        return start + dx
    if start < s.width or (beside != EARTH and beside != WORM):
        return NOWHERE
    above = s.cells[start - s.width]
    goal = s.cells[start - s.width + dx]
    if above != AIR and above != WORM:
        return NOWHERE
    return start - s.width + dx if goal == AIR or is_chest(goal) else NOWHERE
