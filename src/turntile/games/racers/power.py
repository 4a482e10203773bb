"""Power failures: where they began and whether a square has power.

Only the squares where failures began are kept, with a bit for each of the last three turns;
whether a square has power is asked of it and its eight neighbours. Squares are asked seldom
and failures are many, so this is cheaper than keeping a map of the dark squares.
"""

from __future__ import annotations

from turntile.core.dice import misses
from turntile.games.racers.records import Racers

FAILURE_TURNS = 3
FAILURE_BITS = 7  # as many as FAILURE_TURNS


def unpowered(s: Racers, at: int) -> bool:
    """R2.13, F6, P2: a failure of this or one of the last two turns began here or directly beside."""
    row = s.width + 2
    north = at - row
    south = at + row
    middle_row = s.failures[at - 1] | s.failures[at] | s.failures[at + 1]
    upper_row = s.failures[north - 1] | s.failures[north] | s.failures[north + 1]
    lower_row = s.failures[south - 1] | s.failures[south] | s.failures[south + 1]
    return middle_row | upper_row | lower_row != 0


def turns_without_power(s: Racers, at: int) -> int:
    """R2.14: how many turns, this one included, until the last failure over a square has passed."""
    row = s.width + 2
    left = 0
    for y in range(-1, 2):
        for x in range(-1, 2):
            left = max(left, turns_left_of(s.failures[at + y * row + x]))
    return left


def turns_left_of(clocks: int) -> int:
    """P2: bit 0 is a failure of this turn, which has three turns to go, this one included."""
    if clocks & 1 != 0:
        return 3
    if clocks & 2 != 0:
        return 2
    if clocks & 4 != 0:
        return 1
    return 0


def roll_failures(s: Racers) -> int:
    """P1, P3: the old ones grow older or pass, then every square rolls; how many failures began.

    R2.12: a draw of a hundred for each square, row by row from the top left; P8: walls roll like any other.
    """
    row = s.width + 2
    for at in range(row + 1, row * (s.height + 1)):
        s.failures[at] = (s.failures[at] << 1) & FAILURE_BITS
    began = 0
    size = s.width * s.height
    square = misses(s.dice, 100, s.failure_percent, size)
    while square < size:
        s.failures[(square // s.width + 1) * row + square % s.width + 1] |= 1
        began += 1
        square += 1 + misses(s.dice, 100, s.failure_percent, size - square - 1)
    return began
