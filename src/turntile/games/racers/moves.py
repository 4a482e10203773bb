"""Moves and light trails: where a racer may go, and the chain he drags along.

A trail is kept as the squares left by the last three performed actions, the latest first;
an action that was no move leaves no square. An action's start lets the oldest vanish (L7),
so the racer to act sees two of his own at most and the other sees three.
"""

from __future__ import annotations

from turntile.core.grid import KING_X, KING_Y
from turntile.games.racers.records import (
    NO_SQUARE,
    TELEPORTER,
    TRAIL_LENGTH,
    WALL,
    Racer,
    Racers,
)

# Why a move is refused.
LEAVES_GRID = 5
WALL_THERE = 6
RACER_THERE = 7
TRAIL_THERE = 8
CROSSES_TRAIL = 9
EXIT_TAKEN = 10
EXIT_UNDER_TRAIL = 11
EXIT_IS_HERE = 12
ENDS_WHERE_BEGUN = 13

DIRECTIONS = 8  # clockwise from up; the odd ones are diagonal


def beside(s: Racers, at: int, direction: int) -> int:
    """The neighbour of a cell in one of the eight directions; the frame makes sure there is one."""
    return at + KING_Y[direction] * (s.width + 2) + KING_X[direction]


def in_frame(s: Racers, at: int) -> bool:
    """The frame around the grid is no part of it."""
    row = s.width + 2
    column = at % row
    return column == 0 or column == s.width + 1 or at < row or at >= row * (s.height + 1)


def exit_of(s: Racers, at: int) -> int:
    """R3.34: where the teleporter on this square leads; NO_SQUARE if there is none."""
    if s.cells[at] & TELEPORTER == 0:
        return NO_SQUARE
    return s.doors[door_at(s, at)].exit


def door_at(s: Racers, at: int) -> int:
    """The number of the teleporter on a square that has one."""
    door = 0
    while s.doors[door].cell != at:
        door += 1
    return door


def holds_trail(s: Racers, at: int) -> bool:
    for seat in range(2):
        racer = s.racers[seat]
        for k in range(TRAIL_LENGTH):
            if racer.trail[k] == at:
                return True
    return False


def chained(racer: Racer, a: int, b: int) -> bool:
    """L2: the two squares are consecutive links of [racer, newest trail square, ..., oldest].

    L5: a hop through a teleporter is no link.
    """
    newer = racer.cell
    for k in range(TRAIL_LENGTH):
        older = racer.trail[k]
        if older != NO_SQUARE:
            if not racer.hops[k] and ((newer == a and older == b) or (newer == b and older == a)):
                return True
            newer = older
    return False


def why_no_move(s: Racers, seat: int, direction: int) -> int:
    """L1, L2, L8, T1, A6: 0, or why the racer cannot move so."""
    racer = s.racers[seat]
    other = s.racers[1 - seat]
    to = beside(s, racer.cell, direction)
    if s.cells[to] & WALL != 0:
        return LEAVES_GRID if in_frame(s, to) else WALL_THERE
    if to == other.cell:
        return RACER_THERE
    if holds_trail(s, to):
        return TRAIL_THERE
    if direction & 1 == 1:
        side = beside(s, racer.cell, direction - 1)
        other_side = beside(s, racer.cell, (direction + 1) & 7)
        if chained(racer, side, other_side) or chained(other, side, other_side):
            return CROSSES_TRAIL
    if s.cells[to] & TELEPORTER != 0:
        to = exit_of(s, to)
        if to == other.cell:
            return EXIT_TAKEN
        if to == racer.cell:
            return EXIT_IS_HERE
        if holds_trail(s, to):
            return EXIT_UNDER_TRAIL
    if to == s.began and s.actions_left == 1:
        return ENDS_WHERE_BEGUN
    return 0


def can_move(s: Racers, seat: int) -> bool:
    """A7: is there a legal move?"""
    direction = 0
    while direction < DIRECTIONS and why_no_move(s, seat, direction) != 0:
        direction += 1
    return direction < DIRECTIONS


def forget_oldest(racer: Racer) -> None:
    """L3, L7: what was left three actions ago vanishes when the racer is due to act again."""
    racer.trail[TRAIL_LENGTH - 1] = NO_SQUARE
    racer.hops[TRAIL_LENGTH - 1] = False


def age_trail(racer: Racer, left: int, hopped: bool) -> None:
    """L3, L4: a performed action pushes the trail back by one and adds the square it left, if any."""
    for k in range(TRAIL_LENGTH - 1, 0, -1):
        racer.trail[k] = racer.trail[k - 1]
        racer.hops[k] = racer.hops[k - 1]
    racer.trail[0] = left
    racer.hops[0] = hopped
