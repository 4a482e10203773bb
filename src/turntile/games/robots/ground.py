"""Obstacles: the standard map, or seeded random ones that cut nothing off (R7, X4)."""

from __future__ import annotations

from turntile.core.dice import below
from turntile.core.grid import KING_X, KING_Y
from turntile.games.robots.records import (
    BARE,
    DRAWS_PER_OBSTACLE,
    MAX_SEATS,
    OBSTACLE,
    RANDOM_MAP,
    STANDARD,
    STANDARD_X,
    STANDARD_Y,
    Robots,
    area,
    start_cell,
)


def lay_obstacles(s: Robots) -> None:
    if s.map == STANDARD:
        for i in range(len(STANDARD_X)):
            s.cells[STANDARD_Y[i] * s.width + STANDARD_X[i]] = OBSTACLE
    elif s.map == RANDOM_MAP:
        for _ in range(area(s) // DRAWS_PER_OBSTACLE):
            cell = below(s.dice, area(s))
            if may_stand_at(s, cell):
                s.cells[cell] = OBSTACLE


def may_stand_at(s: Robots, cell: int) -> bool:
    """X4: an obstacle on no start, and where it cuts nothing off."""
    return s.cells[cell] == BARE and not is_start(s, cell) and not cuts_off(s, cell)


def is_start(s: Robots, cell: int) -> bool:
    found = False
    for seat in range(MAX_SEATS):
        found = found or start_cell(s, seat) == cell
    return found


def cuts_off(s: Robots, cell: int) -> bool:
    """The free cells beside it would no longer be joined around it.

    Looking at the eight neighbours is enough: if those beside the cell stay joined through the
    corners between them, every way through the cell has a way round it, so what was connected
    stays connected. (Some obstacles that would do no harm are refused too.)
    """
    free = 0
    joined = 0
    for direction in range(0, 8, 2):
        if is_free(s, cell, direction):
            free += 1
            if is_free(s, cell, direction + 1) and is_free(s, cell, (direction + 2) & 7):
                joined += 1
    return free - joined > 1


def is_free(s: Robots, cell: int, king: int) -> bool:
    """The neighbour in one of the eight directions is in the grid and no obstacle."""
    x = cell % s.width + KING_X[king]
    y = cell // s.width + KING_Y[king]
    return 0 <= x < s.width and 0 <= y < s.height and s.cells[y * s.width + x] != OBSTACLE
