"""Grid geometry shared by the games: (x, y) with (0, 0) top left, cells counted row by row.

Directions: four, clockwise from up, and eight, clockwise from up. Rules files import what
they need; all of it is in forge's subset.
"""

from __future__ import annotations

from turntile.forge import table

UP = 0
RIGHT = 1
DOWN = 2
LEFT = 3

STEP_X = table(0, 1, 0, -1)
STEP_Y = table(-1, 0, 1, 0)

# The eight king's moves: up, up-right, right, ... clockwise.
KING_X = table(0, 1, 1, 1, 0, -1, -1, -1)
KING_Y = table(-1, -1, 0, 1, 1, 1, 0, -1)


def opposite(direction: int) -> int:
    """The direction straight back."""
    return direction ^ 2


def clockwise(direction: int) -> int:
    return (direction + 1) & 3


def anticlockwise(direction: int) -> int:
    return (direction + 3) & 3
