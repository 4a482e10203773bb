"""Set-up: walls, grenades, discs, the charged disc and teleporters, drawn in this order.

Everything is placed by listing the squares where it may lie and drawing among them, so fewer
are placed only where squares run out. Distances are counted in moves from a goal outwards.
"""

from __future__ import annotations

from turntile.core.dice import below
from turntile.core.grid import KING_X, KING_Y
from turntile.forge import i32, i32s
from turntile.games.racers.moves import DIRECTIONS
from turntile.games.racers.records import (
    CHARGED,
    GRENADE,
    GRENADES,
    MAX_CELLS,
    NO_SQUARE,
    TELEPORTER,
    UNREACHABLE,
    WALL,
    Racers,
)

MIN_WALL = 2
TRIES_A_WALL = 40
FARTHEST = UNREACHABLE - 1
GRENADE_AREA = 3
DISC_AREA = 5
FAIR_DIFFERENCE = 2


def hundredths(s: Racers, percent: int) -> int:
    """C1: so many per cent of the squares, rounded up."""
    return (percent * s.width * s.height + 99) // 100


def lay_out_grid(s: Racers) -> None:
    """R2, R3: everything that lies on the grid at the start."""
    place_racers(s)
    draw_walls(s)
    measure_distances(s)
    while not starts_connected(s):  # C5
        draw_walls(s)
        measure_distances(s)
    place_grenades(s)
    place_discs(s)
    place_charged_disc(s)
    place_teleporters(s)
    measure_distances(s)


def place_racers(s: Racers) -> None:
    """R2.2: player 1 bottom left, player 2 top right; each one's goal is the other's start."""
    row = s.width + 2
    s.racers[0].cell = s.height * row + 1
    s.racers[1].cell = row + s.width
    s.racers[0].goal = s.racers[1].cell
    s.racers[1].goal = s.racers[0].cell


def is_start(s: Racers, at: int) -> bool:
    return at == s.racers[0].goal or at == s.racers[1].goal


# ------------------------------------------------------------------------- walls


def draw_frame(s: Racers) -> None:
    """An empty grid in its frame."""
    row = s.width + 2
    for at in range(row * (s.height + 2)):
        s.cells[at] = 0
    for x in range(row):
        s.cells[x] = WALL
        s.cells[row * (s.height + 1) + x] = WALL
    for y in range(s.height + 2):
        s.cells[y * row] = WALL
        s.cells[y * row + row - 1] = WALL


