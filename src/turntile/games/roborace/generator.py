"""Halls drawn from a seed. Every start has a way to a goal, for a robot alone with the right cards.

Drawn, checked, and drawn again with fewer obstacles if there is no way: the last try is bare
floor inside a wall, so the loop ends. The same numbers give the same hall on every machine.
"""

from __future__ import annotations

from random import Random
from typing import Literal

from turntile.games.roborace.boards import (
    DIRECTIONS,
    Decoration,
    Hall,
    InvalidBoard,
    Start,
    Wall,
    checked_hall,
    starts_without_way,
)
from turntile.games.roborace.records import BELT, FLOOR, GEAR_LEFT, GEAR_RIGHT, GOAL, MAX_SEATS, MAX_SIDE, PHASES, PIT

MIN_SIDE = 4
MAX_LEVEL = 5
TRIES = 12


def make_hall(seed: int, width: int = 12, height: int = 12, starts: int = MAX_SEATS, level: int = 3) -> Hall:
    """A hall of a size and a level of difficulty (1 to 5)."""
    if not (MIN_SIDE <= width <= MAX_SIDE and MIN_SIDE <= height <= MAX_SIDE):
        raise InvalidBoard(
            f"a hall of {width}x{height} cells cannot be made: each side must be {MIN_SIDE} to {MAX_SIDE}"
        )
    if not 1 <= starts <= MAX_SEATS:
        raise InvalidBoard(f"{starts} starts cannot be made: say 1 to {MAX_SEATS}")
    if not 1 <= level <= MAX_LEVEL:
        raise InvalidBoard(f"level {level} is unknown: say 1 (easy) to {MAX_LEVEL} (hard)")
    random = Random(seed)
    for tries_left in range(TRIES, -1, -1):
        hall = draw(random, width, height, starts, level * tries_left / TRIES)
        if not starts_without_way(hall):
            return hall
    raise AssertionError(f"bare floor has no way to the goal: {seed} {width}x{height}")


def draw(random: Random, width: int, height: int, starts: int, weight: float) -> Hall:
    """One try; the weight is how much stands in the way, 0 is bare floor inside a wall."""
    cells = [(x, y) for y in range(height) for x in range(width)]
    homes = draw_starts(random, width, height, starts)
    kept = {(start.x, start.y) for start in homes}
    goal = random.choice([(x, y) for x, y in cells if y < max(1, height // 4) and (x, y) not in kept])
    tiles = [FLOOR] * len(cells)
    free = [cell for cell in cells if cell != goal and cell not in kept]
    random.shuffle(free)
    pits = [free.pop() for _ in range(int(len(cells) * 0.025 * weight))]
    for x, y in pits:
        tiles[y * width + x] = PIT
    for _ in range(int(len(cells) * 0.012 * weight)):
        x, y = free.pop()
        tiles[y * width + x] = random.choice((GEAR_LEFT, GEAR_RIGHT))
    for _ in range(int(len(cells) * 0.01 * weight)):
        draw_belt(random, tiles, width, height)
    tiles[goal[1] * width + goal[0]] = GOAL
    decorations = [
        draw_decoration(random, *free.pop()) for _ in range(int(len(cells) * 0.012 * max(0.0, weight - 1))) if free
    ]
    return checked_hall(
        Hall(
            width,
            height,
            tuple(tiles),
            tuple(sorted(decorations)),
            homes,
            tuple(sorted(draw_walls(random, width, height, weight))),
        )
    )


def draw_starts(random: Random, width: int, height: int, starts: int) -> tuple[Start, ...]:
    """Spread along the bottom row, facing north."""
    columns = sorted(random.sample(range(width), starts))
    return tuple(Start(x, height - 1, "north") for x in columns)


def draw_belt(random: Random, tiles: list[int], width: int, height: int) -> None:
    """A straight belt of two to five cells over bare floor; it ends where it meets something."""
    x, y, way = random.randrange(width), random.randrange(height - 1), random.randrange(4)
    step_x, step_y = ((0, -1), (1, 0), (0, 1), (-1, 0))[way]
    for _ in range(random.randint(2, 5)):
        if not (0 <= x < width and 0 <= y < height - 1) or tiles[y * width + x] != FLOOR:
            return
        tiles[y * width + x] = BELT + way
        x, y = x + step_x, y + step_y


def draw_decoration(random: Random, x: int, y: int) -> Decoration:
    phases = range(1, PHASES + 1)
    if random.random() < 0.5:
        return Decoration(x, y, "crusher", tuple(sorted(random.sample(phases, 2))))
    return Decoration(x, y, "pusher", tuple(sorted(random.sample(phases, 3))), random.choice(DIRECTIONS))


def draw_walls(random: Random, width: int, height: int, weight: float) -> set[Wall]:
    """A border with gaps, the more the harder, and single walls inside."""
    gaps = 0.05 * max(0.0, weight - 1)
    border = [Wall(x, y, "north") for x in range(width) for y in (0, height)]
    border += [Wall(x, y, "west") for y in range(height) for x in (0, width)]
    walls = {wall for wall in border if random.random() >= gaps}
    sides: tuple[Literal["north", "west"], ...] = ("north", "west")
    for _ in range(int(width * height * 0.03 * weight)):
        walls.add(Wall(random.randrange(width), random.randrange(height), random.choice(sides)))
    return walls
