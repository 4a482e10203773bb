"""Random islands: hills in a sea, some ledges in the air, and room above all of it.

For matches on a map nobody has seen, and for `turntile worms map make`.
"""

from __future__ import annotations

from turntile.core.dice import below
from turntile.games.worms.records import AIR, EARTH, WATER, Worms

MIN_WIDTH = 12
MIN_HEIGHT = 8


def draw_island(s: Worms) -> None:
    """N-island: the bottom row is sea, one or two islands rise from it, ledges float above."""
    for cell in range(s.width * s.height):
        s.cells[cell] = AIR
    for column in range(s.width):
        s.cells[(s.height - 1) * s.width + column] = WATER
    shore = 1 + below(s.dice, max(1, s.width // 10))
    if s.width >= 2 * MIN_WIDTH and below(s.dice, 3) == 0:
        strait = s.width // 2 - 2 + below(s.dice, 5)
        raise_hills(s, shore, strait - 1)
        raise_hills(s, strait + 1, s.width - shore)
    else:
        raise_hills(s, shore, s.width - shore)
    for _ in range(s.width // 12):
        hang_ledge(s)


def raise_hills(s: Worms, first: int, end: int) -> None:
    """Heights walk up and down at random; at both shores they meet the sea."""
    highest = max(2, s.height * 2 // 3)
    height = 1
    slope = 1
    for column in range(first, end):
        if below(s.dice, 4) == 0:
            slope = below(s.dice, 5) - 2
        height += slope if slope == 0 or below(s.dice, 2) == 0 else slope // abs(slope)
        height = max(1, min(height, highest, 2 * (column - first) + 2, 2 * (end - 1 - column) + 2))
        for row in range(s.height - height, s.height):
            s.cells[row * s.width + column] = EARTH


def hang_ledge(s: Worms) -> None:
    """Three to six fields of earth, only where the air around them is free."""
    length = 3 + below(s.dice, 4)
    row = 2 + below(s.dice, max(1, s.height // 2 - 1))
    first = below(s.dice, s.width - length + 1)
    for column in range(max(0, first - 1), min(s.width, first + length + 1)):
        for near in range(row - 2, min(s.height, row + 3)):
            if s.cells[near * s.width + column] != AIR:
                return
    for column in range(first, first + length):
        s.cells[row * s.width + column] = EARTH