def draw_walls(s: Racers) -> None:
    """R2.8, R2.9: the number is random: up to what fits into a fifth of the grid at medium length.

    A wall that finds no place in a number of tries is left out; the first one always finds one.
    """
    draw_frame(s)
    allowed = hundredths(s, 20)
    longest = (max(s.width, s.height) + 1) // 2
    wanted = 1 + below(s.dice, max(1, 2 * allowed // (MIN_WALL + longest)))
    covered = 0
    for _ in range(wanted):
        tries = 0
        length = draw_wall(s, allowed - covered)
        while length == 0 and (covered == 0 or tries < TRIES_A_WALL):
            length = draw_wall(s, allowed - covered)
            tries += 1
        covered += length


def draw_wall(s: Racers, allowed: int) -> int:
    """R2.4 to R2.7: a wall at random; its length, or 0 if it would break a rule and is not built."""
    row = s.width + 2
    upright = below(s.dice, 2) == 1
    side = s.height if upright else s.width
    length = MIN_WALL + below(s.dice, (side + 1) // 2 - MIN_WALL + 1)
    wide = 1 if upright else length
    high = length if upright else 1
    x = 1 + below(s.dice, s.width - wide + 1)
    y = 1 + below(s.dice, s.height - high + 1)
    if length > allowed or not free_for_wall(s, x, y, wide, high):
        return 0
    for wall_y in range(y, y + high):
        for wall_x in range(x, x + wide):
            s.cells[wall_y * row + wall_x] = WALL
    return length


def free_for_wall(s: Racers, x: int, y: int, wide: int, high: int) -> bool:
    """R2.11: not on a start. F5, C7: no other wall's square within a king's move."""
    row = s.width + 2
    for near_y in range(max(1, y - 1), min(s.height, y + high) + 1):
        for near_x in range(max(1, x - 1), min(s.width, x + wide) + 1):
            if s.cells[near_y * row + near_x] & WALL != 0:
                return False
    for wall_y in range(y, y + high):
        for wall_x in range(x, x + wide):
            if is_start(s, wall_y * row + wall_x):
                return False
    return True


# ------------------------------------------------------------------------- distances


def measure_distances(s: Racers) -> None:
    """How many moves each cell is from each racer's goal, over the teleporters that are there."""
    queue = i32s(MAX_CELLS)
    for seat in range(2):
        measure_from(s, seat * MAX_CELLS, s.racers[seat].goal, queue)


def measure_from(s: Racers, base: int, goal: int, queue: list[i32]) -> None:
    """Breadth first, backwards: who stands beside a square that leads to a cell is one move from that cell."""
    for at in range((s.width + 2) * (s.height + 2)):
        s.far[base + at] = UNREACHABLE
    s.far[base + goal] = 0
    queue[0] = goal
    first = 0
    end = 1
    while first < end:
        at = queue[first]
        first += 1
        if s.cells[at] & TELEPORTER == 0:
            end = note_neighbours(s, base, at, s.far[base + at], queue, end)
        else:
            for door in range(s.doors_placed):
                if s.doors[door].exit == at:
                    end = note_neighbours(s, base, s.doors[door].cell, s.far[base + at], queue, end)


def note_neighbours(s: Racers, base: int, at: int, distance: int, queue: list[i32], end: int) -> int:
    """Note and queue the neighbours that have no distance yet; the new end of the queue."""
    row = s.width + 2
    for direction in range(DIRECTIONS):
        near = at + KING_Y[direction] * row + KING_X[direction]
        if s.cells[near] & WALL == 0 and s.far[base + near] == UNREACHABLE:
            s.far[base + near] = min(distance + 1, FARTHEST)
            queue[end] = near
            end += 1
    return end


def starts_connected(s: Racers) -> bool:
    """C5, C9: by king moves over squares without walls (no teleporter is placed yet)."""
    return s.far[s.racers[0].cell] != UNREACHABLE


# ------------------------------------------------------------------------- items


def may_lie(s: Racers, at: int) -> bool:
    """C3: none on walls or starts."""
    return s.cells[at] & WALL == 0 and not is_start(s, at)


def place_grenades(s: Racers) -> None:
    """R3.7 to R3.12: one in each start's 3x3 area first (C2), then up to 2 % anywhere."""
    squares = i32s(MAX_CELLS)
    placed = 0
    for seat in range(2):
        at = draw_near_start(s, seat, GRENADE_AREA, squares)
        if at != NO_SQUARE:
            s.cells[at] |= GRENADE
            placed += 1
    n = 0
    for at in range((s.width + 2) * (s.height + 2)):
        if may_lie(s, at) and s.cells[at] & GRENADES == 0:
            squares[n] = at
            n += 1
    while placed < hundredths(s, 2) and n > 0:
        s.cells[draw_square(s, squares, n)] |= GRENADE
        n -= 1
        placed += 1


def place_discs(s: Racers) -> None:
    """R3.20 to R3.25, F1: one in each start's 5x5 area first (C2), then up to 2 % anywhere."""
    squares = i32s(MAX_CELLS)
    placed = 0
    for at in range((s.width + 2) * (s.height + 2)):
        s.discs[at] = 0
    for seat in range(2):
        at = draw_near_start(s, seat, DISC_AREA, squares)
        if at != NO_SQUARE:
            s.discs[at] = 1
            placed += 1
    n = 0
    for at in range((s.width + 2) * (s.height + 2)):
        if may_lie(s, at) and s.discs[at] == 0:
            squares[n] = at
            n += 1
    while placed < hundredths(s, 2) and n > 0:
        s.discs[draw_square(s, squares, n)] = 1
        n -= 1
        placed += 1


def draw_near_start(s: Racers, seat: int, side: int, squares: list[i32]) -> int:
    """C2: a square of the block of this side that has the racer's start in its corner, or NO_SQUARE."""
    row = s.width + 2
    start = s.racers[1 - seat].goal
    left = 1 if seat == 0 else s.width - side + 1
    top = s.height - side + 1 if seat == 0 else 1
    n = 0
    for y in range(top, top + side):
        for x in range(left, left + side):
            at = y * row + x
            if at != start and may_lie(s, at):
                squares[n] = at
                n += 1
    if n == 0:
        return NO_SQUARE
    return draw_square(s, squares, n)


def draw_square(s: Racers, squares: list[i32], n: int) -> int:
    """One of the first n squares at random; the last of them takes its place."""
    k = below(s.dice, n)
    at = squares[k]
    squares[k] = squares[n - 1]
    return at


def place_charged_disc(s: Racers) -> None:
    """R3.27 to R3.32, C4, C8: on a square about as far from one start as from the other; F2: else none."""
    squares = i32s(MAX_CELLS)
    n = 0
    for at in range((s.width + 2) * (s.height + 2)):
        if may_lie(s, at) and fair(s, at):
            squares[n] = at
            n += 1
    if n > 0:
        s.cells[draw_square(s, squares, n)] |= CHARGED


def fair(s: Racers, at: int) -> bool:
    """C4: the distances to both starts are there and differ by two at most."""
    one = s.far[at]
    two = s.far[MAX_CELLS + at]
    return one != UNREACHABLE and two != UNREACHABLE and abs(one - two) <= FAIR_DIFFERENCE


def place_teleporters(s: Racers) -> None:
    """R3.40 to R3.45, R3.37: 3 %, each leading to another one at random; C5: a single one is none."""
    squares = i32s(MAX_CELLS)
    n = 0
    for at in range((s.width + 2) * (s.height + 2)):
        if may_lie(s, at):
            squares[n] = at
            n += 1
    wanted = min(hundredths(s, 3), n)
    if wanted < 2:
        wanted = 0
    for _ in range(wanted):
        s.cells[draw_square(s, squares, n)] |= TELEPORTER
        n -= 1
    number_doors(s)
    for door in range(s.doors_placed):
        target = below(s.dice, s.doors_placed - 1)
        if target >= door:
            target += 1
        s.doors[door].exit = s.doors[target].cell


def number_doors(s: Racers) -> None:
    """List the teleporters in the order of their cells."""
    s.doors_placed = 0
    for at in range((s.width + 2) * (s.height + 2)):
        if s.cells[at] & TELEPORTER != 0:
            s.doors[s.doors_placed].cell = at
            s.doors_placed += 1
