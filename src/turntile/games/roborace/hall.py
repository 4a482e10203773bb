"""The hall alone: what lies a step away, what a card and a space do to a robot nobody else touches.

The round itself (rules.py) and the planning (planning.py) both build on these.
"""

from __future__ import annotations

from turntile.core.grid import STEP_X, STEP_Y, opposite
from turntile.games.roborace.records import (
    ABYSS,
    BACK_UP,
    BELT,
    BLOCKED,
    CRUSHER,
    DEAD,
    DECORATION_SHIFT,
    FALL,
    FLOOR,
    GEAR_LEFT,
    GEAR_RIGHT,
    GOAL,
    HOME,
    MOVE_1,
    PIT,
    PUSHER,
    TURN_LEFT,
    TURN_RIGHT,
    RoboRace,
)


def next_cell(s: RoboRace, cell: int, direction: int) -> int:
    """F4: the cell a step leads to, BLOCKED by a wall, or FALL: a pit or the outside."""
    edges = s.edges[cell] >> direction
    if edges & 1 != 0:
        return BLOCKED
    if (edges >> ABYSS) & 1 != 0:
        return FALL
    return cell + STEP_X[direction] + STEP_Y[direction] * s.width


def acting_decoration(s: RoboRace, cell: int, phase: int) -> int:
    """RR-decoration: what acts on this cell before its tile in a phase (1 to 5), or 0."""
    decoration = s.decorations[cell]
    if (decoration >> (phase - 1)) & 1 != 0:
        return decoration >> DECORATION_SHIFT
    return 0


def quarter_turns(kind: int) -> int:
    """How far a card turns its robot to the right."""
    if kind == TURN_RIGHT:
        return 1
    if kind == TURN_LEFT:
        return 3
    return 2


def card_alone(s: RoboRace, pose: int, kind: int) -> int:
    """F3: the pose after a card, if no other robot is near; DEAD if it falls."""
    facing = pose & 3
    if kind < BACK_UP:
        return pose - facing + ((facing + quarter_turns(kind)) & 3)
    cell = pose >> 2
    direction = opposite(facing) if kind == BACK_UP else facing
    steps = 1 if kind == BACK_UP else kind - MOVE_1 + 1
    for _ in range(steps):
        there = next_cell(s, cell, direction)
        if there < 0:
            if there == FALL:
                return DEAD
            break  # further steps would meet the same wall
        cell = there
    return cell * 4 + facing


def effect_alone(s: RoboRace, pose: int, phase: int) -> int:
    """RR-effects: the pose after the hall has acted in a phase; DEAD, or HOME on a goal."""
    cell = pose >> 2
    tile = s.tiles[cell]
    decoration = acting_decoration(s, cell, phase)
    if decoration == 0:
        if tile == FLOOR:
            return pose
        if tile == PIT:
            return DEAD
        if tile == GOAL:
            return HOME
        if tile == GEAR_RIGHT:
            return cell * 4 + ((pose + 1) & 3)
        if tile == GEAR_LEFT:
            return cell * 4 + ((pose + 3) & 3)
        direction = tile - BELT
    elif decoration == CRUSHER:
        return DEAD
    else:
        direction = decoration - PUSHER
    there = next_cell(s, cell, direction)
    if there == BLOCKED:
        return pose
    return DEAD if there == FALL else there * 4 + (pose & 3)
